import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiledFolder } from "../../env/source.mjs";
import type { Asset } from "./asset.js";

/** What is known of a prepared asset, in the first line of its file; its body and its compressed form follow. */
interface Head {
  readonly type: string;
  readonly forever: boolean;
  readonly body: number;
  /** SHA-256 of what follows: a file may be cut off. */
  readonly sha: string;
}

/**
 * An asset that takes long to make: kept beside the compiled sources, and made again when they or its inputs change.
 *
 * @param name of its file
 * @param inputs files, or folders of files, that it is made of beside the compiled sources
 * @param sources true if TypeScript files of the inputs count too: they are not among the compiled sources
 */
export async function prepared(
  name: string,
  inputs: readonly URL[],
  make: () => Promise<Asset>,
  sources = false,
): Promise<Asset> {
  const folder = compiledFolder();
  if (folder === null) return make();
  const file = join(folder, "prepared", `${name}-${keyOf(inputs, sources)}`);
  const known = read(file);
  if (known !== null) return known;
  const asset = await make();
  write(file, asset);
  return asset;
}

/** A hash of names, sizes and times. */
function keyOf(inputs: readonly URL[], sources: boolean): string {
  const hash = createHash("sha1");
  const note = (path: string): void => {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  for (const input of inputs.map((url) => fileURLToPath(url))) {
    if (!existsSync(input)) continue;
    if (!statSync(input).isDirectory()) note(input);
    else
      for (const entry of readdirSync(input, { withFileTypes: true, recursive: true }))
        if (entry.isFile() && (sources || !entry.name.endsWith(".ts"))) note(join(entry.parentPath, entry.name));
  }
  return hash.digest("hex").slice(0, 16);
}

const shaOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function read(file: string): Asset | null {
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf("\n");
    const { type, forever, body, sha } = JSON.parse(bytes.toString("utf8", 0, end)) as Head;
    const content = bytes.subarray(end + 1);
    if (shaOf(content) !== sha) return null;
    return { type, forever, body: content.subarray(0, body), brotli: content.subarray(body) };
  } catch {
    return null; // not there, or not whole
  }
}

function write(file: string, { type, forever, body, brotli }: Asset): void {
  const content = Buffer.concat([body, brotli ?? Buffer.alloc(0)]);
  const head: Head = { type, forever, body: body.length, sha: shaOf(content) };
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(draft, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), content]));
    renameSync(draft, file);
  } catch {
    // a full disk or a read-only package: the next start makes it again
  }
}
