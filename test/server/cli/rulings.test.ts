import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GAMES, gameType } from "../../../env/index.js";
import { rulingNamed, rulingsCited, rulingsOf, rulingsOn } from "../../../server/cli/rule/rulings.js";
import { kesselHere } from "./kessel.js";

const ROOT = join(import.meta.dirname, "../../..");

/** Code, data and documents of a game, and its cases and tests. */
function textsOf(id: string): { path: string; text: string }[] {
  return [`env/${id}`, `test/env/${id}`, `test/cases/${id}`].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|json|md)$/.test(name) && !name.endsWith("rulings.json"))
      .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(ROOT, folder, name), "utf8") })),
  );
}

describe.each(GAMES.map((type) => ({ id: type.id, type })))("rulings of $id", ({ id, type }) => {
  const rulings = rulingsOf(type, ROOT);

  test("each that code, data, documents, cases or tests cite can be read", () => {
    const missing = textsOf(id).flatMap(({ path, text }) =>
      rulingsCited(rulings, text)
        .filter((r) => !Object.hasOwn(rulings, r))
        .map((r) => `${path}: ${r}`),
    );
    expect(missing).toEqual([]);
  });

  test("they name rules of the index, and each other's texts name rulings that are there", () => {
    for (const [r, { says, rules }] of Object.entries(rulings)) {
      expect(
        rules.filter((rule) => !(rule in type.rules)),
        r,
      ).toEqual([]);
      expect(
        rulingsCited(rulings, says).filter((other) => !Object.hasOwn(rulings, other)),
        r,
      ).toEqual([]);
      expect(says, r).not.toMatch(/\bspec(ification)?\b/i);
    }
  });

  test("no document sends readers to rulings that are not here", () => {
    for (const { path, text } of textsOf(id))
      expect(text, path).not.toMatch(/\brulings?\b[^.]*\bspecification\b|[RN]\d+ (to|are)[^.]*\bspecification\b/i);
  });
});

test("a citation without its ruling is found", () => {
  const rulings = { R1: { says: "All units fight.", rules: ["SS 7.0"] } };
  expect(rulingsCited(rulings, "// ruling R1, R2: see R13 and MR4, R100, R1000")).toEqual(["R1", "R2", "R13", "R100"]);
  expect(rulingNamed(rulings, "ruling r1")).toEqual({ ruling: "R1", ...rulings.R1 });
  expect(rulingNamed(rulings, "constructor")).toBeNull();
  expect(rulingsOn(rulings, "SS 7.0").map((r) => r.ruling)).toEqual(["R1"]);
});

test("kessel rule shows a ruling, and a rule with its rulings", async () => {
  const { says } = rulingsOf(gameType("savage-streets"), ROOT)["R41"]!;
  const ruling = await kesselHere(["rule", "savage-streets", "r41"]);
  expect(ruling.out).toContain(`ruling R41: ${says}\nrules:\n`);
  expect(ruling.out).toContain("  SS 9.3: ");
  expect((await kesselHere(["rule", "savage-streets", "9.3"])).out).toContain(`ruling R41: ${says}`);
  // N9 is a rule of the reconstruction and the ruling that explains it
  expect((await kesselHere(["rule", "night-fight", "N9"])).out).toMatch(
    /^NF N9: .*\nstatus: option panzerAce\nruling N9: /,
  );
});
