import { actionIndex, Env, type Game, gameFor, type Json, type JsonObject, Rng } from "../../../../env/index.js";
import { pickLegal } from "../../../../agents/random.js";
import tables from "../../../../env/streets-of-stalingrad/data/tables.json" with { type: "json" };
import { streetsOfStalingrad } from "../../../../env/streets-of-stalingrad/index.js";
import { type Drms, expectedAttack, expectedBombs, expectedFire, type Spotted } from "./expected.js";
import { BOUNDS, counters, generateMap, generatePosition } from "./generate.js";
import { af, df, distance, isHead, Position, type Unit } from "./position.js";

const TYPES = tables.setupSandbox.types as unknown as Record<string, Record<string, unknown>>;
type Doc = Readonly<Record<string, unknown>>;
/** Fights on one map, and most decisions of one. */
const FIGHTS_OF_MAP = 40;
const MOST_DECISIONS = 60;

/** How many dice of each kind were compared, how many could not be, and what differed. */
export interface Compared {
  readonly counts: Record<string, number>;
  readonly left: Record<string, number>;
  readonly differences: string[];
  /** How often each modifier was met, by kind of die: `attack fort`. */
  readonly met: Record<string, number>;
}

const list = (doc: Doc | undefined, key: string): string[] => (doc?.[key] ?? []) as string[];

/** Guns among these units that shell a hex, by the rows of their spotters, which may have fallen since. */
function spottedAt(rows: Position, place: Position, units: readonly Unit[], hex: string): Spotted[] {
  return Object.entries(rows.doc["units"] as unknown as Record<string, Doc>).flatMap(([by, doc]) =>
    ((doc["spotted"] ?? []) as { hex: string; units: string[] }[])
      .filter((row) => row.hex === hex)
      .flatMap((row) => row.units)
      .filter((id) => units.some((u) => u.id === id))
      .map((id) => ({ gun: place.unit(id), by: place.unit(by) })),
  );
}

/**
 * Who spotted for guns that fired: by the rows before the action for those named before it, since a spotter may be lost
 * in it.
 */
function spottedThen(p: Position, then: Position, firers: readonly Unit[], hex: string): Spotted[] {
  const before = spottedAt(p, p, firers, hex);
  const named = spottedAt(then, p, firers, hex);
  return [...before, ...named.filter(({ gun }) => before.every((row) => row.gun.id !== gun.id))];
}

/** Plays generated fights at random until this number of dice was compared with the charts. */
export function compareFights(dice: number, seed: string): Compared {
  const result: Compared = { counts: {}, left: {}, differences: [], met: {} };
  const rng = new Rng(seed);
  let compared = 0;
  for (let g = 0; compared < dice && result.differences.length < 20; g++) {
    const map = generateMap(rng);
    const game = gameFor(
      streetsOfStalingrad,
      { scenario: "sandbox", map, bounds: BOUNDS, units: counters() } as JsonObject,
      {
        hiddenUnits: false,
      },
    );
    const env = new Env(game);
    for (let f = 0; f < FIGHTS_OF_MAP && compared < dice; f++) {
      const position = generatePosition(map, rng);
      env.resetTo(position as JsonObject, `${seed}/${g}/${f}`);
      compared += fight(game, env, rng, result);
    }
  }
  return result;
}

/** A random action; of many hexes mostly one with a counter, so that bombs seldom fall on empty ground. */
function pick(env: Env, occupied: ReadonlySet<string>, rng: Rng): number {
  const targets = env.legal().filter((name) => occupied.has(name));
  if (targets.length === 0 || rng.below(5) === 0) return pickLegal(env.mask, 0, env.mask.length, rng);
  return actionIndex(env.game, targets[rng.below(targets.length)]!);
}

