// Has vitest run test files from the compiled tree, which `env/source.mjs` keeps up to date.
import { pathToFileURL } from "node:url";
import { TestRunner } from "vitest";
import { compiled } from "../env/source.mjs";

export default class CompiledRunner extends TestRunner {
  async importFile(file) {
    return import(`${await compiled(pathToFileURL(file))}?${Date.now()}`); // run again where a process runs a file again
  }
}
