import { z } from "zod";
import { lookText } from "../../agents/text/look.js";
import { ASKS, session, type ToolDesk, WIDTH } from "./desk.js";

/** The situation as the seat sees it. */
export function situationTools(desk: ToolDesk): void {
  desk.tool(
    "observe",
    "The situation in full: board, standing, what is to be decided, legal actions.",
    {
      session,
      ...(desk.allowed.allSeats
        ? { changes: z.boolean().optional().describe("return only what has changed since your last text") }
        : {}),
    },
    ASKS,
    (input) =>
      desk.seated(input.session, (g) =>
        input.changes === true ? desk.withFacts(g.text.changes(), g) : g.text.next(true),
      ),
  );

  desk.tool("map", "The board without counters: places, terrain, ways.", { session }, ASKS, (input) =>
    desk.seated(input.session, ({ text: seat }) => seat.map()),
  );

  desk.tool(
    "legal_actions",
    "The legal actions, each with its number, what it does and what it is called.",
    { session },
    ASKS,
    (input) =>
      desk.seated(input.session, ({ text: seat, open }) =>
        open.session.over ? seat.result().join("\n") : seat.choices(),
      ),
  );
}

/** What a seat may ask about the game at any time. */
export function questionTools(desk: ToolDesk): void {
  desk.tool(
    "look",
    "Everything at one place or of one unit: ground, exits, counters with their values.",
    {
      session,
      place: z.string().max(100).describe("a place or a unit by its name; empty for all places with counters"),
    },
    ASKS,
    (input) =>
      desk.seated(input.session, ({ open: { session: play }, player }) =>
        lookText(play.game, play.env.state, player, input.place, WIDTH),
      ),
  );

  desk.tool("standing", "Every condition of victory: what is there, what is needed.", { session }, ASKS, (input) =>
    desk.seated(input.session, ({ text: seat }) => seat.standing()),
  );

  desk.tool(
    "log",
    "What happened, as your seat saw it.",
    { session, last: z.number().int().min(1).max(1000).default(20).describe("how many reports, the latest last") },
    ASKS,
    (input) => desk.seated(input.session, ({ text: seat }) => seat.log(input.last)),
  );
}
