import { hasBit } from "../core/bits.js";
import type { StateView } from "../core/layout.js";
import { SUPPORT } from "./data.js";
import { surveyFront } from "./rules/front.js";
import {
  activeArmy,
  BATTLE,
  battleHex,
  BOX,
  DEAD,
  FACE_DOWN,
  GARRISON,
  GARRISONED,
  HAND,
  isOver,
  P,
  partisanHex,
  PHASES,
  POOL,
  type World,
} from "./state.js";

/** What always holds in a position. Returns the first thing that doesn't, or null. */
export function broken(w: World, s: StateView): string | null {
  return brokenCounters(w, s) ?? brokenFront(w, s) ?? brokenArmies(w, s) ?? brokenDecision(w, s);
}

/** Each counter lies in one place, and the counts agree. */
function brokenCounters(w: World, s: StateView): string | null {
  const { L, t } = w;
  const boxes = new Array<number[]>(8);
  for (let turn = 0; turn < 8; turn++) boxes[turn] = [];
  let pool = 0;
  let hidden = 0;
  for (let c = 0; c < w.counters; c++) {
    const { id } = t.counters[c]!;
    const place = s[L.place + c]!;
    const site = s[L.site + c]!;
    if (place === POOL) pool++;
    else if (place === FACE_DOWN) hidden++;
    else if (place === HAND) return `counter ${id} was drawn and lies nowhere`;
    else if (place === GARRISON && s[L.marker + site] !== GARRISONED)
      return `counter ${id} is the garrison of a hex that has none`;
    else if (place === GARRISON && t.cls[c] === SUPPORT) return `support marker ${id} stands in a garrison`;
    else if (place === BATTLE && battleHex(w, s) < 0) return `counter ${id} fights in no battle`;
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
function brokenFront(w: World, s: StateView): string | null {
  const { L, t } = w;
  const fresh = Int32Array.from(s as ArrayLike<number>);
  surveyFront(w, fresh);
  for (let i = 0; i < s.length; i++)
    if (fresh[i] !== s[i]) return `word ${i} does not follow from control: ${s[i]}, not ${fresh[i]}`;
  const under = new Set<number>();
  for (let h = 0; h < w.hexes; h++) {
    const marker = s[L.marker + h]!;
    const id = t.grid.ids[h]!;
    if (
      hasBit(s, L.germanBits, h) !== (s[L.german + h] === 1) ||
      hasBit(s, L.markerBits, h) !== marker > 0 ||
      hasBit(s, L.frontBits, h) !== (s[L.front + h] === 1)
    )
      return `the bits of hex ${id} say something else`;
    if (marker !== 0 && s[L.front + h] !== 1) return `a marker or garrison lies in hex ${id}, off the front`;
    if (marker === 0 && s[L.front + h] === 1 && h !== battleHex(w, s) && !isOver(w, s))
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

function brokenArmies(w: World, s: StateView): string | null {
  const { L, t } = w;
  for (let a = 0; a < w.armies; a++) {
    const { id, strength } = t.armies[a]!;
    const hex = s[L.armyHex + a]!;
    const steps = s[L.armySteps + a]!;
    if (hex < 0 ? steps !== 0 : steps > strength || (steps < 1 && !isOver(w, s)))
      return `army ${id} has ${steps} steps`;
    if (hex < 0) continue;
    const fights = a === activeArmy(w, s) && battleHex(w, s) >= 0;
    if (fights ? hex !== battleHex(w, s) : s[L.german + hex] === 1 || hex === partisanHex(w, s))
      return `army ${id} is not in the Soviet area`;
    for (let b = 0; b < a; b++) if (s[L.armyHex + b] === hex) return `armies ${t.armies[b]!.id} and ${id} share a hex`;
  }
  const host = s[L.host]! - 1;
  if (host >= 0 && (s[L.engineer] === 0 || s[L.armyHex + host] === DEAD))
    return `${t.engineer.id} has a host and is gone, or its host is`;
  if (host < 0 && s[L.engineer]! > 0 && s[L.phase] !== P.setup && !isOver(w, s))
    return `${t.engineer.id} lives without a host`;
  return null;
}

function brokenDecision(w: World, s: StateView): string | null {
  const { L } = w;
  const phase = s[L.phase]!;
  const battle = battleHex(w, s) >= 0;
  const fights = phase === P.commit || phase === P.losses || phase === P.press;
  if (isOver(w, s)) return phase === P.over ? null : `the game is over in phase ${PHASES[phase]}`;
  if (fights !== battle) return `phase ${PHASES[phase]} ${battle ? "has a" : "lacks its"} battle`;
  if ((fights || phase === P.move) !== activeArmy(w, s) >= 0)
    return `phase ${PHASES[phase]} and the moving army do not go together`;
  if (phase === P.move && s[L.mp] === 0) return "an army moves without MP";
  if (s[L.poolSize] === 0) return "the pool is empty and the game goes on";
  return null;
}
