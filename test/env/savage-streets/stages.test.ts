import { expect, test } from "vitest";
import { DECISION_NAMES } from "../../../env/savage-streets/state.js";
import { Env, type JsonObject, KesselError, loadGame, Rng } from "../../../env/index.js";

/** Every kind of decision, with what it may name. */
const KINDS: readonly (readonly [string, string])[] = [
  ["S", "setup-place"], ["G", "ger-place"], ["G", "ger-excess"], ["S", "reinf-pick"], ["S", "reinf-area"],
  ["S", "chit-place"], ["S", "sov-pick"], ["S", "sov-dest"], ["S", "sov-excess"], ["G", "ger-pick"], ["G", "ger-step"],
  ["G", "cmd-area"], ["G", "cmd-unit"], ["S", "sniper-target"], ["S", "molotov-target"], ["S", "ambush-target"],
  ["G", "combat-area"], ["G", "stuka"], ["S", "at-target"], ["G", "schwere"], ["G", "pionier"], ["S", "engineer"],
  ["G", "die-pionier"], ["G", "die-armor"], ["S", "die-engineer"], ["S", "sov-hit"], ["G", "ger-hit"], ["G", "bt-dest"],
  ["G", "bt-unit"],
]; // prettier-ignore
const STAGES = ["stuka", "at", "decl", "mods", "shits", "ghits", "fin"];
const all = Object.fromEntries(
  ["engineers", "armor", "antitank", "integrity", "infiltration", "schwere"].map((o) => [o, true]),
);

test("every kind of decision is listed", () => {
  expect(KINDS.map(([, kind]) => kind)).toEqual(DECISION_NAMES.slice(1));
});

// Positions of games, with decision and procedures changed at random: each is refused in words, or can be played on.
test.each([{}, { ...all, dummy: "at-once" }, { mode: "solo" }, { ...all, mode: "solo" }])(
  "a position with any decision and any stage is refused or can be played: %j",
  (options) => {
    const game = loadGame("savage-streets", options);
    const env = new Env(game);
    const other = new Env(game);
    const rng = new Rng("stages");
    const pick = <T>(list: readonly T[]): T => list[rng.below(list.length)]!;
    const areas = [...game.actions.filter((a) => a.startsWith("area ")).map((a) => a.slice(5)), "13"];
    const units = [...game.actions.filter((a) => a.startsWith("unit ")).map((a) => a.slice(5)), "nobody"];
    const chits = game.actions.filter((a) => a.startsWith("chit ")).map((a) => a.slice(5));
    const faces = () => Array.from({ length: rng.below(4) }, () => rng.below(6) + 1);
    const change = (doc: JsonObject): JsonObject => {
      const [actor, kind] = pick(KINDS);
      const old = (doc["decision"] ?? {}) as JsonObject;
      const decision: JsonObject = {
        ...(rng.below(2) === 0 ? { ...old } : { actor: actor!, kind: kind! }),
        ...(rng.below(2) === 0 ? { unit: rng.below(4) === 0 ? pick(chits) : pick(units) } : {}),
        ...(rng.below(2) === 0 ? { area: pick(areas) } : {}),
        ...(rng.below(3) === 0 ? { chit: pick(chits) } : {}),
        ...(rng.below(3) === 0 ? { mp: 1 + rng.below(3) } : {}),
      };
      const winner = pick(["G", "S", null]);
      const combat: JsonObject = {
        ...(rng.below(2) === 0 ? (doc["combat"] as JsonObject | null) : {}),
        area: pick(areas),
        stage: pick(STAGES),
        ...(rng.below(2) === 0 ? { germanDice: faces(), sovietDice: faces(), winner, sovietHits: rng.below(3) } : {}),
        ...(rng.below(3) === 0 ? { germanHits: [pick(["base", "extra", "ca"])] } : {}),
        ...(rng.below(4) === 0 ? { targets: { [pick(units)]: pick(units) } } : {}),
        ...(rng.below(4) === 0 ? { firstHit: pick(units), mustHq: true } : {}),
      };
      return {
        ...doc,
        decision: rng.below(6) === 0 ? null : decision,
        ...(rng.below(3) === 0 ? { combat: rng.below(3) === 0 ? null : combat } : {}),
        ...(rng.below(4) === 0
          ? { breakthrough: { area: pick(areas), units: rng.below(2) === 0 ? [] : [pick(units)] } }
          : {}),
        ...(rng.below(4) === 0 ? { command: { area: pick(areas), drm: -rng.below(3) } } : {}),
        ...(rng.below(4) === 0 ? { events: { area: pick(areas), todo: rng.below(2) === 0 ? [] : [pick(chits)] } } : {}),
        ...(rng.below(5) === 0 ? { queue: [pick(areas)] } : {}),
        ...(rng.below(5) === 0 ? { pending: [pick(areas)] } : {}),
      };
    };
    let [refused, played] = [0, 0];
    for (let g = 0; g < 2; g++) {
      for (env.reset(`stages ${g}`); !env.terminated; env.step(pick(env.legal()))) {
        const doc = game.write(env.state);
        for (let k = 0; k < 3; k++) {
          const changed = change(doc);
          try {
            other.resetTo(changed, "changed");
          } catch (e) {
            if (!(e instanceof KesselError) || e.code !== "bad-position")
              expect.unreachable(`${JSON.stringify({ ...changed, ledger: [] })}: ${String((e as Error).stack)}`);
            refused++;
            continue;
          }
          const wrong = game.invariantViolation(other.state);
          if (wrong !== null) expect.unreachable(`${JSON.stringify(changed)}: ${wrong}`);
          try {
            for (let n = 0; n < 12 && !other.terminated; n++) other.step(pick(other.legal()));
          } catch (e) {
            expect.unreachable(`${JSON.stringify(changed)}: ${String((e as Error).stack)}`);
          }
          played++;
        }
      }
    }
    expect(Math.min(refused, played)).toBeGreaterThan(100);
  },
);
