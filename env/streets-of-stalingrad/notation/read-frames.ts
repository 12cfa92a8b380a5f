import type { State } from "../../core/layout.js";
import * as words from "../layout.js";
import { SIDES } from "../roster.js";
import { asksEngineers } from "../rules/combat/commitment.js";
import { moveOf } from "../rules/movement/movement.js";
import { moversOf, reach } from "../rules/movement/reach.js";
import { addWay, groupHex, groupMovers, refresh } from "../rules/movement/walk.js";
import { rootOf, sideOfPhase, sideOfStage } from "../sequence.js";
import type { Tables } from "../state.js";
import { give, has, placeOf, push, setExtra } from "../state.js";
import { hexNamed, unitNamed } from "./names.js";
import { type FrameDoc, type PositionDoc, refuse } from "./schema.js";

/** Step of an attack that stands below a decision. Spec 4.8. */
const STEP_BELOW: Partial<Record<number, number>> = {
  [words.ASK_RETREAT_UNIT]: 6,
  [words.ASK_RETREAT_HEX]: 6,
  [words.ASK_FIRE_TARGET]: 7,
  [words.ASK_FIRE_UNIT]: 7,
  [words.ASK_FIRE_TABLE]: 7,
  [words.ASK_LOSS]: 9,
  [words.ASK_AFTER_CHOICE]: 9,
  [words.ASK_AFTER_UNIT]: 9,
  [words.ASK_AFTER_HEX]: 9,
  [words.ASK_ADVANCE]: 10,
  [words.ASK_ICA]: 11,
};

/** Roots of attacks. */
const ATTACKS = [words.ASK_ATTACK_TARGET, words.ASK_BREAKTHROUGH];
/** What a decision needs right below it; the root of the stage is not named. */
const BELOW: Partial<Record<number, readonly number[]>> = {
  [words.ASK_AA]: [words.ASK_ATTACK_UNIT, words.ASK_BOMB_TARGET],
  [words.ASK_MOVE_GROUP]: [words.ASK_MOVE_SELECT, words.ASK_BREAKTHROUGH],
  [words.WALK]: [words.ASK_MOVE_SELECT, words.ASK_BREAKTHROUGH, words.ASK_RETREAT_UNIT],
  [words.ASK_OP_FIRE]: [words.WALK],
  [words.ASK_OP_GROUP]: [words.WALK],
  [words.ASK_OP_TABLE]: [words.WALK],
  [words.ASK_BOMB_UNIT]: [words.ASK_BOMB_TARGET],
  [words.ASK_BOMB_TABLE]: [words.ASK_BOMB_TARGET, words.ASK_ATTACK_TARGET],
  [words.ASK_SPOT]: [
    words.ASK_BOMB_UNIT,
    words.ASK_ATTACK_UNIT,
    words.ASK_OP_GROUP,
    words.ASK_FIRE_UNIT,
    words.ASK_FIRE_TARGET,
  ],
  [words.ASK_FIRE_TABLE]: [words.ASK_ATTACK_UNIT],
  [words.ASK_LEADER]: [
    // leaders who lost their command move before anything else of the next phase (SOS 18.1, ruling R58)
    ...ATTACKS,
    words.ASK_MOVE_SELECT,
    words.ASK_ADMIN_END,
    words.ASK_BOMB_TARGET,
    words.WALK,
    words.ASK_OP_FIRE,
    words.ASK_ATTACK_UNIT,
    words.ASK_FIRE_TARGET,
    words.ASK_AFTER_UNIT,
    words.ASK_AFTER_HEX,
    words.ASK_ADVANCE,
    words.ASK_ICA,
    words.ASK_LEADER, // a leader and a mine dog make way from one hex
  ],
  [words.ASK_ATTACK_UNIT]: ATTACKS,
  [words.ASK_ATTACK_DRM]: ATTACKS,
  [words.ASK_ATTACK_MODE]: ATTACKS,
  [words.ASK_RETREAT_UNIT]: [words.ASK_ATTACK_UNIT],
  [words.ASK_RETREAT_HEX]: [words.ASK_ATTACK_UNIT],
  [words.ASK_FIRE_TARGET]: [words.ASK_ATTACK_UNIT],
  [words.ASK_FIRE_UNIT]: [words.ASK_ATTACK_UNIT],
  [words.ASK_LOSS]: [
    words.ASK_BOMB_TARGET,
    words.ASK_OP_FIRE,
    words.ASK_FIRE_TARGET,
    words.ASK_ATTACK_UNIT,
    words.ASK_ICA,
  ],
  [words.ASK_AFTER_CHOICE]: [words.ASK_ATTACK_UNIT],
  [words.ASK_AFTER_UNIT]: [words.ASK_ATTACK_UNIT, words.ASK_ICA],
  [words.ASK_AFTER_HEX]: [words.ASK_ATTACK_UNIT, words.ASK_ICA],
  [words.ASK_ADVANCE]: [words.ASK_ATTACK_UNIT, words.ASK_ICA],
  [words.ASK_ICA]: [words.ASK_ATTACK_UNIT],
};
const ROOTS = [words.ASK_ADMIN_END, words.ASK_BOMB_TARGET, words.ASK_MOVE_SELECT, words.ASK_MARK, ...ATTACKS];

