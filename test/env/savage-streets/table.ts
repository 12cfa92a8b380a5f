import { Env, type JsonObject, loadGame, ScriptedDice, type ScriptEntry, stepScripted } from "../../../env/index.js";

/** A position set up for a test, played by action strings with scripted dice. */
export class Table {
  readonly env: Env;

  constructor(position: JsonObject, options: Record<string, boolean | string> = {}, dice: readonly ScriptEntry[] = []) {
    this.env = new Env(loadGame("savage-streets", options));
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
