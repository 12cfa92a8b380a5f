import { expect } from "vitest";
import { Env, loadGame } from "../../../env/index.js";
import { rule } from "./table.js";

rule("NF N1", "the board names the edge that the units leave by, whichever it is", () => {
  const labels = ["left", "right"].map((entryEdge) => {
    const env = new Env(loadGame("night-fight", { entryEdge }));
    env.reset("1");
    const { board } = env.game.scene!(env.state, 0);
    const exit = board.zones.find((z) => z.id === "exit")!.places.map((id) => board.places.find((p) => p.id === id)!);
    const label = board.labels.find((l) => l.text.startsWith("EXIT"))!;
    const x = exit[0]!.at[0];
    const west = Math.min(...board.places.map((p) => p.at[0]));
    expect(Math.abs(label.at[0] - x)).toBeLessThan(2); // beside the hexes of that edge
    expect(label.text).toBe(x === west ? "EXIT WEST" : "EXIT EAST");
    return label.text;
  });
  expect(new Set(labels).size).toBe(2);
});
