import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  readonly update: (done: number, all: number) => void;
  readonly stop: () => void;
}

/** A progress bar on standard error while that is a terminal, else nothing. */
export function progressBar(unit: string): Progress {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar({ format: `{bar} {value}/{total} ${unit}, {eta_formatted} left`, stream: process.stderr, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
  let started = false;
  return {
    update: (done, all) => {
      if (!started) {
        bar.start(all, 0);
        started = true;
      }
      bar.update(done);
    },
    stop: () => {
      if (started) bar.stop();
    },
  };
}
