import type { z } from "zod";
import { ArticulationPoints } from "../../core/articulation.js";
import { bitWords } from "../../core/bits.js";
import type { GameData, Options } from "../../core/game.js";
import { parseWith } from "../../core/schema.js";
import type { List, Row } from "../../core/brand.js";
import {
  type Army,
  type ArmyId,
  type ClassId,
  type CompiledData,
  type Counter,
  type CounterId,
  FK8,
  GUDERIAN,
  type Modifier,
  RAID,
  SUPPORT_TYPES,
  type Tables,
} from "../data.js";
import { makeLayout } from "../layout.js";
import { poolSlot } from "../state.js";
import { loadMap } from "./load-map.js";
import { checkCensus, loadArmies, onHalfSheet } from "./load-units.js";
import {
  CLASSES,
  COLUMNS,
  halfSheetSchema,
  mapSchema,
  refuseData,
  requireUnique,
  scenarioSchema,
  tablesSchema,
  unitsSchema,
} from "./schema.js";

/**
 * Binds data and options.
 *
 * @throws KesselError `bad-data` with file, path and reason
 */
export function loadTables(data: GameData, options: Options): Tables {
  const compiled = compile(data, options["counters"] === "half-sheet");
  const { armies, counters, hexCount, grid, west } = compiled;
  const L = makeLayout(armies.length, hexCount, counters.length);
  return {
    ...compiled,
    L,
    options,
    articulation: new ArticulationPoints(grid, west),
    armyCount: armies.length,
    counterCount: counters.length,
    hexWords: bitWords(hexCount),
    counterWords: bitWords(counters.length),
    drawBeyondPocket: options["breakout"] !== "pocket",
    spentWhenFired: options["interceptorSpent"] === "fired",
    mayConcede: options["concede"] === true,
    force: new Int32Array(4 + SUPPORT_TYPES.length),
    faces: [],
    drawn: [],
    nameOf: (s, i) => counters[poolSlot(L, s, i)]!.id,
  };
}

function compile(data: GameData, halfSheet: boolean): CompiledData {
  const map = parseWith(mapSchema, data["map"], "bad-data", "map.json");
  const printed = parseWith(unitsSchema, data["units"], "bad-data", "units.json");
  const sheet = parseWith(halfSheetSchema, data["half-sheet"], "bad-data", "half-sheet.json");
  const units = halfSheet ? onHalfSheet(printed, sheet) : printed;
  const tables = parseWith(tablesSchema, data["tables"], "bad-data", "tables.json");
  const scenario = parseWith(scenarioSchema, data["scenario"], "bad-data", "scenario.json");
  const ground = loadMap(map);
  const counters = units.german.map((c, i) => {
    const support = SUPPORT_TYPES.indexOf(c.type);
    if (c.slot !== i) refuseData("units", `german[${i}].slot`, `slots run from 0 in file order; this is ${c.slot}`);
    if ((c.class === "support") !== support > 0)
      refuseData("units", `german[${i}].type`, `${c.type} does not go with class ${c.class}`);
    return {
      id: c.id,
      name: c.name,
      cls: CLASSES.indexOf(c.class) as ClassId,
      support: Math.max(0, support),
      type: c.type,
      enters: c.enters,
    };
  });
  const armies = loadArmies(units, ground.grid, ground.startGerman);
  requireUnique(
    "units",
    "german",
    counters.map((c) => c.id),
  );
  requireUnique("units", "soviet", [
    ...armies.map((a) => a.id),
    units.engineer.id,
    units.interceptor.id,
    units.partisan.id,
  ]);
  for (let kind = FK8; kind < RAID; kind++)
    if (counters.filter((c) => c.support === kind).length !== 1)
      refuseData("units", "german", `there is one counter of type ${SUPPORT_TYPES[kind]}`);
  checkCensus(units);
  const pool = counters.filter((c) => c.enters === 0).length;
  if (pool <= ground.front.length)
    refuseData("units", "german", `${pool} counters in the pool do not cover ${ground.front.length} front hexes`);
  if (tables.terrain.clear.moveCost > Math.min(...Object.values(tables.movement)))
    refuseData("tables", "terrain.clear.moveCost", "no army could move");
  const modifier = modifiersOf(tables);
  const mech = modifier("SC 10.4").value;
  if (mech !== tables.terrain.forest.germanMechModifier)
    refuseData("tables", "terrain.forest.germanMechModifier", `the modifier list says ${mech}`);
  return {
    ...ground,
    armies: armies as readonly Army[] as List<ArmyId, Army>,
    engineer: units.engineer,
    interceptorId: units.interceptor.id,
    partisanId: units.partisan.id,
    counters: counters as readonly Counter[] as List<CounterId, Counter>,
    cls: Int8Array.from(counters, (c) => c.cls) as Row<ClassId, Int8Array>,
    support: Int8Array.from(counters, (c) => c.support),
    slotsOf: CLASSES.map(
      (_, k) => Int16Array.from(counters.flatMap((c, i) => (c.cls === k ? [i] : []))) as Row<CounterId>,
    ) as readonly Row<CounterId>[] as List<ClassId, Row<CounterId>>,
    guderian: counters.findIndex((c) => c.support === GUDERIAN) as CounterId,
    movement: [0, ...([1, 2, 3, 4, 5, 6] as const).map((t) => tables.movement[`${t}`])],
    extraRoundCost: tables.extraRoundCost,
    moveCost: [tables.terrain.clear.moveCost, tables.terrain.forest.moveCost],
    mechModifier: [tables.terrain.clear.germanMechModifier, mech],
    regular: tables.garrison.regular,
    relief: tables.garrison.relief,
    breakout: tables.garrison.breakoutPerHex,
    crt: Int8Array.from(COLUMNS.flatMap((c) => tables.crt.columns[c])),
    supportModifier: ["", "SC 10.6", "SC 10.7", "SC 10.8", "SC 10.9", "SC 10.10"].map((rule) =>
      rule === "" ? { value: 0, firstOnly: false } : modifier(rule),
    ),
    breakInModifier: modifier("SC 10.2").value,
    breakoutModifier: modifier("SC 8.6").value,
    replacements: tables.replacementsPerTurn,
    kRequired: scenario.checks[1].kRequired,
    win: scenario.checks[2].win,
    draw: scenario.checks[2].draw,
    turnNames: scenario.turnNames,
  };
}

function modifiersOf(tables: z.infer<typeof tablesSchema>): (rule: string) => Modifier {
  return (rule) => {
    const found = tables.modifiers.filter((m) => m.rule === rule);
    if (found.length !== 1)
      refuseData("tables", "modifiers", `there is one modifier for rule ${rule}, not ${found.length}`);
    return { value: found[0]!.value, firstOnly: found[0]!.rounds === "first" };
  };
}