/** Reads the frame stack. Spec 9.2. */
export function readFrames(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout } = tables;
  const root = rootOf(s[layout.stage]!);
  const side = sideOfStage(s[layout.phase]!, s[layout.stage]!);
  const rootDoc: FrameDoc = { ask: words.ASKS[root]!, actor: SIDES[side]! };
  const decision = doc.decision ?? rootDoc;
  const isRoot = words.ASKS.indexOf(decision.ask) === root;
  const below = doc.frames ?? (isRoot ? [] : [rootDoc]);
  [...below, decision].forEach((frame, i) => {
    const path = i < below.length ? `frames[${i}]` : "decision";
    const ask = words.ASKS.indexOf(frame.ask);
    if (i === 0 && (ask !== root || SIDES.indexOf(frame.actor) !== side))
      refuse(path, `the stage ${words.STAGES[s[layout.stage]!]} begins with ${words.ASKS[root]} of the ${SIDES[side]}`);
    if (i > 0 && ROOTS.includes(ask)) refuse(path, `${frame.ask} stands at the bottom only`);
    if (s[layout.depth]! >= words.FRAMES - 1) refuse(path, `there are at most ${words.FRAMES} frames`);
    if (i > 0 && ATTACKS.includes(topAsk(tables, s)) && STEP_BELOW[ask] !== undefined)
      pushAttack(tables, frame, s, path, STEP_BELOW[ask]);
    const wanted = BELOW[ask];
    if (i > 0 && wanted?.includes(topAsk(tables, s)) !== true)
      refuse(
        path,
        wanted === undefined
          ? `${frame.ask} is not built`
          : `${frame.ask} can't follow ${words.ASKS[topAsk(tables, s)]}`,
      );
    new FrameReader(tables, s, frame, path).read(ask);
  });
}

const topAsk = (tables: Tables, s: State): number =>
  s[tables.layout.frames + (s[tables.layout.depth]! - 1) * words.FRAME_WORDS + words.F_ASK]!;

/** The attack that a decision of its later steps belongs to, rebuilt from the decision's own args. */
function pushAttack(tables: Tables, frame: FrameDoc, s: State, path: string, step: number): void {
  const attack: FrameDoc = {
    ask: "attack.unit",
    actor: SIDES[sideOfPhase(s[tables.layout.phase]!)]!,
    hex: frame.hex,
    attackers: frame.attackers ?? [],
    step,
  };
  new FrameReader(tables, s, attack, path).read(words.ASK_ATTACK_UNIT);
}

class FrameReader {
  constructor(
    private readonly tables: Tables,
    private readonly s: State,
    private readonly doc: FrameDoc,
    private readonly path: string,
  ) {}

