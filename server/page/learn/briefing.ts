import { briefingFor, type GameType, type Options, type OptionSpec, type Scene } from "../../../env/index.js";
import type { OpenSession } from "../../session/open.js";
import type { BriefingView } from "./briefing-view.js";

/**
 * What the player at a seat reads before a new game.
 *
 * @param scene as the seat sees it: the turns are read from it
 * @returns null for spectators, where something is taught, and when the game is over
 */
export function briefingOf({ session, header }: OpenSession, seat: string | null, scene: Scene): BriefingView | null {
  if (seat === null || session.over || header.lesson === true) return null;
  const { type, options } = session.game;
  const written = briefingFor(type.briefings ?? [], seat, options);
  return {
    // what begins in a position goes on with another game, and what has no links is only looked at
    opens: header.position === undefined && header.links !== undefined,
    you: written?.you ?? type.lobby?.situation ?? null,
    first: written?.first ?? null,
    minutes: written?.minutes ?? type.lobby?.minutes ?? null,
    turns: turnsOf(scene),
    credits: type.credits,
    reconstructed: type.reconstructed,
    options: optionsInWords(type, options, Object.keys(written?.options ?? {})),
    lesson: type.teaching?.lesson.about ?? null,
  };
}

function turnsOf({ tracks }: Scene): BriefingView["turns"] {
  const cells = tracks.find((t) => t.id === "turns")?.cells ?? [];
  const now = cells.find((c) => c.state === "now");
  if (now === undefined) return null;
  return { now: now.label, last: cells.at(-1)!.label, left: cells.filter((c) => c.state !== "past").length };
}

/**
 * Options that are not the defaults. An option that another one sets is left out: the other one describes it.
 *
 * @param already ids of options that the text is written for
 */
function optionsInWords(type: GameType, options: Options, already: readonly string[]): string[] {
  const implied = type.options.flatMap((o) => Object.keys(o.sets?.[String(options[o.id])] ?? {}));
  return type.options
    .filter((o) => options[o.id] !== o.default && !already.includes(o.id) && !implied.includes(o.id))
    .map((o) => inWords(o, options[o.id]!));
}

function inWords({ id, about, words }: OptionSpec, value: Options[string]): string {
  const name = words?.values[String(value)] ?? (value === true ? "yes" : value === false ? "no" : String(value));
  return `${titled(id)}: ${name} (${(words?.about ?? about).replace(/\.$/, "")})`;
}

/** `nightResponse`: Night response. */
const titled = (id: string): string =>
  id[0]!.toUpperCase() + id.slice(1).replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`);
