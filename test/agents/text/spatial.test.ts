/** Texts about places: how hexes touch, what is around a unit, ranges, alike choices as families. */
import { describe, expect, test } from "vitest";
import {
  type Choice,
  type Counter,
  Env,
  gameIds,
  loadGame,
  type Game,
  promptOf,
  Rng,
  type Scene,
  sceneOf,
} from "../../../env/index.js";
import { aroundLine } from "../../../agents/text/hexes.js";
import { lookText } from "../../../agents/text/look.js";
import { listChange, ranges } from "../../../agents/text/lists.js";
import { changedChoices, choicesSection, choicesText } from "../../../agents/text/choices.js";
import { changedLines, mapLines, situationLines } from "../../../agents/text/situation.js";

const hexGames = gameIds().filter((id) => boardOf(loadGame(id)).kind === "hexes");

function boardOf(game: Game) {
  const env = new Env(game);
  env.reset("board");
  return sceneOf(game, env.state, 0).board;
}

/** Words for terrain, those of every game. */
const WORDS = new Set(["clear", "woods", "forest", "town", "city", "suburb", "industrial", "strongpoint", "balka", "cliff", "volga", "water"]); // prettier-ignore

function sample(id: string) {
  const env = new Env(loadGame(id));
  env.reset("sample");
  return env.state;
}

/** Places a hex away from one. */
function nextTo({ board }: Scene, at: string | undefined) {
  const here = board.places.find((p) => p.id === at);
  if (here === undefined) return [];
  return board.places.filter((p) => Math.abs(Math.hypot(p.at[0] - here.at[0], p.at[1] - here.at[1]) - 1) < 0.01);
}

/** Calls `look` at decisions of games at random. */
function atDecisions(id: string, games: number, look: (env: Env) => void): void {
  const game = loadGame(id);
  const env = new Env(game);
  const rng = new Rng(`spatial/${id}`);
  for (let g = 0; g < games; g++) {
    env.reset(`spatial/${g}`);
    for (let n = 0; env.legalCount > 0 && n < 300; n++) {
      if (n % 5 === 0 || env.legalCount > 12) look(env);
      const legal = [...env.mask.keys()].filter((a) => env.mask[a] === 1);
      env.step(legal[rng.below(legal.length)]!);
    }
  }
}

test("ranges run down a column, from three hexes on", () => {
  expect(ranges(["0101", "0102", "0103", "0104", "0201", "0202", "0304"])).toEqual([
    "0101..0104", "0201", "0202", "0304",
  ]); // prettier-ignore
  expect(ranges(["0109", "0110", "0111", "0199", "0200", "0201"])).toEqual(["0109..0111", "0199", "0200", "0201"]);
  expect(ranges(["g1", "g2", "g3", "101", "102", "103"])).toEqual(["g1", "g2", "g3", "101", "102", "103"]);
});

test("a long list shows what is new and what is gone; a count shows its value", () => {
  const drum = ["VIII Flieger Korps", "348", "396", "398", "335", "353", "28 Jäger", "36 Motorised"];
  expect(listChange(drum, [...drum, "358"])).toBe("now also 358");
  expect(listChange(drum, [...drum.slice(1), "358", "358"])).toBe("now also 358, 358; no longer VIII Flieger Korps");
  expect(listChange(["in the drum 98", "under markers 25"], ["in the drum 96", "under markers 25"])).toBe(
    "now in the drum 96",
  );
  expect(listChange(["die 1"], ["die 2"])).toBeNull(); // the list is shorter
  const battle = ["102 Infantry Division", "8 Infantry Division", "Rear Area Command 559"];
  expect(listChange([...battle, "hits to take 5"], [...battle.slice(1), "hits to take 4"])).toBe(
    "now hits to take 4; no longer 102 Infantry Division",
  );
  const others = ["6 Panzer Division", "Police Regiment Centre", "17 Motorised Division", "13 Panzer Division"];
  expect(listChange([...others, "102 Infantry Division"], [...others, "8 Infantry Division"])).toBe(
    "now also 8 Infantry Division; no longer 102 Infantry Division",
  );
});

