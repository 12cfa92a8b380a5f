import type { Session } from "../../server/session/session.js";
import { TextSeat } from "../../server/text/decision.js";
import { ToolDesk } from "../../server/tools/desk.js";
import type { SeatedGame } from "../../server/tools/seat-table.js";
import { type CodePlant, replaced, truth } from "./plant.js";

const truthOf = (seat: TextSeat): number => truth((seat as unknown as { session: Session }).session.env.state);

/** Changes the words that a seat gets. */
const saying =
  (key: "next" | "choices" | "standing" | "log" | "map", change: (text: string, secret: number) => string) => () =>
    replaced(
      TextSeat.prototype,
      key,
      (honest) =>
        function (this: TextSeat, ...args: never[]) {
          return change(honest.apply(this, args) as string, truthOf(this));
        },
    );

export const TOOL_PLANTS: readonly CodePlant[] = [
  {
    name: "tools: the situation ends with a blank more",
    install: saying("next", (text, x) => text + " ".repeat(x % 7)),
  },
  {
    name: "tools: actions are listed in another order",
    install: saying("choices", (text, x) => (x % 2 === 0 ? text : text.split("\n").reverse().join("\n"))),
  },
  {
    name: "tools: the log counts what was not seen",
    install: saying("log", (text, x) => `${text}\n${x % 97} reports`),
  },
  {
    name: "tools: a condition of victory counts hidden counters",
    install: saying("standing", (text, x) => text.replace(/\d/, String(x % 10))),
  },
  { name: "tools: the map shows where something is hidden", install: saying("map", (text, x) => `${text}${x % 97}`) },
  {
    name: "tools: facts beside the words carry the truth",
    install: () =>
      replaced(
        ToolDesk.prototype,
        "withFacts",
        (honest) =>
          function (this: ToolDesk, ...args: never[]) {
            const [, g] = args as unknown as [string, SeatedGame];
            const said = honest.apply(this, args) as { facts: object };
            return { ...said, facts: { ...said.facts, number: truth(g.open.session.env.state) % 97 } };
          },
      ),
  },
];
