import type { MapAnswer, State } from "../../env/index.js";
import { TableReview } from "../../server/page/review.js";
import { Reviewer } from "../../server/page/review/reviewer.js";
import { Table } from "../../server/page/table.js";
import { bit, type CodePlant, replaced, truth } from "./plant.js";

/** The parts of a table that plants look at. */
interface TableParts {
  readonly open: { readonly session: { readonly env: { readonly state: State } } };
  readonly players: readonly string[];
}
/** The parts of a review that plants look at. */
interface ReviewParts {
  moment(at: number, eyes: string): { readonly pieces: unknown };
}
const stateOf = (table: Table): State => (table as unknown as TableParts).open.session.env.state;

/** Changes what a private method of tables returns. */
const returning =
  <R>(key: string, change: (value: R, table: Table, args: unknown[]) => R) =>
  () =>
    replaced(
      Table.prototype,
      key,
      (honest) =>
        function (this: Table, ...args: never[]) {
          return change(honest.apply(this, args) as R, this, args);
        },
    );

export const PAGE_PLANTS: readonly CodePlant[] = [
  {
    name: "page: a seat is shown the other seat's board",
    install: () =>
      replaced(
        Table.prototype,
        "view" as keyof Table,
        (honest) =>
          function (this: Table, ...args: never[]) {
            const viewer = args[0] as unknown as number;
            return honest.apply(this, [viewer < 0 ? viewer : 1 - viewer] as never[]);
          },
      ),
  },
  {
    name: "page: numbers of frames move with the truth",
    install: returning<{ n: number }>("frame", (frame, table) => ({ ...frame, n: frame.n + bit(stateOf(table)) })),
  },
  {
    name: "page: a drawing carries a word of the truth where nobody looks",
    install: returning<object>("view", (view, table) => ({ ...view, seat: `seat ${truth(stateOf(table)) % 7}` })),
  },
  {
    name: "page: a note of the map tells more in some worlds",
    install: returning<{ notes: readonly object[] }>("view", (view, table) => ({
      ...view,
      notes: [...view.notes, { text: `fires ${truth(stateOf(table)) % 7}`, places: [] }],
    })),
  },
  {
    name: "page: the map answers otherwise in some worlds",
    game: "streets-of-stalingrad",
    install: returning<MapAnswer>("answer", (answer, table) => ({ ...answer, yes: bit(stateOf(table)) === 1 })),
  },
  {
    name: "page: an error says more in some worlds",
    install: () =>
      replaced(
        Table.prototype,
        "tell",
        (honest) =>
          function (this: Table, ...args: never[]) {
            const [guest, reply] = args as unknown as [unknown, { op: string; message?: string }];
            const dot = bit(stateOf(this)) === 1 ? "." : "";
            const told = reply.op === "error" ? { ...reply, message: `${reply.message}${dot}` } : reply;
            return honest.apply(this, [guest, told] as never[]);
          },
      ),
  },
  {
    name: "page: a moment of the past is drawn as everybody saw it",
    looksBack: true,
    install: () =>
      replaced(
        TableReview.prototype,
        "seenMoment",
        (honest) =>
          function (this: TableReview, ...args: never[]) {
            const whole = (this as unknown as ReviewParts).moment(args[0] as unknown as number, "all");
            return { ...(honest.apply(this, args) as object), pieces: whole.pieces };
          },
      ),
  },
  {
    name: "page: what is thought of a choice moves with the truth",
    looksBack: true,
    install: () =>
      replaced(
        Reviewer.prototype,
        "judge",
        (honest) =>
          async function (this: Reviewer, ...args: never[]) {
            const found = (await honest.apply(this, args)) as { value: number };
            return { ...found, value: found.value + 1e-6 * bit(args[0] as unknown as State) };
          },
      ),
  },
];
