import { GAMES, type Game, loadGame } from "../../env/index.js";
import { roster } from "../../agents/roster.js";
import { strength } from "./game-page.js";
import { shortTitle } from "../cli/readme.js";

/** Each game with its default options, and with each other set of options under which trained levels were measured. */
function measuredGames(): Game[] {
  return GAMES.flatMap((type) => {
    const others = roster(loadGame(type.id)).flatMap((e) => {
      const otherwise = e.measured?.otherwise ?? {};
      return Object.keys(otherwise).length === 0 ? [] : [JSON.stringify(otherwise)];
    });
    const sets = [...new Set(others)].map((text) => JSON.parse(text) as Record<string, string>);
    return [{}, ...sets].map((options) => loadGame(type.id, options));
  });
}

/** The results of the strongest trained agent of each game, from its card. */
export function trainedAgents(): string {
  const parts = measuredGames().flatMap((game) => {
    const best = roster(game).findLast((e) => e.kind === "level" && e.results.length > 0);
    if (best === undefined) return [];
    const { options, type } = game;
    const changed = type.options.filter((o) => options[o.id] !== o.default).map((o) => `${o.id}=${options[o.id]}`);
    const title = [shortTitle(type.title), ...changed].join(", ");
    const flags = changed.map((o) => ` -o ${o}`).join("");
    return [`### ${title}\n\n${strength(best, game)}\n\n\`\`\`\nnpx kessel agents ${type.id}${flags}\n\`\`\``];
  });
  return parts.join("\n\n");
}
