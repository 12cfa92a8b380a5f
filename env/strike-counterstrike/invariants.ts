import { hasBit } from "../core/bits.js";
import type { StateView } from "../core/layout.js";
import { FIRST_ARMY, FIRST_COUNTER, FIRST_HEX, SUPPORT, type Tables } from "./data.js";
import { surveyFront } from "./rules/front.js";
import { BATTLE, BOX, DEAD, FACE_DOWN, GARRISON, GARRISONED, DRAWN, PHASE, PHASES, POOL } from "./layout.js";
import { activeArmy, battleHex, isOver, partisanHex } from "./state.js";

/** Invariants of a position. @returns the first violation, or null */
export function invariantViolation(tables: Tables, s: StateView): string | null {
  return (
    counterViolation(tables, s) ?? frontViolation(tables, s) ?? armyViolation(tables, s) ?? decisionViolation(tables, s)
  );
}

/** Each counter lies in one place, and the counts agree. */
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
    else if (place === DRAWN) return `counter ${id} was drawn and lies nowhere`;
    else if (place === GARRISON && s[L.marker + site] !== GARRISONED)
      return `counter ${id} is the garrison of a hex that has none`;
    else if (place === GARRISON && tables.cls[c] === SUPPORT) return `support marker ${id} stands in a garrison`;
    else if (place === BATTLE && battleHex(tables, s) < 0) return `counter ${id} fights in no battle`;
    else if (place >= BOX) boxes[place - BOX]!.push(site);
    if (place !== POOL && place !== FACE_DOWN && s[L.entered + c] !== 0)
      return `counter ${id} lies open and has a time of arrival`;
    if (s[L.entered + c]! > s[L.clock]!) return `counter ${id} arrives after now`;
    if (hasBit(s, L.poolBits, c) !== (place === POOL) || hasBit(s, L.openBits, c) !== place > FACE_DOWN)
      return `the bits of counter ${id} say that it lies elsewhere`;
  }
  if (pool !== s[L.poolSize]) return `the pool holds ${pool} counters, ${s[L.poolSize]} are counted`;
  if (hidden !== s[L.faceDown]) return `${hidden} counters lie face down, ${s[L.faceDown]} are counted`;
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
    if (marker !== 0 && s[L.front + h] !== 1) return `a marker or garrison lies in hex ${id}, off the front`;
    if (marker === 0 && s[L.front + h] === 1 && h !== battleHex(tables, s) && !isOver(tables, s))
      return `front hex ${id} is bare`;
    if (marker <= 0 && s[L.placed + h] !== 0) return `hex ${id} has a time and no marker`;
    if (marker <= 0) continue;
    if (s[L.place + marker - 1] !== FACE_DOWN || under.has(marker)) return `the marker in hex ${id} is not there once`;
    under.add(marker);
    if (s[L.entered + marker - 1]! > s[L.placed + h]! || s[L.placed + h]! > s[L.clock]!)
      return `the marker in hex ${id} was placed before it could be`;
  }
  return null;
}

function armyViolation(tables: Tables, s: StateView): string | null {
  const { L } = tables;
  for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
    const { id, strength } = tables.armies[a]!;
    const hex = s[L.armyHex + a]!;
    const steps = s[L.armySteps + a]!;
    if (hex < 0 ? steps !== 0 : steps > strength || (steps < 1 && !isOver(tables, s)))
      return `army ${id} has ${steps} steps`;
    if (hex < 0) continue;
    const fights = a === activeArmy(tables, s) && battleHex(tables, s) >= 0;
    if (fights ? hex !== battleHex(tables, s) : s[L.german + hex] === 1 || hex === partisanHex(tables, s))
      return `army ${id} is not in the Soviet area`;
    for (let b = 0; b < a; b++)
      if (s[L.armyHex + b] === hex) return `armies ${tables.armies[b]!.id} and ${id} share a hex`;
  }
  const host = s[L.host]! - 1;
  if (host >= 0 && (s[L.engineer] === 0 || s[L.armyHex + host] === DEAD))
    return `${tables.engineer.id} has a host and is gone, or its host is`;
  if (host < 0 && s[L.engineer]! > 0 && s[L.phase] !== PHASE.setup && !isOver(tables, s))
    return `${tables.engineer.id} lives without a host`;
  return null;
}

function decisionViolation(tables: Tables, s: StateView): string | null {
  const { L } = tables;
  const phase = s[L.phase]!;
  const battle = battleHex(tables, s) >= 0;
  const fights = phase === PHASE.commit || phase === PHASE.losses || phase === PHASE.press;
  if (isOver(tables, s)) return phase === PHASE.over ? null : `the game is over in phase ${PHASES[phase]}`;
  if (fights !== battle) return `phase ${PHASES[phase]} ${battle ? "has a" : "lacks its"} battle`;
  if ((fights || phase === PHASE.move) !== activeArmy(tables, s) >= 0)
    return `phase ${PHASES[phase]} and the moving army do not go together`;
  if (phase === PHASE.move && s[L.mp] === 0) return "an army moves without MP";
  if (s[L.poolSize] === 0) return "the pool is empty and the game goes on";
  return null;
}
