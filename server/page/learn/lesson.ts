import {
  Env,
  type Game,
  type GameType,
  KesselError,
  type Lesson,
  lessonAt,
  type LessonPlace,
  loadGame,
  shown,
  type State,
} from "../../../env/index.js";
import type { OpenSession } from "../../session/open.js";
import { opponentsFor } from "../offers.js";
import type { LessonView } from "./lesson-view.js";

/** @throws KesselError `unsupported` for a game without a lesson */
export function lessonOf(type: GameType): Lesson {
  if (type.teaching === undefined) throw new KesselError("unsupported", `${type.id} has no lesson`);
  return type.teaching.lesson;
}

/** The game of a lesson, and the position that it begins in. */
export function lessonStart(type: GameType): { readonly game: Game; readonly state: State } {
  const { options, opening, seed } = lessonOf(type);
  const game = loadGame(type.id, options);
  const env = new Env(game);
  env.reset(seed);
  for (const name of opening) env.step(game.actions.indexOf(name));
  return { game, state: env.state };
}

/** The lesson of one table: says what may be chosen, plays what follows by itself, and shows how far it is. */
export class TableLesson {
  private readonly lesson: Lesson;

  constructor(private readonly open: OpenSession) {
    this.lesson = lessonOf(open.session.game.type);
  }

  /** @throws KesselError `illegal-action` with the reason of the step, for what the lesson doesn't ask for */
  check(action: number): void {
    const { pages } = this.place();
    const asked = pages.at(-1);
    if (asked?.do === undefined)
      throw new KesselError("illegal-action", "the lesson ends here; play on from here to choose freely");
    const name = this.open.session.game.actions[action] ?? shown(action);
    if (!asked.do.includes(name)) throw new KesselError("illegal-action", asked.otherwise!);
  }

  /**
   * Plays what follows by itself up to the learner's next turn. @param after is called after every action
   */
  async goOn(after: () => void): Promise<void> {
    const { session } = this.open;
    for (;;) {
      await session.advance(after);
      const { next } = this.place();
      if (next === null) return;
      session.choose(session.game.actions.indexOf(next));
      after();
    }
  }

  view(): LessonView {
    const { done, of, pages } = this.place();
    const asked = pages.at(-1);
    return {
      title: this.lesson.title,
      done,
      of,
      pages: pages.map(({ says, panel, places, rules }) => ({ says, panel, places, rules })),
      do: asked?.do ?? [],
      otherwise: asked?.otherwise ?? "",
      over: asked !== undefined && asked.do === undefined,
    };
  }

  /**
   * Who plays the other sides when the learner plays on: the easiest for each.
   *
   * @throws KesselError `unsupported` before the lesson's end
   */
  opponents(): Record<string, string> {
    if (!this.view().over) throw new KesselError("unsupported", "the lesson isn't over; one plays on at its end");
    return opponentsFor(this.open.session.game, this.lesson.seat);
  }

  private place(): LessonPlace {
    return lessonAt(this.lesson, this.open.session.actions.length);
  }
}
