import { z } from "zod";
import { readAnswer } from "../../agents/text/answer.js";
import { formsLines } from "../../agents/text/orders.js";
import { oddsText } from "../../agents/text/sentences.js";
import { type Choice, KesselError, waysOf } from "../../env/index.js";
import { handedOver, parseHandOver } from "../session/hand-over.js";
import { handingLine, orderedLines, waysLines } from "../text/orders.js";
import { action, ACTS, ASKS, game, guards, session, type ToolDesk, WIDTH } from "./desk.js";
import { actorOf, checkDecision, checkOpen, choicesOf } from "./facts.js";
import type { SeatedGame } from "./seat-table.js";

/** Begins games. */
export function newGameTool(desk: ToolDesk): void {
  desk.tool(
    "new_game",
    "Begins a game against agents. Answers with the session id, the map and the first decision.",
    {
      game,
      seat: z.string().optional().describe("the side that you take; needed in games for two"),
      opponent: z.string().optional().describe("an opponent as list_games names it; by default the strongest"),
      options: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
        .optional()
        .describe("options as list_games names them"),
      ...(desk.allowed.seeds
        ? { seed: z.string().min(1).max(100).optional().describe("of the dice; by default one is drawn") }
        : {}),
      ...(desk.allowed.allSeats
        ? { all_seats: z.boolean().optional().describe("take all seats: the facts name a session for each") }
        : {}),
    },
    ACTS,
    async (input) => {
      const seed = typeof input.seed === "string" ? input.seed : null;
      if (input.all_seats === true) {
        if (input.seat !== undefined || input.opponent !== undefined)
          throw new KesselError("bad-option", "with all_seats there is no seat and no opponent to be named");
        const sessions = await desk.table.beginForAll(input.game, input.options ?? {}, seed);
        const ids = Object.values(sessions);
        return desk.seated(ids[0]!, ({ open: { session: play } }) => ({
          text: ids.map((id) => `session: ${id}`).join("\n"),
          facts: { sessions, actor: actorOf(play) },
        }));
      }
      const id = await desk.table.begin(
        input.game,
        input.seat ?? null,
        input.opponent ?? null,
        input.options ?? {},
        seed,
      );
      return desk.seated(id, (g) => desk.withFacts([`session: ${id}`, g.text.opening()].join("\n"), g));
    },
    !desk.allowed.allSeats,
  );
}

/** The choice that an answer means. @throws KesselError as `choicesOf` and `readAnswer` */
function chosen(g: SeatedGame, answer: string): Choice {
  const choices = choicesOf(g);
  const name = readAnswer(
    choices.map((c) => c.name),
    answer,
  );
  return choices.find((c) => c.name === name)!;
}

/** Carries out actions, and says what they can come to. */
export function actionTools(desk: ToolDesk): void {
  desk.tool(
    "act",
    "Carries out a legal action, lets the opponents play, and answers with what happened and the next decision.",
    {
      session,
      action,
      ...guards,
      ...(desk.allowed.allSeats
        ? { brief: z.boolean().optional().describe("return only what was understood; observe returns the rest") }
        : {}),
    },
    ACTS,
    (input) =>
      desk.changing(input.session, input.request, async (g) => {
        const { open, text: seat } = g;
        const play = open.session;
        checkDecision(g, input.decision);
        const choice = chosen(g, String(input.action));
        play.choose(choice.action);
        await play.advance();
        return desk.withFacts(
          [`You chose: ${choice.name}`, ...(input.brief === true ? [] : [seat.next()])].join("\n"),
          g,
        );
      }),
    true,
  );

  desk.tool(
    "orders",
    "The orders that fit the decision: one order stands for many actions. With a unit, where it can go, and what that costs.",
    {
      session,
      unit: z.string().max(100).optional().describe("a unit by its name: where an order can send it"),
    },
    ASKS,
    (input) =>
      desk.seated(input.session, (g) => {
        choicesOf(g);
        const { game, env } = g.open.session;
        return input.unit === undefined
          ? [...formsLines(game, env.state, g.player), handingLine(game, g.player)].join("\n")
          : waysLines(waysOf(game, env.state, g.player, input.unit)).join("\n");
      }),
  );

  desk.tool(
    "order",
    "Carries out an order, action by action, as far as it goes; then lets the opponents play, and answers as act does.",
    {
      session,
      order: z
        .string()
        .min(1)
        .max(2000)
        .describe("in the form that orders gives, as `move G3 to 0412`; `finish phase with NAME` lets somebody decide"),
      ...guards,
    },
    ACTS,
    (input) =>
      desk.changing(input.session, input.request, async (g) => {
        const { open, text: seat } = g;
        checkDecision(g, input.decision);
        choicesOf(g);
        const handOver = parseHandOver(input.order);
        if (handOver !== null) {
          const deputy = await handedOver(open.session, handOver);
          await open.session.advance();
          return desk.withFacts([deputy.report, seat.next()].join("\n"), g);
        }
        const ordered = open.session.order(input.order);
        await open.session.advance();
        return desk.withFacts([...orderedLines(ordered), seat.next()].join("\n"), g);
      }),
    true,
  );

  desk.tool(
    "odds",
    "What an action can come to, with the chances, as far as your seat can know.",
    { session, action },
    ASKS,
    (input) =>
      desk.seated(input.session, (g) => {
        const { open, player } = g;
        const choice = chosen(g, String(input.action));
        return oddsText(open.session.odds(player, choice.action), choice.text, WIDTH);
      }),
  );
}

/** Takes back, gives up, and reports how a game ended. */
export function endTools(desk: ToolDesk): void {
  desk.tool(
    "undo",
    "Takes your last choice back, as far as no die has been thrown since.",
    { session, ...guards },
    ACTS,
    (input) =>
      desk.changing(input.session, input.request, (g) => {
        const { open, text: seat } = g;
        checkDecision(g, input.decision);
        choicesOf(g);
        const refused = open.session.undo();
        if (refused !== null) throw new KesselError("unsupported", `that can't be taken back: ${refused}`);
        return desk.withFacts(seat.next(true), g);
      }),
    true,
  );

  desk.tool(
    "resign",
    "Gives the game up: you lose.",
    { session },
    ACTS,
    (input) =>
      desk.seated(input.session, (g) => {
        checkOpen(g);
        g.open.session.resign(g.player);
        return desk.withFacts(g.text.result().join("\n"), g);
      }),
    true,
  );

  desk.tool(
    "result",
    "How the game ended, or that it goes on.",
    { session },
    ASKS,
    (input) => desk.seated(input.session, (g) => desk.withFacts(g.text.result().join("\n"), g)),
    true,
  );

  desk.tool("replay", "The whole game as a replay in JSON, seed included, after its end.", { session }, ASKS, (input) =>
    desk.table.with(input.session, ({ open: { session: play } }) => {
      if (!play.over)
        throw new KesselError(
          "unsupported",
          "the replay contains the seed, which reveals everything hidden; it is available only after the end",
        );
      return JSON.stringify(play.replay());
    }),
  );
}
