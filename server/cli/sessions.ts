import type { Command } from "commander";
import { EXPIRE_DAYS, SessionStore } from "../session/store.js";
import { actionsOf, resignedBy, seatsOf } from "../session/record.js";
import { table } from "../../training/report/table.js";
import { example, print, printJson, whole } from "./common.js";

interface Flags {
  json?: boolean;
  delete?: string;
  expire?: number;
}

export function register(command: Command): void {
  command
    .option("--delete <id>", "delete this one")
    .option(
      "--expire <days>",
      `delete sessions without a decision for this many days (games older than ${EXPIRE_DAYS} days are deleted automatically)`,
      whole(0),
    )
    .option("--json", "machine-readable")
    .addHelpText(
      "after",
      `\nEach session is a file in $KESSEL_SESSIONS, by default in kessel/sessions of $XDG_STATE_HOME or ~/.local/state.\n` +
        example("kessel sessions", "kessel play --resume ab2cd3ef4gh5"),
    )
    .action((flags: Flags) => {
      const store = new SessionStore();
      if (flags.delete !== undefined) {
        store.delete(flags.delete);
        return print(`Deleted ${flags.delete}.`);
      }
      if (flags.expire !== undefined) return print(`Deleted ${store.expire(flags.expire)}.`);
      const all = store.all();
      const damaged = all.flatMap(({ id, record }) => (record === null ? [id] : []));
      const kept = all.flatMap(({ id, changed, record }) => (record === null ? [] : [{ id, changed, record }]));
      const rows = kept.map(({ id, changed, record }) => ({
        id,
        game: record.header.game,
        seats: seatsOf(record),
        decisions: actionsOf(record.lines).length,
        resigned: resignedBy(record.lines),
        changed: changed.toISOString(),
      }));
      if (flags.json) return printJson({ folder: store.folder, sessions: rows, damaged });
      for (const id of damaged) print(`${id} is damaged and can't go on; kessel sessions --delete ${id}`);
      if (rows.length === 0 && damaged.length > 0) return;
      if (rows.length === 0) return print(`No games are kept in ${store.folder}.`);
      const seats = (s: Record<string, string>): string =>
        Object.entries(s)
          .map(([side, who]) => `${side}=${who}`)
          .join(" ");
      print(
        table(
          ["session", "game", "seats", "last decision", "decisions"],
          rows.map((r) => [
            r.id,
            r.game,
            seats(r.seats),
            r.changed.slice(0, 16).replace("T", " "),
            String(r.decisions),
          ]),
          4,
        ),
      );
    });
}
