import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { stateFolder } from "../server/session/state-folder.js";

test("tests keep nothing in your own state folder", () => {
  expect(stateFolder().startsWith(tmpdir())).toBe(true);
});