describe.each(hexGames)("in %s", (id) => {
  test("terrain has one word on the map, around a unit and in choices", () => {
    atDecisions(id, 3, ({ game, state }) => {
      const actor = game.actor(state);
      const prompt = promptOf(game, state, actor);
      const around = aroundLine(game, state, actor, prompt) ?? "";
      for (const { places, text } of prompt.choices) {
        const [place, more] = places;
        const there = new RegExp(`[ENSW] ${place}[^(;]*\\(([a-z]+)`).exec(around)?.[1];
        const chosen = new RegExp(`${place}[^(,]*(?:\\(|, )([a-z]+)`).exec(text)?.[1];
        if (more === undefined && there !== undefined && chosen !== undefined && WORDS.has(chosen))
          expect(`${place} ${there}`).toBe(`${place} ${chosen}`);
      }
    });
    const words = mapLines(loadGame(id), sample(id), 0).flatMap((line) => /^([a-z]+): /.exec(line)?.[1] ?? []);
    expect(words.filter((word) => WORDS.has(word)).length, words.join()).toBeGreaterThan(1);
  });

  test("the sentence about hex numbers gives the neighbours of every hex, and their directions", () => {
    const game = loadGame(id);
    const env = new Env(game);
    env.reset("touch");
    const sentence = mapLines(game, env.state, 0)[0]!;
    const [, east, south] = /columns CC count to the (east|west), rows RR to the (north|south)/.exec(sentence)!;
    const [, low] = /touches RR and RR\+1 where CC is (odd|even)/.exec(sentence)!;
    const { places } = sceneOf(game, env.state, 0).board;
    const hexes = new Map(places.filter((p) => /^\d{4}$/.test(p.id)).map((p) => [p.id, p.at]));
    const rows = game.observation.mapRows;
    expect(hexes.size).toBeGreaterThan(50);
    for (const [hex, [x, y]] of hexes) {
      const [c, r] = [Number(hex.slice(0, 2)), Number(hex.slice(2))];
      const from = (c % 2 === 1) === (low === "odd") ? 0 : -1;
      const said = [[c, r - 1], [c, r + 1], [c - 1, r + from], [c - 1, r + from + 1], [c + 1, r + from], [c + 1, r + from + 1]]
        .map(([cc, rr]) => `${cc}`.padStart(2, "0") + `${rr}`.padStart(2, "0"))
        .filter((h) => hexes.has(h)); // prettier-ignore
      const near = game.statics.neighbours[rows.indexOf(hex)]!.map((n) => rows[n]!).filter((n) => hexes.has(n));
      for (const n of near) expect(said).toContain(n);
      for (const n of said) {
        const [nx, ny] = hexes.get(n)!;
        expect(Math.hypot(nx - x, ny - y)).toBeCloseTo(1, 5);
        if (n.slice(0, 2) !== hex.slice(0, 2)) expect(nx > x).toBe(Number(n.slice(0, 2)) > c === (east === "east"));
        else expect(ny > y).toBe(Number(n) > Number(hex) === (south === "south"));
      }
    }
  });

  test("what is around the unit at hand is said, hex by hex, with who is there", () => {
    let said = 0;
    atDecisions(id, 3, ({ game, state, actor }) => {
      const prompt = promptOf(game, state, actor);
      const line = aroundLine(game, state, actor, prompt);
      const scene = sceneOf(game, state, actor);
      const at = scene.counters.find((c) => c.unit !== undefined && c.unit === prompt.units[0])?.place;
      const near = nextTo(scene, at);
      if (!prompt.choices.some((c) => c.places.some((id) => near.some((p) => p.id === id))))
        return void expect(line).toBeNull();
      if (line === null) return void expect(at === undefined).toBe(true);
      said++;
      const places = new Map(scene.board.places.map((p) => [p.id, p]));
      const [, y] = places.get(at!)!.at;
      const parts = line.replace(/^Around \d+: /, "").replace(/\.$/, "").split("; "); // prettier-ignore
      expect(parts).toHaveLength(near.length);
      for (const p of near) {
        const part = parts.find((t) => t.split(" ")[1] === p.id)!;
        expect(part).toContain(`(${p.called ?? p.terrain}`);
        const north = y - p.at[1];
        expect(part.startsWith("N")).toBe(north > 0);
        const n = scene.counters.reduce((sum, c) => sum + (c.place === p.id ? (c.count ?? 1) : 0), 0);
        const counted = [...part.matchAll(/(\d+) \S+ counter/g)].reduce((sum, m) => sum + Number(m[1]), 0);
        expect(counted, part).toBe(n);
      }
    });
    expect(said).toBeGreaterThan(5);
  });
});

