import { z } from "zod";
import type { Json, JsonObject, Options } from "../core/game.js";
import type { State, StateView } from "../core/layout.js";
import { parseWith, badPosition } from "../core/schema.js";
import { AREA_IDS, CITY_FIRST, CITY_LAST, GUMRAK, type Tables, VOLGA, Z } from "./data.js";
import { checkPosition } from "./check.js";
import {
  AIR,
  ATTRITION,
  AWAIT_REROLL,
  AWAIT_SPECIAL,
  AWAIT_UNITS,
  ask,
  GERMAN,
  K,
  KINDS,
  type KindName,
  L,
  NO_SIDE,
  PHASES,
  phaseOf,
  REASONS,
  RIGHT_NAMES,
  SIDES,
  SOVIET,
  SPECIALS,
  unitsIn,
  WINDOWS,
} from "./state.js";
import { startGame } from "./turn.js";

const GAME = "pocket-stalingrad";
const RIGHTS_OF = [
  ["artillery", "deploy", "guards"],
  ["artillery", "deploy", "pioneers", "sturm"],
] as const;
const CITIES = ["1", "2", "3", "4", "5"] as const;

/** Which fields a decision of each kind carries, in the order in which they are written (spec 4.2). */
const FIELDS: Partial<Record<KindName, readonly string[]>> = {
  place: ["pending"],
  announce: ["paid"],
  reduce: ["attacks", "paid"],
  air: ["attacks", "paid"],
  cancel: ["area", "attacks", "paid"],
  raze: ["area", "source", "kills", "attacks", "paid"],
  sturm: ["left", "surchargePaid"],
  artillery: ["window", "area", "passed"],
  pioneer: ["area"],
  chance: ["awaiting"],
};

// ---- writing

export function writePosition(options: Options, s: StateView): JsonObject {
  const phase = phaseOf(s);
  return {
    game: GAME,
    format: 1,
    options,
    turn: s[L.turn]!,
    active: s[L.active] === NO_SIDE ? null : SIDES[s[L.active]!]!,
    phase: PHASES[phase]!,
    night: s[L.night] === 1,
    artillery: s[L.artillery] === 0 ? null : AREA_IDS[s[L.artillery]!]!,
    areas: writeAreas(s),
    soviet: writeSide(s, SOVIET),
    german: writeSide(s, GERMAN),
    ratzel: s[L.ratzel] === 1,
    dice:
      phase <= 1
        ? {
            kept: writeDice(s, L.kept, L.keptSpecial),
            loose: writeDice(s, L.loose, L.looseSpecial),
            picked: s[L.picked] === 1,
          }
        : null,
    decision: writeDecision(s),
    result:
      s[L.kind] === K.over
        ? { winner: s[L.winner] === 0 ? null : SIDES[s[L.winner]! - 1]!, reason: REASONS[s[L.reason]!]! }
        : null,
  };
}

function writeAreas(s: StateView): JsonObject {
  const areas: Record<string, Json> = { Z: { soviet: unitsIn(s, SOVIET, Z), german: unitsIn(s, GERMAN, Z) } };
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
    const by = s[L.captured + a]!;
    areas[AREA_IDS[a]!] = {
      soviet: unitsIn(s, SOVIET, a),
      german: unitsIn(s, GERMAN, a),
      fort: s[L.fort + a] === 1,
      shieldUsed: s[L.shieldUsed + a] === 1,
      captured: by === 0 ? null : SIDES[by - 1]!,
    };
  }
  areas["S6"] = { soviet: unitsIn(s, SOVIET, VOLGA), max: s[L.max6]! };
  areas["G6"] = { german: unitsIn(s, GERMAN, GUMRAK), max: s[L.max6 + 1]! };
  return areas;
}

const writeSide = (s: StateView, side: number): JsonObject => ({
  cmd: s[L.cmd + side]!,
  reserve: s[L.reserve + side]!,
  rights: RIGHTS_OF[side]!.filter((r) => (s[L.rights + side]! & RIGHT_NAMES[r]) !== 0),
});

function writeDice(s: StateView, units: number, specials: number): JsonObject {
  const special = (d: number): number | null => (s[specials + d] === 0 ? null : s[specials + d]!);
  return { units: facesAt(s, units), command: special(0), tactics: special(1), ratt: special(2) };
}

