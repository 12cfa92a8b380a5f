import { describe, expect, test } from "vitest";
import { canonical, Env, type JsonObject, loadGame, newState, Rng, sameSituation } from "../../../env/index.js";
import { Table, twoHidden } from "./table.js";

const GERMAN = 0;
const game = loadGame("savage-streets");
const viewKey = (env: Env): string => canonical(env.game.view(env.state, GERMAN));

describe("what the German sees", () => {
  test("anonymous moves of different units look alike", () => {
    const one = new Table(twoHidden).do("unit I/272").do("area 6");
    const other = new Table(twoHidden).do("unit 6 Tk").do("area 6");
    expect(sameSituation(one.env.state, other.env.state)).toBe(false);
    expect(viewKey(one.env)).toBe(viewKey(other.env));
  });

  test("a unit and a chit that move look alike too", () => {
    const position: JsonObject = {
      ...twoHidden,
      areas: { ...(twoHidden["areas"] as JsonObject), "5": { soviet: ["I/272"], chits: ["sniper-1"] } },
    };
    const unit = new Table(position).do("unit I/272").do("area 6");
    const chit = new Table(position).do("chit sniper-1").do("area 6");
    expect(viewKey(unit.env)).toBe(viewKey(chit.env));
  });

  test("the German view contains no id of a face-down counter", () => {
    const text = JSON.stringify(game.view(new Table(twoHidden).env.state, GERMAN));
    expect(text).not.toContain("dummy-1");
    // the units are named nowhere: neither future nor dead
    for (const id of ["I/272", "6 Tk"]) expect(text).not.toContain(`"${id}"`);
  });

  test("the German view shows how many units wait, not which", () => {
    const waiting = (ids: string[]) =>
      new Table({
        turn: 4,
        phase: "sov-reinf",
        areas: { "7": { soviet: ["I/272"] }, A: { german: ["I/194"] } },
        waiting: ids,
        decision: { actor: "S", kind: "reinf-pick" },
      });
    const view = game.view(waiting(["I/39 Gds", "II/39 Gds"]).env.state, GERMAN);
    expect(view["waitingCount"]).toBe(2);
    expect(view).not.toHaveProperty("waiting");
  });

  test("during set-up the German player sees nothing of it (ruling R39)", () => {
    const place = (area: string) => {
      const env = new Env(game);
      env.reset("same");
      env.step(area);
      return viewKey(env);
    };
    expect(place("area 2")).toBe(place("area 9"));
  });

  test("the public log gives moves by areas and names only face-up units", () => {
    const table = new Table(twoHidden);
    const seen = (action: string): string | null => {
      const before = table.env.state.slice();
      table.do(action);
      return game.describeFor(before, game.actions.indexOf(action), table.env.state, GERMAN);
    };
    expect(seen("unit I/272")).toBe(null);
    expect(seen("area 6")).toBe("move 5>6");
    const shown = new Table({ ...twoHidden, areas: { "5": { soviet: ["I/272:u"] }, A: { german: ["I/194"] } } });
    const before = shown.do("unit I/272").env.state.slice();
    shown.do("area 6");
    expect(game.describeFor(before, game.actions.indexOf("area 6"), shown.env.state, GERMAN)).toBe("move 5>6 I/272");
  });
});

describe("perfect recall", () => {
  test("which of two areas a counter came from is remembered when the map no longer shows it", () => {
    const from = (chit: string, areas: JsonObject) =>
      new Table({
        turn: 4,
        phase: "sov-move",
        areas: { ...areas, A: { german: ["I/194"] } },
        decision: { actor: "S", kind: "sov-pick" },
      })
        .do(`chit ${chit}`)
        .do("area 9")
        .do("pass");
    // before: one counter in 5, one in 10; after: one of them in 9 and the other where it was, moved back
    const areas: JsonObject = { "5": { chits: ["dummy-1"] }, "10": { chits: ["dummy-2"] } };
    const a = from("dummy-1", areas);
    const b = from("dummy-2", areas);
    expect(viewKey(a.env)).not.toBe(viewKey(b.env));
    expect((game.view(a.env.state, GERMAN)["ledger"] as JsonObject[]).at(-1)).toEqual({
      t: 4,
      e: "move",
      from: "5",
      to: "9",
    });
  });

  test("a unit seen and turned down again stays known in its area", () => {
    const table = new Table({
      turn: 4,
      phase: "sov-move",
      areas: { "5": { soviet: ["6 Tk:u"] }, A: { german: ["I/194"] } },
      decision: { actor: "S", kind: "sov-pick" },
    }).do("pass");
    const out = newState(game.stateSize);
    for (let k = 0; k < 50; k++) {
      game.resample(table.env.state, GERMAN, out, new Rng(k));
      expect((game.write(out)["areas"] as Record<string, JsonObject>)["5"]!["soviet"]).toEqual(["6 Tk"]);
    }
  });
});
