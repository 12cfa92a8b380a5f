import type { State } from "../../core/layout.js";
import { decisionOfKind } from "../decisions/index.js";
import { type FrameDoc, FrameReader } from "../decisions/frame.js";
import { ASK_ATTACK_UNIT, ASK_SETUP, type AskName, ASKS, FRAMES, STAGES } from "../layout.js";
import { hexNamed, refuse, targetNamed } from "../names.js";
import { SIDES } from "../roster.js";
import { rootOf, sideOfPhase, sideOfStage } from "../sequence.js";
import { askOf, push, type Tables } from "../state.js";
import type { PositionDoc } from "./schema.js";

/** Kinds that are below an attack on the stack. */
const ATTACKS = decisionOfKind(ASK_ATTACK_UNIT).frame.on!;

/** Reads the frame stack. Spec 9.2. */
export function readFrames(tables: Tables, doc: PositionDoc, s: State): void {
  const { layout } = tables;
  const root = rootOf(tables, s[layout.stage]!);
  const side = sideOfStage(s[layout.phase]!, s[layout.stage]!);
  const rootDoc: FrameDoc = { ask: ASKS[root]!, actor: SIDES[side]! };
  const decision = doc.decision ?? rootDoc;
  const isRoot = ASKS.indexOf(decision.ask) === root;
  const below = doc.frames ?? (isRoot ? [] : [rootDoc]);
  [...below, decision].forEach((frame, i) => {
    const path = i < below.length ? `frames[${i}]` : "decision";
    const kind = ASKS.indexOf(frame.ask);
    const { on, step } = decisionOfKind(kind).frame;
    // both sides set up, one after the other
    const wrongSide = SIDES.indexOf(frame.actor) !== side && root !== ASK_SETUP;
    if (i === 0 && (kind !== root || wrongSide))
      refuse(path, `the stage ${STAGES[s[layout.stage]!]} begins with ${ASKS[root]} of the ${SIDES[side]}`);
    if (i > 0 && on === undefined) refuse(path, `${frame.ask} may be only at the bottom`);
    if (s[layout.depth]! >= FRAMES - 1) refuse(path, `there are at most ${FRAMES} frames`);
    if (i > 0 && step !== undefined && ATTACKS.includes(topAsk(tables, s))) pushAttack(tables, frame, s, path, step);
    if (i > 0 && on?.includes(topAsk(tables, s)) !== true)
      refuse(path, `${frame.ask} can't follow ${topAsk(tables, s)}`);
    readFrame(tables, s, frame, path);
  });
}

const topAsk = (tables: Tables, s: State): AskName => ASKS[askOf(tables, s)]!;

/** The attack that a decision of its later steps belongs to, rebuilt from the decision's own args. */
function pushAttack(tables: Tables, frame: FrameDoc, s: State, path: string, step: number): void {
  const attack: FrameDoc = {
    ask: "attack.unit",
    actor: SIDES[sideOfPhase(s[tables.layout.phase]!)]!,
    hex: frame.hex,
    attackers: frame.attackers ?? [],
    step,
  };
  readFrame(tables, s, attack, path);
}

function readFrame(tables: Tables, s: State, doc: FrameDoc, path: string): void {
  const kind = ASKS.indexOf(doc.ask);
  const { boxes, on, hex, read } = decisionOfKind(kind).frame;
  if (doc.box !== undefined && (boxes !== true || doc.hex !== undefined))
    refuse(`${path}.box`, boxes === true ? "it is about a hex or a box" : `${doc.ask} is about no box`);
  if (on !== undefined && hex === undefined && doc.hex === undefined && doc.box === undefined)
    refuse(`${path}.hex`, `${doc.ask} is about a hex`);
  const at =
    doc.box !== undefined
      ? targetNamed(tables, doc.box, `${path}.box`)
      : doc.hex === undefined
        ? -1
        : hexNamed(tables, doc.hex, `${path}.hex`);
  push(tables, s, kind, SIDES.indexOf(doc.actor), at);
  read?.(new FrameReader(tables, s, doc, path));
}
