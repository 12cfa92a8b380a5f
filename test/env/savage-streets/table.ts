import { Env, type JsonObject, ScriptedDice, type ScriptEntry, stepScripted } from "../../../env/index.js";
import { loadOnce } from "../../load-once.js";

/** A position set up for a test, played by action strings with scripted dice. */
export class Table {
  readonly env: Env;

  constructor(position: JsonObject, options: Record<string, boolean | string> = {}, dice: readonly ScriptEntry[] = []) {
    this.env = new Env(loadOnce("savage-streets", options));
    this.env.resetTo({ game: "savage-streets", ...position }, "table", new ScriptedDice(dice));
  }

  do(action: string, ...dice: ScriptEntry[]): this {
    stepScripted(this.env, action, dice);
    return this;
  }

  get legal(): string[] {
    return this.env.legal();
  }

  get position(): JsonObject {
    return this.env.game.write(this.env.state);
  }

  get kind(): string | undefined {
    return (this.position["decision"] as { kind: string } | null)?.kind;
  }

  area(id: string): JsonObject {
    return (this.position["areas"] as Record<string, JsonObject>)[id]!;
  }

  get combat(): JsonObject {
    return this.position["combat"] as JsonObject;
  }
}

/** A Soviet movement phase with two hidden units in 5 and one chit in 4; the German is far away. */
export const twoHidden: JsonObject = {
  turn: 4,
  phase: "sov-move",
  areas: { "5": { soviet: ["I/272", "6 Tk"] }, "4": { chits: ["dummy-1"] }, A: { german: ["I/194"] } },
  decision: { actor: "S", kind: "sov-pick" },
};
