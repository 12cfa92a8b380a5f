import type { Dice, GameEvent, Narrator, Prompt, Standing, State, StateView } from "../../env/index.js";
import { Ambush, ambush, L as A, SLOTS, STRENGTH } from "../toys/ambush.js";
import { ANSWER } from "../toys/ambush-spec.js";
import { L as R, Race, race } from "../toys/race.js";
import { type Fault, inAmbush, inRace } from "./fault.js";

/** Passes on each event changed by `change`; null leaves it out. */
function retold(narrator: Narrator | null, change: (event: GameEvent) => GameEvent | null): Narrator | null {
  if (narrator === null) return null;
  return {
    tell: (event) => {
      const changed = change(event);
      if (changed !== null) narrator.tell(changed);
    },
    tellEach: (version) =>
      narrator.tellEach((viewer) => {
        const event = version(viewer);
        return event === null ? null : change(event);
      }),
  };
}

/** A race whose events are changed on their way. */
const raceTelling = (change: (event: GameEvent) => GameEvent | null): typeof Race =>
  class extends Race {
    override apply(s: State, action: number, dice: Dice, narrator: Narrator | null = null): void {
      super.apply(s, action, dice, retold(narrator, change));
    }
  };

/** A race whose prompts or standings are changed. */
const raceSaying = (change: { prompt?: (p: Prompt) => Prompt; standing?: (x: Standing) => Standing }): typeof Race =>
  class extends Race {
    private readonly whole = new Race(race, this.options).narration;
    override readonly narration = {
      prompt: (s: StateView, viewer: number) => (change.prompt ?? same)(this.whole.prompt(s, viewer)),
      standing: (s: StateView, viewer: number) => (change.standing ?? same)(this.whole.standing(s, viewer)),
    };
  };
const same = <T>(x: T): T => x;

/** An ambush whose narrator gets one more event after each action. */
const ambushTelling = (more: (s: StateView, narrator: Narrator) => void): typeof Ambush =>
  class extends Ambush {
    override apply(s: State, action: number, dice: Dice, narrator: Narrator | null = null): void {
      super.apply(s, action, dice, narrator);
      if (narrator !== null) more(s, narrator);
    }
  };

const strongest = (s: StateView, side: number): number => {
  for (let i = side * SLOTS; i < (side + 1) * SLOTS; i++) if (STRENGTH[s[A.slot + i]!] === 3) return (i % SLOTS) + 1;
  return 0;
};
const turn = (text: string): GameEvent => ({ what: "turn", rule: "1", by: null, text });

