import { existsSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { KesselError, shown } from "../env/index.js";

/** The models that come with Kessel. */
export const SHIPPED = fileURLToPath(new URL("../models", import.meta.url));

/** The name of a game's beliefs in its folder of models; see `kessel model belief`. */
export const BELIEF_FILE = "belief.onnx";

/** True when a file of a folder of models plays to win. Exploiters belong to a model, beliefs to a search. */
export const isPlayer = (name: string): boolean =>
  name.endsWith(".onnx") && !name.endsWith(".exploiter.onnx") && name !== BELIEF_FILE;

/**
 * Reads a model file.
 *
 * @param folder when given, names are relative to it and can't leave it, by `..`, absolute paths or links; otherwise
 *   a name is a path, or that of a model that comes with Kessel (`pocket-stalingrad/imitation.onnx`)
 * @throws KesselError `bad-agent` for a name outside the folder, `bad-model` when there is no such file
 */
export function readModelFile(file: string, folder?: string): Uint8Array {
  if (file === "") throw new KesselError("bad-agent", "an onnx agent needs a file: onnx:FILE");
  const bytes =
    folder === undefined
      ? (readOrNull(resolve(file)) ?? (isAbsolute(file) ? null : readOrNull(resolve(SHIPPED, file))))
      : readInside(folder, file);
  if (bytes === null)
    throw new KesselError(
      "bad-model",
      `there is no model file ${shown(file)}${folder === undefined ? "" : " in the models folder"}`,
    );
  return bytes;
}

function readInside(folder: string, file: string): Uint8Array | null {
  const inside = (path: string, root: string): boolean => {
    const way = relative(root, path);
    return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
  };
  const outside = () => new KesselError("bad-agent", `${shown(file)} is outside the models folder`);
  const path = resolve(folder, file);
  if (isAbsolute(file) || file.includes("\0") || !inside(path, resolve(folder))) throw outside();
  if (!existsSync(path)) return null;
  if (!inside(realpathSync(path), realpathSync(folder))) throw outside();
  return readOrNull(path);
}

function readOrNull(path: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    return null;
  }
}