test.each(gameIds())("families of choices in %s say what the whole list says", (id) => {
  let found = 0;
  atDecisions(id, 3, ({ game, state, actor }) => {
    const { choices } = promptOf(game, state, actor);
    const section = choicesSection(choices, Infinity)[1];
    const isShort = section.startsWith("  (by number, or by name in brackets; X is any of those listed)\n");
    const list = isShort ? section.slice(section.indexOf("\n") + 1) : section;
    const all = choicesText(choices, Infinity).split("\n");
    if (isShort) found++;
    const said = isShort ? expanded(list) : list.split("\n").map(unnumbered);
    expect([...said].sort()).toEqual(all.map(unnumbered).sort());
    if (isShort) for (const line of list.split("\n")) if (/^ +\d+ /.test(line)) expect(all).toContain(line); // with its number
  });
  if (id === "streets-of-stalingrad") expect(found).toBeGreaterThan(20);
});

test("choices whose names begin otherwise are no family, though they read alike", () => {
  const choice = (name: string, i: number): Choice => ({
    ...{ action: i, name, text: `Go to ${name.split(" ")[1]!}, clear ground, one of two movement points` },
    ...{ places: [], units: [], ends: null, warning: null },
  });
  const words = ["0101", "0102", "0103", "0105"];
  const choices = [...words.map((w) => `hex ${w}`), ...words.map((w) => `via ${w}`)].map(choice);
  const list = choicesSection(choices, Infinity)[1];
  expect(expanded(list.slice(list.indexOf("\n") + 1))).toEqual(
    choicesText(choices, Infinity).split("\n").map(unnumbered),
  );
});

/** A game that shows counters of a test's own. */
const showing = (game: Game, counters: readonly Partial<Counter>[]): Game =>
  Object.create(game, {
    scene: { value: (...args: Parameters<NonNullable<Game["scene"]>>) => ({ ...game.scene!(...args), counters }) },
  }) as Game;

test("equal counters beside a unit are counted, all of them", () => {
  const env = new Env(loadGame("night-fight"));
  env.reset("count");
  const counter = { kind: "counter", side: "german", title: "truck" } as const;
  const game = showing(env.game, [
    { ...counter, id: "a", unit: "truck-1", place: "1610" },
    { ...counter, id: "b", place: "1611", count: 3 },
    { ...counter, id: "c", place: "1611" },
  ]);
  const prompt = promptOf(game, env.state, 0);
  const [first] = prompt.choices;
  const asked = { ...prompt, units: ["truck-1"], choices: [{ ...first!, places: ["1611"] }] };
  expect(aroundLine(game, env.state, 0, asked)).toMatch(/ 1611 \(clear, 4 German counters\)/);
});

test("changes of an open counter are shown, behind a semicolon too", () => {
  const env = new Env(loadGame("night-fight"));
  env.reset("semicolon");
  const at = (steps: number, more: Partial<Counter>) =>
    situationLines(
      showing(env.game, [{ id: "a", kind: "counter", place: "1610", title: `Soviet column; ${steps} steps`, ...more }]),
      env.state,
      0,
    );
  expect(changedLines(at(3, {}), at(2, {}))).toEqual(["1610: Soviet column; 2 steps"]);
  expect(changedLines(at(3, { back: {} }), at(2, { back: {} }))).toEqual([]);
});

test.each(gameIds())("the changes of choices in %s add up to the whole list", (id) => {
  const last = new Map<string, { text: Map<string, string>; choices: readonly Choice[] }>();
  let found = 0;
  atDecisions(id, 4, ({ game, state, actor }) => {
    const { kind, choices } = promptOf(game, state, actor);
    const lines = choicesText(choices, Infinity).split("\n").map(unnumbered);
    const now = new Map(choices.map((c, i) => [c.name, lines[i]!]));
    const before = last.get(kind);
    last.set(kind, { text: now, choices });
    const said =
      before === undefined ? null : changedChoices({ choices: before.choices, number: "7" }, choices, Infinity);
    if (said === null) return;
    found++;
    const [heading, note, ...fresh] = said;
    expect(heading).toBe(`Legal actions, ${choices.length}:`);
    expect(note).toMatch(/^ {2}\(by name: as at decision 7/);
    const list = new Map(before!.text);
    for (const [, name] of note!.matchAll(/\[([^\]]+)\]/g)) list.delete(name!);
    for (const line of fresh) {
      const text = line.replace("  - ", "");
      const [name] = [...choices.map((c) => c.name)].filter((n) => text === n || text.includes(`[${n}]`));
      list.set(name!, text);
    }
    expect([...list].sort()).toEqual([...now].sort());
  });
  expect(found).toBeGreaterThan(id === "savage-streets" ? 5 : 0);
});

