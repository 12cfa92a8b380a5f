import type { Decision as CoreDecision } from "../../core/decision.js";
import type { State, StateView } from "../../core/layout.js";
import type { Play } from "../../core/play.js";
import type { Ranges } from "../actions.js";
import type { Survey } from "../narration/words.js";
import type { Tables } from "../state.js";
import type { Notation } from "./frame.js";

/** A kind of decision; frames of its kind stand on the stack. Words are of the state as the viewer knows it. */
export interface Decision extends CoreDecision<Tables, Ranges, void, Survey> {
  /**
   * What a viewer who does not decide reads.
   *
   * @param by the side that decides, as sentences name it
   * @param hex the hex of the frame, empty for none
   */
  readonly waits: (t: Tables, s: StateView, by: string, hex: string) => Waiting;
  /** Carries on when nothing is legal: nothing but refusing was left. Absent: something always is. Spec 4.1. */
  readonly closes?: (t: Tables, s: State, play: Play) => void;
  /** In some states its frame is work of the engine, and nothing is asked. */
  readonly work?: Work;
  readonly frame: Notation;
  /**
   * Takes back what the deciding side has picked and not yet shown, in a state for the other side.
   *
   * @returns true: then what the frame below holds, too
   */
  readonly hides?: (t: Tables, s: State) => boolean | void;
  /** Flags of the units that are picked, for observations; `firers`: those of the latest declaration of fire. */
  readonly picks?: number | "firers";
  /**
   * Finds in the scratch space of the tables what words of all its choices need, after the legal actions were found.
   */
  readonly prepares?: (t: Tables, s: StateView) => void;
}

interface Waiting {
  readonly text: string;
  readonly rule: string;
}

/** What the engine does of itself: a walk, an attack under way, dice that are rolled. */
interface Work {
  readonly due: (t: Tables, s: StateView) => boolean;
  readonly does: (t: Tables, s: State, play: Play) => void;
}