/** Counts per number, as an ascending list. */
function facesAt(s: StateView, at: number): number[] {
  const list: number[] = [];
  for (let f = 0; f < 6; f++) for (let n = s[at + f]!; n > 0; n--) list.push(f + 1);
  return list;
}

function writeDecision(s: StateView): JsonObject {
  const kind = KINDS[s[L.kind]!]!;
  const doc: Record<string, Json> = {
    kind,
    actor: kind === "chance" ? "chance" : s[L.actor] === NO_SIDE ? null : SIDES[s[L.actor]!]!,
  };
  for (const field of FIELDS[kind] ?? []) {
    if (field === "area" && s[L.area] === 0) continue;
    if (kind === "raze" && s[L.source] === ATTRITION && (field === "attacks" || field === "paid")) continue;
    doc[field] = writeField(s, field);
  }
  return doc;
}

function writeField(s: StateView, field: string): Json {
  switch (field) {
    case "pending":
      return facesAt(s, L.pending);
    case "area":
      return AREA_IDS[s[L.area]! - 1]!;
    case "source":
      return s[L.source] === AIR ? "air" : "attrition";
    case "surchargePaid":
      return s[L.surchargePaid] === 1;
    case "window":
      return WINDOWS[s[L.window]!]!;
    case "passed":
      return [1, 0].filter((side) => (s[L.passed]! >> side) & 1).map((side) => SIDES[side]!);
    case "awaiting":
      return awaitedParts(s[L.awaiting]!);
    default:
      return s[L[field as "attacks" | "paid" | "left" | "kills"]]!;
  }
}

const awaitedParts = (bits: number): string[] =>
  bits === AWAIT_REROLL
    ? ["reroll"]
    : [...(bits & AWAIT_UNITS ? ["units"] : []), ...SPECIALS.filter((_, d) => (bits & AWAIT_SPECIAL[d]!) !== 0)];

// ---- reading

const whole = z.number().int().min(0);
const side = z.enum(SIDES);
const face = z.number().int().min(1).max(6);
const units6 = whole.max(6);
const cityDoc = z.strictObject({
  soviet: units6.default(0),
  german: units6.default(0),
  fort: z.boolean().default(false),
  shieldUsed: z.boolean().default(false),
  captured: side.nullable().default(null),
});
const diceDoc = z.strictObject({
  units: z.array(face).max(5).default([]),
  command: face.nullable().default(null),
  tactics: face.nullable().default(null),
  ratt: face.nullable().default(null),
});
const noDice = { units: [], command: null, tactics: null, ratt: null };
const noCity = { soviet: 0, german: 0, fort: false, shieldUsed: false, captured: null };
const sideDoc = (rights: readonly [string, ...string[]]) =>
  z.strictObject({
    cmd: whole.max(99).default(0),
    reserve: whole.optional(),
    rights: z.array(z.enum(rights)).default([]),
  });

