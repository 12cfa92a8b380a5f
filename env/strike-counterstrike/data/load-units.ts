import type { z } from "zod";
import type { By } from "../../core/brand.js";
import type { HexGrid } from "../../core/hex.js";
import { type Army, type HexId, JANUARY, NO_HEX } from "../data.js";
import { type halfSheetSchema, refuseData, type unitsSchema } from "./schema.js";

/** The counters with the option `counters=half-sheet`. Rule: SC 2.1, SC 3.2, ruling R24 */
export function onHalfSheet(
  units: z.infer<typeof unitsSchema>,
  sheet: z.infer<typeof halfSheetSchema>,
): z.infer<typeof unitsSchema> {
  sheet.withoutGerman.forEach((id, i) => {
    if (!units.german.some((c) => c.id === id))
      refuseData("half-sheet", `withoutGerman[${i}]`, `units.json has no German counter ${id}`);
  });
  const more = sheet.soviet.map((a, i) => ({ ...a, slot: units.soviet.length + i }));
  const german = units.german.filter((c) => !sheet.withoutGerman.includes(c.id)).map((c, slot) => ({ ...c, slot }));
  return { ...units, soviet: [...units.soviet, ...more], german, counterCensus: sheet.counterCensus };
}

/** Checks the armies of `units.json`. */
export function loadArmies(units: z.infer<typeof unitsSchema>, grid: HexGrid<HexId>, startGerman: By<HexId>): Army[] {
  const taken = new Map<string, string>();
  const armies = units.soviet.map((a, i) => {
    if (a.slot !== i) refuseData("units", `soviet[${i}].slot`, `slots run from 0 in file order; this is ${a.slot}`);
    const later = /^track:(\d)$/.exec(a.setup);
    const enters = later ? Number(later[1]) : 0;
    const setup = later ? NO_HEX : grid.index(a.setup);
    if (later && enters !== JANUARY)
      refuseData("units", `soviet[${i}].setup`, `reinforcements enter on turn ${JANUARY}, not ${enters}`);
    if (!later) {
      if (setup < 0) refuseData("units", `soviet[${i}].setup`, `hex ${a.setup} is not on the map`);
      if (startGerman[setup] === 1) refuseData("units", `soviet[${i}].setup`, `hex ${a.setup} is German`);
      if (taken.has(a.setup))
        refuseData("units", `soviet[${i}].setup`, `army ${taken.get(a.setup)} starts in hex ${a.setup} already`);
      taken.set(a.setup, a.id);
    }
    return { id: a.id, name: a.name, strength: a.strength, shock: a.type === "shock", setup, enters };
  });
  if (armies.every((a) => a.setup < 0)) refuseData("units", "soviet", "no army starts on the map");
  return armies;
}

/** The counters in the box add up. Rule: SC 2.1 */
export function checkCensus(units: z.infer<typeof unitsSchema>): void {
  const census = units.counterCensus;
  const armies = [...units.soviet, units.engineer].reduce((n, a) => n + Math.ceil(a.strength / 2), 0);
  if (census.sovietArmies !== armies)
    refuseData("units", "counterCensus.sovietArmies", `the armies have ${armies} counters, not ${census.sovietArmies}`);
  if (census.german !== units.german.length)
    refuseData(
      "units",
      "counterCensus.german",
      `${units.german.length} German counters are listed, not ${census.german}`,
    );
  const sum = census.otherGame + census.german + census.sovietArmies + census.sovietMarkers;
  if (census.total !== sum)
    refuseData("units", "counterCensus.total", `the parts add up to ${sum}, not ${census.total}`);
}
