import { describe, expect, test } from "vitest";
import { Rng } from "../../../env/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";
import { Lines } from "../../../env/streets-of-stalingrad/map/lines.js";
import { Watch } from "../../../env/streets-of-stalingrad/map/watch.js";
import { Fronts } from "../../../env/streets-of-stalingrad/map/fronts.js";

const { board, roster } = loadSetting(streetsOfStalingrad.data, "scenario-7");
const rng = new Rng("fronts");

interface Placed {
  readonly unit: number;
  readonly hex: number;
  readonly known: boolean;
}

/** Some units somewhere, each known to its enemy or not. */
function place(fronts: Fronts, share: number): Placed[] {
  const placed: Placed[] = [];
  for (let unit = 0; unit < roster.size; unit++) {
    fronts.words[unit] = -1;
    if (rng.below(100) >= share) continue;
    const at = { unit, hex: rng.below(board.size), known: rng.below(2) === 1 };
    placed.push(at);
    fronts.words[unit] = at.hex * 2 + (at.known ? 1 : 0);
  }
  return placed;
}

const nearestOf = (hex: number, hexes: readonly number[]): number =>
  Math.min(...hexes.map((h) => board.distance(hex, h)));

describe("how far hexes are from the fronts of a side that deploys, on a map with holes", () => {
  test.each([0, 3, 20, 100])("%d of a hundred counters are on the map", (share) => {
    const fronts = new Fronts(board, roster);
    for (let round = 0; round < 12; round++) {
      const side = round % 2;
      const placed = place(fronts, share);
      fronts.renew(side);
      const enemies = placed.filter((p) => roster.side[p.unit] !== side);
      const friends = placed.filter((p) => roster.side[p.unit] === side && roster.stackUnit[p.unit] === 1);
      for (let i = 0; i < 40; i++) {
        const hex = rng.below(board.size);
        if (enemies.length > 0)
          expect(fronts.nearest(hex)).toBe(
            nearestOf(
              hex,
              enemies.map((e) => e.hex),
            ),
          );
        const inRange = ({ unit, hex: at, known }: Placed) =>
          known && roster.directFire[unit] === 1 && board.distance(hex, at) <= roster.range[unit]!;
        expect(fronts.isCovered(hex)).toBe(enemies.some(inRange));
        // whoever leaves a hex with all its friends
        const left = friends.length > 0 && i % 2 === 0 ? friends[rng.below(friends.length)]!.hex : -1;
        const others = friends.filter((f) => f.hex !== left).map((f) => f.hex);
        const distance = nearestOf(
          hex,
          enemies.map((e) => e.hex),
        );
        const nearest = enemies.filter((e) => board.distance(hex, e.hex) === distance);
        expect(fronts.leads(hex, left)).toBe(nearest.some((e) => nearestOf(e.hex, others) > distance));
      }
    }
  });

  test.each([2, 30])("where few of %d in a hundred come, go or are seen, all is found as from the start", (share) => {
    const kept = new Fronts(board, roster);
    place(kept, share);
    for (let round = 0; round < 30; round++) {
      const there = [...kept.words.keys()].filter((u) => kept.words[u]! >= 0);
      const moves = 1 + rng.below(3);
      for (let i = 0; i < moves && there.length > 0; i++) kept.words[there[rng.below(there.length)]!] = -1;
      for (let i = 0; i < moves; i++) kept.words[rng.below(roster.size)] = 2 * rng.below(board.size) + rng.below(2);
      const fresh = new Fronts(board, roster);
      fresh.words.set(kept.words);
      const left = rng.below(board.size);
      const [is, should] = [kept, fresh].map((fronts) => {
        fronts.renew(0);
        return board.ids.map((_, h) => [
          fronts.nearest(h),
          fronts.isCovered(h),
          fronts.leads(h, -1),
          fronts.leads(h, left),
        ]);
      });
      expect(is).toEqual(should);
    }
  });

  test("they stay valid while no unit moves, for the side that asked", () => {
    const fronts = new Fronts(board, roster);
    const german = 0;
    const soviet = roster.germans;
    fronts.words.fill(-1);
    fronts.words[german] = 0;
    fronts.words[soviet] = 2 * (board.size - 1);
    const far = board.distance(0, board.size - 1);
    fronts.renew(0);
    expect(fronts.nearest(0)).toBe(far);
    fronts.renew(1);
    expect(fronts.nearest(0)).toBe(0);
    fronts.words[german] = 2 * (board.size - 1);
    fronts.renew(1);
    expect(fronts.nearest(0)).toBe(far);
  });
});

describe("stored answers about pairs of hexes", () => {
  const RANGE = 7;
  const free = (a: number, b: number): boolean => (a * 31 + b * 17) % 5 < 2;
  const yes = (a: number, b: number): boolean => board.distance(a, b) <= RANGE && free(a, b);
  const lines = (): Lines =>
    new Lines(
      board.size,
      (a, b) => board.distance(a, b),
      () => RANGE,
      free,
    );
  const setOf = (hexes: readonly number[], words: number): Int32Array => {
    const set = new Int32Array(words);
    for (const h of hexes) set[h >> 5]! |= 1 << h;
    return set;
  };
  const some = (n: number): number[] => Array.from({ length: n }, () => rng.below(board.size));

  test("one pair, any of a set, and all hexes of a row agree", () => {
    const kept = lines();
    for (let i = 0; i < 300; i++) {
      const [a, b] = some(2) as [number, number];
      expect(kept.has(a, b)).toBe(yes(a, b));
      const set = some(20);
      expect(kept.hasAny(a, setOf(set, kept.words))).toBe(set.some((h) => yes(a, h)));
      const before = some(3);
      const row = setOf(before, kept.words);
      kept.addTo(a, row);
      const all = Array.from({ length: board.size }, (_, h) => h).filter((h) => yes(a, h) || before.includes(h));
      expect(row).toEqual(setOf(all, kept.words));
    }
  });

  test("what is seen from a set of hexes is found out again when the set is another", () => {
    const watch = new Watch(lines(), 8);
    let from = some(6);
    for (let round = 0; round < 60; round++) {
      if (round % 3 === 0) from = [...from.slice(1), rng.below(board.size)];
      watch.begin();
      for (const h of from) watch.add(h);
      watch.close();
      for (const hex of some(30)) expect(watch.sees(hex)).toBe(from.some((h) => yes(hex, h)));
    }
  });
});
