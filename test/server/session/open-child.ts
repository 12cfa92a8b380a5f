/** Opens sessions, each at a given moment, and reports which it got; it keeps them until its input ends. */
import { createInterface } from "node:readline";
import { SessionStore } from "../../../server/session/store.js";

const store = new SessionStore(process.argv[2]!);
const tell = (what: unknown): void => void process.stdout.write(`${JSON.stringify(what)}\n`);

tell("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const { ids, from, every } = JSON.parse(line) as { ids: string[]; from: number; every: number };
  const got = ids.filter((id, i) => {
    while (Date.now() < from + i * every); // a timer would come too late to meet the others
    try {
      store.open(id);
      return true;
    } catch {
      return false;
    }
  });
  tell(got);
}