const schema = z.strictObject({
  game: z.literal(GAME).optional(),
  format: z.literal(1).optional(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  turn: z.number().int().min(1).default(1),
  active: side.nullable().default(null),
  phase: z.enum(PHASES).optional(),
  night: z.boolean().default(false),
  artillery: z.enum(CITIES).nullable().default(null),
  areas: z
    .strictObject({
      Z: z.strictObject({ soviet: units6.default(0), german: units6.default(0) }).default({ soviet: 0, german: 0 }),
      ...(Object.fromEntries(CITIES.map((c) => [c, cityDoc.default(noCity)])) as Record<
        (typeof CITIES)[number],
        z.ZodDefault<typeof cityDoc>
      >),
      S6: z.strictObject({ soviet: units6.default(0), max: units6.default(6) }).default({ soviet: 0, max: 6 }),
      G6: z.strictObject({ german: units6.default(0), max: units6.default(6) }).default({ german: 0, max: 6 }),
    })
    .prefault({}),
  soviet: sideDoc(["artillery", "deploy", "guards"]).prefault({}),
  german: sideDoc(["artillery", "deploy", "pioneers", "sturm"]).prefault({}),
  ratzel: z.boolean().default(false),
  dice: z
    .strictObject({ kept: diceDoc.default(noDice), loose: diceDoc.default(noDice), picked: z.boolean().default(false) })
    .nullable()
    .default(null),
  decision: z.strictObject({
    kind: z.enum(KINDS),
    actor: z.enum(["soviet", "german", "chance"]).nullable(),
    pending: z.array(face).max(5).optional(),
    area: z.enum(AREA_IDS).optional(),
    source: z.enum(["air", "attrition"]).optional(),
    kills: whole.optional(),
    attacks: whole.optional(),
    paid: whole.optional(),
    left: whole.optional(),
    surchargePaid: z.boolean().optional(),
    window: z.enum(WINDOWS).optional(),
    passed: z.array(side).optional(),
    awaiting: z
      .array(z.enum(["units", "command", "tactics", "ratt", "reroll"]))
      .min(1)
      .optional(),
  }),
  result: z
    .strictObject({ winner: side.nullable(), reason: z.enum(["sudden", "areas", "vp", "draw"]) })
    .nullable()
    .default(null),
  rng: z.array(z.number().int()).length(4).optional(),
});
type PositionDoc = z.infer<typeof schema>;

const initialSchema = z.strictObject({
  game: z.literal(GAME).optional(),
  format: z.literal(1).optional(),
  options: z.record(z.string(), z.any()).optional(),
  initial: z.literal("standard"),
});

/** @throws KesselError `bad-position` with JSON path and reason */
export function readPosition(t: Tables, options: Options, doc: JsonObject, s: State): void {
  if ("initial" in doc) {
    const d = parseWith(initialSchema, doc, "bad-position", GAME);
    sameOptions(options, d.options);
    startGame(t, s);
    return;
  }
  const d = parseWith(schema, doc, "bad-position", GAME);
  sameOptions(options, d.options);
  if (d.rng) for (let i = 0; i < 4; i++) s[i] = d.rng[i]!;
  readBoard(d, s);
  readReserves(t, d, s);
  readDice(d, s);
  readDecision(d, s);
  s[L.winner] = d.result?.winner ? SIDES.indexOf(d.result.winner) + 1 : 0;
  s[L.reason] = d.result ? REASONS.indexOf(d.result.reason) : 0;
  const phase = PHASES[phaseOf(s)]!;
  if (d.phase !== undefined && d.phase !== phase)
    throw badPosition(GAME, "phase", `is ${d.phase}, but the decision ${d.decision.kind} belongs to ${phase}`);
  checkPosition(t, s, { dice: d.dice !== null, result: d.result !== null });
}

function sameOptions(options: Options, given: Record<string, unknown> | undefined): void {
  for (const [id, value] of Object.entries(given ?? {})) {
    if (!(id in options)) throw badPosition(GAME, `options.${id}`, "there is no such option");
    if (options[id] !== value)
      throw badPosition(
        GAME,
        `options.${id}`,
        `is ${JSON.stringify(value)}, but the game was made with ${JSON.stringify(options[id])}`,
      );
  }
}

function readBoard(d: PositionDoc, s: State): void {
  const U = L.units;
  const G = L.units + AREA_IDS.length;
  s[L.turn] = d.turn;
  s[L.active] = d.active === null ? NO_SIDE : SIDES.indexOf(d.active);
  s[L.night] = d.night ? 1 : 0;
  s[L.artillery] = d.artillery === null ? 0 : Number(d.artillery);
  s[L.ratzel] = d.ratzel ? 1 : 0;
  s[U + Z] = d.areas.Z.soviet;
  s[G + Z] = d.areas.Z.german;
  for (const c of CITIES) {
    const a = Number(c);
    const doc = d.areas[c];
    s[U + a] = doc.soviet;
    s[G + a] = doc.german;
    s[L.fort + a] = doc.fort ? 1 : 0;
    s[L.shieldUsed + a] = doc.shieldUsed ? 1 : 0;
    s[L.captured + a] = doc.captured === null ? 0 : SIDES.indexOf(doc.captured) + 1;
  }
  s[U + VOLGA] = d.areas.S6.soviet;
  s[G + GUMRAK] = d.areas.G6.german;
  s[L.max6] = d.areas.S6.max;
  s[L.max6 + 1] = d.areas.G6.max;
  SIDES.forEach((name, i) => {
    s[L.cmd + i] = d[name].cmd;
    for (const r of d[name].rights) s[L.rights + i]! |= RIGHT_NAMES[r as keyof typeof RIGHT_NAMES];
  });
}

function readReserves(t: Tables, d: PositionDoc, s: State): void {
  SIDES.forEach((name, i) => {
    let onMap = 0;
    for (let a = 0; a < AREA_IDS.length; a++) onMap += unitsIn(s, i, a);
    const reserve = t.unitsPerSide - onMap;
    if (reserve < 0)
      throw badPosition(GAME, "areas", `${onMap} ${name} units stand on the map, there are ${t.unitsPerSide}`);
    if (d[name].reserve !== undefined && d[name].reserve !== reserve)
      throw badPosition(
        GAME,
        `${name}.reserve`,
        `is ${d[name].reserve}, but with ${onMap} units on the map it is ${reserve}`,
      );
    s[L.reserve + i] = reserve;
  });
}

function readDice(d: PositionDoc, s: State): void {
  if (d.dice === null) return;
  for (const f of d.dice.kept.units) s[L.kept + f - 1]!++;
  for (const f of d.dice.loose.units) s[L.loose + f - 1]!++;
  SPECIALS.forEach((name, i) => {
    const kept = d.dice!.kept[name];
    const loose = d.dice!.loose[name];
    if (kept !== null && loose !== null)
      throw badPosition(GAME, `dice.loose.${name}`, "the same die lies among the kept");
    s[L.keptSpecial + i] = kept ?? 0;
    s[L.looseSpecial + i] = loose ?? 0;
  });
  s[L.picked] = d.dice.picked ? 1 : 0;
}

function readDecision(d: PositionDoc, s: State): void {
  const q = d.decision;
  const allowed: readonly string[] = ["kind", "actor", ...(FIELDS[q.kind] ?? [])];
  for (const key of Object.keys(q))
    if (!allowed.includes(key))
      throw badPosition(GAME, `decision.${key}`, `a decision of kind ${q.kind} has no such field`);
  const need = <T>(value: T | undefined, field: string): T => {
    if (value === undefined) throw badPosition(GAME, `decision.${field}`, `a decision of kind ${q.kind} needs it`);
    return value;
  };
  if ((q.kind === "chance") !== (q.actor === "chance") || (q.kind === "over") !== (q.actor === null))
    throw badPosition(GAME, "decision.actor", `${JSON.stringify(q.actor)} does not decide ${q.kind}`);
  ask(s, K[q.kind], q.actor === "soviet" ? SOVIET : q.actor === "german" ? GERMAN : NO_SIDE);
  switch (q.kind) {
    case "place":
      for (const f of need(q.pending, "pending")) s[L.pending + f - 1]!++;
      break;
    case "announce":
      s[L.paid] = q.paid ?? 0;
      break;
    case "reduce":
    case "air":
    case "cancel":
    case "raze":
      if (q.kind === "cancel" || q.kind === "raze") s[L.area] = AREA_IDS.indexOf(need(q.area, "area")) + 1;
      if (q.kind === "raze") {
        s[L.source] = need(q.source, "source") === "air" ? AIR : ATTRITION;
        s[L.kills] = need(q.kills, "kills");
        if (q.source === "attrition") break;
      }
      s[L.attacks] = need(q.attacks, "attacks");
      s[L.paid] = need(q.paid, "paid");
      break;
    case "sturm":
      s[L.left] = need(q.left, "left");
      s[L.surchargePaid] = need(q.surchargePaid, "surchargePaid") ? 1 : 0;
      break;
    case "artillery":
      s[L.window] = WINDOWS.indexOf(need(q.window, "window"));
      if (q.window !== "end") s[L.area] = AREA_IDS.indexOf(need(q.area, "area")) + 1;
      else if (q.area !== undefined) throw badPosition(GAME, "decision.area", "the last window belongs to no area");
      for (const name of q.passed ?? []) s[L.passed]! |= 1 << SIDES.indexOf(name);
      break;
    case "pioneer":
      s[L.area] = AREA_IDS.indexOf(need(q.area, "area")) + 1;
      break;
    case "chance":
      s[L.explicit] = 1;
      for (const part of need(q.awaiting, "awaiting"))
        s[L.awaiting]! |=
          part === "reroll" ? AWAIT_REROLL : part === "units" ? AWAIT_UNITS : AWAIT_SPECIAL[SPECIALS.indexOf(part)]!;
      break;
  }
}
