import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SHIPPED } from "../../../../agents/model-file.js";

/** A folder of two runs of Pocket Stalingrad: `learnt` with two nets and measurements, `begun` with nothing yet. */
export function runsFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "kessel-runs-"));
  const made = (name: string, config: object, lines: readonly object[]): string => {
    const folder = join(dir, name);
    mkdirSync(join(folder, "models"), { recursive: true });
    writeFileSync(join(folder, "config.json"), JSON.stringify(config));
    writeFileSync(join(folder, "metrics.jsonl"), lines.map((l) => `${JSON.stringify(l)}\n`).join(""));
    return folder;
  };
  const config = { method: "ppo", game: "pocket-stalingrad", options: {}, seed: "1" };
  const rate = (r: number) => ({ rate: r, games: 100, interval: [r - 0.1, r + 0.1] });
  const lines = Array.from({ length: 20 }, (_, i) => ({
    at: i + 1,
    games: 64,
    sovietInSelfPlay: 0.5,
    entropy: 1 - i / 40,
    samplesPerSecond: 1000 + i,
    ...((i + 1) % 10 === 0
      ? {
          evaluation: {
            "onnx:/home/owner/secret/first.onnx": { soviet: rate(0.3 + i / 50), german: rate(0.2 + i / 50) },
          },
        }
      : {}),
  }));
  const learnt = made("learnt", config, lines);
  for (const [net, level] of [
    ["000010", "recruit"],
    ["000020", "commander"],
  ] as const)
    copyFileSync(join(SHIPPED, "pocket-stalingrad", `${level}.onnx`), join(learnt, "models", `${net}.onnx`));
  made("begun", config, []);
  mkdirSync(join(dir, "no-run"));
  return dir;
}
