import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeAgent } from "../../../agents/registry.js";
import type { Agent } from "../../../agents/agent.js";
import {
  type Game,
  gameType,
  type JsonObject,
  KesselError,
  oneOf,
  type Options,
  resolveOptions,
  shown,
} from "../../../env/index.js";
import { chartsOf } from "../../../training/runs/charts.js";
import type { MetricLine } from "../../../training/runs/metrics.js";
import { anyRunSchema, RunFolder } from "../../../training/runs/run-folder.js";
import { ratingChart } from "./ratings.js";
import type { ListedRun, RunView } from "./runs-view.js";

const METHODS = { imitate: "imitation", ppo: "self-play (PPO)", expert: "expert iteration" } as const;

/** A net of a run as a seat: `run:first/000040`. */
const NET = /^run:([^/]+)\/(\d+)$/;

/** What a run was configured with, as far as games of it need it. */
export interface RunGame {
  readonly game: string;
  readonly options: Options;
}

/** The runs in a folder, named by their folders. Nothing else of the disk can be reached through it. */
export class RunShelf {
  constructor(readonly dir: string) {}

  /** Runs of games that are there, the last written first. @throws KesselError `bad-option` for no folder */
  list(): ListedRun[] {
    return this.names()
      .flatMap((name) => {
        try {
          return [this.listed(name)];
        } catch (e) {
          if (e instanceof KesselError) return []; // a folder that holds something else
          throw e;
        }
      })
      .sort((a, b) => b.changed - a.changed || (a.name < b.name ? -1 : 1));
  }

  /**
   * A run with its curves.
   *
   * @param game the run's, `gameOf`
   * @throws KesselError `bad-option` for one that isn't there, `bad-config` for one that can't be read
   */
  view(name: string, game: Game): Omit<RunView, "players" | "names" | "agents"> {
    const listed = this.listed(name);
    const lines = this.folder(name).metrics.read();
    const { strength, learning, speed } = chartsOf(lines);
    const rating = ratingChart(game, lines);
    // the folder of the owner's file is nobody's business here
    const pathless = (title: string): string => title.replace(/onnx:(?:[^/\s]*\/)*([^/\s]+)$/, "$1");
    return {
      ...listed,
      counted: this.config(name).method === "imitate" ? "epoch" : "update",
      groups: [
        { title: "Rating of the nets, with 95 % intervals", charts: rating === null ? [] : [rating] },
        {
          title: "Points in percent, with 95 % intervals where they were measured",
          charts: strength.map((c) => ({ ...c, title: pathless(c.title) })),
        },
        { title: "Learning", charts: learning },
        { title: "Speed", charts: speed },
      ].filter((g) => g.charts.length > 0),
      nets: this.nets(name),
      options: game.options,
    };
  }

  /** @throws KesselError as `view` */
  gameOf(name: string): RunGame {
    const { game, options } = this.config(name);
    return { game, options: resolveOptions(gameType(game), options) };
  }

  /** True when this is a net of an available run. */
  has(who: string): boolean {
    const [, run, net] = NET.exec(who) ?? [];
    return run !== undefined && this.names().includes(run) && this.nets(run).includes(net!);
  }

  /**
   * The net of a seat.
   *
   * @param who `run:NAME/NET`
   * @param temperature 0 takes the likeliest action
   * @throws KesselError `bad-agent` for one that isn't there, `bad-model` for one that doesn't fit the game
   */
  seat(who: string, game: Game, seed: string, temperature = 0): Promise<Agent> {
    const [, run, net] = NET.exec(who) ?? [];
    if (run === undefined || !this.has(who))
      throw new KesselError("bad-agent", `there is no net ${shown(who)}; it may have been removed since`);
    const file = `onnx:${run}/models/${net!}.onnx${temperature === 0 ? "" : `?temperature=${temperature}`}`;
    return makeAgent(file, { game, seed, models: this.dir });
  }

  private listed(name: string): ListedRun {
    const { game, method } = this.config(name);
    const folder = this.folder(name);
    const written = statSync(join(folder.path, "metrics.jsonl"), { throwIfNoEntry: false });
    const last = folder.metrics.read().at(-1) as MetricLine | undefined;
    return {
      name,
      game,
      title: gameType(game).title,
      method: METHODS[method],
      at: last?.at ?? 0,
      snapshots: this.nets(name).length,
      changed: Math.round(written?.mtimeMs ?? 0),
    };
  }

  /** The newest first. */
  private nets(name: string): string[] {
    return this.folder(name)
      .models()
      .map((m) => m.name.replace(".onnx", ""))
      .reverse();
  }

  private config(name: string): { game: string; method: keyof typeof METHODS; options: JsonObject } {
    const { game, method, options } = this.folder(name).config(anyRunSchema);
    return { game, method, options: (options ?? {}) as JsonObject };
  }

  /** @throws KesselError `bad-option` */
  private folder(name: string): RunFolder {
    const names = this.names();
    if (!names.includes(name))
      throw new KesselError(
        "bad-option",
        `there is no run ${shown(name)}; there are ${oneOf([...names, "no others"])}`,
      );
    return new RunFolder(join(this.dir, name));
  }

  private names(): string[] {
    try {
      return readdirSync(this.dir, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? [e.name] : []));
    } catch {
      throw new KesselError("bad-option", `cannot read the folder of runs`);
    }
  }
}
