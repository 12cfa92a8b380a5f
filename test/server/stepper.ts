// A client that steps for ever, to be killed: stepper.ts ADDRESS [GAME]
import { lowest, Peer } from "./ask.js";

const p = new Peer(process.argv[2]!);
const { header } = await p.ask({ op: "make", game: process.argv[3] ?? "toy-race", size: 64, lease: 2 });
let answer = await p.ask({ op: "reset", batch: header["batch"], seed: 1 });
for (let i = 0; ; i++) {
  answer = await p.ask({ op: "step", batch: header["batch"] }, lowest(answer));
  if (i === 20) process.stdout.write("stepping\n");
}
