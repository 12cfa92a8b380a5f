import { hundredths, signed } from "../../env/core/words.js";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { GOLDEN_TOLERANCE } from "../../agents/onnx.js";
import { InvariantError } from "../../env/index.js";
import { metadataOf, type Result, swapped, type TrainingMetadata } from "./metadata.js";
import { differenceInterval, type Interval } from "../report/stats.js";

const points = (x: number): string => hundredths(x);
const difference = (x: number): string => signed(100 * x, 1);
const exact = (x: number): string => x.toFixed(3);
const within = (interval: Interval, text: (x: number) => string): string => `[${interval.map(text).join(", ")}]`;
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
/** Nothing in a seat that the opponent left no game for. */
const rate = (t: Result["total"]): string => (t.games === 0 ? "" : `${points(t.score)} ${within(t.interval, points)}`);
const table = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] => [
  row(heads),
  row(heads.map(() => "---")),
  ...rows.map(row),
];

/** The card of a published model: all of it comes from the file's metadata. */
export function card(file: string): string {
  const bytes = new Uint8Array(readFileSync(file));
  const metadata = metadataOf(bytes, file);
  if (metadata === null) throw new InvariantError(`${file} has no training metadata`);
  const { game, schema, seats, temperature, trained } = metadata;
  const chosen = Object.entries(trained.options)
    .map(([k, v]) => `${k}=${v}`)
    .join(", ");
  const { parity } = trained;
  const { kind, ...sizes } = trained.net;
  const facts: [string, string | number][] = [
    ["game", `${game} version ${trained.version}${chosen === "" ? "" : `, ${chosen}`}`],
    ["schema", schema],
    ["seats", seats.join(", ")],
    [
      "net",
      `${kind}, ${Object.entries(sizes)
        .filter(([name, size]) => name !== "attend" || size !== 0) // cards are older than attention
        .map(([name, size]) => `${name} ${[size].flat().join("-")}`)
        .join(", ")}`,
    ],
    ["file", `${bytes.length} bytes`],
    ["seed", trained.seed],
    ...Object.entries(trained.facts),
    [
      "parity",
      `the trainer against the written model on ${parity.samples} decisions: policy ${parity.policy.toExponential(1)}, value ${parity.value.toExponential(1)} (per unit of size above 1; at most ${GOLDEN_TOLERANCE} is accepted when the file is loaded)`,
    ],
  ];
  return [
    `# ${basename(file)}`,
    "",
    "Generated when the model was; not edited by hand.",
    "",
    trained.method,
    "",
    ...table(["", ""], facts),
    "",
    "## Strength",
    "",
    ...(trained.results.length === 0 && trained.mirror === null
      ? ["Not measured. `npx kessel model measure` adds results."]
      : seats.length === 1
        ? alone(trained, temperature)
        : contested(trained, temperature, basename(file), seats)),
    "",
    ...exploited(trained, basename(file), seats),
    "## Made by",
    "",
    "```",
    trained.command,
    "```",
    "",
    "Configuration:",
    "",
    "```json",
    JSON.stringify(trained.config, null, 2),
    "```",
    "",
  ].join("\n");
}

/** How the model chooses, and so how it was measured. */
const choosing = (temperature: number): string =>
  temperature === 0 ? "best action taken (temperature 0)" : `this model's actions drawn at temperature ${temperature}`;

function contested(
  { measured, results, mirror }: TrainingMetadata,
  temperature: number,
  file: string,
  seats: readonly string[],
): string[] {
  const itself = mirror === null ? [] : [["itself", mirror[0]!.games, "", ...mirror.map(rate)]];
  return [
    `Points in percent (a draw is half a point) with Wilson's 95 % intervals, ${choosing(temperature)}; seed ${measured}, the same dice in both seatings.`,
    "",
    ...table(
      ["against", "games", "all", ...seats.map((p) => `as ${p}`)],
      [
        ...results
          .filter(({ against }) => !searchesWith(against, file))
          .map((r) => [r.against, r.total.games, rate(r.total), ...r.seats.map(rate)]),
        ...itself,
      ],
    ),
  ];
}