  read(ask: number): void {
    const { tables, s, doc, path } = this;
    const actor = SIDES.indexOf(doc.actor);
    const free = [words.WALK, words.ASK_MOVE_SELECT, words.ASK_MOVE_GROUP, words.ASK_LEADER].includes(ask);
    const inHex = ask > words.ASK_ADMIN_END && !ROOTS.includes(ask) && !free;
    if (inHex && doc.hex === undefined) refuse(`${path}.hex`, `${doc.ask} is about a hex`);
    const frame = push(tables, s, ask, actor, doc.hex === undefined ? -1 : hexNamed(tables, doc.hex, `${path}.hex`));
    const set = (i: number, value: number) => {
      s[frame + i] = value;
    };
    switch (ask) {
      case words.ASK_MOVE_GROUP:
        this.group(actor);
        set(words.F_MOVE, words.MOVES.indexOf(doc.kind ?? this.moveOfStage()));
        this.waypoints(frame);
        set(words.F_HOLD, doc.waypoint === true ? 1 : 0);
        break;
      case words.WALK: {
        const hex = this.group(actor);
        set(words.F_HEX, hex + 1);
        set(words.F_MOVE, words.MOVES.indexOf(doc.kind ?? this.moveOfStage()));
        set(words.F_MP, Math.round((doc.mp ?? 0) * 2));
        set(words.F_HOLD, doc.hold === true ? 1 : 0);
        set(words.F_FLAG, doc.passed === true ? 1 : 0);
        set(words.F_STEP, doc.due === true ? 1 : 0);
        if (s[frame + words.F_MOVE] === words.MOVE_BREAKTHROUGH && doc.passed !== true) refresh(tables, s);
        this.walk(hex);
        break;
      }
      case words.ASK_BOMB_UNIT:
      case words.ASK_BOMB_TABLE:
        this.list("units", words.FIRING, actor);
        this.list("attackers", words.ATTACKER, actor);
        set(words.F_STUKAS, doc.stukas ?? 0);
        set(words.F_STEP, doc.step ?? 0);
        break;
      case words.ASK_SPOT:
      case words.ASK_LEADER: {
        if (doc.unit === undefined) refuse(`${path}.unit`, "it is the unit that the question is about");
        const u = unitNamed(tables, doc.unit, `${path}.unit`);
        if (tables.roster.side[u] !== actor) refuse(`${path}.unit`, `${doc.unit} is of the other side`);
        set(words.F_UNIT, u + 1);
        set(words.F_LEADER, doc.anywhere === true ? 1 : 0);
        set(words.F_FLAG, doc.due === true ? 1 : 0);
        break;
      }
      case words.ASK_AA:
        this.list("units", words.FIRING, actor);
        set(words.F_NEED, doc.mission === undefined ? 0 : doc.mission + 1);
        break;
      case words.ASK_OP_FIRE:
      case words.ASK_OP_TABLE:
      case words.ASK_OP_GROUP: {
        const firing = this.list("firing", words.FIRING, actor);
        if ((ask !== words.ASK_OP_FIRE) !== firing.length > 0)
          refuse(`${path}.firing`, "op.group names who fires, op.fire nobody yet");
        if (firing.length > 0) set(words.F_UNIT, firing[0]! + 1);
        break;
      }
      case words.ASK_ATTACK_UNIT:
      case words.ASK_ATTACK_DRM:
      case words.ASK_ATTACK_MODE:
        this.list("attackers", words.ATTACKER, actor);
        set(words.F_FLAG, doc.mode === "accelerate" ? 1 : 0);
        set(words.F_STEP, doc.step ?? ask - words.ASK_ATTACK_UNIT + 2);
        set(words.F_STUKAS, doc.stukas ?? 0);
        set(words.F_TABLE, doc.table === undefined ? 0 : words.TABLES.indexOf(doc.table) + 1);
        set(words.F_COMMIT, this.committed(ask));
        if (ask !== words.ASK_ATTACK_UNIT && !this.any(words.ATTACKER)) refuse(`${path}.attackers`, "somebody attacks");
        break;
      case words.ASK_RETREAT_HEX:
        if (doc.unit === undefined) refuse(`${path}.unit`, "it is the unit that retreats");
        set(words.F_UNIT, this.unit("unit", doc.unit, actor) + 1);
        this.list("retreated", words.RETREATED, actor);
        break;
      case words.ASK_RETREAT_UNIT:
        this.list("retreated", words.RETREATED, actor);
        break;
      case words.ASK_FIRE_TARGET:
      case words.ASK_FIRE_UNIT:
      case words.ASK_FIRE_TABLE:
        this.fires(actor, ask);
        break;
      case words.ASK_LOSS: {
        const from = this.list("from", words.EXPOSED, actor);
        const need = doc.need ?? 1;
        if (need >= from.length) refuse(`${path}.need`, `${need} of ${from.length} units leave nothing to choose`);
        set(words.F_NEED, need);
        set(words.F_CAUSE, this.cause(doc.cause));
        set(words.F_FLAG, doc.pin === true ? 1 : 0);
        set(words.F_LEADER, ((doc.losses ?? 0) << 4) | (doc.sniper ?? 0));
        this.list("prior", words.FIRST_LOSS, actor);
        break;
      }
      case words.ASK_AFTER_CHOICE:
      case words.ASK_AFTER_UNIT:
      case words.ASK_AFTER_HEX:
        this.list("left", words.LEFT, actor);
        this.gone(frame, actor);
        set(words.F_STEPS, doc.steps ?? 1);
        if (doc.first !== undefined) set(words.F_NEED, this.unit("first", doc.first, actor) + 1);
        if ((ask === words.ASK_AFTER_HEX) !== (doc.unit !== undefined))
          refuse(`${path}.unit`, "after.hex names the unit that goes, nobody else does");
        if (doc.unit !== undefined) {
          const u = this.unit("unit", doc.unit, actor);
          if (!has(tables, s, u, words.LEFT)) refuse(`${path}.unit`, `${doc.unit} has not to retreat`);
          set(words.F_UNIT, u + 1);
        }
        break;
      case words.ASK_ADVANCE: {
        const counter = this.belowIs(words.ASK_ICA);
        this.list("attackers", counter ? words.COUNTER : words.ATTACKER, actor);
        this.list("entered", words.ENTERED, actor);
        set(words.F_FLAG, counter ? 1 : 0);
        if (doc.unit !== undefined) set(words.F_UNIT, this.unit("unit", doc.unit, actor) + 1);
        break;
      }
      case words.ASK_ICA:
        this.list("list", words.COUNTER, actor);
        set(words.F_STEP, doc.step ?? 0);
        set(words.F_FLAG, doc.driven === true ? 1 : 0);
        break;
      default:
    }
  }

