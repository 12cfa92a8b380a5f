// A client that takes what it can, to be killed: hostile-child.ts KIND ADDRESS
import { readdirSync } from "node:fs";
import { platform, setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { Peer } from "./ask.js";
import { HOSTILE } from "./hostile.js";

/** It floods from a machine of its own: what it takes of this one is no part of what the server lets it take. */
const ELSEWHERE_NICE = 15;
if (platform() === "linux")
  for (const thread of readdirSync("/proc/self/task")) setPriority(Number(thread), ELSEWHERE_NICE);

const [kind = "", address = ""] = process.argv.slice(2);
const peer = new Peer(address);
const running = HOSTILE[kind]!.run(peer);
await Promise.race([running, pause(1000)]);
process.stdout.write("hostile\n");
await running;
