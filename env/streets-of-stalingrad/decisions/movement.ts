import type { Act, Single } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { counted, listed } from "../../core/words.js";
import { taskText } from "../events/works.js";
import { hexId, hexText, knownIds, unitId, unitsWith, unitText } from "../events/words.js";
import {
  boxOf,
  boxPlace,
  F_COMMIT,
  F_FLAG,
  F_HEX,
  F_HOLD,
  F_MOVE,
  F_MP,
  F_STEP,
  GROUP,
  type HexId,
  isBox,
  MOVE_BREAKTHROUGH,
  MOVES,
  PATH_HEX,
  REMOVES,
  STAGE_DEPLOY,
  STAGE_NORMAL,
  STAGE_RESERVES,
  TASK_BRIDGE,
  TASK_FORT,
  TASK_MINE,
  TASKS,
  UNLOADING,
  type UnitId,
  WALK_SLIPS,
  WALK_WOUNDED,
  WAYPOINT,
} from "../layout.js";
import { hexNamed } from "../names.js";
import { groupOrders } from "../narration/numbers.js";
import { boxMeaning, findWays, wayMeaning } from "../narration/ways.js";
import { enemiesIn, hexMeaning, now, type Survey, unitFrom, unitMeaning } from "../narration/words.js";
import { openAttack } from "../rules/combat/attackers.js";
import { fillBreakthrough } from "../rules/movement/breakthrough.js";
import {
  abandonTask,
  chooseTask,
  chooseTaskHex,
  fillTaskHexes,
  mayBegin,
  onlyTaskHex,
} from "../rules/movement/engineering.js";
import { changeMode } from "../rules/movement/mounting.js";
import {
  fillGroup,
  fillSelect,
  joinAll,
  moveTo,
  joinMover,
  moveToBox,
  selectMover,
  stayHere,
} from "../rules/movement/movement.js";
import { moveOf } from "../rules/movement/orderable.js";
import { reach } from "../rules/movement/reach.js";
import { allowanceOf, moversOf } from "../rules/movement/movers.js";
import { seatUnlessSeated, unload, wouldRide } from "../rules/movement/transports.js";
import { addWay, continueWalk, groupHex, groupMovers, refresh } from "../rules/movement/walk.js";
import { EAST_BOXES } from "../map/river.js";
import { isBeside, phasesOf } from "../rules/units/tasks.js";
import { BOXES } from "../schema.js";
import { closeStage, phaseName, STAGES_OF } from "../sequence.js";
import {
  askedUnit,
  dropPath,
  has,
  phasesLeft,
  placeOf,
  pop,
  siteOf,
  takeAll,
  taskHex,
  taskOf,
  type Tables,
  topFrame,
} from "../state.js";
import type { Decision } from "./decision.js";
import { type FrameReader, names, positive, readUnit, some, yes } from "./frame.js";

/** The ordered unit becomes known when it moves. */
const moves: Decision["waits"] = (_t, _s, by) => ({ text: `The ${by} side moves.`, rule: "SOS 8.01" });

const mover: Decision["acts"]["unit"] = {
  means: (t, s, u) => unitMeaning(t, s, u, moverText(t, s, u)),
  does: selectMover,
};
const moverText = (t: Tables, s: StateView, u: UnitId): string =>
  `Move ${unitFrom(t, s, u)} with up to ${allowanceOf(t, s, u, moveOf(t, s)) / 2} MP`;

/** Units that can still move and are named, not only counted. */
const MOST_NAMED = 12;