export const NARRATION: readonly Fault[] = [
  inRace(
    "event-changes-state",
    "a point is given for listening",
    class extends Race {
      override apply(s: State, action: number, dice: Dice, narrator: Narrator | null = null): void {
        super.apply(s, action, dice, narrator);
        if (narrator !== null && s[R.score]! < 80) s[R.score]!++;
      }
    },
  ),
  inRace(
    "event",
    "an event of a kind that is not listed",
    raceTelling((e) => ({ ...e, what: "applause" })),
  ),
  inRace(
    "event",
    "an event cites a rule that is not there",
    raceTelling((e) => ({ ...e, rule: "99" })),
  ),
  inRace(
    "event",
    "a text has no end",
    raceTelling((e) => ({ ...e, text: "and so" })),
  ),
  inRace(
    "event",
    "a throw is said to be the other player's",
    raceTelling((e) => ({
      ...e,
      dice: (e.dice ?? []).map((t) => ({ ...t, by: t.by === "north" ? "south" : "north" })),
    })),
  ),
  inAmbush(
    "event-dice",
    "the start deals without a word",
    class extends Ambush {
      override start(s: State, dice: Dice): void {
        super.start(s, dice);
      }
    },
  ),
  inAmbush(
    "leak-event",
    "the start names a counter of red to everybody",
    class extends Ambush {
      override start(s: State, dice: Dice, narrator: Narrator | null = null): void {
        super.start(s, dice, narrator);
        narrator?.tell({ ...turn("Something stirs."), units: [`red's counter of strength ${strongest(s, 0)}`] });
      }
    },
  ),
  inAmbush(
    "leak-event",
    "both sides see a secret bid",
    ambushTelling((s, narrator) => {
      if (s[A.phase] === ANSWER) narrator.tell(turn(`Bid: ${s[A.supply]}.`));
    }),
  ),
  inRace(
    "event-silent",
    "nobody says that the pot is lost",
    raceTelling((e) => (e.what === "bust" ? null : e)),
  ),
  inRace(
    "event-dice",
    "a throw hides one die",
    raceTelling((e) => ({ ...e, dice: (e.dice ?? []).map((t) => ({ ...t, faces: t.faces.slice(-1) })) })),
  ),
  inRace(
    "event-dice",
    "two events report one throw",
    raceTelling((e) => (e.what === "bust" ? { ...e, dice: [throwOf([1])] } : e)),
  ),
  inRace(
    "prompt",
    "all choices read the same",
    raceSaying({ prompt: (p) => ({ ...p, choices: p.choices.map((c) => ({ ...c, text: "Go on" })) }) }),
  ),
  inRace("prompt", "the wrong player is said to decide", raceSaying({ prompt: (p) => ({ ...p, by: "north" }) })),
  inRace(
    "prompt-choices",
    "a legal action is not offered",
    raceSaying({ prompt: (p) => ({ ...p, choices: p.choices.slice(1) }) }),
  ),
  inRace(
    "prompt-order",
    "what ends the turn comes first",
    raceSaying({ prompt: (p) => ({ ...p, choices: [...p.choices].reverse() }) }),
  ),
  inRace(
    "prompt-order",
    "to hold comes first, and is not said to end the turn",
    raceSaying({
      prompt: (p) => ({
        ...p,
        choices: p.choices
          .map((c) => ({ ...c, ends: null }))
          .sort((a, b) => Number(b.name === "hold") - Number(a.name === "hold")),
      }),
    }),
  ),
  inRace(
    "standing",
    "the loser is said to have won",
    raceSaying({ standing: (x) => ({ ...x, winnerNow: x.winnerNow === "north" ? "south" : "north" }) }),
  ),
  inAmbush(
    "leak-event",
    "the log names the place of red's strongest counter",
    ambushTelling((s, n) => n.tell(turn(`Counter ${strongest(s, 0)} looks strong.`))),
  ),
  inAmbush(
    "leak-event",
    "blue gets an event only while red's strongest counter is in the first slot",
    ambushTelling((s, n) =>
      n.tellEach((viewer) => (viewer === 1 && strongest(s, 0) === 1 ? turn("Dust rises.") : null)),
    ),
  ),
  inAmbush(
    "leak-prompt",
    "the prompt counts what could flee on the other side",
    class extends Ambush {
      private readonly whole = new Ambush(ambush, this.options).narration;
      override readonly narration = {
        prompt: (s: StateView, viewer: number): Prompt => ({
          ...this.whole.prompt(s, viewer),
          places: [String(strongest(s, viewer === 1 ? 0 : 1))],
        }),
        standing: this.whole.standing,
      };
    },
  ),
  inAmbush(
    "leak-standing",
    "the standing names the place of red's strongest counter",
    class extends Ambush {
      private readonly whole = new Ambush(ambush, this.options).narration;
      override readonly narration = {
        prompt: this.whole.prompt,
        standing: (s: StateView, viewer: number): Standing => ({
          ...this.whole.standing(s, viewer),
          ifEndedNow: `Counter ${strongest(s, 0)} decides.`,
        }),
      };
    },
  ),
];

function throwOf(faces: number[]) {
  return { by: null, purpose: "throw", sides: 6, faces, needed: null, result: "a 1" };
}
