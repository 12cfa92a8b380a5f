import { KesselError } from "../../env/index.js";

/** How many games are made in a minute, by all together. */
export class Pace {
  private made: number[] = [];

  constructor(private readonly most: number) {}

  /** @throws KesselError `limit` when no further game may be made now */
  check(): void {
    const now = Date.now();
    this.made = this.made.filter((t) => t > now - 60_000);
    if (this.made.length >= this.most)
      throw new KesselError("limit", `at most ${this.most} games can be made in a minute; try again soon`);
  }

  /** A game is made. */
  note(): void {
    this.made.push(Date.now());
  }
}