  private moveOfStage(): (typeof words.MOVES)[number] {
    return words.MOVES[moveOf(this.tables, this.s)]!;
  }

  /** `F_COMMIT`. Armor is asked for when engineers have answered or are not asked. */
  private committed(ask: number): number {
    const { doc, s, tables } = this;
    const asksArmor =
      ask === words.ASK_ATTACK_DRM &&
      (doc.drmEngineer !== undefined || !asksEngineers(tables, s, tables.board.index(doc.hex!)));
    return (
      (doc.drmEngineer === true ? words.COMMIT_ENGINEERS : 0) |
      (doc.drmArmor === true ? words.COMMIT_ARMOR : 0) |
      (asksArmor ? words.COMMIT_ASKS_ARMOR : 0) |
      (doc.gaveWay === true ? words.COMMIT_GAVE_WAY : 0) |
      (doc.cleared === true ? words.COMMIT_CLEARED : 0) |
      (doc.flak === true ? words.COMMIT_FLAK : 0)
    );
  }

  private any(bits: number): boolean {
    for (let u = 0; u < this.tables.units; u++) if (has(this.tables, this.s, u, bits)) return true;
    return false;
  }

  private belowIs(ask: number): boolean {
    const { layout } = this.tables;
    const below = layout.frames + (this.s[layout.depth]! - 2) * words.FRAME_WORDS;
    return this.s[layout.depth]! > 1 && this.s[below + words.F_ASK] === ask;
  }

  private unit(key: string, id: string, side: number): number {
    const path = `${this.path}.${key}`;
    const u = unitNamed(this.tables, id, path);
    if (this.tables.roster.side[u] !== side) refuse(path, `${id} is of the other side`);
    if (placeOf(this.tables, this.s, u) < 0) refuse(path, `${id} is not on the map`);
    return u;
  }

  private list(
    key: "group" | "firing" | "attackers" | "retreated" | "from" | "left" | "entered" | "list" | "prior" | "units",
    bits: number,
    side: number,
  ): number[] {
    return (this.doc[key] ?? []).map((id, i) => {
      const u = this.unit(`${key}[${i}]`, id, side);
      give(this.tables, this.s, u, bits);
      return u;
    });
  }

  /** Units that retreated after the first, in their order. */
  private gone(frame: number, side: number): void {
    const { doc, path, s } = this;
    const list = doc.retreated ?? [];
    if (list.length > words.THEN) refuse(`${path}.retreated`, `at most ${words.THEN} go after the first`);
    if (list.length > 0 && doc.first === undefined) refuse(`${path}.first`, "somebody was the first to retreat");
    list.forEach((id, i) => (s[frame + words.F_THEN + i] = this.unit(`retreated[${i}]`, id, side) + 1));
  }

  /** The group that moves. @returns its hex */
  private group(side: number): number {
    const units = this.list("group", words.GROUP, side);
    if (units.length === 0) refuse(`${this.path}.group`, "a group has a unit");
    const hex = placeOf(this.tables, this.s, units[0]!);
    if (units.some((u) => placeOf(this.tables, this.s, u) !== hex))
      refuse(`${this.path}.group`, "a group stands in one hex");
    return hex;
  }

