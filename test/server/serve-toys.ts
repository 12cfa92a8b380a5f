// Serves the toy games on a free port as `kessel serve` serves the real ones, for clients in other processes.
import { Server } from "../../server/zmq.js";
import { TOY_LIBRARY } from "./toys.js";

const server = await Server.start({ ...TOY_LIBRARY, bind: "tcp://127.0.0.1:*" });
process.stdout.write(`${JSON.stringify({ ready: true, address: server.address })}\n`);
process.stdin.on("end", () => void server.close().then(() => process.exit())).resume();
