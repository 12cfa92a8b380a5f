import { expect, test } from "vitest";
import { gameFor, gameType, type JsonObject, newState, Rng, type State } from "../../../env/index.js";
import { Play } from "../../../env/core/play.js";
import { dataFor, loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import {
  BANK_SHIFT,
  FIRED_AF,
  KNOWN,
  MARK_ATTACK,
  NEW_PIN,
  NO_SPOT,
  PINNED,
  POOL,
  STAGE_PLOT_FIRST,
} from "../../../env/streets-of-stalingrad/layout.js";
import { isGunReady, mayShell, reachesTarget } from "../../../env/streets-of-stalingrad/rules/artillery/guns.js";
import { noteSpotters, serve } from "../../../env/streets-of-stalingrad/rules/artillery/spotting.js";
import { isUnmet, isVisible, lookRound } from "../../../env/streets-of-stalingrad/rules/units/hidden.js";
import { isVehicle } from "../../../env/streets-of-stalingrad/rules/units/units.js";
import { Lookouts } from "../../../env/streets-of-stalingrad/sampling/lookouts.js";
import { KINDS as kindNames } from "../../../env/streets-of-stalingrad/schema.js";
import { give, has, placeOf, put, setExtra, setMark, Tables } from "../../../env/streets-of-stalingrad/state.js";

/** A piece of the map with the Tartar Wall, woods, suburbs, a hilltop and open ground. */
const KINDS = {
  g: [
    "inf",
    "tank",
    "acar",
    "motinf",
    "at",
    "mortar",
    "ig",
    "how",
    "neb",
    "88",
    "leader",
    "op",
    "op-li",
    "op-lw",
    "mine",
  ],
  s: [
    "inf",
    "guards",
    "tank",
    "at",
    "mortar",
    "how",
    "kat",
    "aa",
    "leader",
    "commissar",
    "op",
    "sniper",
    "train",
    "fort",
  ],
};
const counters = Object.entries(KINDS).flatMap(([side, kinds]) =>
  [0, 1, 2].flatMap((n) =>
    kinds.map((kind) => {
      const formation = side === "g" ? `51K/${70 + n}ID/${n}` : `62A/${90 + n}RD/${n}`;
      return [`${side}-${kind}-${n}`, { type: `${side}-${kind}`, at: "pool", formation }] as const;
    }),
  ),
);
const position: JsonObject = {
  map: { base: "standard" },
  bounds: { cols: [21, 36], rows: [33, 45] },
  units: Object.fromEntries(counters),
};
const type = gameType("streets-of-stalingrad");
const { options } = gameFor(type, { scenario: "sandbox", ...position });
const tables = new Tables(loadSetting(dataFor(position, type.data), "sandbox"), options);
const { board, layout, roster } = tables;
const rng = new Rng("sets");
const OP = kindNames.indexOf("op");
const one = (n: number): boolean => rng.below(n) === 0;

/** Counters anywhere, with what bears on who looks out and who spots. */
function scattered(): State {
  const s = newState(layout.size);
  s[layout.turn] = 3;
  s[layout.phase] = 2;
  s[layout.stage] = STAGE_PLOT_FIRST;
  const walls = Array.from({ length: board.size }, (_, h) => h).filter((h) => board.sight.isWall(h));
  const absent = rng.below(8);
  const behindWalls = one(2);
  s.fill(POOL, layout.place, layout.place + tables.units);
  for (let u = 0; u < tables.units; u++) {
    if (roster.spare[u] === 1 || rng.below(8) < absent) continue;
    put(tables, s, u, one(2) ? walls[rng.below(walls.length)]! : rng.below(board.size));
    for (const flag of [PINNED, NEW_PIN, NO_SPOT, FIRED_AF]) if (one(6)) give(tables, s, u, flag);
    if (one(2)) give(tables, s, u, KNOWN);
    const bank = 1 + rng.below(6);
    if (behindWalls && isVehicle(tables, s, u) && board.banks.isBank(placeOf(tables, s, u), bank))
      setExtra(tables, s, u, BANK_SHIFT, bank);
  }
  for (let h = 0; h < board.size; h++) if (one(12)) setMark(tables, s, h, MARK_ATTACK);
  // some guns are served, many of a side by one OP
  const ops = [0, 1].map((side) => {
    const list = [...roster.counters.keys()].filter((u) => roster.side[u] === side && roster.kind[u] === OP);
    return list[rng.below(list.length)]!;
  });
  for (const gun of roster.guns) {
    const side = roster.side[gun]!;
    const spotter = one(3) ? roster.first(side) + rng.below(roster.end(side) - roster.first(side)) : ops[side]!;
    if (one(2) && placeOf(tables, s, gun) >= 0 && placeOf(tables, s, spotter) >= 0)
      serve(tables, s, gun, spotter, rng.below(board.size));
  }
  return s;
}

test("the hexes found for the spotters of a side's guns are those that asking every unit gives", () => {
  const wrong: string[] = [];
  let [may, not] = [0, 0];
  for (let round = 0; round < 300; round++) {
    const s = scattered();
    for (const side of [0, 1]) {
      noteSpotters(tables, s, side, isGunReady);
      for (const gun of roster.guns) {
        if (roster.side[gun] !== side || !isGunReady(tables, s, gun)) continue;
        for (let h = 0; h < board.size; h++) {
          const shells = mayShell(tables, s, gun, h);
          if (reachesTarget(tables, s, gun, h) !== shells) wrong.push(`${roster.counters[gun]!.id} at ${board.ids[h]}`);
          if (shells) may++;
          else not++;
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(Math.min(may, not)).toBeGreaterThan(1000);
});

test("the faces noted in a look round are those visible when every unit is asked", () => {
  let learnt = 0;
  for (let round = 0; round < 1500; round++) {
    const s = scattered();
    const all = [...roster.counters.keys()].filter((u) => placeOf(tables, s, u) >= 0);
    const before = all.map((u) => has(tables, s, u, KNOWN));
    const seen = all.map((u, i) => before[i]! || isVisible(tables, s, u));
    expect(lookRound(tables, s, new Play())).toBe(seen.some((is, i) => is !== before[i]));
    expect(all.map((u) => has(tables, s, u, KNOWN))).toEqual(seen);
    learnt += seen.filter((is, i) => is && !before[i]).length;
  }
  expect(learnt).toBeGreaterThan(100);
});

test("an unseen counter is ruled out as a lookout where it alone would see a unit that nobody has seen", () => {
  const lookouts = new Lookouts(tables);
  const wrong: string[] = [];
  let [sees, blind, walled] = [0, 0, 0];
  for (let round = 0; round < 3000; round++) {
    const s = scattered();
    s[layout.weather] = rng.below(2);
    // so few lookouts that many are not seen
    for (let u = 0; u < tables.units; u++) if (roster.blind[u] === 0 && !one(8)) put(tables, s, u, POOL);
    lookRound(tables, s, new Play());
    for (const player of [0, 1]) {
      const own = [...roster.counters.keys()].filter((u) => roster.side[u] === player && isUnmet(tables, s, u));
      const enemies = [...roster.counters.keys()].filter(
        (u) => roster.side[u] !== player && placeOf(tables, s, u) >= 0,
      );
      // all of one back
      const unseen = Int32Array.from(enemies.filter((u) => !has(tables, s, u, KNOWN)));
      const end = new Int32Array(tables.units).fill(unseen.length);
      lookouts.begin(s, player, unseen, unseen.length, end);
      if (!unseen.some((u) => roster.blind[u] === 1)) continue;
      // in the place of each minefield or fort, any unit that it may be
      const alone = Int32Array.from(s);
      for (const u of enemies) alone[layout.place + u] = POOL;
      for (const hex of new Set(unseen.filter((u) => roster.blind[u] === 1).map((u) => placeOf(tables, s, u))))
        for (const u of unseen) {
          alone[layout.place + u] = hex;
          const bank = 1 + rng.below(6);
          const isRim = isVehicle(tables, s, u) && board.banks.isBank(hex, bank);
          setExtra(tables, alone, u, BANK_SHIFT, isRim ? bank : 0);
          const is = own.some((m) => isVisible(tables, alone, m));
          if (lookouts.contradicts(alone, u, hex) !== is) wrong.push(`${roster.counters[u]!.id}, ${round}`);
          alone[layout.place + u] = POOL;
          if (is) sees++;
          else if (isRim) walled++;
          else blind++;
        }
    }
  }
  expect(wrong).toEqual([]);
  expect(
    [sees, blind, walled].map((n) => n > 20),
    `${sees} ${blind} ${walled}`,
  ).toEqual([true, true, true]);
});