test("a place shows what has changed, what has come and what has left", () => {
  const counter = (unit: string | undefined, text: string, more = {}) => ({
    unit,
    text,
    gist: text,
    named: unit !== undefined,
    count: 1,
    ...more,
  });
  const at = (items: ReturnType<typeof counter>[]) =>
    new Map([
      [
        "place 8",
        { text: `8: ${items.map((i) => `${i.unit} ${i.text}`).join("; ")}`, counters: { head: "8 Landing", items } },
      ],
    ]);
  const idle = ["I/1", "II/1", "III/1", "I/2", "II/2"].map((u) =>
    counter(u, "German unit: combat value 4, movement points 2"),
  );
  const chit = counter(undefined, "face-down Soviet counter");
  const before = at([...idle, chit]);
  const moved = counter("I/2", "German unit: combat value 4, movement points 2 (moved)");
  expect(changedLines(before, at([...idle.slice(0, 3), moved, idle[4]!, chit]))).toEqual([
    "8 Landing: now [I/2] (moved); the rest as before",
  ]);
  const weaker = counter("I/2", "German unit: combat value 3, movement points 2 (moved)");
  expect(changedLines(before, at([...idle.slice(0, 3), weaker, idle[4]!, chit]))).toEqual([
    "8 Landing: now [I/2]: combat value 3, movement points 2 (moved); the rest as before",
  ]);
  const other = counter("I/2", "German leader: movement points 2");
  expect(changedLines(before, at([...idle.slice(0, 3), other, idle[4]!, chit]))).toEqual([
    "8 Landing: now I/2, German leader: movement points 2; the rest as before",
  ]);
  expect(changedLines(before, at([...idle.slice(1), chit]))).toEqual(["8 Landing: no longer I/1; the rest as before"]);
  expect(changedLines(before, at([...idle, chit, chit]))).toEqual([
    "8 Landing: now also face-down Soviet counter; the rest as before",
  ]);
  expect(changedLines(before, at(idle))).toEqual(["8 Landing: no longer face-down Soviet counter; the rest as before"]);
  // what a counter face down can't be follows from draws elsewhere
  const noted = { ...chit, text: "face-down Soviet counter; 3 that came later can't be here" };
  expect(changedLines(lineOf(chit), lineOf(noted))).toEqual([]);
});

const lineOf = (item: { text: string; gist: string }) => new Map([["place 8", { text: item.text, gist: item.gist }]]);

const unnumbered = (line: string): string => line.replace(/^ *\d+ /, "");

/** A list with families as a list of lines: X is filled in, ranges are counted out. */
function expanded(list: string): string[] {
  let head = "";
  return list.split("\n").flatMap((line) => {
    if (/^ *\d+ /.test(line)) return [unnumbered(line)];
    if (line.endsWith("]:")) {
      head = line.slice(2, -1);
      return [];
    }
    const own = /^ {4}X/.test(line);
    const at = line.lastIndexOf(": ");
    const words = line.slice(at + 2).split(", ").flatMap(countedOut); // prettier-ignore
    const [open, name] = own
      ? [head.slice(0, head.lastIndexOf("X [")) + line.slice(4, at), head.slice(head.lastIndexOf("["))]
      : [line.slice(2, line.lastIndexOf(" [", at)), line.slice(line.lastIndexOf("[", at), at)];
    // a warning comes behind the name
    const [text, warning] = open.split(" ! ");
    return words.map((w) => `${text!} ${name}${warning === undefined ? "" : ` ! ${warning}`}`.replaceAll(/\bX\b/g, w));
  });
}

function countedOut(word: string): string[] {
  const [from, to] = word.split("..").map(Number);
  if (!word.includes("..")) return [word];
  return Array.from({ length: to! - from! + 1 }, (_, i) => String(from! + i).padStart(4, "0"));
}

test("of a unit that was described before a text has the name, the state and the values that changed", () => {
  const item = (unit: string, text: string) => ({ unit, text, gist: text, named: false, count: 1 });
  const place = (head: string, ...items: ReturnType<typeof item>[]) => ({
    text: `${head}: ${items.map((i) => `${i.text} [${i.unit}]`).join("; ")}`,
    counters: { head, items },
  });
  const infantry = "German infantry, 191/I: attack 5, defence 4";
  const before = new Map([["place 0413", place("0413", item("g1", infantry), item("g2", infantry))]]);
  const after = new Map([
    ["place 0513", place("0513", item("g1", `${infantry} (moved)`), item("g2", `${infantry} (moved)`))],
    ["place 0514", place("0514", item("s1", "Soviet infantry, 385/1: attack 3, defence 3"))],
  ]);
  expect(changedLines(before, after)).toEqual([
    "0513: [g1, g2] (moved)",
    "0514: Soviet infantry, 385/1: attack 3, defence 3 [s1]",
    "0413: nothing any more",
  ]);
});

