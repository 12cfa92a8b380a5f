import { afterEach, expect, it } from "vitest";
import { Peer } from "./ask.js";
import { crowd, expected, SCRIPTS } from "./crowd.js";
import { type OwnServer, startServer } from "./own-server.js";

let server: OwnServer | undefined;
afterEach(() => server?.close());

it("clients that play at once all get the replies that one alone gets, and leave nothing", async () => {
  const digests = await expected(SCRIPTS);
  server = await startServer("--workers", "2");
  const { wrong, served, replies } = await crowd(server.address, 20, 5000, 5, SCRIPTS, digests);
  expect(wrong).toEqual([]);
  expect(served).toBe(20);
  expect(replies).toBeGreaterThan(1000);
  const peer = new Peer(server.address);
  const stats = (await peer.ask({ op: "stats" })).header["stats"];
  expect(stats).toMatchObject({ batches: 0, environments: 0, errors: 0 });

  // a reply that is not as it must be is noticed, whichever it is
  const spoilt = digests.map((d) => d.with(40, d[39]!));
  const seen = (await crowd(server.address, SCRIPTS.length, 1000, 0, SCRIPTS, spoilt)).wrong;
  expect([...seen].sort()).toEqual(
    SCRIPTS.map((_, k) => `client ${k}: reply 41 of script ${k} is not what it must be`),
  );
  peer.close();
  await server.close();
  expect(server.faults).toEqual([]);
});
