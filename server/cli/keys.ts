import { existsSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { KesselError } from "../../env/index.js";
import { example, print } from "./common.js";

export function register(command: Command): void {
  command
    .argument("<file>", "where to write it; only you may read the file")
    .addHelpText(
      "after",
      example(
        "kessel keys server.json",
        "kessel keys client.json    # on the client; its public key goes into the server's clients.txt",
        "kessel serve --bind tcp://0.0.0.0:7557 --keys server.json --clients clients.txt",
      ),
    )
    .action(async (file: string) => {
      if (existsSync(file)) throw new KesselError("bad-option", `${file} is there already; keys are not written over`);
      const { curveKeyPair } = await import("zeromq");
      const { publicKey, secretKey } = curveKeyPair();
      try {
        writeFileSync(file, `${JSON.stringify({ publicKey, secretKey }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
      } catch (e) {
        throw new KesselError("bad-option", `cannot write ${file}: ${(e as Error).message}`);
      }
      print(`public key: ${publicKey}`);
    });
}
