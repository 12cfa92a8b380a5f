import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Choice } from "../../../env/index.js";

/** What typed words need of the table. */
interface Asked {
  /** What can be chosen now: nothing while something is shown or sent. */
  readonly choices: ReadonlySignal<readonly Choice[]>;
  choose(choice: Choice): void;
  order(text: string): void;
}

/** Words typed to filter choices, or to give an order. An order that comes too early waits until it can be given. */
export class Typed {
  readonly words = signal("");
  /** True when an order waits. */
  readonly waits = signal(false);

  constructor(private readonly table: Asked) {
    effect(() => {
      // later: the table is in the middle of showing what has come
      if (this.waits.value && table.choices.value.length > 0) queueMicrotask(() => this.giveWaiting());
    });
  }

  write(words: string): void {
    this.words.value = words;
    this.waits.value = false;
  }

  /** Another decision is asked. Words of the last one are cleared, but for an order that waits. */
  begin(): void {
    if (!this.waits.value) this.words.value = "";
  }

  /** @param only the one choice that the words leave, if it is one */
  enter(only: Choice | undefined): void {
    const words = this.words.value;
    if (this.table.choices.value.length === 0) {
      this.waits.value = words !== "";
      return;
    }
    const found = this.table.choices.value.find((c) => c.name.toLowerCase() === words.toLowerCase()) ?? only;
    if (found !== undefined) this.table.choose(found);
    else if (words !== "") this.table.order(words);
  }

  private giveWaiting(): void {
    if (!this.waits.value || this.table.choices.value.length === 0) return;
    this.waits.value = false;
    this.enter(undefined);
  }
}
