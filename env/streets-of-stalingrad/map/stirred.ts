/** Units that are noted one by one; if more stir, everybody counts. */
const FEW = 12;

/**
 * Who may see, or be seen, as it was not before: units that have come, gone, mounted or dismounted since both sides
 * last looked round.
 */
export class Stirred {
  /** True when anybody may be seen who was not: the weather has cleared, or the state is a new one. */
  all = true;
  /** The units, in slot order. Read the first `count` only. */
  readonly units = new Int16Array(FEW);
  count = 0;
  /** Those of one side among them who look out, as `lookRound` lists them. */
  readonly lookouts = new Int16Array(FEW);

  note(unit: number): void {
    if (this.all || this.has(unit)) return;
    if (this.count === FEW) {
      this.all = true;
      return;
    }
    const { units } = this;
    let at = this.count++;
    for (; at > 0 && units[at - 1]! > unit; at--) units[at] = units[at - 1]!;
    units[at] = unit;
  }

  has(unit: number): boolean {
    for (let i = 0; i < this.count; i++) if (this.units[i] === unit) return true;
    return false;
  }

  clear(): void {
    this.all = false;
    this.count = 0;
  }
}
