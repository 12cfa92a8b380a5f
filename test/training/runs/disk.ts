import type * as files from "node:fs";

/** Bytes that still fit on the disk; more than that and writing fails. */
export const disk = { left: Infinity };

/**
 * The file functions on that disk: `vi.mock("node:fs", async (original) => (await import("./disk.js")).limited(await
 * original()))`.
 */
export function limited(fs: typeof files): object {
  return {
    ...fs,
    writeSync: (fd: number, data: Uint8Array, at: number) => {
      const fit = Math.min(data.length - at, disk.left);
      if (fit === 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      disk.left -= fit;
      return fs.writeSync(fd, data, at, fit);
    },
  };
}