test("what is gone is said in one line, and a line that follows from others is no change", () => {
  const before = new Map([
    ["arrow the attack 2305 2205", { text: "the attack: 2305 to 2205" }],
    ["tray battle", { text: "Battle in 2205: 7 Panzer", list: { head: "Battle in 2205", items: ["7 Panzer"] } }],
    ["waiting turns", { text: "Counters waiting on the Turn track: Feb 3", gist: "" }],
  ]);
  expect(changedLines(before, new Map())).toEqual(["None any more: the attack from 2305 to 2205; Battle in 2205"]);
  const later = new Map(before).set("waiting turns", { text: "Counters waiting on the Turn track: Feb 9", gist: "" });
  expect(changedLines(before, later)).toEqual([]);
});

test("a track says each number once, and sides by their names", () => {
  const turnOf = (id: string): string => {
    const game = loadGame(id);
    return situationLines(game, sample(id), 0).get("track turns")!.text;
  };
  const strike = situationLines(loadGame("strike-counterstrike"), sample("strike-counterstrike"), 0);
  expect(strike.get("waiting turns")!.text).toMatch(/^Counters waiting on the Turn track: Jan I \d+, /);
  expect(turnOf("pocket-stalingrad")).toBe("Turn: 1 of 5");
  expect(turnOf("strike-counterstrike")).toBe("Turn: Dec I, 1 of 6 (Moscow, Tula)");
  expect(turnOf("savage-streets")).toMatch(/^Turn, with units still to come: 1 of 9 \(German \d+\)$/);
});

test("a tray whose name says something is not left half true when it goes", () => {
  const game = loadGame("savage-streets");
  const before = situationLines(game, sample("savage-streets"), 0);
  const combat = new Map(before).set("tray combat", {
    text: "Combat in 4: German side wins: die 6",
    list: { head: "Combat in 4: German side wins", items: ["die 6"] },
  });
  expect(changedLines(combat, before)).toEqual(["No longer on the board: Combat in 4: German side wins"]);
});

test("units of a battle are named, not numbered", () => {
  const battles: string[] = [];
  atDecisions("strike-counterstrike", 4, ({ game, state }) => {
    for (const [key, { text }] of situationLines(game, state, 0)) if (key.startsWith("tray battle")) battles.push(text);
  });
  expect(battles.length).toBeGreaterThan(3);
  for (const text of battles) expect(text).not.toMatch(/[:,] [A-Z]?\d+(,|$)/);
});

test("counters that nobody can name are counted in grammar", () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "sandbox-3" });
  const env = new Env(game);
  env.reset("boxes");
  const german = [...situationLines(game, env.state, game.players.indexOf("german")).values()].map(({ text }) => text);
  expect(german.filter((text) => text.includes("counter in a box")).length).toBeGreaterThan(0);
  expect(german.filter((text) => / x \S+ an? /.test(text))).toEqual([]);
});

test("what happened in an area names the turn and then the number", () => {
  const told: string[] = [];
  atDecisions("savage-streets", 2, ({ game, state }) => {
    const lines = [...situationLines(game, state, game.players.indexOf("german")).values()];
    told.push(...lines.map(({ text }) => text).filter((text) => text.includes("set up")));
  });
  expect(told.length).toBeGreaterThan(5);
  for (const text of told) expect(text).toMatch(/; turn 1: \d+ set up(,|$)/);
});

test("a look at a hex names its roads, railroads and balkas, and the map of a small fight has them", () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "drill-landing" });
  const env = new Env(game);
  env.reset("roads");
  const look = (place: string): string => lookText(game, env.state, 0, place, 200).split("\n")[0]!;
  expect(look("0931")).toMatch(/^0931: balka, road, railroad\. Next to /);
  expect(look("0428")).toMatch(/^0428 NKVD Building: cliff, 1 German point, landing 10, bank\. Next to /);
  const map = mapLines(game, env.state, 0);
  for (const kind of ["road", "rail", "balka"])
    expect(map.filter((line) => line.startsWith(`${kind}: `) && /\d{4}-\d{4}/.test(line))).toHaveLength(1);
  expect(map).toContain("bank: 0425..0432");
});

test("a look at a hex of a game without words for its features names the ways through it", () => {
  const game = loadGame("night-fight");
  const env = new Env(game);
  env.reset("roads");
  const { places, ways } = sceneOf(game, env.state, 0).board;
  for (const { id } of places) {
    const [ground] = lookText(game, env.state, 0, id, 200).split(". Next to ");
    expect(/\broad\b/.test(ground!), id).toBe(ways.some((w) => w.places.includes(id)));
  }
});
