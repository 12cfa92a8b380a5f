import { describe, expect, test } from "vitest";
import { z } from "zod";
import { badPosition, parseWith, pathText } from "../../../env/index.js";

describe("paths", () => {
  test.each([
    [[], "(top)"],
    [["areas"], "areas"],
    [["areas", "S6", "max"], "areas.S6.max"],
    [["dice", "kept", "units", 2], "dice.kept.units[2]"],
    [[3, "rule"], "[3].rule"],
  ])("%j reads %s", (path, text) => expect(pathText(path)).toBe(text));
});

describe("parsing", () => {
  const schema = z.strictObject({ areas: z.array(z.strictObject({ units: z.number().int().min(0) })) });
  const refused = (doc: unknown) => {
    try {
      parseWith(schema, doc, "bad-data", "map");
    } catch (e) {
      return e as { code: string; message: string };
    }
    return null;
  };
  test("returns what fits", () =>
    expect(parseWith(schema, { areas: [{ units: 2 }] }, "bad-data", "map")).toEqual({ areas: [{ units: 2 }] }));
  test.each([
    ["a value out of range", { areas: [{ units: 1 }, { units: -1 }] }, "map: areas[1].units: "],
    ["an unknown key", { areas: [], roads: 1 }, "map: roads: there is no such key"],
    ["an unknown key further down", { areas: [{ units: 0, tanks: 1 }] }, "map: areas[0].tanks: there is no such key"],
    ["a missing key", {}, "map: areas: "],
    ["no document", undefined, "map: (top): "],
  ])("refuses %s, with its path", (_what, doc, begins) => {
    const e = refused(doc);
    expect(e?.code).toBe("bad-data");
    expect(e?.message.startsWith(begins)).toBe(true);
    expect(e!.message.length).toBeGreaterThan(begins.length - 1);
  });
});

test("a reader's complaint names game, place and reason", () => {
  expect(badPosition("race", "score[0]", "is negative")).toMatchObject({
    code: "bad-position",
    message: "race: score[0]: is negative",
  });
});
