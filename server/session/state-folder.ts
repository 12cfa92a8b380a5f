import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * What Kessel keeps of a user on this machine. XDG's specification has an empty variable count as unset, and one that
 * isn't absolute as none: it would be another folder in each place where somebody calls `kessel`.
 */
export function stateFolder(): string {
  const set = process.env["XDG_STATE_HOME"] ?? "";
  return join(isAbsolute(set) ? set : join(homedir(), ".local", "state"), "kessel");
}
