import { importGame } from "../../agents/import-game.js";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { ModelInfo } from "../../agents/model.js";
import { type Json, type JsonObject, GAMES, KesselError, loadGame, schemaHash } from "../../env/index.js";
import { table } from "../../training/report/table.js";
import { example, print, printJson } from "./common.js";

export function register(command: Command): void {
  command
    .argument("<file>", "a model")
    .option("--json", "machine-readable")
    .addHelpText("after", example("kessel inspect models/pocket-stalingrad/imitation.onnx"))
    .action(async (file: string, flags: { json?: boolean }) => {
      const facts = await inspect(file);
      if (flags.json) printJson(facts);
      else print(text(facts));
      if (facts.problem !== null) process.exitCode = 1;
    });
}

interface Facts extends Omit<ModelInfo, "metadata" | "random" | "external"> {
  readonly file: string;
  readonly game: string | null;
  readonly schema: string | null;
  readonly seats: string | null;
  /** What an agent of it plays with; null for what is no temperature. */
  readonly temperature: number | null;
  readonly trained: Json;
  /** A model plays; a net of `kessel model belief` weighs worlds for a search. */
  readonly use: "plays" | "believes";
  /** Why it can't play here; null when it can. */
  readonly problem: string | null;
  /** Largest difference from its golden pairs on this machine; null when it has none or can't play. */
  readonly goldenError: number | null;
}

async function inspect(file: string): Promise<Facts> {
  const { META, readModel, temperatureIn, trainedOf } = await import("../../agents/model.js");
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(readFileSync(file));
  } catch {
    throw new KesselError("bad-model", `there is no readable file ${file}`);
  }
  const info = readModel(bytes, file);
  const game = info.metadata[META.game] ?? null;
  const trained = trainedOf(info, file);
  const { use, problem, goldenError } = await tryOut(bytes, game, trained, file);
  const { opset, nodes, loops, parameters, inputs, outputs } = info;
  return {
    file,
    bytes: info.bytes,
    opset,
    nodes,
    loops,
    parameters,
    inputs,
    outputs,
    game,
    schema: info.metadata[META.schema] ?? null,
    seats: info.metadata[META.seats] ?? null,
    temperature: temperatureIn(info.metadata[META.temperature] ?? "0"),
    trained,
    use,
    problem,
    goldenError,
  };
}

async function tryOut(
  bytes: Uint8Array,
  game: string | null,
  trained: Json,
  file: string,
): Promise<Pick<Facts, "use" | "problem" | "goldenError">> {
  if (game === null || !GAMES.some((g) => g.id === game))
    return { use: "plays", problem: `no game ${game ?? "is named"} here`, goldenError: null };
  const [{ OnnxModel }, { worldGame }, { META, readModel }] = await Promise.all([
    import("../../agents/onnx.js"),
    import("../../agents/search/belief.js"),
    import("../../agents/model.js"),
  ]);
  await importGame(game);
  let use: Facts["use"] = "plays";
  try {
    let fits = loadGame(game, optionsOf(trained));
    if (fits.players.length === 2 && readModel(bytes, file).metadata[META.schema] === schemaHash(worldGame(fits))) {
      use = "believes";
      fits = worldGame(fits);
    }
    const model = await OnnxModel.load(bytes, fits, file);
    await model.close();
    return { use, problem: null, goldenError: model.goldenError };
  } catch (e) {
    if (e instanceof KesselError) return { use, problem: e.message, goldenError: null };
    throw e;
  }
}

/** Options of the game that a model was trained for, as its file has them; none where it has none. */
function optionsOf(trained: Json): JsonObject {
  const { options } = (trained ?? {}) as { readonly options?: Json };
  return options !== null && typeof options === "object" && !Array.isArray(options) ? (options as JsonObject) : {};
}

function text(f: Facts): string {
  const rows: (readonly [string, string])[] = [
    ["file", `${f.file} (${f.bytes} bytes, ONNX opset ${f.opset}, ${f.nodes} nodes, ${f.parameters} parameters)`],
    ["game", `${f.game ?? "not named"} (schema ${f.schema ?? "not named"})`],
    ["seats", f.seats ?? "not named"],
    ...(f.use === "believes"
      ? [["beliefs", f.problem === null ? "for search:net=...,belief=FILE" : `not here: ${f.problem}`] as const]
      : ([
          ["plays at", f.temperature === null ? "no temperature" : `temperature ${f.temperature}`],
          ["plays here", f.problem === null ? "yes" : `no: ${f.problem}`],
        ] as const)),
    [
      "golden",
      f.goldenError === null
        ? "no recorded answers checked"
        : `recorded answers reproduced, largest difference ${f.goldenError.toExponential(1)}`,
    ],
  ];
  const ends = [...f.inputs.map((t) => ["input", t] as const), ...f.outputs.map((t) => ["output", t] as const)];
  const trained =
    f.trained === null ? ["nothing said about its training"] : JSON.stringify(f.trained, null, 2).split("\n");
  return [
    ...rows.map(([k, v]) => `${k.padEnd(10)}  ${v}`),
    "",
    table(
      ["tensor", "name", "type", "shape"],
      ends.map(([way, t]) => [way, t.name, t.type, `[${t.shape.join(", ")}]`]),
      4,
    ),
    "",
    "trained",
    ...trained.map((l) => `  ${l}`),
  ].join("\n");
}
