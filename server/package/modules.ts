import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { PICTURE_FONTS } from "../draw/fonts.js";
import { PAGE_FONTS } from "../page/fonts.js";

/** What an installed package does without: it runs made JavaScript, carries the made page, and adds no games. */
const LEFT_OUT = ["esbuild", "tsx", "prettier", "@tensorflow/tfjs-node"];

/** Keys of a package's `package.json` that Node reads when it loads the package, and its licence. */
const KEPT_KEYS = ["name", "version", "license", "type", "main", "exports", "imports", "addon"];

/** A package's folder below `node_modules`, from the path of one of its files: `node_modules/@a/b/node_modules/c`. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Version of each package that was copied, by name; not of those inside another. */
export type Versions = Readonly<Record<string, string>>;

/**
 * Copies the files of the production dependencies that the sources reach on this platform, and no others: a traced copy
 * is a twentieth of the installed one. Install scripts and dependencies are cut from their `package.json`, so that no
 * package manager runs the former or looks for the latter.
 *
 * @param root the checkout
 * @param sources its source files, relative to it
 * @param target folder that gets a `node_modules`
 * @throws Error where a package is not installed
 */
export async function copyModules(root: string, sources: readonly string[], target: string): Promise<Versions> {
  const { metafile } = await build({
    absWorkingDir: root,
    // one entry: with one for each source, each would have all that it reaches in an output of its own
    stdin: { contents: sources.map((file) => `import(${JSON.stringify(`./${file}`)});`).join("\n"), resolveDir: root },
    bundle: true,
    write: false,
    metafile: true,
    preserveSymlinks: true, // a worktree may link its node_modules
    platform: "node",
    format: "esm",
    external: LEFT_OUT,
    loader: { ".node": "empty" },
    logLevel: "error",
  });
  const traced = Object.keys(metafile.inputs).filter((file) => file.startsWith("node_modules/"));
  const files = [...traced, ...binaries(root), ...assets(root)];
  const versions: Record<string, string> = {};
  for (const folder of new Set(files.map((file) => PACKAGE.exec(file)![0]))) {
    const about = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Record<string, unknown>;
    if (folder.lastIndexOf("node_modules/") === 0) versions[about["name"] as string] = about["version"] as string;
    mkdirSync(join(target, folder), { recursive: true });
    for (const file of readdirSync(join(root, folder)))
      if (/^(licen[cs]e|notice|third.?party)/i.test(file)) copy(root, target, join(folder, file));
    const kept = Object.fromEntries(KEPT_KEYS.filter((key) => key in about).map((key) => [key, about[key]]));
    writeFileSync(join(target, folder, "package.json"), `${JSON.stringify(kept, null, 2)}\n`);
  }
  const inner = traced.flatMap((file) => innerPackageFiles(root, file)); // which say whether their folder is CommonJS
  for (const file of [...files, ...inner]) if (!isPackageFile(file)) copy(root, target, file);
  return versions;
}

const isPackageFile = (file: string): boolean => file === join(PACKAGE.exec(file)![0], "package.json");

/** Each `package.json` between a file and its package. */
function innerPackageFiles(root: string, file: string): string[] {
  const found: string[] = [];
  for (let dir = dirname(file); dir !== PACKAGE.exec(file)![0]; dir = dirname(dir))
    if (existsSync(join(root, dir, "package.json"))) found.push(join(dir, "package.json"));
  return found;
}

function copy(root: string, target: string, file: string): void {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  cpSync(join(root, file), join(target, file), { recursive: true });
}

/** Native libraries for this platform, which packages load by a name they work out. @throws Error without them */
function binaries(root: string): string[] {
  const { platform, arch } = process;
  const runtime = `node_modules/onnxruntime-node/bin/napi-v6/${platform}/${arch}`;
  if (!existsSync(join(root, runtime))) throw new Error(`${runtime} is not there; run npm ci in ${root}`);
  const libraries = readdirSync(join(root, runtime)).filter(
    (file) => !/^libonnxruntime\.\d+\.\d+\.\d+\.dylib$/.test(file), // macOS has the same again under the name that is loaded
  );
  return [
    ...libraries.map((file) => `${runtime}/${file}`),
    "node_modules/zeromq/build/manifest.json",
    `node_modules/zeromq/build/${socketLibrary(root)}`,
    `node_modules/fs-native-extensions/prebuilds/${platform}-${arch}/fs-native-extensions.node`,
    ...platformPackages(root, "@resvg"),
    ...platformPackages(root, "@msgpackr-extract"),
  ];
}

/** The library that zeromq tries first here: of those for this platform, the one for the newest Node. */
function socketLibrary(root: string): string {
  const manifest = readFileSync(join(root, "node_modules/zeromq/build/manifest.json"), "utf8");
  const built = Object.entries(JSON.parse(manifest) as Record<string, string>)
    .map(([about, file]) => ({
      file,
      ...(JSON.parse(about) as { os: string; arch: string; libc: string; abi: number }),
    }))
    .filter((b) => b.os === process.platform && b.arch === process.arch && b.libc !== "musl")
    .sort((a, b) => b.abi - a.abi);
  if (built[0] === undefined) throw new Error(`zeromq has no library for ${process.platform} ${process.arch}`);
  return built[0].file;
}

/** Files of the packages of a scope that npm installed for this platform alone. */
function platformPackages(root: string, scope: string): string[] {
  const folder = join(root, "node_modules", scope);
  if (!existsSync(folder)) return []; // msgpackr does without
  return readdirSync(folder)
    .filter((name) => name.includes(process.platform))
    .flatMap((name) =>
      readdirSync(join(folder, name))
        .filter((file) => /\.(node|js)$/.test(file))
        .map((file) => `node_modules/${scope}/${name}/${file}`),
    );
}

/** Files that are read by their path: fonts, and TensorFlow's WebAssembly. */
function assets(root: string): string[] {
  const wasm = "node_modules/@tensorflow/tfjs-backend-wasm/wasm-out";
  const { resolve } = createRequire(join(root, "package.json"));
  return [
    ...readdirSync(join(root, wasm))
      .filter((file) => file.endsWith(".wasm"))
      .map((file) => `${wasm}/${file}`),
    ...[...PICTURE_FONTS, ...Object.values(PAGE_FONTS)].map((font) =>
      resolve(font).slice(resolve(font).indexOf("node_modules/")),
    ),
  ];
}