/** Choose the unit that moves next, in a movement or reserves phase. */
export const moveSelect: Decision = {
  rules: ["SOS 8.01", "SOS 8.02", "SOS 11.1"],
  cites: (t, s) =>
    s[t.layout.stage] === STAGE_RESERVES ? ["SOS 8.31", "SOS 8.32", "SOS 8.34"] : ["SOS 8.01", "SOS 8.02", "SOS 11.1"],
  asks: (t, s) =>
    s[t.layout.stage] === STAGE_RESERVES
      ? `${now(t, s)}: choose a unit to move with half its MP, or end.`
      : s[t.layout.stage] === STAGE_DEPLOY
        ? `${now(t, s)}: choose a unit that has not moved and deploys with double MP, or end movement.`
        : `${now(t, s)}: choose a unit to move, or end movement.`,
  waits: moves,
  marks: fillSelect,
  acts: {
    done: {
      means(t, s, _i, { units }) {
        const names =
          units.length > MOST_NAMED
            ? ""
            : `: ${listed(
                units.map((u) => unitId(t, u)),
                "nobody",
              )}`;
        const warning = `${counted(units.length, "unit")} can still move${names}.`;
        return s[t.layout.stage] === STAGE_NORMAL && STAGES_OF[s[t.layout.phase]! - 1]!.includes(STAGE_DEPLOY)
          ? { text: "No more moves; units that have not moved may deploy", warning }
          : { text: `End ${phaseName(s[t.layout.phase]!)}`, ends: "phase", warning };
      },
      does: (t, s, _i, play) => closeStage(t, s, play),
    },
    unit: mover,
  },
  closes: closeStage,
  frame: {},
};

/** Armor that moves through zones of control, or a hex to break through at. */
export const btSelect: Decision = {
  rules: ["SOS 8.5", "SOS 10.1", "SOS 10.2", "SOS 10.6"],
  asks: (t, s) =>
    `${now(t, s)}: choose armor to move through zones of control, or a hex beside your units to break through, or go on to other movement.`,
  waits: moves,
  marks: fillBreakthrough,
  acts: {
    done: {
      means: () => "No more breakthroughs; other movement begins",
      does: (t, s, _i, play) => closeStage(t, s, play),
    },
    hex: {
      means: (t, s, hex, { viewer }) =>
        hexMeaning(t, hex, `Try to break through at ${hexText(t, hex)}: ${enemiesIn(t, s, hex, viewer)} there`),
      does: openAttack,
    },
    unit: mover,
  },
  closes: closeStage,
  frame: {},
};

/** Choose the units that go along, and where to. */
export const moveGroup: Decision = {
  rules: ["SOS 8.06", "SOS 8.07", "SOS 8.09", "SOS 11.4"],
  asks: (t, s) => groupOrders(t, s, topFrame(t, s), unitsWith(t, s, GROUP)),
  about: (t, s, viewer) => ({ units: knownIds(t, s, unitsWith(t, s, GROUP), viewer) }),
  waits: moves,
  marks: fillGroup,
  prepares: findWays,
  picks: GROUP,
  hides(t, s) {
    takeAll(t, s, GROUP);
    dropPath(t, s);
    pop(t, s);
  },
  acts: {
    all: { means: () => "Take everybody of this kind in the hex along", does: joinAll },
    stay: {
      means: () => ({
        text: "Stay here; the order is used up",
        warning: "Units that stay can't be ordered again in this phase.",
      }),
      does: (t, s, _i, play) => stayHere(t, s, play),
    },
    via: {
      means: () => "Name a hex to go by, before the hex to go to",
      does(t, s) {
        s[topFrame(t, s) + F_HOLD] = 1;
      },
    },
    dismount: {
      means: () => "Leave the vehicles: 8 MP, on foot for the whole phase",
      does: (t, s, _i, play) => changeMode(t, s, true, play),
    },
    remount: {
      means: () => "Mount the vehicles again and move with their MP",
      does: (t, s, _i, play) => changeMode(t, s, false, play),
    },
    "build-bridge": work(TASK_BRIDGE),
    "build-minefield": work(TASK_MINE),
    "build-fort": work(TASK_FORT),
    "remove-bridge": work(TASK_BRIDGE + REMOVES),
    "remove-minefield": work(TASK_MINE + REMOVES),
    "remove-fort": work(TASK_FORT + REMOVES),
    "abandon-task": {
      means(t, s) {
        const [unit] = unitsWith(t, s, GROUP);
        const side = t.roster.side[unit!]!;
        const hex = taskHex(t, s, unit!);
        const text = `Give up ${taskText(taskOf(t, s, unit!))} in ${hexText(t, hex)}; the order is used up`;
        const left = phasesLeft(t, s, side, hex);
        return { text, warning: `It needs ${counted(left, "phase")} more; what was done is lost.` };
      },
      does: (t, s, _i, play) => abandonTask(t, s, unitsWith(t, s, GROUP)[0]!, play),
    },
    hex: { means: wayMeaning, does: moveTo },
    box: { means: boxMeaning, does: moveToBox },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, joinText(t, s, u)),
      does: joinMover,
    },
    unload: {
      means: (t, s) => `Put down in ${hexText(t, groupHex(t, s))} whoever rides; the transports go on`,
      does: (t, s) => unload(t, s, groupHex(t, s)),
    },
  },
  frame: {
    on: ["move.select", "bt.select"],
    hex: "optional",
    write: (t, s, frame) => ({
      group: names(t, s, GROUP),
      via: some(
        way(t, s)
          .filter((h) => (h & WAYPOINT) !== 0)
          .map((h) => hexId(t, h & PATH_HEX)),
      ),
      unload: unloadings(t, s),
      waypoint: yes(s[frame + F_HOLD] === 1),
      spent: positive(s[frame + F_MP]! / 2),
      kind: MOVES[s[frame + F_MOVE]!]!,
    }),
    read(r) {
      readGroup(r);
      seatUnlessSeated(r.tables, r.s);
      readMove(r);
      readWaypoints(r);
      readUnloadings(r, "via");
      r.set(F_HOLD, r.doc.waypoint === true ? 1 : 0);
    },
  },
};

