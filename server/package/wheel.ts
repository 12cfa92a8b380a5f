import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./app.js";

/**
 * Makes a wheel of the Python package with the server inside.
 *
 * @param sources a copy of server/python, with the server in `kessel/_server`
 * @param out folder for the wheel
 * @returns the wheel's name
 */
export function makeWheel(sources: string, out: string): string {
  const python = process.env["KESSEL_PYTHON"] ?? join(ROOT, ".venv", ...interpreter(process.platform));
  execFileSync(python, ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", "made", "."], {
    cwd: sources,
    env: {
      ...process.env,
      KESSEL_WHEEL_PLATFORM: platformTag(process.platform, process.arch, oldestGlibc(join(sources, "kessel/_server"))),
    },
    stdio: "inherit",
  });
  const [file] = readdirSync(join(sources, "made"));
  renameSync(join(sources, "made", file!), join(out, file!));
  return file!;
}

const interpreter = (platform: string): string[] =>
  platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];

/**
 * The platform that pip matches with its own.
 *
 * @param platform, arch as Node calls them
 * @param glibc minor version of glibc 2 that is needed on Linux
 */
export function platformTag(platform: string, arch: string, glibc: number): string {
  const arm = arch === "arm64";
  if (platform === "win32") return arm ? "win_arm64" : "win_amd64";
  if (platform === "darwin") return arm ? "macosx_13_0_arm64" : "macosx_13_0_x86_64";
  return `manylinux_2_${Math.max(17, glibc)}_${arm ? "aarch64" : "x86_64"}`;
}

/** The minor version of the oldest glibc 2 that every native library below a folder runs on; 0 without any. */
export function oldestGlibc(folder: string): number {
  const needed = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile() && /\.(node|so[.\d]*)$/.test(e.name))
    .flatMap((e) => [...readFileSync(join(e.parentPath, e.name), "latin1").matchAll(/GLIBC_2\.(\d+)\b/g)])
    .map((m) => Number(m[1]));
  return Math.max(0, ...needed);
}