  /** Waypoints are reached on the cheapest way, as when they were named. */
  private waypoints(frame: number): void {
    const { tables, s, doc, path } = this;
    (doc.via ?? []).forEach((id, i) => {
      const hex = hexNamed(tables, id, `${path}.via[${i}]`);
      const movers = groupMovers(tables, s, s[frame + words.F_MOVE]!);
      reach(tables, s, movers, groupHex(tables, s), s[frame + words.F_MP]!);
      if (tables.cost[hex]! <= 0) refuse(`${path}.via[${i}]`, `the group can't reach hex ${id}`);
      addWay(tables, s, hex, true);
      s[frame + words.F_MP]! += tables.cost[hex]!;
    });
    const spent = s[frame + words.F_MP]! / 2;
    if ((doc.spent ?? spent) !== spent) refuse(`${path}.spent`, `the waypoints cost ${spent} MP, not ${doc.spent}`);
  }

  private walk(from: number): void {
    const { tables, s, doc, path } = this;
    const { layout, board } = tables;
    const hexes = (doc.path ?? []).map((id, i) => hexNamed(tables, id, `${path}.path[${i}]`));
    if (hexes.length > words.PATH) refuse(`${path}.path`, `a walk has at most ${words.PATH} hexes`);
    let at = from;
    const movers = moversOf(
      tables,
      s,
      -1,
      s[layout.frames + (s[layout.depth]! - 1) * words.FRAME_WORDS + words.F_MOVE]!,
    );
    hexes.forEach((hex, i) => {
      const d = board.sideTo(at, hex);
      if (d < 0 || (movers.vehicle ? board.vehicleCost : board.footCost)[at * 6 + d] === 0)
        refuse(`${path}.path[${i}]`, `nobody steps from ${board.ids[at]} to ${board.ids[hex]}`);
      at = hex;
      s[layout.path + hexes.length - 1 - i] = hex;
    });
    s[layout.pathLength] = hexes.length;
  }

  private fires(side: number, ask: number): void {
    const { tables, s, doc, path } = this;
    const { layout } = tables;
    const list = doc.fires ?? [];
    if (list.length > words.FIRES) refuse(`${path}.fires`, `there are at most ${words.FIRES}`);
    if (ask !== words.ASK_FIRE_TARGET && list.length === 0)
      refuse(`${path}.fires`, "df.unit names firers of the last of these");
    list.forEach((f, i) => {
      const hex = hexNamed(tables, f.hex, `${path}.fires[${i}].hex`);
      s[layout.fires + i] = (hex + 1) | (f.done ? words.FIRE_DONE : 0);
      if (f.table !== undefined) s[layout.fires + i]! |= (words.TABLES.indexOf(f.table) + 1) << words.FIRE_TABLE_SHIFT;
      if (i >= 15) refuse(`${path}.fires[${i}]`, "a defender fires at most at 15 hexes");
      f.units.forEach((id, k) =>
        setExtra(tables, s, this.unit(`fires[${i}].units[${k}]`, id, side), words.FIRE_SHIFT, i + 1),
      );
    });
    s[layout.fireCount] = list.length;
  }

  private cause(given: (typeof words.CAUSES)[number] | undefined): number {
    const below: Partial<Record<number, readonly number[]>> = {
      [words.ASK_BOMB_TARGET]: [words.CAUSE_BOMBARDMENT],
      [words.ASK_OP_FIRE]: [words.CAUSE_OPPORTUNITY],
      [words.ASK_FIRE_TARGET]: [words.CAUSE_DEFENSE],
      [words.ASK_ATTACK_UNIT]: [words.CAUSE_ATTACK, words.CAUSE_SACRIFICE],
      [words.ASK_ICA]: [words.CAUSE_COUNTER, words.CAUSE_COUNTER_LOST],
    };
    const { layout } = this.tables;
    const ask = this.s[layout.frames + (this.s[layout.depth]! - 2) * words.FRAME_WORDS + words.F_ASK]!;
    const fitting = below[ask] ?? [];
    const cause = given === undefined ? fitting[0]! : words.CAUSES.indexOf(given);
    if (!fitting.includes(cause)) refuse(`${this.path}.cause`, `losses of that kind can't follow ${words.ASKS[ask]}`);
    return cause;
  }
}
