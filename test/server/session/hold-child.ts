import { SessionStore } from "../../../server/session/store.js";

// Opens a session and has it open until its input ends: `node env/run.mjs hold-child.ts FOLDER ID`.

const [folder, id] = process.argv.slice(2) as [string, string];
const { file } = new SessionStore(folder).open(id);
process.stdout.write("open\n");
process.stdin.resume().once("end", () => file.close());
