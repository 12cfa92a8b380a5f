import type { Json } from "../../core/game.js";
import type { State, StateView } from "../../core/layout.js";
import { bothOf } from "../../core/decision.js";
import { counted } from "../../core/words.js";
import { CRT, WBBT } from "../actions.js";
import { hexId, hexText, knownIds, namesFor, unitsIn, unitsWith, unitText } from "../events/words.js";
import {
  ASK_ATTACK_UNIT,
  ATTACKER,
  COMMIT_DOGS,
  F_COMMIT,
  F_STEP,
  F_UNIT,
  FIRE_DONE,
  fireHex,
  FIRES,
  FIRE_SHIFT,
  FIRE_TABLE_SHIFT,
  MOVE_RETREAT,
  RETREATED,
} from "../layout.js";
import { hexNamed } from "../names.js";
import { acceleration, fireOdds } from "../narration/numbers.js";
import { aboutHex, aboutPicks, allUnits, attackers, hexMeaning, unitFrom, unitMeaning } from "../narration/words.js";
import * as defence from "../rules/combat/defence.js";
import * as retreat from "../rules/combat/retreat.js";
import { reach } from "../rules/movement/reach.js";
import { moversOf } from "../rules/movement/movers.js";
import {
  actorOf,
  anyHas,
  askedHex,
  askedUnit,
  extraOf,
  frameOf,
  placeOf,
  pop,
  setExtra,
  type Tables,
} from "../state.js";
import { attackUnit } from "./attack.js";
import { decline } from "./decline.js";
import type { Decision } from "./decision.js";
import { type FrameReader, GUN_TABLES, names, type Notation, some } from "./frame.js";
import { choosesTable } from "./table.js";

/** The step of a defence is secret until it takes effect. */
const unseen = { waits: attackUnit.waits, hides: reopen };

/** Others see the attack before its defender decided anything. */
function reopen(t: Tables, s: State): void {
  const side = actorOf(t, s);
  const { fires, fireCount } = t.layout;
  if ((s[fires]! & FIRE_DONE) !== 0) return;
  const attack = frameOf(t, s, ASK_ATTACK_UNIT);
  for (let i = 0; i < s[fireCount]!; i++) s[fires + i] = 0;
  s[fireCount] = 0;
  for (let u = t.roster.first(side); u < t.roster.end(side); u++) setExtra(t, s, u, FIRE_SHIFT, 0);
  pop(t, s);
  s[attack + F_STEP] = 5;
  s[attack + F_COMMIT]! &= ~COMMIT_DOGS; // others don't know whether a dog was thought of
}

const readRetreated = (r: FrameReader): void => {
  r.list("retreated", RETREATED);
};
const retreatFrame = {
  on: ["attack.unit"],
  step: 6,
  write: (t, s) => ({ retreated: some(names(t, s, RETREATED)) }),
  read: readRetreated,
} satisfies Notation;

/** What documents hold of defensive fire. @param begun a target is named */
const fireFrame = (begun: boolean): Notation => ({
  on: ["attack.unit"],
  step: 7,
  write: (t, s) => ({ fires: some(firesOf(t, s)) }),
  read: (r) => readFires(r, begun),
});

function firesOf(t: Tables, s: StateView): Json[] {
  const { fires, fireCount } = t.layout;
  return Array.from({ length: s[fireCount]! }, (_, i): Json => {
    const word = s[fires + i]!;
    const units = t.roster.counters.flatMap((c, u) => (extraOf(t, s, u, FIRE_SHIFT) === i + 1 ? [c.id] : []));
    const table = GUN_TABLES[(word >> FIRE_TABLE_SHIFT) - 1];
    return {
      hex: hexId(t, fireHex(word)),
      units,
      ...(table === undefined ? {} : { table }),
      ...((word & FIRE_DONE) !== 0 ? { done: true } : {}),
    };
  });
}

function readFires(r: FrameReader, begun: boolean): void {
  const { tables, s, doc } = r;
  const { layout } = tables;
  const list = doc.fires ?? [];
  if (list.length > FIRES) r.refuse("fires", `there are at most ${FIRES}`);
  if (begun && list.length === 0) r.refuse("fires", "df.unit names firers of the last of these");
  list.forEach((f, i) => {
    const hex = hexNamed(tables, f.hex, `${r.path}.fires[${i}].hex`);
    s[layout.fires + i] = (hex + 1) | (f.done === true ? FIRE_DONE : 0);
    if (f.table !== undefined) s[layout.fires + i]! |= (GUN_TABLES.indexOf(f.table) + 1) << FIRE_TABLE_SHIFT;
    if (i >= 15) r.refuse(`fires[${i}]`, "a defender fires at most at 15 hexes");
    f.units.forEach((id, k) => setExtra(tables, s, r.unit(`fires[${i}].units[${k}]`, id), FIRE_SHIFT, i + 1));
  });
  s[layout.fireCount] = list.length;
}