function fight(game: Game, env: Env, rng: Rng, result: Compared): number {
  let n = 0;
  const word = (field: string) => env.state[game.fields.find((x) => x.name === field)!.offset];
  const first = word("phase");
  const { units } = game.write(env.state) as unknown as { units: Record<string, { at?: string }> };
  const plots = first === 2 || first === 9;
  const occupied = new Set(plots ? Object.values(units).map(({ at }) => `hex ${at}`) : []);
  for (let i = 0; i < MOST_DECISIONS && env.actor >= 0 && word("phase") === first; i++) {
    const state = env.state.slice();
    const action = pick(env, occupied, rng);
    env.step(action);
    if (word("recordCount") === 0) continue;
    const [before, after] = [game.write(state), game.write(env.state)];
    const record = ((after["resolutions"] ?? []) as Json[])[0] as Doc | undefined;
    if (record === undefined) continue;
    const kind = record["kind"] as string;
    const expected = expectedOf(before, game.actions[action]!, after, record);
    if (expected === null) {
      result.left[kind] = (result.left[kind] ?? 0) + 1;
      continue;
    }
    n++;
    result.counts[kind] = (result.counts[kind] ?? 0) + 1;
    for (const name of Object.keys(expected)) result.met[`${kind} ${name}`] = (result.met[`${kind} ${name}`] ?? 0) + 1;
    const rolled = (kind === "ica" ? { sum: record["drm"] } : record["drms"]) as Drms;
    for (const name of new Set([...Object.keys(rolled), ...Object.keys(expected)]))
      if ((rolled[name] ?? 0) !== (expected[name] ?? 0))
        result.differences.push(
          `${kind} of ${String(record["hex"])}, ${name}: rolled ${rolled[name] ?? 0}, by the charts ${expected[name] ?? 0}; ` +
            `${game.actions[action]} in ${JSON.stringify({ ...before, options: undefined })}`,
        );
  }
  return n;
}

/**
 * What the charts say of the first die of an action; null where who took part can't be read from the position before
 * it.
 */
function expectedOf(before: JsonObject, action: string, after: JsonObject, record: Doc): Drms | null {
  const p = new Position(before, TYPES);
  const then = new Position(after, TYPES);
  const decision = before["decision"] as unknown as Doc;
  const frames = [...((before["frames"] ?? []) as unknown as Doc[]), decision];
  const ask = decision["ask"] as string;
  const hex = record["hex"] as string;
  const german = (id: string) => p.unit(id).german;
  const byTable = record["table"] === "WBBT";
  const same = before["phase"] === after["phase"];
  const isOpen = (h: string): boolean => {
    const attacked = list(before, "attacked").includes(h) && !list(before, "barraged").includes(h);
    return attacked || (list(before["marks"] as unknown as Doc, h)[0] ?? "") === "attack";
  };
  const attack = frames.find((f) => String(f["ask"]).startsWith("attack.") && f["ask"] !== "attack.target");
  switch (record["kind"]) {
    case "attack": {
      if (ask === "bomb.table") {
        const guns = spottedAt(
          p,
          p,
          list(decision, "attackers").map((id) => p.unit(id)),
          hex,
        );
        const side = decision["actor"] === "german";
        return expectedBombs(
          p,
          guns,
          (decision["stukas"] ?? 0) as number,
          seenFromAir(p, hex, record),
          hex,
          side,
          byTable,
          isOpen,
        );
      }
      if (attack === undefined || !["attack.mode", "df.target", "df.unit", "retreat.unit"].includes(ask)) return null;
      if (ask !== "attack.mode" && action !== "done") return null;
      const units = list(attack, "attackers")
        .map((id) => p.unit(id))
        .filter((u) => u.doc["pinned"] !== true && u.doc["spent"] !== true);
      const stukas = (attack["stukas"] ?? 0) as number;
      const guns = spottedAt(p, p, units, hex);
      if (units.every((u) => isHead(u) || guns.some(({ gun }) => gun.id === u.id))) return null;
      return expectedAttack(p, {
        ...{ hex, units, guns, stukas, seenFromAir: seenFromAir(p, hex, record), attackedBeside: isOpen },
        engineers: attack["drmEngineer"] === true,
        armor: attack["drmArmor"] === true,
      });
    }
    case "defense": {
      const fires = (decision["fires"] ?? []) as { hex: string; units: string[]; done?: boolean }[];
      const [fire] = fires;
      if (attack === undefined || fire === undefined || fire.hex !== hex || fire.done === true) return null;
      const named = action.startsWith("unit ") && fires.length === 1 ? [action.slice(5)] : [];
      if (named.length === 0 && action !== "done") return null;
      const firers = [...fire.units, ...named].map((id) => p.unit(id));
      const guns = spottedThen(p, then, firers, hex);
      if (!isWhole(firers, guns, record, hex, same)) return null;
      const target = list(attack, "attackers")
        .map((id) => p.unit(id))
        .filter((u) => u.at === hex);
      if (byTable) return expectedBombs(p, guns, 0, false, hex, firers[0]!.german, true, () => false);
      return expectedFire(p, firers, guns, hex, target, false);
    }
    case "opportunity": {
      const group = list(decision, "group").map((id) => p.unit(id));
      const named = action.startsWith("unit ") ? [action.slice(5)] : [];
      if (!ask.startsWith("op.") || action === "all") return null;
      const firers = [...list(decision, "firing"), ...named].map((id) => p.unit(id));
      const guns = spottedThen(p, then, firers, hex);
      if (firers.length === 0 || !isWhole(firers, guns, record, hex, same)) return null;
      return expectedFire(p, firers, guns, hex, group, byTable);
    }
    case "bombardment": {
      const plotted = (before["missions"] ?? []) as unknown as Doc[];
      const last = ask === "bomb.table" ? [{ ...decision, side: decision["actor"], table: action }] : [];
      const [mission] = [...plotted, ...(last as Doc[])].filter((m) => m["hex"] === hex && m["done"] !== true);
      // what is plotted stays as it is until the dice are thrown, whatever ends the plot
      const plots =
        String(before["stage"]).startsWith("plot") || (ask === "aa.unit" && list(decision, "units").length === 0);
      if (mission === undefined || !plots || (ask === "aa.unit" && action !== "done")) return null;
      const guns = spottedAt(
        p,
        p,
        list(mission, "units").map((id) => p.unit(id)),
        hex,
      );
      const stukas = (mission["stukas"] ?? 0) as number;
      if (mission["table"] === "interdict") return { "interdict-own": -2 }; // Rule: SOS 14.85
      return expectedBombs(
        p,
        guns,
        stukas,
        seenFromAir(p, hex, record),
        hex,
        mission["side"] === "german",
        byTable,
        isOpen,
      );
    }
    case "ica": {
      if (ask !== "ica.unit" || action !== "done") return null;
      const at = decision["hex"] as string;
      const counter = list(decision, "list").map((id) => p.unit(id));
      const side = german(counter[0]!.id);
      const sum = (units: readonly Unit[], of: (u: Unit) => number) => units.reduce((n, u) => n + of(u), 0);
      return { sum: sum(counter, af) - sum(p.in(at, !side), df) };
    }
    default:
      return null;
  }
}

