import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Choice } from "../../../env/index.js";
import type { Frame } from "../frame.js";

/** What picks need of the table. */
interface Asked {
  readonly frame: ReadonlySignal<Frame | null>;
  readonly choices: ReadonlySignal<readonly Choice[]>;
  order(text: string, said?: string): void;
}

/** Choices that are picked one by one and carried out as one order; units that are picked to go somewhere together. */
export class Picks {
  /** True when a click picks, and does not choose. */
  readonly on = signal(false);
  /** How often each action is picked, those first that were picked first. */
  readonly counts = signal<ReadonlyMap<number, number>>(new Map());
  private frameNumber = -1;

  constructor(private readonly table: Asked) {}

  /** What can be picked now, as `Frame.several` says it; null for nothing. */
  readonly of = computed(() =>
    this.table.choices.value.length === 0 ? null : (this.table.frame.value?.several?.of ?? null),
  );

  /** Picked choices, repeated ones as often as they are picked. */
  readonly picked = computed<readonly Choice[]>(() =>
    [...this.counts.value].flatMap(([action, n]) => {
      const choice = this.table.choices.value.find((c) => c.action === action);
      return choice === undefined ? [] : Array.from({ length: n }, () => choice);
    }),
  );

  /** The choice that goes on when all that was wanted is done, or null. */
  readonly last = computed(() => {
    const name = this.table.frame.value?.several?.then ?? null;
    return this.table.choices.value.find((c) => c.name === name) ?? null;
  });

  /** Units that go together, by name. */
  get units(): readonly string[] {
    return this.of.value === "units" ? this.picked.value.flatMap((c) => c.units.slice(0, 1)) : [];
  }

  /** A frame is shown: at another decision nothing is picked yet. */
  begin(): void {
    const { frame } = this.table;
    if (frame.value === null || frame.value.n === this.frameNumber) return;
    this.frameNumber = frame.value.n;
    this.counts.value = new Map();
    this.on.value = false;
  }

  switch(on: boolean): void {
    this.on.value = on && this.of.value !== null;
    this.counts.value = new Map();
  }

  /** True when this choice is picked. */
  takes(choice: Choice): boolean {
    const of = this.of.value;
    if (!this.on.value || of === null || choice.ends !== null || choice === this.last.value) return false;
    return of === "often" || choice.units.length > 0 || (of === "once" && choice.places.length > 0);
  }

  /** Picks a choice once more, or where once is enough, lets go of it again. */
  pick(choice: Choice): void {
    const n = this.countOf(choice);
    this.put(choice, this.of.value === "often" ? n + 1 : 1 - n);
  }

  /** Picks all that can be picked of these, or lets go of all where all are picked. */
  pickAll(choices: readonly Choice[]): void {
    const able = choices.filter((c) => this.takes(c));
    const all = able.every((c) => this.countOf(c) > 0);
    for (const c of able)
      if (able.length === 1) this.pick(c);
      else this.put(c, all ? 0 : Math.max(1, this.countOf(c)));
  }

  less(choice: Choice): void {
    this.put(choice, Math.max(0, this.countOf(choice) - 1));
  }

  countOf(choice: Choice): number {
    return this.counts.value.get(choice.action) ?? 0;
  }

  /** Carries out what is picked. @param then the choice to take afterwards */
  commit(then: Choice | null): void {
    const parts = [...this.counts.value].flatMap(([action, n]) => {
      const choice = this.table.choices.value.find((c) => c.action === action);
      return choice === undefined ? [] : [{ choice, n }];
    });
    if (parts.length === 0) return;
    if (then !== null) parts.push({ choice: then, n: 1 });
    const order = parts.map(({ choice, n }) => (n > 1 ? `${choice.name} x${n}` : choice.name)).join(", ");
    this.table.order(order, parts.map(({ choice, n }) => (n > 1 ? `${choice.text} (×${n})` : choice.text)).join("; "));
  }

  /** True when choices are picked that one order carries out: another choice is taken after them. */
  get wait(): boolean {
    return this.of.value !== "units" && this.picked.value.length > 0;
  }

  /** True when the picked units can be ordered to stay. */
  get mayHold(): boolean {
    return this.of.value === "units" && this.table.frame.value?.several?.then === "hold";
  }

  /** The units that are picked stay where they are. */
  hold(): void {
    if (this.units.length > 0) this.table.order(`hold ${this.units.join(", ")}`);
  }

  private put(choice: Choice, n: number): void {
    const counts = new Map(this.counts.value);
    if (n === 0) counts.delete(choice.action);
    else counts.set(choice.action, n);
    this.counts.value = counts;
  }
}
