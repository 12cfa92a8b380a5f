/**
 * Fills a real disk under a tools server, again and again, and looks whether a decision that an answer acknowledged as
 * saved is lost: `npm run soak -- disks [TIMES] [FOLDER]`. FOLDER is on a small file system of its own; without one a
 * tmpfs is mounted, which needs root. Every other time the server is killed after the disk has space again, and started
 * once more.
 */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { actionIndex, Env, importGame, loadGame } from "../../../env/index.js";
import { actionsOf } from "../../../server/session/record.js";
import { SessionStore } from "../../../server/session/store.js";
import { Guest, sessionOf } from "./guest.js";

/** Bytes of the mounted disk: all games of a run fit on it. */
const SIZE = 64 * 1024 * 1024;

/** A game of hundreds of decisions: its file does not fit into one block of the disk. */
const GAME = "night-fight";
const SEAT = "german";

/** What was seen on one disk. */
export interface Fills {
  /** Answers that said that the game is saved, and those that said that it is not. */
  saved: number;
  unsaved: number;
  /** Answers that acknowledged a decision that the file did not hold. */
  lost: number;
}

/** Writes a file until nothing more fits on its disk. */
function fill(path: string): void {
  const fd = openSync(path, "w");
  try {
    for (const bytes of [4096, 1]) {
      const block = new Uint8Array(bytes);
      try {
        for (;;) if (writeSync(fd, block) === 0) break;
      } catch (e) {
        if ((e as NodeJS.ErrnoException).code !== "ENOSPC") throw e;
      }
    }
  } finally {
    closeSync(fd);
  }
}

/** Fills the disk of `folder` a number of times while a game is played over the tools. */
export async function fillDisk(folder: string, times: number): Promise<Fills> {
  await importGame(GAME);
  const filler = join(folder, "filler");
  const sessions = join(folder, "sessions");
  const seen: Fills = { saved: 0, unsaved: 0, lost: 0 };
  let guest = await Guest.spawned(sessions);
  const begin = async (): Promise<string> => sessionOf(await guest.call("new_game", { game: GAME, seat: SEAT }));
  let session = await begin();
  // decisions of this session, and of those the ones that an answer said were saved
  let [acts, acknowledged] = [0, 0];
  /** Own decisions that the file holds; forced ones are no calls. */
  const kept = (): number => {
    const { header, lines } = new SessionStore(sessions).read(session);
    const game = loadGame(header.game, header.options);
    const env = new Env(game);
    env.reset(header.seed);
    let own = 0;
    for (const action of actionsOf(lines)) {
      if (env.mask[actionIndex(game, action)] !== 1) return own; // one before it is missing
      if (game.players[env.actor] === SEAT && env.legalCount > 1) own++;
      env.step(actionIndex(game, action));
    }
    return own;
  };
  /** Decides once, and compares what the answer says with what the file holds. @returns whether the game is over */
  const act = async (): Promise<boolean> => {
    const { text, facts, isError } = await guest.call("act", { session, action: 1 });
    if (isError) throw new Error(text);
    const { unsaved, over } = JSON.parse(facts!) as { unsaved?: number; over: boolean };
    acts++;
    if (unsaved === undefined) {
      seen.saved++;
      acknowledged = acts;
      if (kept() < acknowledged) seen.lost++;
    } else seen.unsaved++;
    return over;
  };
  try {
    for (let k = 0; k < times && seen.lost === 0;) {
      let over = await act();
      fill(filler);
      // the file's last block has room for some lines
      const before = seen.unsaved;
      while (!over && seen.lost === 0 && seen.unsaved < before + 3) over = await act();
      rmSync(filler);
      if (seen.unsaved > before) k++;
      if (!over) over = await act();
      if (k % 2 === 1) {
        process.kill(guest.pid!, "SIGKILL");
        await guest.close();
        guest = await Guest.spawned(sessions);
        const { isError } = await guest.call("observe", { session });
        if (isError || kept() < acknowledged) seen.lost++;
        acts = kept(); // what was not acknowledged may be gone
      }
      if (over) {
        session = await begin();
        acts = acknowledged = 0;
      }
    }
  } finally {
    await guest.close();
  }
  return seen;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const times = Number(process.argv[2] ?? 200);
  const own = process.argv[3];
  const folder = own ?? mkdtempSync(join(tmpdir(), "kessel-full-disks-"));
  if (own === undefined) execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder]);
  try {
    const { saved, unsaved, lost } = await fillDisk(folder, times);
    console.log(`disk filled ${times} times; ${saved} answers said saved, ${unsaved} not saved; ${lost} lost`);
    process.exitCode = lost === 0 && saved > 0 && unsaved > 0 ? 0 : 1;
  } finally {
    if (own === undefined) {
      execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