/** True when a unit walks or rides. */
function joinText(t: Tables, s: StateView, u: UnitId): string {
  if (s[t.layout.pathLength]! > 0)
    return `Pick ${unitText(t, s, u)} up here; it rides to the end, or to where you unload`;
  return `Take ${unitText(t, s, u)} along${wouldRide(t, s, u) ? ", on a transport" : ""}`;
}

/** Where an engineer lays or takes up a minefield: beside its hex. */
export const moveTaskHex: Decision = {
  rules: ["SOS 17.24", "SOS 17.25"],
  asks: (t, s) =>
    `Choose a hex beside ${unitId(t, askedUnit(t, s))} for ${taskText(taskAsked(t, s))}: ${phasesOf(taskAsked(t, s), t.roster.side[askedUnit(t, s)]!)} phases.`,
  about: (t, s) => ({ units: [unitId(t, askedUnit(t, s))], places: [hexId(t, placeOf(t, s, askedUnit(t, s)))] }),
  waits: moves,
  marks: fillTaskHexes,
  hides(t, s) {
    pop(t, s);
    return true;
  },
  acts: {
    hex: {
      means: (t, s, hex) => hexMeaning(t, hex, `Work at ${taskText(taskAsked(t, s))} in ${hexText(t, hex)}`),
      does: chooseTaskHex,
    },
  },
  frame: {
    on: ["move.group"],
    hex: "optional",
    write: (_t, s, frame) => ({ task: TASKS[s[frame + F_STEP]! - 1] }),
    read(r) {
      readUnit(r);
      const task = r.doc.task === undefined ? TASK_MINE : TASKS.indexOf(r.doc.task) + 1;
      if (!isBeside(task)) r.refuse("task", "only minefields are laid and taken up beside an engineer");
      r.set(F_STEP, task);
      const unit = r.own("unit", r.doc.unit!);
      if (!has(r.tables, r.s, unit, GROUP)) r.refuse("unit", `${r.doc.unit!} has no order`);
      if (!r.tables.engineers[r.tables.roster.side[unit]!]!.includes(unit))
        r.refuse("unit", `${r.doc.unit!} builds nothing`);
      if (unitsWith(r.tables, r.s, GROUP).length > 1) r.refuse("unit", `${r.doc.unit!} is ordered with others`);
      if (r.s[r.frame + F_HEX] !== 0 && r.s[r.frame + F_HEX] !== placeOf(r.tables, r.s, unit) + 1)
        r.refuse("hex", `${r.doc.unit!} is not there`);
      r.set(F_HEX, placeOf(r.tables, r.s, unit) + 1);
      if (!mayBegin(r.tables, r.s, unit, task)) r.refuse("unit", `${r.doc.unit!} has no hex to work at`);
    },
  },
};
const taskAsked = (t: Tables, s: StateView): number => s[topFrame(t, s) + F_STEP]!;

