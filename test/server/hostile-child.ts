// A client that takes what it can, to be killed: hostile-child.ts KIND ADDRESS
import { setTimeout as pause } from "node:timers/promises";
import { Peer } from "./ask.js";
import { HOSTILE } from "./hostile.js";

const [kind = "", address = ""] = process.argv.slice(2);
const peer = new Peer(address);
const running = HOSTILE[kind]!.run(peer);
await Promise.race([running, pause(1000)]);
process.stdout.write("hostile\n");
await running;
