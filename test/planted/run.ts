// `npm run leaks -- planted`: every leak planted on purpose is found by the kit that watches that place; exit status 1
// otherwise
import { HONEST, PLANTED } from "./find.js";

for (const { kit, difference } of HONEST) {
  const found = await difference();
  if (found !== null) throw new Error(`${kit} differ where nothing is planted: ${found}`);
}
let found = 0;
for (const { name, kit, find } of PLANTED) {
  const is = await find();
  if (is) found++;
  console.log(`${is ? `found (${kit})` : "NOT FOUND"}  ${name}`);
}
console.log(`${found} of ${PLANTED.length} planted leaks found`);
process.exitCode = found < PLANTED.length ? 1 : 0;
