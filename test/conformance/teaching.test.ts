/** Lessons can be taken to their end on every way, and what a game teaches with fits the game. */
import { describe, expect, test } from "vitest";
import {
  briefingFor,
  type Game,
  GAMES,
  lessonAt,
  moveOf,
  promptOf,
  resolveOptions,
  Rng,
  Env,
} from "../../env/index.js";
import { lessonStart, TableLesson } from "../../server/page/learn/lesson.js";
import type { OpenSession } from "../../server/session/open.js";
import { Session } from "../../server/session/session.js";
import { optionSets } from "./option-sets.js";

/** Ways through a lesson that are tried at most. */
const WAYS = 64;

const taught = GAMES.flatMap((type) => (type.teaching === undefined ? [] : [{ id: type.id, type, ...type.teaching }]));

test("every published game teaches", () => {
  const published = [
    "pocket-stalingrad",
    "savage-streets",
    "night-fight",
    "strike-counterstrike",
    "streets-of-stalingrad",
  ];
  expect(taught.map((t) => t.id)).toEqual(expect.arrayContaining(published));
});

test.each(GAMES.map((type) => ({ id: type.id, type })))("$id briefs every side, whatever the options", ({ type }) => {
  const { briefings = [] } = type;
  expect(briefings).not.toEqual([]);
  const unused = new Set(briefings);
  const sets = optionSets(type);
  for (const { name, game } of sets)
    for (const seat of game.players) {
      const entry = briefingFor(briefings, seat, game.options);
      expect(entry, `${name}: ${seat}`).toBeDefined();
      unused.delete(entry!);
    }
  // no other entry names a side or an option that there isn't
  for (const entry of unused) expect(resolveOptions(type, entry.options)).toMatchObject(entry.options);
  const seats = sets.flatMap(({ game }) => game.players);
  expect(seats).toEqual(expect.arrayContaining(briefings.map((b) => b.seat)));
});

/** The lesson at its first step, as the page holds it. */
function begun(game: Game, position: Parameters<Game["read"]>[0], seed: string) {
  const session = new Session(
    game,
    game.players.map(() => "human"),
    seed,
    undefined,
    position,
  );
  return { session, lesson: new TableLesson({ session } as unknown as OpenSession) };
}

describe.each(taught)("$id", ({ type, lesson, primer }) => {
  test("its lesson is played to the end, whichever of the wanted actions are chosen", async () => {
    const { game, state } = lessonStart(type);
    const position = game.write(state);
    const me = game.players.indexOf(lesson.seat);
    const places = new Set([...game.observation.mapRows, ...game.statics.placeNames]);
    const ways: string[][] = [[]];
    let tried = 0;
    while (ways.length > 0 && tried < WAYS) {
      const way = ways.pop()!;
      const { session, lesson: taken } = begun(game, position, lesson.seed);
      await taken.goOn(() => undefined);
      let read = 0;
      for (let k = 0; ; k++) {
        const { pages } = lessonAt(lesson, session.actions.length);
        const step = pages.at(-1)!;
        for (const page of pages) {
          expect(
            page.places.filter((p) => !places.has(p)),
            page.says,
          ).toEqual([]);
          expect(
            page.rules.filter((r) => (type.rules[r]?.status ?? "absent") === "absent"),
            page.says,
          ).toEqual([]);
        }
        if (step.do === undefined) break;
        expect(session.actor, step.says).toBe(me);
        const legal = session.prompt(me).choices.map((c) => c.name);
        expect(legal, step.says).toEqual(expect.arrayContaining([...step.do]));
        const [first, ...others] = step.do;
        if (way[k] === undefined) {
          way[k] = first!;
          for (const other of others) ways.push([...way.slice(0, k), other]);
        }
        const action = game.actions.indexOf(way[k]!);
        taken.check(action);
        const refused = legal.find((name) => !step.do!.includes(name));
        if (refused !== undefined) expect(() => taken.check(game.actions.indexOf(refused))).toThrow(step.otherwise);
        session.choose(action);
        await taken.goOn(() => undefined);
        const log = session.log(me).slice(read);
        read = session.log(me).length;
        const told = log.flatMap((l) => l.events.map((e) => e.text)).join(" ");
        for (const words of step.log ?? []) expect(told, step.says).toContain(words);
      }
      expect(session.over).toBe(false);
      expect(taken.view().over).toBe(true);
      expect(() => taken.check(session.env.mask.indexOf(1))).toThrow(/lesson ends here/);
      tried++;
    }
    expect(tried).toBeGreaterThan(0);
  });

  test("every action that comes up has a purpose, and every rule and word named is the game's", () => {
    const unnamed = new Set<string>();
    for (const { game } of optionSets(type))
      for (let g = 0; g < 2; g++) {
        const env = new Env(game);
        env.reset(`purpose ${g}`);
        const rng = new Rng(`purpose ${g}`);
        for (let k = 0; k < 1500 && !env.terminated; k++) {
          const { kind, choices } = promptOf(game, env.state, env.actor);
          for (const c of choices)
            if (moveOf(primer.moves, kind, c.name) === undefined) unnamed.add(`${kind}: ${c.name}`);
          env.step(choices[rng.below(choices.length)]!.action);
        }
      }
    expect([...unnamed].slice(0, 20)).toEqual([]);
    const rules = [...primer.moves, ...primer.terms].map((m) => m.rule);
    expect(rules.filter((r) => (type.rules[r]?.status ?? "absent") === "absent")).toEqual([]);
    const actions = optionSets(type).flatMap(({ game }) => game.actions);
    for (const { name, actions: begins } of primer.moves)
      for (const a of begins)
        expect(
          actions.some((x) => x === a || x.startsWith(`${a} `)),
          `${name}: ${a}`,
        ).toBe(true);
  });
});
