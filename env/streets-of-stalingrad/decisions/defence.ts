import type { StateView } from "../../core/layout.js";
import { bothOf } from "../../core/decision.js";
import { counted } from "../../core/words.js";
import { CRT, WBBT } from "../actions.js";
import { hexId, hexText, knownIds, namesFor, unitsIn, unitsWith, unitText } from "../events/words.js";
import { ATTACKER, FIRE_SHIFT, MOVE_RETREAT, RETREATED } from "../layout.js";
import { acceleration, fireOdds } from "../narration/numbers.js";
import { aboutHex, aboutPicks, allUnits, attackers, hexMeaning, unitFrom, unitMeaning } from "../narration/words.js";
import * as defence from "../rules/combat/defence.js";
import * as retreat from "../rules/combat/retreat.js";
import { moversOf, reach } from "../rules/movement/reach.js";
import { actorOf, anyHas, askedHex, askedUnit, extraOf, placeOf, pop, type Tables } from "../state.js";
import { attackUnit } from "./attack.js";
import { decline } from "./decline.js";
import type { Decision } from "./decision.js";
import { choosesTable } from "./table.js";

/** The step of a defence is secret until it takes effect. */
const { waits } = attackUnit;

/** Who retreats before the combat. */
export const retreatUnit: Decision = {
  rules: ["SOS 9.41", "SOS 9.43", "SOS 9.47"],
  asks: (t, s, viewer) =>
    `${hexText(t, askedHex(t, s))} is attacked by ${attackers(t, s, viewer)}: choose who retreats before the combat.`,
  about: aboutHex,
  waits,
  marks: retreat.fillRetreaters,
  acts: {
    done: {
      means: (t, s) => `Nobody ${anyHas(t, s, RETREATED) ? "else " : ""}retreats`,
      does(t, s) {
        decline(t, s, "SOS 9.41", "Nobody else retreats from");
        pop(t, s);
      },
    },
    unit: {
      means: (t, s, u) => unitMeaning(t, s, u, `Retreat ${unitFrom(t, s, u)}`),
      does: retreat.nameRetreater,
    },
  },
  closes: pop,
};

/** Where to. */
export const retreatHex: Decision = {
  rules: ["SOS 9.48", "SOS 9.47"],
  asks: (t, s) => `Choose where ${unitText(t, s, askedUnit(t, s))} retreats to from ${hexId(t, askedHex(t, s))}.`,
  about: (t, s, viewer) => ({ units: knownIds(t, s, [askedUnit(t, s)], viewer), ...aboutHex(t, s) }),
  waits,
  marks: retreat.fillRetreatHexes,
  acts: {
    hex: {
      means: (t, _s, hex) => hexMeaning(t, hex, `Retreat to ${hexText(t, hex)}`),
      does: retreat.retreatTo,
    },
  },
  prepares: (t, s) => reach(t, s, moversOf(t, s, askedUnit(t, s), MOVE_RETREAT), askedHex(t, s), 0),
};

/** An attacking hex that is fired at. */
export const dfTarget: Decision = {
  rules: ["SOS 9.51", "SOS 9.55", "SOS 9.57", "SOS 9.601"],
  asks: (t, s, viewer) =>
    `${hexText(t, askedHex(t, s))} is attacked by ${attackers(t, s, viewer)}: choose an attacking hex for defensive fire.`,
  about: aboutPicks(ATTACKER),
  waits,
  marks: defence.fillFireTargets,
  acts: {
    done: {
      means: (t, s) =>
        s[t.layout.fireCount]! > 0
          ? "No more targets; roll the fire declared"
          : { text: "No defensive fire", warning: "The attackers roll without having been fired at." },
      does(t, s, _i, dice) {
        decline(t, s, "SOS 9.56", "No further defensive fire is declared for");
        defence.rollFires(t, s, dice);
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
  closes: defence.rollFires,
  work: { due: defence.isFiring, does: defence.rollFires },
};

/** Those who fire at the target of the latest declaration. */
const firers = (t: Tables, s: StateView): number[] =>
  allUnits(t).filter((u) => extraOf(t, s, u, FIRE_SHIFT) === s[t.layout.fireCount]!);

/** Who fires at it. */
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
  waits,
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
  waits,
  marks: bothOf(CRT, WBBT),
};
