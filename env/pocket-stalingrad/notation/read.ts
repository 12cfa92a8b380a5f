import { Play } from "../../core/play.js";
import { z } from "zod";
import type { JsonObject, Options } from "../../core/game.js";
import type { State } from "../../core/layout.js";
import { checkOptions, optionsSchema } from "../../core/position-options.js";
import { parseWith, badPosition } from "../../core/schema.js";
import { AREA_IDS, GUMRAK, type Tables, VOLGA, Z, type SideId } from "../data.js";
import { decisions } from "../decisions/index.js";
import { hasDice, stateFault } from "../faults.js";
import {
  ask,
  BREACH,
  DECISION,
  DECISION_KINDS,
  GERMAN,
  L,
  NO_SIDE,
  phaseOf,
  PHASES,
  REASONS,
  RIGHT_NAMES,
  SIDES,
  SOVIET,
  SPECIAL_DICE,
  unitsIn,
} from "../state.js";
import { startGame } from "../turn.js";
import { GAME } from "./write.js";

const CITIES = ["1", "2", "3", "4", "5"] as const;

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
    /** Option `breach=after-deploy`: it is still to take its CMD. */
    breach: z.boolean().default(false),
  });

const schema = z.strictObject({
  game: z.literal(GAME).optional(),
  format: z.literal(1).optional(),
  options: optionsSchema.optional(),
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
    kind: z.enum(DECISION_KINDS),
    actor: z.enum(["soviet", "german", "chance"]).nullable(),
    ...decisions.shape,
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
  options: optionsSchema.optional(),
  initial: z.literal("standard"),
});

/** @throws KesselError `bad-position` with JSON path and reason */
export function readPosition(tables: Tables, options: Options, doc: JsonObject, s: State): void {
  if ("initial" in doc) {
    const d = parseWith(initialSchema, doc, "bad-position", GAME);
    checkOptions(GAME, options, d.options);
    startGame(tables, s, new Play());
    return;
  }
  const d = parseWith(schema, doc, "bad-position", GAME);
  checkOptions(GAME, options, d.options);
  if (d.rng) {
    for (let i = 0; i < 4; i++) s[i] = d.rng[i]!;
    // the stream would stay at zero for ever
    if (s.subarray(0, 4).every((word) => word === 0))
      throw badPosition(GAME, "rng", "four words of 32 bits, of which at least one is not zero");
  }
  readBoard(d, s);
  readReserves(tables, d, s);
  readDice(d, s);
  readDecision(tables, d, s);
  s[L.winner] = d.result?.winner ? SIDES.indexOf(d.result.winner) + 1 : 0;
  s[L.reason] = d.result ? REASONS.indexOf(d.result.reason) : 0;
  const phase = PHASES[phaseOf(s)]!;
  if (d.phase !== undefined && d.phase !== phase)
    throw badPosition(GAME, "phase", `is ${d.phase}, but the decision ${d.decision.kind} belongs to ${phase}`);
  if (hasDice(s) !== (d.dice !== null))
    throw badPosition(GAME, "dice", `are ${d.dice === null ? "needed" : "null"} in phase ${phase}`);
  if ((d.result === null) === (s[L.kind] === DECISION.over))
    throw badPosition(
      GAME,
      "result",
      d.result === null ? "is needed when the game is over" : "is null until the game is over",
    );
  const wrong = stateFault(tables, s);
  if (wrong !== null) throw badPosition(GAME, wrong.path, wrong.reason);
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
    if (d[name].breach) s[L.rights + i]! |= BREACH;
    for (const r of d[name].rights) s[L.rights + i]! |= RIGHT_NAMES[r as keyof typeof RIGHT_NAMES];
  });
}

function readReserves(tables: Tables, d: PositionDoc, s: State): void {
  SIDES.forEach((name, i) => {
    let onMap = 0;
    for (let a = Z; a < AREA_IDS.length; a++) onMap += unitsIn(s, i as SideId, a);
    const reserve = tables.unitsPerSide - onMap;
    if (reserve < 0)
      throw badPosition(GAME, "areas", `${onMap} ${name} units are on the map, the side has ${tables.unitsPerSide}`);
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
  SPECIAL_DICE.forEach((name, i) => {
    const kept = d.dice!.kept[name];
    const loose = d.dice!.loose[name];
    if (kept !== null && loose !== null)
      throw badPosition(GAME, `dice.loose.${name}`, "the same die is among the kept");
    s[L.keptSpecialDice + i] = kept ?? 0;
    s[L.looseSpecialDice + i] = loose ?? 0;
  });
  s[L.picked] = d.dice.picked ? 1 : 0;
}

function readDecision(tables: Tables, d: PositionDoc, s: State): void {
  const { kind, actor, ...held } = d.decision;
  if ((kind === "chance") !== (actor === "chance") || (kind === "over") !== (actor === null))
    throw badPosition(GAME, "decision.actor", `${JSON.stringify(actor)} does not decide ${kind}`);
  ask(s, DECISION[kind], actor === "soviet" ? SOVIET : actor === "german" ? GERMAN : NO_SIDE);
  decisions.read(tables, held, s, DECISION[kind], "decision");
}
