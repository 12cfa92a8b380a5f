import type { Json, JsonObject } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import { PASS } from "./actions.js";
import { CHIT_KINDS } from "./data.js";
import type { Tables } from "./data.js";
import { decisionOfKind, isHiddenDecision } from "./decisions/index.js";
import { areaIn, ENTRY, entryAt, flagsIn, idIn, secondIn, typeIn } from "./public-log.js";
import {
  chitStack,
  controlName,
  decisionDocument,
  flagged,
  germanList,
  publicParts,
  unitStack,
} from "./notation/write.js";
import {
  type AreaId,
  askedChit,
  chitHas,
  DEAD,
  decisionOf,
  eventAreaOf,
  FLAG,
  FUTURE,
  GERMANS,
  HAND,
  L,
  PHASE,
  phaseOf,
  PILE,
  placeOf,
  SOVIET,
  unitHas,
  UNITS,
  WAITING,
} from "./state.js";

const RESULTS = ["land", "turned-away", "eliminated"] as const;

/** The position as any viewer but the Soviet player sees it, with the public history. */
export function germanView(tables: Tables, s: StateView): JsonObject {
  const { data } = tables;
  const blind = phaseOf(s) === PHASE.setup; // ruling R39
  const areas: Record<string, Json> = {};
  data.areaIds.forEach((id, a) => {
    const units = blind ? [] : unitStack(s, GERMANS, UNITS, a);
    const chits = chitStack(s, a);
    const open = chits.filter((c) => chitHas(s, c, FLAG.faceUp));
    const downUnits = units.filter((u) => !unitHas(s, u, FLAG.faceUp)).length;
    const downChits = chits.length - open.length;
    areas[id] = {
      control: controlName(s, a),
      german: germanList(tables, s, a),
      soviet: units
        .filter((u) => unitHas(s, u, FLAG.faceUp))
        .sort((x, y) => x - y)
        .map((u) => flagged(data.unitIds[u]!, s[L.unitFlags + u]!)),
      chits: open.map((c) => flagged(CHIT_KINDS[data.chitKind[c]!]!, s[L.chitFlags + c]!)).sort(),
      ...(tables.solo ? { faceDownUnits: downUnits, faceDownChits: downChits } : { faceDown: downUnits + downChits }),
    };
  });
  const chitsAt = (place: AreaId): number => chitStack(s, place).length;
  const todo = data.chitIds.flatMap((_, c) =>
    (s[L.eventChitsLeft]! >> c) & 1 ? [CHIT_KINDS[data.chitKind[c]!]!] : [],
  );
  const targets = data.chitIds.flatMap((_, c) =>
    s[L.ambushTarget + c] === 0 ? [] : [data.unitIds[s[L.ambushTarget + c]! - 1]!],
  );
  return {
    ...publicParts(tables, s),
    areas,
    handCount: chitsAt(HAND),
    pileCount: chitsAt(PILE),
    waitingCount: data.unitIds.filter((_, u) => placeOf(s, u) === WAITING).length,
    future: data.unitIds.filter(
      (_, u) => placeOf(s, u) === FUTURE || (blind && u >= GERMANS && data.entryTurn[u] === 0),
    ),
    dead: data.unitIds.filter((_, u) => placeOf(s, u) === DEAD),
    events:
      s[L.eventArea] === 0
        ? null
        : { area: data.areaIds[eventAreaOf(s)]!, todo, targets, breakthrough: s[L.eventsAfterBreakthrough] === 1 },
    decision: germanDecision(tables, s),
  };
}

function germanDecision(tables: Tables, s: StateView): Json {
  const doc = decisionDocument(tables, s);
  if (doc === null) return null;
  if (isHiddenDecision(decisionOf(s))) return { actor: doc["actor"]!, kind: doc["kind"]! };
  if (s[L.decisionChit] !== 0) doc["chit"] = CHIT_KINDS[tables.data.chitKind[askedChit(s)]!]!;
  return doc;
}

/** The action as `viewer` sees it happen. The Soviet player sees all; others what the public log holds. */
export function describeFor(
  tables: Tables,
  actions: readonly string[],
  before: StateView,
  action: number,
  after: StateView,
  viewer: number,
): string | null {
  const { secret, logged = false } = decisionOfKind(decisionOf(before));
  if (viewer === SOVIET || (secret === undefined && !logged)) return actions[action]!;
  if (action === PASS) return actions[PASS]!;
  const n = before[L.publicLogLength]!;
  const area = (i: number): string => tables.data.areaIds[i]!;
  return logged ? publicEntry(tables, entryAt(after, n), area) : null; // set-up, and picks whose area is still to come
}

/** One entry of the public log in words. */
function publicEntry(tables: Tables, w: number, area: (i: number) => string): string {
  const a = area(areaIn(w));
  const id = idIn(w);
  switch (typeIn(w)) {
    case ENTRY.land:
      return secondIn(w) === 0
        ? `land ${a}`
        : `land ${a} ${secondIn(w)} ${RESULTS[flagsIn(w) & 3]!}${id === 0 ? "" : ` ${tables.data.unitIds[id - 1]!}`}`;
    case ENTRY.chit:
      return `chit ${a}`;
    case ENTRY.move:
      return `move ${a}>${area(secondIn(w))}${id === 0 ? "" : ` ${tables.data.unitIds[id - 1]!}`}`;
    case ENTRY.dead:
      return `dead ${a} ${tables.data.unitIds[id]!}`;
    default:
      return id === 0 ? `back ${a}` : `back ${a} ${CHIT_KINDS[id - 1]!}`;
  }
}
