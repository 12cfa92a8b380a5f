import { hasBit } from "../core/bits.js";
import type { StateView } from "../core/layout.js";
import { FIRST_COUNTER, FIRST_HEX, SUPPORT, type Tables } from "./data.js";
import type { StrikeDecisions } from "./decisions/index.js";
import { surveyFront } from "./rules/front.js";
import { BATTLE, BOX, FACE_DOWN, GARRISON, GARRISONED, DRAWN, PHASE, PHASES, POOL } from "./layout.js";
import { stateFault } from "./faults.js";
import { activeArmy, battleHex, isOver, phaseOf } from "./state.js";

/** Invariants between decisions. @returns the first violation, or null */
export function invariantViolation(tables: Tables, decisions: StrikeDecisions, s: StateView): string | null {
  const words = wordViolation(tables, s);
  if (words !== null) return words;
  const fault = stateFault(tables, decisions, s);
  return fault === null ? null : `${fault.path}: ${fault.reason}`;
}

/** Invariants of the words of a state, which no document can break. @returns the first violation, or null */
export function wordViolation(tables: Tables, s: StateView): string | null {
  return counterViolation(tables, s) ?? frontViolation(tables, s) ?? phaseViolation(tables, s);
}

/** Each counter is in one place, and the counts agree. */
function counterViolation(tables: Tables, s: StateView): string | null {
  const { L } = tables;
  const boxes = new Array<number[]>(8);
  for (let turn = 0; turn < 8; turn++) boxes[turn] = [];
  let pool = 0;
  let hidden = 0;
  for (let c = FIRST_COUNTER; c < tables.counterCount; c++) {
    const { id } = tables.counters[c]!;
    const place = s[L.place + c]!;
    const site = s[L.site + c]!;
    if (place === POOL) pool++;
    else if (place === FACE_DOWN) hidden++;
    else if (place === DRAWN) return `counter ${id} was drawn and is nowhere`;
    else if (place === GARRISON && s[L.marker + site] !== GARRISONED)
      return `counter ${id} is the garrison of a hex that has none`;
    else if (place === GARRISON && tables.cls[c] === SUPPORT) return `support marker ${id} is in a garrison`;
    else if (place === BATTLE && battleHex(tables, s) < 0) return `counter ${id} fights in no battle`;
    else if (place >= BOX) boxes[place - BOX]!.push(site);
    if (place !== POOL && place !== FACE_DOWN && s[L.entered + c] !== 0)
      return `counter ${id} is open and has a time of arrival`;
    if (hasBit(s, L.poolBits, c) !== (place === POOL) || hasBit(s, L.openBits, c) !== place > FACE_DOWN)
      return `the bits of counter ${id} say that it is elsewhere`;
  }
  if (pool !== s[L.poolSize]) return `the pool holds ${pool} counters, ${s[L.poolSize]} are counted`;
  if (hidden !== s[L.faceDown]) return `${hidden} counters are face down, ${s[L.faceDown]} are counted`;
  for (let turn = 0; turn < 8; turn++) {
    const sites = boxes[turn]!.sort((a, b) => a - b);
    if (sites.length !== s[L.boxed + turn] || sites.some((x, i) => x !== i))
      return `the box of turn ${turn} is not in order`;
  }
  return null;
}

/** A marker or a garrison in each front hex and nowhere else; what follows from control is up to date. */
function frontViolation(tables: Tables, s: StateView): string | null {
  const { L } = tables;
  const fresh = Int32Array.from(s as ArrayLike<number>);
  surveyFront(tables, fresh);
  for (let i = 0; i < s.length; i++)
    if (fresh[i] !== s[i]) return `word ${i} does not follow from control: ${s[i]}, not ${fresh[i]}`;
  const under = new Set<number>();
  for (let h = FIRST_HEX; h < tables.hexCount; h++) {
    const marker = s[L.marker + h]!;
    const id = tables.ids[h]!;
    if (
      hasBit(s, L.germanBits, h) !== (s[L.german + h] === 1) ||
      hasBit(s, L.markerBits, h) !== marker > 0 ||
      hasBit(s, L.frontBits, h) !== (s[L.front + h] === 1)
    )
      return `the bits of hex ${id} say something else`;
    if (marker === 0 && s[L.front + h] === 1 && h !== battleHex(tables, s) && !isOver(tables, s))
      return `front hex ${id} is bare`;
    if (marker <= 0 && s[L.placed + h] !== 0) return `hex ${id} has a time and no marker`;
    if (marker <= 0) continue;
    if (s[L.place + marker - 1] !== FACE_DOWN || under.has(marker)) return `the marker in hex ${id} is not there once`;
    under.add(marker);
  }
  return null;
}

/** The decision goes with the moving army, the battle and the result. */
function phaseViolation(tables: Tables, s: StateView): string | null {
  const phase = phaseOf(tables, s);
  const battle = battleHex(tables, s) >= 0;
  const fights = phase === PHASE.commit || phase === PHASE.losses || phase === PHASE.press;
  if (isOver(tables, s)) return phase === PHASE.over ? null : `the game is over in phase ${PHASES[phase]}`;
  if (fights !== battle) return `phase ${PHASES[phase]} ${battle ? "has a" : "lacks its"} battle`;
  return (fights || phase === PHASE.move) !== activeArmy(tables, s) >= 0
    ? `phase ${PHASES[phase]} and the moving army do not go together`
    : null;
}
