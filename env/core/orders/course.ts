import type { Game, Viewer } from "../game.js";
import type { State } from "../layout.js";
import type { Choice } from "../narration.js";
import { promptOf } from "../prompts.js";
import type { Errand } from "../order-rules.js";
import { imagine, placeIn, waysFrom } from "./ways.js";

/** What an order does from a decision on, action by action in an imagined world. */
export class Course {
  readonly actions: number[] = [];
  /** Before the latest action. */
  private before: State;

  constructor(
    private readonly game: Game,
    private readonly viewer: Viewer,
    public world: State,
    actions: readonly number[],
  ) {
    this.before = world;
    for (const action of actions) this.take(action);
  }

  get kind(): string {
    return promptOf(this.game, this.world, this.viewer).kind;
  }
  get choices(): readonly Choice[] {
    return promptOf(this.game, this.world, this.viewer).choices;
  }

  /** Takes the action of a name. @returns false when it is not possible */
  takes(name: string): boolean {
    const choice = this.choices.find((c) => c.name === name);
    if (choice !== undefined) this.take(choice.action);
    return choice !== undefined;
  }

  /** Brings a unit along, or everybody by the action `all`. @returns false when nobody can be */
  names(unit: string | null, all?: string): boolean {
    const { choices } = this;
    const joins =
      unit === null
        ? (choices.find((c) => c.name === all) ?? choices.find(isCompanion)) // a single other one is named itself
        : choices.find((c) => c.cost === undefined && c.units.some((u) => sameName(u, unit)));
    if (joins !== undefined) this.take(joins.action);
    return joins !== undefined;
  }

  /** Goes the cheapest way to a place. @returns false when there is none */
  goes(errand: Errand, place: string): boolean {
    const way = placeIn(waysFrom(this.game, this.world, this.viewer, errand), place);
    for (const action of way?.actions ?? []) this.take(action);
    return way !== undefined;
  }

  /** True when the text of the latest choice names a place, or a unit. */
  hasNamed(name: string): boolean {
    const { choices } = promptOf(this.game, this.before, this.viewer);
    const text = choices.find((c) => c.action === this.actions.at(-1))?.text ?? "";
    return text.split(/[ (),:;]+/).some((word) => sameName(word, name));
  }

  private take(action: number): void {
    this.actions.push(action);
    this.before = this.world;
    ({ world: this.world } = imagine(this.game, this.world, action));
  }
}

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
/** `unit I/194`: `I/194`. */
export const lastWords = (name: string): string => name.slice(name.indexOf(" ") + 1);
/** True when a choice brings along the unit that it names. */
const isCompanion = ({ cost, name, units: [unit] }: Choice): boolean =>
  cost === undefined && unit !== undefined && lastWords(name) === unit;
