import { describe, expect, it } from "vitest";
import { stepsHere } from "../../../server/batch/placement.js";

const MIB = 1024 * 1024;
const light = {};
const heavy = { heavySteps: true };

describe("the socket's thread steps a batch itself", () => {
  it.each([
    ["up to 24 MiB with those it steps already", light, 256, 14 * MIB, 10 * MIB, true],
    ["not beyond", light, 256, 14 * MIB, 10 * MIB + 1, false],
    ["of a game with heavy steps up to 8 MiB", heavy, 256, 5 * MIB, 3 * MIB, true],
    ["not beyond", heavy, 256, 5 * MIB, 3 * MIB + 1, false],
    ["of 1,024 environments", light, 1024, MIB, 0, true],
    ["of no more", light, 1025, MIB, 0, false],
    ["of 16 environments whatever it steps already", heavy, 16, 9 * MIB, 100 * MIB, true],
    ["of 17 no more", heavy, 17, 9 * MIB, 100 * MIB, false],
  ])("%s", (_, game, size, bytes, used, here) => {
    expect(stepsHere(game, { size }, bytes, used)).toBe(here);
  });

  it("within the limit that the server was given", () => {
    expect(stepsHere(light, { size: 64 }, 2 * MIB, MIB, 3 * MIB)).toBe(true);
    expect(stepsHere(light, { size: 64 }, 2 * MIB, MIB, 3 * MIB - 1)).toBe(false);
    expect(stepsHere(light, { size: 17 }, 1, 0, 0)).toBe(false);
  });

  it.each([
    ["a privileged one", { privileged: true }],
    ["one of a game with data of one's own", { data: {} }],
    ["one with an agent that thinks", { seats: { soviet: "external", german: "onnx:commander.onnx" } }],
  ])("but not %s, however small", (_, request) => {
    expect(stepsHere(light, { size: 1, ...request }, 1, 0)).toBe(false);
  });

  it("with agents that don't think", () => {
    expect(stepsHere(light, { size: 64, seats: { soviet: "external", german: "random" } }, MIB, 0)).toBe(true);
  });
});
