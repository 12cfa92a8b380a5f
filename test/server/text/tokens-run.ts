import { gameIds, loadGame } from "../../../env/index.js";
import { countTokens, countTokensByOrder, median } from "./tokens.js";

// `npm run reports -- tokens [GAMES] [GAME...]`: tokens of the texts of decisions, over games of scripted players and
// random ones
const [games = "20", ...ids] = process.argv.slice(2);
for (const id of ids.length > 0 ? ids : gameIds()) {
  const orders = await countTokensByOrder(loadGame(id), Number(games));
  console.log(`${id}: ${orders.length} orders; tokens: median ${median(orders)}, most ${orders.at(-1)}`);
  for (const scripted of [true, false]) {
    const { changes, full } = await countTokens(loadGame(id), Number(games), scripted, 20);
    const [who, last] = [scripted ? "scripted" : "random", (list: number[]) => list.at(-1)!];
    console.log(
      `${id}, ${who}: ${games} games, ${changes.length} decisions; tokens: median ${median(changes)}, most ${last(changes)}; in full: median ${median(full)}, most ${last(full)}`,
    );
  }
}
