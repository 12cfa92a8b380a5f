import { z } from "zod";
import type { Json } from "../../core/game.js";
import type { State, StateView } from "../../core/layout.js";
import { ASKS, type AskName, CAUSES, F_ASK, F_UNIT, FRAME_WORDS, isBox, MOVES, TASKS, type UnitId } from "../layout.js";
import { refuse, unitNamed } from "../names.js";
import { SIDES } from "../roster.js";
import { BRIDGE } from "../rules/units/bridges.js";
import { BOXES } from "../schema.js";
import { give, has, placeOf, type Tables, topFrame } from "../state.js";

const id = z.string();
const ids = z.array(id);
const whole = z.number().int().min(0);
const halves = z.number().min(0).multipleOf(0.5);

/** Tables that guns fire by, in the order of their codes from 1 on. */
export const GUN_TABLES = ["crt", "wbbt"] as const;

/** A frame in a position document: what kind it is, whose, and what its kind holds. */
export const frameSchema = z.strictObject({
  ask: z.enum(ASKS),
  actor: z.enum(SIDES),
  hex: id.optional(),
  box: z.enum(BOXES).optional(),
  unit: id.optional(),
  focus: id.optional(),
  group: ids.optional(),
  via: ids.optional(),
  unload: ids.optional(),
  waypoint: z.boolean().optional(),
  spent: halves.optional(),
  kind: z.enum(MOVES).optional(),
  task: z.enum(TASKS).optional(),
  path: ids.optional(),
  mp: halves.optional(),
  hold: z.boolean().optional(),
  passed: z.boolean().optional(),
  firing: ids.optional(),
  attackers: ids.optional(),
  mode: z.enum(["normal", "accelerate"]).optional(),
  stukas: whole.max(31).optional(),
  drmEngineer: z.boolean().optional(),
  drmArmor: z.boolean().optional(),
  gaveWay: z.boolean().optional(),
  cleared: z.boolean().optional(),
  flak: z.boolean().optional(),
  mission: whole.optional(),
  step: z.number().int().min(0).max(11).optional(),
  retreated: ids.optional(),
  fires: z
    .array(
      z.strictObject({
        hex: id,
        units: ids.default([]),
        table: z.enum(GUN_TABLES).optional(),
        done: z.boolean().default(false),
      }),
    )
    .optional(),
  table: z.enum(GUN_TABLES).optional(),
  need: whole.min(1).optional(),
  losses: whole.optional(),
  sniper: whole.max(15).optional(),
  anywhere: z.boolean().optional(),
  due: z.boolean().optional(),
  from: ids.optional(),
  cause: z.enum(CAUSES).optional(),
  pin: z.boolean().optional(),
  prior: ids.optional(),
  units: ids.optional(),
  left: ids.optional(),
  first: id.optional(),
  steps: z.number().int().min(1).max(2).optional(),
  entered: ids.optional(),
  list: ids.optional(),
  driven: z.boolean().optional(),
  dogs: z.boolean().optional(),
  slips: z.boolean().optional(),
  wounded: z.boolean().optional(),
  nkvd: z.boolean().optional(),
  unarmored: ids.optional(),
});
export type FrameDoc = z.infer<typeof frameSchema>;

/** How documents describe the frames of a kind. Spec 9.2. */
export interface Notation {
  /** Kinds that may be right below it. Absent: it is the root of a stage, at the bottom. */
  readonly on?: readonly AskName[];
  /** The step of the attack below it, where a document leaves that frame out. Spec 4.8. */
  readonly step?: number;
  /** It may be about a box in place of a hex. */
  readonly boxes?: true;
  /** Its hex: required by default unless it is a root; `none`: its other fields determine the hex. */
  readonly hex?: "optional" | "none";
  /** Its other fields determine its unit. */
  readonly unit?: "none";
  /** What it holds beside kind, side, hex and unit, in order; undefined: it is left out. */
  readonly write?: (t: Tables, s: StateView, frame: number) => Written;
  readonly read?: (reader: FrameReader) => void;
}

type Written = { readonly [K in keyof FrameDoc]?: Json | undefined };

/** What documents hold only where it says something. */
export const some = <X>(list: X[]): X[] | undefined => (list.length === 0 ? undefined : list);
export const yes = (is: boolean): true | undefined => (is ? true : undefined);
export const positive = (n: number): number | undefined => (n > 0 ? n : undefined);
/** Names of the units with one of these flags. */
export const names = ({ roster, layout }: Tables, s: StateView, bits: number): string[] =>
  roster.counters.flatMap((c, u) => ((s[layout.flags + u]! & bits) !== 0 ? [c.id] : []));

/** Reads the unit that a question is about. */
export function readUnit(r: FrameReader): void {
  if (r.doc.unit === undefined) r.refuse("unit", "it is the unit that the question is about");
  r.set(F_UNIT, r.own("unit", r.doc.unit) + 1);
}

/** Lists of units in a frame. */
type Lists = { [K in keyof FrameDoc]-?: NonNullable<FrameDoc[K]> extends string[] ? K : never }[keyof FrameDoc];

/** Reads the document of the top frame, which has kind, side and hex already. */
export class FrameReader {
  /** Offset of the frame. */
  readonly frame: number;
  readonly actor: number;

  constructor(
    readonly tables: Tables,
    readonly s: State,
    readonly doc: FrameDoc,
    readonly path: string,
  ) {
    this.frame = topFrame(tables, s);
    this.actor = SIDES.indexOf(doc.actor);
  }

  set(word: number, value: number): void {
    this.s[this.frame + word] = value;
  }

  refuse(key: string, reason: string): never {
    return refuse(`${this.path}.${key}`, reason);
  }

  /** A unit of the side that decides, on the map. */
  unit(key: string, id: string): UnitId {
    const u = this.own(key, id);
    const place = placeOf(this.tables, this.s, u);
    if (place < 0 && !isBox(place)) this.refuse(key, `${id} is not on the map`);
    return u;
  }

  /** A unit of the side that decides. */
  own(key: string, id: string): UnitId {
    const u = unitNamed(this.tables, id, `${this.path}.${key}`);
    const { kind, side } = this.tables.roster;
    if (side[u] !== this.actor && kind[u] !== BRIDGE) this.refuse(key, `${id} is of the other side`);
    return u;
  }

  /** Gives the units of a list these flags. */
  list(key: Lists, bits: number): UnitId[] {
    return (this.doc[key] ?? []).map((id, i) => {
      const u = this.unit(`${key}[${i}]`, id);
      give(this.tables, this.s, u, bits);
      return u;
    });
  }

  any(bits: number): boolean {
    for (let u = 0; u < this.tables.units; u++) if (has(this.tables, this.s, u, bits)) return true;
    return false;
  }

  /** The kind of the frame below; -1 at the bottom. */
  get below(): number {
    const below = this.frame - FRAME_WORDS;
    return below < this.tables.layout.frames ? -1 : this.s[below + F_ASK]!;
  }
}
