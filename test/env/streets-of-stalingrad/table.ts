import { type Env, type JsonObject, openCase, stepScripted } from "../../../env/index.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";

/** A German and a Soviet far from everything, so that neither side is alone. */
const FAR: JsonObject = { gf: { type: "g-inf", at: "3530" }, sf: { type: "s-inf", at: "3570" } };

/** A position on the blank map, played by notation. Units are `type at` or documents. */
export class Table {
  readonly env: Env;

  constructor(
    units: Record<string, string | JsonObject>,
    rest: JsonObject = {},
    options: Record<string, boolean> = {},
  ) {
    const docs = Object.fromEntries(
      Object.entries(units).map(([id, u]): [string, JsonObject] => {
        if (typeof u !== "string") return [id, u];
        const [type, at] = u.split(" ") as [string, string];
        return [id, { type, at }];
      }),
    );
    const far = Object.fromEntries(Object.entries(FAR).filter(([id]) => !(id in units)));
    const position = { scenario: "sandbox", phase: 3, stage: "normal", ...rest, units: { ...docs, ...far } };
    this.env = openCase(streetsOfStalingrad, { id: "table", rule: "", position, options, steps: [] });
  }

  /** Plays actions; dice follow a colon: `all: 5 3`. */
  play(...steps: string[]): this {
    for (const step of steps) {
      const [action, dice] = step.split(":") as [string, string | undefined];
      stepScripted(
        this.env,
        action,
        dice === undefined
          ? []
          : dice
              .trim()
              .split(" ")
              .map((d) => (/^\d+$/.test(d) ? Number(d) : d)),
      );
    }
    return this;
  }

  /** @throws Error when the game counts other actions than it allows */
  get legal(): readonly string[] {
    const legal = this.env.legal();
    const n = this.env.game.legalMask(this.env.state, new Uint8Array(this.env.game.actions.length), 0);
    if (n !== legal.length) throw new Error(`${n} actions are counted, ${legal.length} are legal`);
    return legal;
  }
  get position(): JsonObject {
    return this.env.game.write(this.env.state);
  }
  get ask(): string | undefined {
    return (this.position["decision"] as { ask: string } | undefined)?.ask;
  }
  get rolls(): JsonObject[] {
    return (this.position["resolutions"] ?? []) as unknown as JsonObject[];
  }
  unit(id: string): JsonObject {
    return (this.position["units"] as Record<string, JsonObject>)[id]!;
  }
  at(id: string): string {
    return this.unit(id)["at"] as string;
  }
}

/** An attack phase in which `targets` carry attack markers, and another one far off keeps it open. */
export const attacks = (phase: number, ...targets: string[]): JsonObject => ({
  phase,
  stage: "attack",
  marks: Object.fromEntries(targets.map((h) => [h, ["attack"]])),
});

/** Ground of some hexes. */
export const ground = (hexes: Record<string, string>): JsonObject => ({
  map: { base: "blank", hexes: Object.fromEntries(Object.entries(hexes).map(([h, t]) => [h, { t }])) },
});
