import { GAMES } from "../../../env/index.js";
import { type Asset, textAsset } from "../asset.js";

const made = new Map<string, Asset>();

/** What a game's page looks words and kinds of moves up in. @returns undefined for a game that teaches nothing */
export function primerOf(id: string): Asset | undefined {
  const type = GAMES.find((t) => t.id === id);
  if (type?.teaching === undefined) return undefined;
  let asset = made.get(id);
  if (asset === undefined) {
    const { primer } = type.teaching;
    const cited = new Set(primer.terms.map((t) => t.rule));
    const rules = Object.fromEntries([...cited].map((rule) => [rule, type.rules[rule]!.says]));
    asset = textAsset("application/json", Buffer.from(JSON.stringify({ title: type.title, ...primer, rules })), false);
    made.set(id, asset);
  }
  return asset;
}

/** The rules of a game in brief, as paragraphs. @returns undefined for a game that isn't there */
export function guideOf(id: string): Asset | undefined {
  const type = GAMES.find((t) => t.id === id);
  return type && textAsset("application/json", Buffer.from(JSON.stringify(type.guide.medium)), false);
}
