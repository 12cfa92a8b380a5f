import { type EventKinds, layout, type ObservationSpec, type StateView } from "../../env/index.js";

export const SLOTS = 5;
/** Strength of each counter of a side. */
export const STRENGTH = [0, 1, 1, 2, 3] as const;
/** What may flee: a counter that fled is known to be no stronger. Rule: TA 3 */
export const FLEES = 1;
export const TURNS = 12;
export const PHASES = ["send", "at", "supply", "answer"] as const;
export const SEND = 0;
export const AT = 1;
export const SUPPLY = 2;
export const ANSWER = 3;

/** Words of the state by name; two values of a field belong to red and blue, ten to their five slots each. */
export const L = layout({
  slot: 2 * SLOTS, // index into STRENGTH of the counter that lies there
  alive: 2 * SLOTS, // 0 when lost, then face-up beside the board
  known: 2 * SLOTS, // 1 once turned up: the other side remembers
  fled: 2 * SLOTS, // 1 after a flight: the other side draws its conclusion
  supplies: 2, // left, public
  active: 1,
  phase: 1,
  sent: 1, // slot of the active side, -1 before
  target: 1, // slot of the other side, -1 before
  supply: 1, // secret bid of the active side while the other answers
  turn: 1, // 1..TURNS, TURNS + 1 at the end
});

export const slots = [1, 2, 3, 4, 5];
export const ACTIONS = [
  ...slots.map((i) => `send ${i}`),
  ...slots.map((i) => `at ${i}`),
  "regroup",
  "with supply",
  "without supply",
  "stand",
  "flee",
];
export const REGROUP = 10;
export const WITH = 11;
export const STAND = 13;
export const FLEE = 14;

const range: readonly [number, number] = [0, 1];
export const OBSERVATION: ObservationSpec = {
  globals: [
    { name: "turn", range, norm: "turn / 13" },
    { name: "own supplies", range, norm: "/ 2" },
    { name: "other supplies", range, norm: "/ 2" },
  ],
  mapRows: ["field"],
  map: [{ name: "fight", range, norm: "1 while a counter is sent" }],
  unitRows: [...slots.map((i) => `own ${i}`), ...slots.map((i) => `other ${i}`)],
  units: [
    { name: "alive", range, norm: "0 or 1" },
    { name: "strength known", range, norm: "0 or 1, to the viewer" },
    { name: "strength", range, norm: "strength / 3; 0 when unknown" },
    { name: "fled", range, norm: "0 or 1" },
    { name: "fights", range, norm: "sent or attacked" },
  ],
  decision: [
    ...PHASES.map((p) => ({ name: p, range, norm: "one-hot phase" })),
    { name: "bid", range, norm: "the viewer's own secret bid" },
  ],
};

export const EVENTS: EventKinds = {
  kinds: {
    send: { says: "A counter is sent", changes: ["sent"] },
    at: { says: "It is sent against a counter of the other side", changes: ["target"] },
    supply: { says: "The bid of supply is made, in secret", changes: ["supply"] },
    flight: { says: "The counter attacked flees", changes: ["fled"] },
    fight: { says: "Two counters are turned up and fight", changes: ["known", "counters", "supplies", "supply"] },
    loss: { says: "A counter is lost", changes: ["alive"] },
    regroup: { says: "Living counters are mixed", changes: ["known", "fled", "counters", "slot"] },
    turn: { says: "A turn begins, or the game ends", changes: ["turn", "active", "sent", "target", "supply"] },
  },
  prompted: ["phase"],
};

/** Living counters of a side. */
export function living(s: StateView, side: number): number {
  let n = 0;
  for (let i = 0; i < SLOTS; i++) n += s[L.alive + side * SLOTS + i]!;
  return n;
}

/** The two counters of strength 1 are told apart by their letters. */
export const counterName = (k: number): string => `${"abcde"[k]!}${STRENGTH[k]!}`;

/** The `r`-th living counter of the side whose slots begin at `at`, counted within the side. */
export function nth(s: StateView, at: number, r: number): number {
  for (let i = 0; i < SLOTS; i++) if (s[L.alive + at + i] === 1 && r-- === 0) return i;
  return -1;
}

/** The first violated invariant of a state, or null. */
export function violation(s: StateView): string | null {
  for (let i = 0; i < 2 * SLOTS; i++) {
    const at = i - (i % SLOTS);
    if (!(s[L.slot + i]! in STRENGTH)) return `slot ${i % SLOTS} holds no counter`;
    for (let j = at; j < i; j++)
      if (s[L.slot + j] === s[L.slot + i]) return `slots ${j % SLOTS} and ${i % SLOTS} hold the same counter`;
    if (s[L.alive + i] === 0 && s[L.known + i] === 0) return `slot ${i % SLOTS} was lost without being turned up`;
    if (s[L.fled + i] === 1 && STRENGTH[s[L.slot + i]!]! > FLEES) return `slot ${i % SLOTS} fled and may not`;
  }
  for (let i = L.alive; i < L.supplies; i++) if (s[i] !== 0 && s[i] !== 1) return "a flag is 0 or 1";
  const phase = s[L.phase]!;
  if (!(phase in PHASES) || s[L.turn]! < 1 || s[L.turn]! > TURNS + 1 || (s[L.active] !== 0 && s[L.active] !== 1))
    return "no such phase";
  if (
    s[L.sent]! >= 0 !== phase > SEND ||
    s[L.target]! >= 0 !== phase > AT ||
    s[L.sent]! >= SLOTS ||
    s[L.target]! >= SLOTS
  )
    return `counters sent do not fit phase ${PHASES[phase]!}`;
  if (s[L.supply]! > (phase === ANSWER ? Math.min(1, s[L.supplies + s[L.active]!]!) : 0))
    return "supply that is not there";
  return null;
}
