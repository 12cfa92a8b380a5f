import type { HexRow } from "../schema.js";

/**
 * A vehicle in a hex that it can't cross: bank 0 none named, 1 to 6 the feature side + 1 that its sector starts with.
 */
export const NO_BANK = 0;
/** Bit of a bank: it came in by the road or railroad that crosses, and may leave by it. */
export const ON_WAY = 8;
const RIM = 7;

const CORNERS: readonly (readonly [number, number])[] = [
  [2, 4],
  [4, 0],
  [2, -4],
  [-2, -4],
  [-4, 0],
  [-2, 4],
];

/** Sides of the sector that begins with a feature side, as bits: index feature sides * 6 + side. */
const SECTOR = Uint8Array.from({ length: 64 * 6 }, (_, i) => {
  const [features, rim] = [(i / 6) | 0, i % 6];
  let sides = 1 << rim;
  for (let d = 1; d <= 6; d++) {
    sides |= 1 << ((rim + d) % 6);
    if ((features & (1 << ((rim + d) % 6))) !== 0) break;
  }
  return sides;
});

/**
 * Ravines, walls, embankments and cuts that stop vehicles. Such features cut the rim of a hex into sectors; a vehicle
 * stays in the sector that it came in by, goes on through sides of that sector only, and keeps its bank where it
 * follows the feature into the next hex. A search for ways sees a hex as several nodes, one a bank. Rule: SOS 8.12,
 * SOS 8.67, SOS App. A, SOS App. B, ruling R18
 */
export class Banks {
  /** Nodes of a search: first one a hex, then the banks of the hexes that have some. */
  readonly nodes: number;
  readonly hexOf: Int32Array;
  readonly bankOf: Uint8Array;
  /** True when there is any such hex. */
  readonly any: boolean;
  /** Bits of the sides that the feature of a hex runs through, 0 where vehicles go freely. */
  private readonly features: Uint8Array;
  /** Bits of the sides of the road or railroad that crosses. */
  private readonly ways: Uint8Array;
  /** First node of the banks of a hex. */
  private readonly first: Int32Array;

  constructor(
    hexes: readonly HexRow[],
    private readonly landing: Uint8Array,
  ) {
    this.features = Uint8Array.from(hexes, featureSides);
    this.ways = Uint8Array.from(hexes, (x) => bitsOf(x.cross === "road" ? x.road : x.cross === "rail" ? x.rail : ""));
    this.first = new Int32Array(hexes.length);
    const extra: [number, number][] = [];
    this.features.forEach((sides, h) => {
      this.first[h] = hexes.length + extra.length;
      if (sides === 0) return;
      extra.push([h, NO_BANK]);
      for (const way of [0, ON_WAY])
        for (let d = 0; d < 6; d++) if ((sides & (1 << d)) !== 0) extra.push([h, (d + 1) | way]);
    });
    this.any = extra.length > 0;
    this.nodes = hexes.length + extra.length;
    this.hexOf = Int32Array.from({ length: this.nodes }, (_, n) => extra[n - hexes.length]?.[0] ?? n);
    this.bankOf = Uint8Array.from({ length: this.nodes }, (_, n) => extra[n - hexes.length]?.[1] ?? NO_BANK);
  }

  /** Node of a hex and a bank of it. */
  node(hex: number, bank: number): number {
    const sides = this.features[hex]!;
    if (sides === 0) return hex;
    if (bank === NO_BANK) return this.first[hex]!;
    const rim = (bank & RIM) - 1;
    const rank = COUNT[sides & ((1 << rim) - 1)]! + 1;
    return this.first[hex]! + rank + ((bank & ON_WAY) !== 0 ? COUNT[sides]! : 0);
  }

  /** True when there is a feature that vehicles don't go across freely. */
  stops(hex: number): boolean {
    return this.features[hex] !== 0;
  }

  /** True when a hex has this bank. */
  isBank(hex: number, bank: number): boolean {
    return (this.features[hex]! & (1 << ((bank & RIM) - 1))) !== 0 && ((bank & ON_WAY) === 0 || this.ways[hex] !== 0);
  }

  /**
   * True when a vehicle on a bank may leave a hex by a side.
   *
   * @param soviet Soviet vehicles cross where they land. Rule: SOS 8.67
   * @param byWay it may use the road across. Rule: SOS 8.14
   */
  mayLeave(hex: number, bank: number, d: number, soviet: boolean, byWay: boolean): boolean {
    const sides = this.features[hex]!;
    if (sides === 0 || bank === NO_BANK || (soviet && this.landing[hex] === 1)) return true;
    if ((SECTOR[sides * 6 + (bank & RIM) - 1]! & (1 << d)) !== 0) return true;
    return byWay && (bank & ON_WAY) !== 0 && (this.ways[hex]! & (1 << d)) !== 0;
  }

  /** Bank of a vehicle after it has left a hex by side `d` into the hex `to`. */
  enter(from: number, bank: number, d: number, to: number): number {
    const sides = this.features[to]!;
    if (sides === 0) return NO_BANK;
    const e = (d + 3) % 6;
    const way = (this.ways[to]! & (1 << e)) !== 0 ? ON_WAY : 0;
    if ((sides & (1 << e)) === 0) return (before(sides, e) + 1) | way;
    // along the feature: on the same bank, if it has one
    const here = this.features[from]!;
    if (bank === NO_BANK || (here & (1 << d)) === 0) return NO_BANK;
    const rim = (bank & RIM) - 1;
    if (rim === d) return (before(sides, e) + 1) | way;
    return (SECTOR[here * 6 + rim]! & (1 << d)) !== 0 ? (e + 1) | way : NO_BANK;
  }
}

/** The feature side that comes before a side, counter-clockwise. */
function before(sides: number, side: number): number {
  for (let k = 1; k < 6; k++) if ((sides & (1 << ((side + 6 - k) % 6))) !== 0) return (side + 6 - k) % 6;
  return side;
}

/** Set bits of six. */
const COUNT = Uint8Array.from({ length: 64 }, (_, i) => i.toString(2).replaceAll("0", "").length);

function bitsOf(digits: string | undefined): number {
  let bits = 0;
  for (const d of digits ?? "") bits |= 1 << Number(d);
  return bits;
}

/** Fewer than two sides block nothing, nor does a feature that has a break. */
function featureSides(hex: HexRow): number {
  if (hex.block === undefined || hex.cross === "break") return 0;
  let bits = bitsOf(hex.balka) | bitsOf(hex.emb) | bitsOf(hex.cut);
  if (hex.wall !== undefined) for (const end of [hex.wall[0]!, hex.wall.at(-1)!]) bits |= 1 << nearestSide(end);
  return COUNT[bits]! < 2 ? 0 : bits;
}

/** The side whose middle is nearest to a point of the hex. */
function nearestSide([x, y]: readonly [number, number]): number {
  let best = 0;
  let least = Infinity;
  for (let d = 0; d < 6; d++) {
    const [a, b] = [CORNERS[(d + 5) % 6]!, CORNERS[d]!];
    const far = ((a[0] + b[0]) / 2 - x) ** 2 + ((a[1] + b[1]) / 2 - y) ** 2;
    if (far < least) [best, least] = [d, far];
  }
  return best;
}
