import type { MapAnswer, State } from "../../env/index.js";
import type { LogLine, Patch, Reply } from "../../server/page/frame.js";
import { TablePuzzle } from "../../server/page/learn/puzzle.js";
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

type Told = Record<string, unknown> & { readonly op: string };

/**
 * Changes replies of some operations, on their way to a seat. @param change receives a number that depends on all the
 * truth
 */
const telling = (op: Reply["op"], change: (reply: Told, secret: number) => object) => () =>
  replaced(
    Table.prototype,
    "tell",
    (honest) =>
      function (this: Table, ...args: never[]) {
        const [guest, reply] = args as unknown as [unknown, Told];
        const told = reply.op === op ? { ...reply, ...change(reply, truth(stateOf(this))) } : reply;
        return honest.apply(this, [guest, told] as never[]);
      },
  );

/** Changes the entries of the log that a patch brings. */
const reporting = (change: (line: LogLine, secret: number) => LogLine) =>
  telling("patch", ({ patch }, secret) => {
    const { log, ...rest } = patch as Patch;
    if (log === undefined) return {};
    return { patch: { ...rest, log: { ...log, lines: log.lines.map((line) => change(line, secret)) } } };
  });

/** Changes the pictures of one kind that are drawn. */
const drawing = (format: "svg" | "png") => () =>
  replaced(
    Reviewer.prototype,
    "draw",
    (honest) =>
      async function (this: Reviewer, ...args: never[]) {
        const [task] = args as unknown as [Parameters<Reviewer["draw"]>[0]];
        const drawn = (await honest.apply(this, args)) as { base64: string };
        if (task.format !== format) return drawn;
        const secret = Buffer.from(`<!--${task.scenes.map((s) => s.counters.length).join()}${WORLD.secret}-->`);
        return { base64: Buffer.concat([Buffer.from(drawn.base64, "base64"), secret]).toString("base64") };
      },
  );

/** The truth of the table that was asked last: threads that draw get no state. */
const WORLD = { secret: 0 };
const watching = (install: () => () => void) => () => {
  const undo = [
    install(),
    replaced(
      Table.prototype,
      "ask",
      (honest) =>
        function (this: Table, ...args: never[]) {
          WORLD.secret = truth(stateOf(this));
          return honest.apply(this, args);
        },
    ),
  ];
  return () => undo.forEach((takeOut) => takeOut());
};

const ASKED_PLANTS: readonly CodePlant[] = [
  { name: "page: a hint says more", install: telling("hint", ({ text }, x) => ({ text: `${String(text)} ${x % 7}` })) },
  { name: "page: odds are rounded otherwise", install: telling("odds", (_, x) => ({ leads: [x % 7] })) },
  { name: "page: a place is offered for an order", install: telling("ways", (_, x) => ({ ways: [x % 7] })) },
  { name: "page: a rule is worded otherwise", install: telling("rules", (_, x) => ({ words: `${x % 7}` })) },
  {
    name: "page: who may decide for a seat depends on the truth",
    install: returning<{ deputies: readonly string[] }>("frame", (frame, table) => ({
      ...frame,
      deputies: bit(stateOf(table)) === 1 ? [...frame.deputies].reverse() : frame.deputies,
    })),
  },
  {
    name: "page: the report of an order is a word longer",
    looksBack: true,
    install: telling("ordered", ({ lines }, x) => ({ lines: [...(lines as string[]), `${x}`] })),
  },
  {
    name: "page: what comes of a choice has one word more",
    looksBack: true,
    install: reporting((line, x) => ({ ...line, action: `${line.action} ${x}` })),
  },
  {
    name: "page: entries of the log have numbers that count hidden decisions",
    looksBack: true,
    install: reporting((line, x) => ({ ...line, number: line.number + (x % 97) })),
  },
  {
    name: "page: beliefs come with a trace of the truth",
    looksBack: true,
    install: telling("beliefs", (_, x) => ({ worlds: x })),
  },
  {
    name: "page: a moment of the past has a number of its own",
    looksBack: true,
    install: telling("moment", ({ moment }, x) => ({ moment: { ...(moment as object), key: x } })),
  },
  { name: "page: a drawing as SVG carries a comment", looksBack: true, install: watching(drawing("svg")) },
  { name: "page: a drawing as PNG has bytes behind its end", looksBack: true, install: watching(drawing("png")) },
  {
    name: "page: why an answer to a puzzle is right depends on what nobody sees",
    puzzles: true,
    install: telling("solved", ({ why }, x) => ({ why: [...(why as string[]), `${x % 7}`] })),
  },
  {
    name: "page: a puzzle's rating moves with the truth",
    puzzles: true,
    install: () =>
      replaced(
        TablePuzzle.prototype,
        "view",
        (honest) =>
          function (this: TablePuzzle, ...args: never[]) {
            const { open } = this as unknown as TableParts;
            return { ...(honest.apply(this, args) as object), rating: truth(open.session.env.state) % 97 };
          },
      ),
  },
];

export const PAGE_PLANTS: readonly CodePlant[] = [
  ...ASKED_PLANTS,
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
    name: "page: a note of the map says more in some worlds",
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