/** What an engineer does in the hex where it is, or beside it. */
function work(task: number): Act<Tables, Single, void, Survey> {
  return {
    means(t, s) {
      const [unit] = unitsWith(t, s, GROUP);
      const side = t.roster.side[unit!]!;
      const hex = placeOf(t, s, unit!);
      const beside = isBeside(task);
      const joins = !beside && siteOf(t, s, side, hex) === task;
      const phases = joins ? Math.ceil(phasesLeft(t, s, side, hex) / 2) : phasesOf(task, side);
      const only = beside ? onlyTaskHex(t, s, unit!, task) : hex;
      const where = only < 0 ? "in a hex beside it" : `in ${hexText(t, only)}`;
      const verb = joins ? "Help with" : task > REMOVES ? "Begin" : "Begin to build";
      return `${verb} ${taskText(task)} ${where}: ${phases} phases in peace`;
    },
    does: (t, s, _i, play) => chooseTask(t, s, unitsWith(t, s, GROUP)[0]!, task, play),
  };
}

/** A group on its way: nothing is asked. */
export const walk: Decision = {
  rules: ["SOS 8.01"],
  asks: (t, s) => `${now(t, s)}: a group is on its way.`,
  waits: moves,
  marks: () => 0,
  acts: {},
  work: { due: () => true, does: continueWalk },
  frame: {
    on: ["move.select", "bt.select", "retreat.unit"],
    hex: "none",
    write: (t, s, frame) => ({
      group: names(t, s, GROUP),
      path: some(
        way(t, s)
          .map((h) => h & PATH_HEX)
          .map((h) => hexId(t, h < t.hexes ? h : boxPlace(h - t.hexes)))
          .reverse(),
      ),
      unload: unloadings(t, s),
      mp: positive(s[frame + F_MP]! / 2),
      kind: MOVES[s[frame + F_MOVE]!]!,
      hold: yes(s[frame + F_HOLD] === 1),
      passed: yes(s[frame + F_FLAG] === 1),
      slips: yes((s[frame + F_COMMIT]! & WALK_SLIPS) !== 0),
      wounded: yes((s[frame + F_COMMIT]! & WALK_WOUNDED) !== 0),
      due: yes(s[frame + F_STEP] === 1),
    }),
    read(r) {
      const { doc } = r;
      const hex = readGroup(r);
      r.set(F_HEX, hex + 1);
      readMove(r);
      r.set(F_MP, Math.round((doc.mp ?? 0) * 2));
      r.set(F_HOLD, doc.hold === true ? 1 : 0);
      r.set(F_FLAG, doc.passed === true ? 1 : 0);
      r.set(F_COMMIT, (doc.slips === true ? WALK_SLIPS : 0) | (doc.wounded === true ? WALK_WOUNDED : 0));
      r.set(F_STEP, doc.due === true ? 1 : 0);
      if (r.s[r.frame + F_MOVE] === MOVE_BREAKTHROUGH && doc.passed !== true) refresh(r.tables, r.s);
      readPath(r, hex);
      readUnloadings(r, "path");
    },
  },
};

/** The words of the way that is named or walked. */
const way = ({ layout }: Tables, s: StateView): number[] =>
  Array.from({ length: s[layout.pathLength]! }, (_, i) => s[layout.path + i]!);

/** Hexes at which passengers get off. */
const unloadings = (t: Tables, s: StateView): string[] | undefined =>
  some(
    way(t, s)
      .filter((h) => (h & UNLOADING) !== 0)
      .map((h) => hexId(t, h & PATH_HEX)),
  );

