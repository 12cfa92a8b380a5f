import {
  Env,
  type Game,
  type GameData,
  type JsonObject,
  loadGame,
  type Options,
  ScriptedDice,
  type ScriptEntry,
} from "../../../env/index.js";
import { loadOnce } from "../../load-once.js";

const gameWith = (options: Options, data: GameData): Game =>
  Object.keys(data).length === 0
    ? loadOnce("pocket-stalingrad", options)
    : loadGame("pocket-stalingrad", options, data);

/** A board set up by a position document, to be played by action strings with scripted dice. */
export class Table {
  readonly env: Env;

  constructor(
    position: JsonObject,
    options: Record<string, string | number> = {},
    chance: "sampled" | "explicit" = "sampled",
    data: GameData = {},
  ) {
    this.env = new Env(gameWith(options, data), { chance });
    this.env.resetTo(position, "table");
  }

  do(action: string, ...dice: ScriptEntry[]): this {
    this.env.step(action, dice.length > 0 ? new ScriptedDice(dice) : undefined);
    return this;
  }

  get position(): JsonObject {
    return this.env.game.write(this.env.state);
  }

  area(id: string): JsonObject {
    return (this.position["areas"] as JsonObject)[id] as JsonObject;
  }

  get kind(): unknown {
    return (this.position["decision"] as JsonObject)["kind"];
  }

  get legal(): string[] {
    return this.env.legal();
  }
}

/** The roll phase of a side with all dice but the Ratt die kept. */
export function beforeRatt(
  side: "soviet" | "german",
  dice: { units: number[]; command: number; tactics: number; ratt: number },
  rest: JsonObject = {},
): JsonObject {
  const { ratt, ...kept } = dice;
  return {
    turn: 2,
    active: side,
    dice: { kept, loose: { ratt }, picked: false },
    decision: { kind: "dice", actor: side },
    ...rest,
  };
}