/**
 * True when the observer of the Luftwaffe sees a hex: always beside it, never beyond 12 hexes. In between, lines of
 * sight decide. They have tests of their own, so what was rolled is taken. Rule: SOS 14.25
 */
function seenFromAir(p: Position, hex: string, record: Doc): boolean {
  const sees = (u: Unit) => u.type["opLevel"] === "LW" && (u.doc["pinned"] !== true || u.doc["newPin"] === true);
  const away = p.units.filter(sees).map((u) => distance(u.at, hex));
  if (away.some((n) => n <= 1)) return true;
  return away.some((n) => n <= 12) && ((record["drms"] as Drms)["lwop"] ?? 0) !== 0;
}

const isGun = (u: Unit): boolean => u.type["indirect"] === true || u.type["indirectRange"] !== undefined;

/**
 * True when the points rolled show that these units fired, and no others: guns by AF, others by DF or by AF at armor.
 *
 * @param same the phase goes on
 */
function isWhole(firers: readonly Unit[], guns: readonly Spotted[], record: Doc, hex: string, same: boolean): boolean {
  const shells = (u: Unit) => guns.some(({ gun }) => gun.id === u.id);
  const most = firers.reduce((n, u) => n + Math.max(shells(u) ? af(u) : df(u), 2 * af(u)), 0);
  const least = firers.reduce((n, u) => n + (shells(u) ? af(u) : Math.min(df(u), 1)), 0);
  const points = record["points"] as number;
  const far = firers.some((u) => u.type["indirect"] === true && !shells(u) && distance(u.at, hex) > 1);
  const forgotten = firers.some((u) => isGun(u) && !shells(u)) && !same; // who spotted is no longer noted
  return !far && !forgotten && points >= least && points <= most;
}
