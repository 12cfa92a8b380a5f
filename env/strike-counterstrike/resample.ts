import type { Row } from "../core/brand.js";
import type { State, StateView } from "../core/layout.js";
import type { Rng } from "../core/dice/rng.js";
import { FACE_DOWN, POOL } from "./layout.js";
import { setMarker, setPlace } from "./state.js";
import { type CounterId, FIRST_COUNTER, FIRST_HEX, type HexId, type Tables } from "./data.js";

/** Deals unseen counters again, exactly uniformly over all deals that the player's knowledge allows. */
export class Resampler {
  private readonly markers: Row<HexId>;
  private readonly free: Row<CounterId>;

  constructor(private readonly tables: Tables) {
    this.markers = new Int16Array(tables.hexCount) as Row<HexId>;
    this.free = new Int16Array(tables.counterCount) as Row<CounterId>;
  }

  /** Writes into `out` a copy of `s` with unseen counters dealt again and a fresh stream. */
  resample(s: State, out: State, rng: Rng): void {
    out.set(s);
    rng.freshStream(out);
    this.deal(out, (n) => rng.below(n));
  }

  /**
   * Deals the counters at `POOL` and `FACE_DOWN` to the markers on the map, whatever is under them now, by ascending
   * time of placement: each marker gets any of the counters that were in the pool then. The eligible sets are nested,
   * so all assignments are equally likely. From turn 3 on an unseen Guderian is under a marker placed before he was
   * relieved; other deals are rejected, also those that would leave a later marker without a counter.
   */
  deal(s: State, below: (n: number) => number): void {
    const { tables, markers, free } = this;
    const { L } = tables;
    let n = 0;
    for (let h = FIRST_HEX; h < tables.hexCount; h++) {
      if (s[L.marker + h]! <= 0) continue;
      let i = n++;
      for (; i > 0 && s[L.placed + markers[i - 1]!]! > s[L.placed + h]!; i--) markers[i] = markers[i - 1]!;
      markers[i] = h;
    }
    const hunted = s[L.purge]! >= 0;
    for (;;) {
      let left = 0;
      for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
        if (s[L.place + c] === POOL || s[L.place + c] === FACE_DOWN) {
          setPlace(tables, s, c, POOL);
          free[left++] = c;
        }
      let i = 0;
      for (; i < n; i++) {
        const h = markers[i]!;
        const placed = s[L.placed + h]!;
        const guderian = !hunted || placed <= s[L.purge]!;
        let eligible = 0;
        for (let j = 0; j < left; j++) if (this.fits(s, free[j]!, placed, guderian)) eligible++;
        if (eligible === 0) break;
        let k = below(eligible);
        let j = 0;
        while (!this.fits(s, free[j]!, placed, guderian) || k-- > 0) j++;
        const slot = free[j]!;
        free[j] = free[--left]!;
        setMarker(tables, s, h, slot + 1);
        setPlace(tables, s, slot, FACE_DOWN);
      }
      if (i === n && (!hunted || s[L.place + tables.guderian] === FACE_DOWN)) return;
    }
  }

  private fits(s: StateView, slot: CounterId, placed: number, guderian: boolean): boolean {
    return s[this.tables.L.entered + slot]! <= placed && (guderian || slot !== this.tables.guderian);
  }
}