/** Choose the units that retreat before the combat. */
export const retreatUnit: Decision = {
  rules: ["SOS 9.41", "SOS 9.43", "SOS 9.47"],
  asks: (t, s, viewer) =>
    `${hexText(t, askedHex(t, s))} is attacked by ${attackers(t, s, viewer)}: choose who retreats before the combat.`,
  about: aboutHex,
  ...unseen,
  marks: retreat.fillRetreaters,
  acts: {
    done: {
      means: (t, s) => `Nobody ${anyHas(t, s, RETREATED) ? "else " : ""}retreats`,
      does(t, s, _i, play) {
        decline(t, s, "SOS 9.41", "Nobody else retreats from", play);
        pop(t, s);
      },
    },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Retreat ${unitFrom(t, s, u)}`),
      does: retreat.nameRetreater,
    },
  },
  closes: pop,
  frame: retreatFrame,
};

/** Where to. */
export const retreatHex: Decision = {
  rules: ["SOS 9.48", "SOS 9.47"],
  asks: (t, s) => `Choose where ${unitText(t, s, askedUnit(t, s))} retreats to from ${hexId(t, askedHex(t, s))}.`,
  about: (t, s, viewer) => ({ units: knownIds(t, s, [askedUnit(t, s)], viewer), ...aboutHex(t, s) }),
  ...unseen,
  marks: retreat.fillRetreatHexes,
  acts: {
    hex: {
      means: (t, _s, hex) => hexMeaning(t, hex, `Retreat to ${hexText(t, hex)}`),
      does: retreat.retreatTo,
    },
  },
  prepares: (t, s) => reach(t, s, moversOf(t, s, askedUnit(t, s), MOVE_RETREAT), askedHex(t, s), 0),
  frame: {
    ...retreatFrame,
    read(r: FrameReader) {
      if (r.doc.unit === undefined) r.refuse("unit", "it is the unit that retreats");
      r.set(F_UNIT, r.unit("unit", r.doc.unit) + 1);
      readRetreated(r);
    },
  },
};

/** An attacking hex that is fired at. */
export const dfTarget: Decision = {
  rules: ["SOS 9.51", "SOS 9.55", "SOS 9.57", "SOS 9.601"],
  asks: (t, s, viewer) =>
    `${hexText(t, askedHex(t, s))} is attacked by ${attackers(t, s, viewer)}: choose an attacking hex for defensive fire.`,
  about: aboutPicks(ATTACKER),
  ...unseen,
  marks: defence.fillFireTargets,
  acts: {
    done: {
      means: (t, s) =>
        s[t.layout.fireCount]! > 0
          ? "No more targets; roll the fire declared"
          : { text: "No defensive fire", warning: "The attackers roll without having been fired at." },
      does(t, s, _i, play) {
        decline(t, s, "SOS 9.56", "No further defensive fire is declared for", play);
        defence.rollFires(t, s, play);
      },
    },
    all: {
      means(t, s) {
        const hex = askedHex(t, s);
        const points = unitsIn(t, s, actorOf(t, s), hex).reduce((n, u) => n + t.roster.df[u]!, 0);
        return `Everybody in ${hexId(t, hex)} fires: up to ${counted(points, "point")}`;
      },
      does: defence.fireAll,
    },
    hex: {
      means(t, s, hex, { viewer }) {
        const there = unitsWith(t, s, ATTACKER).filter((u) => placeOf(t, s, u) === hex);
        return hexMeaning(t, hex, `Fire at ${namesFor(t, s, there, viewer)} in ${hexText(t, hex)}`);
      },
      does: defence.nameFireTarget,
    },
  },
  closes: (t, s, play) => defence.rollFires(t, s, play),
  work: { due: defence.isFiring, does: (t, s, play) => defence.rollFires(t, s, play) },
  frame: fireFrame(false),
};

/** Those who fire at the target of the latest declaration. */
const firers = (t: Tables, s: StateView): number[] =>
  allUnits(t).filter((u) => extraOf(t, s, u, FIRE_SHIFT) === s[t.layout.fireCount]!);

/** Choose the units that fire at it. */
export const dfUnit: Decision = {
  rules: ["SOS 9.55", "SOS 9.56", "SOS 9.57"],
  asks(t, s) {
    const target = defence.currentTarget(t, s);
    const named = ownFirers(t, s);
    const so =
      named.length === 0 ? "Choose who fires." : `So far ${fireOdds(t, s, named, target, acceleration(t, s))}.`;
    return `Defensive fire at the attackers in ${hexText(t, target)}. ${so}`;
  },
  about: (t, s, viewer) => ({
    units: knownIds(t, s, ownFirers(t, s), viewer),
    places: [hexId(t, defence.currentTarget(t, s))],
  }),
  picks: "firers",
  ...unseen,
  marks: defence.fillFirers,
  acts: {
    done: { means: (t, s) => `These fire at ${hexId(t, defence.currentTarget(t, s))}`, does: defence.closeTarget },
    all: {
      means: (t, s) => `Everybody in ${hexId(t, askedHex(t, s))} fires at ${hexId(t, defence.currentTarget(t, s))}`,
      does: defence.nameAllDefenders,
    },
    unit: {
      means(t, s, u) {
        const number = s[t.layout.fireCount]!;
        const together = allUnits(t).filter((v) => v === u || extraOf(t, s, v, FIRE_SHIFT) === number);
        const odds = fireOdds(t, s, together, defence.currentTarget(t, s), acceleration(t, s));
        return unitMeaning(t, s, u, `Fire with ${unitFrom(t, s, u)}. ${odds}`);
      },
      does: defence.nameDefender,
    },
  },
  closes: defence.closeTarget,
  frame: fireFrame(true),
};

/** The same, those in the hex that is attacked first. */
function ownFirers(t: Tables, s: StateView): number[] {
  const here = unitsIn(t, s, actorOf(t, s), askedHex(t, s));
  const { roster } = t;
  const elsewhere = allUnits(t).filter(
    (u) => roster.side[u] === actorOf(t, s) && placeOf(t, s, u) >= 0 && placeOf(t, s, u) !== askedHex(t, s),
  );
  return [...here, ...elsewhere].filter((u) => extraOf(t, s, u, FIRE_SHIFT) === s[t.layout.fireCount]!);
}

/** By which table guns fire at guns that attack alone. Rule: SOS 14.45 */
export const dfTable: Decision = {
  ...choosesTable(firers, defence.currentTarget, defence.chooseFireTable),
  picks: "firers",
  ...unseen,
  marks: bothOf(CRT, WBBT),
  frame: fireFrame(true),
};
