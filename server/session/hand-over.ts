import { makeAgent } from "../../agents/registry.js";
import { type RosterEntry, roster } from "../../agents/roster.js";
import {
  anyUnit,
  type Game,
  KesselError,
  oneOf,
  promptOf,
  sendable,
  shown,
  type StateView,
  unitNamed,
  unitTitle,
} from "../../env/index.js";
import { Deputy, type HandedOver, sameName } from "./deputy.js";
import { seatSeed } from "./record.js";
import type { Session } from "./session.js";

/** A deputy as it is asked for in words. */
export interface HandOver {
  readonly what: HandedOver;
  /** A short name of the roster. */
  readonly who: string;
}

/**
 * Reads `finish phase with stalker`, `finish turn with commander`, `finish G1, G2 with planner`. Null for other orders.
 */
export function parseHandOver(order: string): HandOver | null {
  const match = /^finish (?:the |this )?(.+?) with (?:heuristic:)?([^\s.;]+)\.?$/i.exec(
    order.trim().replace(/\s+/g, " "),
  );
  if (match === null) return null;
  const [, what = "", who = ""] = match;
  if (/^(phase|turn)$/i.test(what)) return { what: what.toLowerCase() as "phase" | "turn", who };
  const units = what.split(/,| and /i).map((name) => name.trim());
  return { what: units.filter((name) => name !== ""), who };
}

/** Who can decide for a player: levels, the strongest first, then scripted players. */
export const deputiesFor = (game: Game, player: number): readonly RosterEntry[] => {
  const all = roster(game).filter((e) => e.players.includes(player));
  return [...all.filter((e) => e.kind === "level").toReversed(), ...all.filter((e) => e.kind === "scripted")];
};

/**
 * Makes a deputy for the player who decides now.
 *
 * @throws KesselError `bad-agent` for nobody of that name; `bad-action` for units that can't act now
 */
export async function deputyFor(session: Session, { what: named, who }: HandOver): Promise<Deputy> {
  const { game, env, actor, seed } = session;
  const what = typeof named === "string" ? named : named.map((unit) => unitNamed(game, unit));
  const side = game.players[actor];
  if (side === undefined) throw new KesselError("closed", `${game.type.id}: the game is over`);
  const all = deputiesFor(game, actor);
  const found = all.find((e) => e.short === who || e.name === who);
  if (found === undefined)
    throw new KesselError(
      "bad-agent",
      `nobody called ${shown(who)} can decide for you; there are ${oneOf(
        all.map((e) => e.short),
        20,
      )}`,
    );
  checkUnits(game, env.state, actor, what);
  const agent = await makeAgent(found.name, {
    game,
    seed: seatSeed(seed, `deputy of ${side}`, session.actions.length),
  });
  return new Deputy(game, env.state, actor, agent, found.short, what);
}

/** Somebody decides until what is handed over is done, as the session advances. @throws KesselError as `deputyFor` */
export async function handedOver(session: Session, handOver: HandOver): Promise<Deputy> {
  const deputy = await deputyFor(session, handOver);
  session.handOver(deputy);
  deputy.granted = Infinity;
  return deputy;
}

/** @throws KesselError `bad-action` */
function checkUnits(game: Game, s: StateView, player: number, what: HandedOver): void {
  if (typeof what === "string") return;
  const prompt = promptOf(game, s, player);
  const able = sendable(game, prompt);
  const missing = what.find((name) => !able.some((u) => sameName(u, name)));
  if (missing === undefined && what.length > 0) return;
  const names = able.length > 0 ? `; ${anyUnit(game, able)} can` : "";
  const title = shown(unitTitle(game, missing ?? ""));
  throw new KesselError("bad-action", `${game.type.id}: ${title} can't act now${names}`);
}
