/**
 * Finds prose that reads as translated. `npm run lint` runs it on Markdown and on all sources.
 * `npm run prose -- --sources [FOLDER]` lists the finds of all sources, and never fails.
 */
import { textOf, tree } from "../documents.js";
import { isLinted, isSource, lint } from "./prose.js";

const [flag, folder = ""] = process.argv.slice(2);
const sources = flag === "--sources";
const files = tree().filter((path) => (sources ? isSource(path) && path.startsWith(folder) : isLinted(path)));
const found = files.flatMap((path) => lint(textOf(path), path).map(({ line, says }) => `${path}:${line}: ${says}`));
for (const line of found) console.log(line);
console.log(`${found.length} to mend in ${files.length} files`);
if (found.length > 0 && !sources) process.exitCode = 1;
