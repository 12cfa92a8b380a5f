/** Parts of what crosses the socket of a seat: drawings and lines. Everything in them is what that seat may know. */

import type { LegendItem } from "../draw/legend.js";

export type { LegendItem };

/** A counter on the board, drawn by the server. */
export interface Piece {
  /** The viewer's own handle; the name of a piece that the viewer knows. */
  readonly key: string;
  readonly place: string;
  readonly unit?: string;
  readonly side?: string;
  readonly x: number;
  readonly y: number;
  /** Side of the counter in the base's pixels. */
  readonly size: number;
  readonly svg: string;
  /** For whoever points at it, and for screen readers. */
  readonly title: string;
  /** Further lines: values, states, what is publicly known. */
  readonly about: readonly string[];
  readonly hidden: boolean;
  /** On a hex map, when more than one is here: every counter of the stack, the top one first. */
  readonly stack?: readonly Stacked[];
}

/** A counter of a stack, drawn round its middle. */
export type Stacked = Pick<Piece, "key" | "unit" | "size" | "svg" | "title">;

/** A tray or a track, drawn by the server at a fixed width. */
export interface PanelDrawing {
  readonly id: string;
  readonly name: string;
  /**
   * `asked`: above the question, which is about it (dice that can be chosen); `near` the decision (dice, hands,
   * battles), or `far` (tracks, pools, losses).
   */
  readonly stands: "asked" | "near" | "far";
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  /** What it holds, in words. */
  readonly words: string;
  /** Where its dice are, for those that can be chosen. */
  readonly dice?: readonly Spot[];
}

/** A piece of a tray, in pixels of the drawing. */
export interface Spot {
  readonly id: string;
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** One decision in the log. */
export interface LogLine {
  readonly number: number;
  /** Null for the start of the game. */
  readonly actor: string | null;
  readonly action: string | null;
  readonly forced: boolean;
  /** Who decided in the place of who sits here. */
  readonly deputy?: string;
  readonly events: readonly LogEvent[];
}

export interface LogEvent {
  readonly what: string;
  /** The side that did it. */
  readonly by: string | null;
  readonly text: string;
  readonly rule: string;
  readonly places: readonly string[];
  /** Something went from the first place to the last. */
  readonly moved: boolean;
  /** What came of it, in a few words each; absent for nothing of note. */
  readonly outcomes?: readonly string[];
  readonly dice: readonly {
    readonly by: string | null;
    readonly sides: number;
    readonly faces: readonly (number | string)[];
    readonly words: string;
  }[];
}

export interface Note {
  readonly text: string;
  readonly places: readonly string[];
  /** These places count for victory. */
  readonly goal?: true;
}

/** A position as one viewer sees it. */
export interface Drawing {
  /** Name of the base: `/base/NAME.json`. */
  readonly base: string;
  readonly under: string;
  readonly over: string;
  readonly pieces: readonly Piece[];
  readonly trays: readonly PanelDrawing[];
  /** What no drawing of ours shows. */
  readonly text: string;
  readonly caption: string;
  readonly notice: string;
  /** The marks that come and go, each once, with what it means: those of the board itself come with its base. */
  readonly legend: readonly LegendItem[];
  /** What is on places besides counters, in words: missions, fires, goals. */
  readonly notes: readonly Note[];
}