/** @param key the list of hexes that they are among */
function readUnloadings(r: FrameReader, key: "via" | "path"): void {
  const { tables, s, doc } = r;
  (doc.unload ?? []).forEach((id, i) => {
    const hex = hexNamed(tables, id, `${r.path}.unload[${i}]`);
    const at = way(tables, s).findIndex(
      (h) => (h & PATH_HEX) === hex && (h & UNLOADING) === 0 && (key === "path" || (h & WAYPOINT) !== 0),
    );
    if (at < 0) r.refuse(`unload[${i}]`, `the group doesn't come by hex ${id}`);
    s[tables.layout.path + at]! |= UNLOADING;
  });
}

/** The group that moves. @returns its hex */
function readGroup(r: FrameReader): HexId {
  const units = r.list("group", GROUP);
  if (units.length === 0) r.refuse("group", "a group has a unit");
  const hex = placeOf(r.tables, r.s, units[0]!);
  if (units.some((u) => placeOf(r.tables, r.s, u) !== hex)) r.refuse("group", "a group stands in one hex");
  return hex;
}

/** How it moves: by default as the stage has it. */
function readMove(r: FrameReader): void {
  r.set(F_MOVE, r.doc.kind === undefined ? moveOf(r.tables, r.s) : MOVES.indexOf(r.doc.kind));
}

/** Waypoints are reached on the cheapest way, as when they were named. */
function readWaypoints(r: FrameReader): void {
  const { tables, s, doc, frame } = r;
  (doc.via ?? []).forEach((id, i) => {
    const hex = hexNamed(tables, id, `${r.path}.via[${i}]`);
    const movers = groupMovers(tables, s, s[frame + F_MOVE]!);
    reach(tables, s, movers, groupHex(tables, s), s[frame + F_MP]!);
    if (tables.cost[hex]! <= 0) r.refuse(`via[${i}]`, `the group can't reach hex ${id}`);
    addWay(tables, s, hex, true);
    s[frame + F_MP]! += tables.cost[hex]!;
  });
  const spent = s[frame + F_MP]! / 2;
  if ((doc.spent ?? spent) !== spent) r.refuse("spent", `the waypoints cost ${spent} MP, not ${doc.spent}`);
}

/** True when a step leads over the river: from a box onto it, from it to a bank or box, or from a bank onto it. */
const isLeg = ({ river }: Tables, from: number, to: number): boolean =>
  river.crossings.some((ways, box) =>
    ways.some(({ volga, bank }) =>
      isBox(from)
        ? boxOf(from) === box && to === volga
        : isBox(to)
          ? boxOf(to) === box && from === volga
          : (from === volga && to === bank) || (from === bank && to === volga),
    ),
  );

function readPath(r: FrameReader, from: HexId): void {
  const { tables, s, doc, frame } = r;
  const { layout, board } = tables;
  const boxNamed = (id: string): number => BOXES.slice(0, EAST_BOXES).indexOf(id as (typeof BOXES)[number]);
  const hexes = (doc.path ?? []).map((id, i) =>
    boxNamed(id) >= 0 ? tables.hexes + boxNamed(id) : hexNamed(tables, id, `${r.path}.path[${i}]`),
  );
  if (hexes.length > tables.longest) r.refuse("path", `a walk has at most ${tables.longest} hexes`);
  let at = from;
  const movers = moversOf(tables, s, -1, s[frame + F_MOVE]!);
  hexes.forEach((hex, i) => {
    const costs = movers.rail ? tables.rails : movers.vehicle ? board.vehicleCost : board.footCost;
    const to = hex < tables.hexes ? hex : boxPlace(hex - tables.hexes);
    if (
      !isLeg(tables, at, to) &&
      (at < 0 || to < 0 || board.sideTo(at, to) < 0 || costs[at * 6 + board.sideTo(at, to)] === 0)
    )
      r.refuse(`path[${i}]`, `nobody steps from ${hexId(tables, at)} to ${hexId(tables, to)}`);
    at = to as HexId;
    s[layout.path + hexes.length - 1 - i] = hex;
  });
  s[layout.pathLength] = hexes.length;
}
