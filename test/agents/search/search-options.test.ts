import { expect, test } from "vitest";
import { makeAgent } from "../../../agents/registry.js";
import { loadGame } from "../../../env/index.js";

test.each([
  [
    "search:speed=9",
    'options of search are iterations=..., ms=..., net=..., belief=..., batch=..., rollout=..., depth=..., turns=..., potential=..., explore=..., prior=..., trust=..., from=... or root=..., not "speed=9"',
  ],
  ["search:depth=5,turns=5", "search takes depth=... or turns=..., not both"],
  ["search:net=a.onnx,rollout=random", "search takes net=... or rollout=..., not both"],
  ["search:batch=4", "batch=... of search goes with net=..."],
  ["search:belief=b.onnx", "belief=... of search goes with net=..."],
  ["search:trust=0.5", "trust=... of search goes with prior=heuristic:NAME or rollout=heuristic:NAME"],
  ["search:from=6", "from=... of search goes with prior=heuristic:NAME or rollout=heuristic:NAME"],
  ["search:net=a.onnx,from=6", "search takes net=... or from=..., not both"],
  ["search:root=gumbel", "root=gumbel of search goes with net=..."],
  ["search:net=a.onnx,root=gumbel,batch=4", "search takes root=... or batch=..., not both"],
  ["search:net=a.onnx,root=best", 'root of search is puct, gumbel or plan, not "best"'],
  ["search:prior=random", 'prior of search is heuristic:NAME, not "random"'],
  ["search:prior=heuristic:gold", "night-fight has no heuristic"],
  ["search:net=nowhere.onnx", 'there is no model file "nowhere.onnx"'],
  ["search:iterations=0", 'iterations of search is a whole number from 1 to 10000000, not "0"'],
  ["search:iterations=5,ms=5", "search takes iterations=... or ms=..., not both"],
  ["search:rollout=paulus", 'rollout of search is random or heuristic:NAME, not "paulus"'],
  ["search:potential=gold", 'night-fight has no potential "gold"; it has breakout'],
  ["search:rollout=heuristic:gold", "night-fight has no heuristic"],
])("%s is refused: %s", async (name, reason) => {
  await expect(makeAgent(name, { game: loadGame("night-fight"), seed: 1 })).rejects.toThrow(reason);
});