/** Solitaire games: returns, not points, and how games ended. */
function alone({ measured, results }: TrainingMetadata, temperature: number): string[] {
  const won = (t: Result["total"]) => [t.wins, t.draws, t.losses].map((n) => points(n / t.games));
  const line = (name: string, t: Result["total"], more: string) => [
    name,
    t.games,
    `${exact(t.meanReturn)} ${within(t.meanReturnInterval, exact)}`,
    ...won(t),
    more,
  ];
  const [first] = results;
  const rows = results.map((r) =>
    line(
      r.against,
      r.alone!.other,
      `${exact(r.alone!.difference.mean)} ${within(r.alone!.difference.interval, exact)}`,
    ),
  );
  // not every game calls its ends by names
  const named = first !== undefined && Object.keys(first.alone!.endings).length > 0;
  const endings = (name: string, shares: Readonly<Record<string, number>>) => [
    name,
    Object.entries(shares)
      .map(([ending, share]) => `${ending} ${points(share)}`)
      .join(", "),
  ];
  return [
    `Mean return (-1 to 1) with its 95 % interval, ${choosing(temperature)}; seed ${measured}, the same for all. The difference is what this model got more, game by game.`,
    "",
    ...table(
      ["agent", "games", "return", "won %", "drawn %", "lost %", "difference"],
      [...(first === undefined ? [] : [line("this model", first.total, "")]), ...rows],
    ),
    ...(named
      ? [
          "",
          "How games ended, in percent:",
          "",
          ...table(
            ["agent", "endings"],
            [
              endings("this model", first.alone!.endings),
              ...results.map((r) => endings(r.against, r.alone!.otherEndings)),
            ],
          ),
        ]
      : []),
  ];
}

/** Who plays against this model knowing it: a net trained for that, and searches that have the model itself. */
function exploited({ exploiter, mirror, results }: TrainingMetadata, file: string, seats: readonly string[]): string[] {
  const searches = seats.length === 1 ? [] : results.filter(({ against }) => searchesWith(against, file));
  if (exploiter === null && searches.length === 0) return [];
  const gain = (t: Result["total"], of: Result["total"]): string => {
    const interval = differenceInterval([t.score, t.interval], [of.score, of.interval]);
    return `${difference(t.score - of.score)} [${interval.map(difference).join(", ")}]`;
  };
  const lines = (name: string, total: Result["total"], own: Result["seats"]): (string | number)[][] => [
    [name, total.games, rate(total), ...own.map(rate)],
    ...(mirror === null ? [] : [["gain over the model itself", "", "", ...own.map((t, p) => gain(t, mirror[p]!))]]),
  ];
  const effort = Object.entries(exploiter?.effort ?? {}).map(([name, n]) => `${name} ${n}`);
  const who = [
    ...(exploiter === null ? [] : [`A net was trained against this model and nobody else (${effort.join(", ")}).`]),
    ...(searches.length === 0 ? [] : ["A search has this model as its own net."]),
    `${exploiter !== null && searches.length > 0 ? "Their" : "Its"} points against this model, in percent; a perfect opponent may reach more.`,
    ...(mirror === null ? [] : ["The gain is what it has more than this model has against itself in the same seat."]),
  ];
  return [
    "## Exploited by",
    "",
    who.join(" "),
    "",
    ...table(
      ["exploiter", "games", "all", ...seats.map((p) => `as ${p}`)],
      [
        ...(exploiter === null ? [] : lines(exploiter.file, exploiter.total, exploiter.seats)),
        ...searches.flatMap(({ against, total, seats: mine }) =>
          lines(against, swapped(total), [...mine].reverse().map(swapped)),
        ),
      ],
    ),
    "",
    ...(exploiter === null ? [] : ["```", exploiter.command, "```", ""]),
  ];
}

/** True when an agent is a search with this model. */
const searchesWith = (agent: string, file: string): boolean => {
  const net = /^search:.*\bnet=([^,?]+)/.exec(agent)?.[1];
  return net !== undefined && basename(net) === file;
};
