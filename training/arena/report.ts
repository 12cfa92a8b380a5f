import { hundredths, signed } from "../../env/core/words.js";
import type { ArenaResult, Tally } from "./tally.js";
import type { Interval } from "../report/stats.js";
import { table } from "../report/table.js";

export const secretText = (seed: string, secret: string): string =>
  `secret ${secret}; to repeat these games: --seed ${seed} --secret ${secret}`;
/** Points in hundredths of a game. */
export const points = (x: number): string => hundredths(x);
const between = ([low, high]: Interval, text: (x: number) => string): string => `${text(low)}..${text(high)}`;
const rate = (t: Tally): string => (t.games === 0 ? "-" : `${points(t.score)} [${between(t.interval, points)}]`);
const whole = (x: number): string => x.toFixed(0);
const difference = (x: number): string => signed(x, 3);

/** The result as plain text, for a terminal. Rates are points, intervals 95 %. */
export function arenaText(r: ArenaResult): string {
  const solo = r.players.length === 1;
  const chosen = Object.entries(r.options)
    .map(([k, v]) => `${k}=${v}`)
    .join(" ");
  const parts = [
    `${r.game} version ${r.version}, schema ${r.schema}, seed ${r.seed}${chosen === "" ? "" : `, ${chosen}`}`,
  ];
  if (r.reconstructed !== null) parts[0] += `\nreconstructed: ${r.reconstructed}`;
  parts.push(...(solo ? soloTables(r) : duelTables(r)));
  if (r.luckAdjusted !== null) parts.push(...luckTable(r, r.luckAdjusted));
  for (const e of r.endings) {
    const shares = Object.entries(e.shares)
      .map(([name, share]) => `${name} ${points(share)}`)
      .join(", ");
    if (shares !== "") parts.push(`Endings${e.agent === null ? "" : ` of ${e.agent}`} in %: ${shares}`);
  }
  const { timing } = r;
  parts.push(
    `${r.meanDecisions.toFixed(1)} decisions a game; ${timing.decisions} taken by agents in ${timing.seconds.toFixed(1)} s, ${whole(timing.decisionsPerSecond)} a second`,
  );
  if (r.secret !== null) parts.push(secretText(r.seed, r.secret));
  return parts.join("\n\n");
}

/** What was adjusted for. @param valueModel as in `ArenaResult.luckAdjusted` */
export const luckText = (valueModel: string | null): string =>
  valueModel === null
    ? "the luck of the last roll, whose chances are known"
    : `the luck of the dice, estimated by the values of ${valueModel}`;

function luckTable(r: ArenaResult, { valueModel, results }: NonNullable<ArenaResult["luckAdjusted"]>): string[] {
  const rows = results.map((f) => [
    r.agents[f.a]!,
    f.b === null ? "" : r.agents[f.b]!,
    difference(f.mean),
    between(f.interval, signed),
    difference(f.adjustedMean),
    between(f.adjustedInterval, signed),
    f.sampleFraction === null ? "-" : points(f.sampleFraction),
  ]);
  return [
    table(["agent", "against", "return", "95 %", "adjusted", "95 %", "games needed %"], rows, 2),
    `adjusted: for ${luckText(valueModel)}; games needed: the share of the games that gives an interval as narrow`,
  ];
}

function soloTables(r: ArenaResult): string[] {
  const rows = r.standings.map(({ agent, total: t }) => [
    agent,
    difference(t.meanReturn),
    between(t.meanReturnInterval, signed),
    points(t.wins / t.games),
    points(t.draws / t.games),
    points(t.losses / t.games),
    String(t.games),
    micro(r, agent),
  ]);
  const parts = [table(["agent", "return", "95 %", "won %", "drawn %", "lost %", "games", "us/decision"], rows)];
  if (r.differences.length > 0)
    parts.push(
      table(
        ["same seeds", "against", "difference", "95 %"],
        r.differences.map((d) => [r.agents[d.a]!, r.agents[d.b]!, difference(d.mean), between(d.interval, difference)]),
        2,
      ),
    );
  return parts;
}

function duelTables(r: ArenaResult): string[] {
  const standings = r.standings.map((s) => {
    const seatElo = s.seatElo?.map((e) => `${whole(e.elo)} [${between(e.interval, whole)}]`) ?? [];
    return [
      s.agent,
      whole(s.elo!),
      between(s.eloInterval!, whole),
      rate(s.total),
      ...s.seats.map(rate),
      ...seatElo,
      String(s.total.games),
      micro(r, s.agent),
    ];
  });
  const seatHeads = r.standings[0]!.seatElo === null ? [] : r.players.map((p) => `Elo as ${p}`);
  const parts = [
    table(
      [
        "agent",
        "Elo",
        "95 %",
        "score % [95 %]",
        ...r.players.map((p) => `as ${p} %`),
        ...seatHeads,
        "games",
        "us/decision",
      ],
      standings,
    ),
  ];
  const pairs = r.pairs.map((p) => [
    r.agents[p.a]!,
    r.agents[p.b]!,
    `${p.total.wins}/${p.total.draws}/${p.total.losses}`,
    rate(p.total),
    ...p.seats.map(rate),
    p.meanDecisions.toFixed(1),
    p.pairingRatio === null ? "-" : p.pairingRatio.toFixed(2),
  ]);
  parts.push(
    table(
      [
        "agent",
        "against",
        "won/drawn/lost",
        "score % [95 %]",
        ...r.players.map((x) => `as ${x} %`),
        "decisions",
        "pairing ratio",
      ],
      pairs,
      2,
    ),
  );
  if (r.agents.length > 2) {
    const order = r.standings.map((s) => r.agents.indexOf(s.agent));
    const rows = order.map((i, k) => [
      `${k + 1} ${r.agents[i]!}`,
      ...order.map((j) => (r.payoff[i]![j] === null ? ".." : points(r.payoff[i]![j]!))),
    ]);
    parts.push(table(["score % against", ...order.map((_, k) => String(k + 1))], rows));
  }
  const f = r.firstSeat;
  const seat = r.firstSeatElo;
  const worth = seat === null ? "" : `; that seat is worth ${whole(seat.elo)} [${between(seat.interval, whole)}] Elo`;
  parts.push(
    `${r.players[0]!} ${rate(f)} of all games (won ${f.wins}, drawn ${f.draws}, lost ${f.losses})${worth}`,
    "pairing ratio: variance of a seed's score over that of two independent games; below 1, common dice made the comparison more precise",
  );
  return parts;
}

const micro = (r: ArenaResult, agent: string): string => (r.timing.microseconds[agent] ?? 0).toFixed(1);
