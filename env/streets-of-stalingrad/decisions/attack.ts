import type { State, StateView } from "../../core/layout.js";
import { bothOf } from "../../core/decision.js";
import { counted, listed } from "../../core/words.js";
import { NO, YES } from "../actions.js";
import { hexId, hexText, unitsWith } from "../events/words.js";
import {
  ATTACKED,
  ATTACKER,
  COMMIT_ARMOR,
  COMMIT_ASKS_ARMOR,
  COMMIT_CLEARED,
  COMMIT_DOGS,
  COMMIT_ENGINEERS,
  COMMIT_FLAK,
  COMMIT_GAVE_WAY,
  F_COMMIT,
  F_FLAG,
  F_STEP,
  F_STUKAS,
  F_TABLE,
  MARK_ATTACK,
} from "../layout.js";
import { stukasText } from "../narration/guns.js";
import { attackOdds, columnText } from "../narration/numbers.js";
import { resultNow } from "../narration/standing.js";
import {
  aboutPicks,
  attackSum,
  enemiesIn,
  hexMeaning,
  now,
  unitFrom,
  unitMeaning,
  unitsBeside,
} from "../narration/words.js";
import * as attack from "../rules/combat/attack.js";
import * as attackers from "../rules/combat/attackers.js";
import { asksEngineers, commit } from "../rules/combat/commitment.js";
import { fillMarks, markHex } from "../rules/combat/mark.js";
import { closeStage, phaseName } from "../sequence.js";
import { actorOf, anyHas, askedHex, frameHex, markOf, placeOf, pop, takeAll, type Tables, topFrame } from "../state.js";
import type { Decision } from "./decision.js";
import { GUN_TABLES, names, type Notation, positive, some, yes } from "./frame.js";

/** The attackers become known when the attack is announced. */
const attacks: Decision["waits"] = (_t, _s, by) => ({ text: `The ${by} side chooses its attack.`, rule: "SOS 9.62" });

/** The step of an attack in which it is asked what is committed. */
const ASKS_DRM = 3;

/** What documents hold of an attack. @param step of the decision, where they leave it out */
function attackFrame(step: number): Notation {
  return {
    on: ["attack.target", "bt.select"],
    write(t, s, frame) {
      const committed = s[frame + F_COMMIT]!;
      const asksArmor = (committed & COMMIT_ASKS_ARMOR) !== 0;
      return {
        attackers: some(names(t, s, ATTACKER)),
        mode: s[frame + F_FLAG] === 1 ? "accelerate" : undefined,
        stukas: positive(s[frame + F_STUKAS]!),
        table: GUN_TABLES[s[frame + F_TABLE]! - 1],
        // `false` only where the armor is asked for after engineers were held back
        drmEngineer: (committed & COMMIT_ENGINEERS) !== 0 ? true : asksArmor ? false : undefined,
        drmArmor: yes((committed & COMMIT_ARMOR) !== 0),
        gaveWay: yes((committed & COMMIT_GAVE_WAY) !== 0),
        cleared: yes((committed & COMMIT_CLEARED) !== 0),
        flak: yes((committed & COMMIT_FLAK) !== 0),
        dogs: yes((committed & COMMIT_DOGS) !== 0),
        step: s[frame + F_STEP]!,
      };
    },
    read(r) {
      const { doc, s } = r;
      r.list("attackers", ATTACKER);
      r.set(F_FLAG, doc.mode === "accelerate" ? 1 : 0);
      r.set(F_STEP, doc.step ?? step);
      r.set(F_STUKAS, doc.stukas ?? 0);
      r.set(F_TABLE, doc.table === undefined ? 0 : GUN_TABLES.indexOf(doc.table) + 1);
      // armor is asked for when engineers have answered or are not asked
      const asksArmor =
        step === ASKS_DRM && (doc.drmEngineer !== undefined || !asksEngineers(r.tables, s, frameHex(s, r.frame)));
      r.set(
        F_COMMIT,
        (doc.drmEngineer === true ? COMMIT_ENGINEERS : 0) |
          (doc.drmArmor === true ? COMMIT_ARMOR : 0) |
          (asksArmor ? COMMIT_ASKS_ARMOR : 0) |
          (doc.gaveWay === true ? COMMIT_GAVE_WAY : 0) |
          (doc.cleared === true ? COMMIT_CLEARED : 0) |
          (doc.flak === true ? COMMIT_FLAK : 0) |
          (doc.dogs === true ? COMMIT_DOGS : 0),
      );
      if (step > 2 && !r.any(ATTACKER)) r.refuse("attackers", "somebody attacks");
    },
  };
}

/** What others don't know, and observations show, of an attack that is not announced. */
const picked = {
  picks: ATTACKER,
  hides(t: Tables, s: State): void {
    takeAll(t, s, ATTACKER);
    pop(t, s);
  },
};

/** Odds of those picked against the hex asked about. */
const oddsNow = (t: Tables, s: StateView, shift = 0): string =>
  attackOdds(t, s, unitsWith(t, s, ATTACKER), askedHex(t, s), shift);

export const markHexes: Decision = {
  rules: ["SOS 9.64", "SOS 9.14"],
  asks: (t, s) =>
    `${now(t, s)}: choose hexes to attack, or end. Only marked hexes can be attacked by infantry beside them, and they must be.`,
  waits: (_t, _s, by) => ({ text: `The ${by} side marks hexes for attack.`, rule: "SOS 9.64" }),
  marks: fillMarks,
  acts: {
    done: {
      means: (t, s) => ({
        text: "End marking",
        ends: "phase",
        warning: t.board.ids.every((_, h) => markOf(t, s, h) !== MARK_ATTACK)
          ? "No hex is marked: infantry won't attack the hexes beside it."
          : null,
      }),
      does: (t, s, _i, play) => closeStage(t, s, play),
    },
    hex: {
      means(t, s, hex, { viewer }) {
        const beside = unitsBeside(t, s, actorOf(t, s), hex).reduce((n, u) => n + t.roster.af[u]!, 0);
        const enemies = enemiesIn(t, s, hex, viewer);
        const text = `Mark ${hexText(t, hex)} for attack: ${enemies} there. Beside it ${columnText(t, beside)}`;
        return hexMeaning(t, hex, text);
      },
      does: markHex,
    },
  },
  closes: closeStage,
  frame: {},
};

export const attackTarget: Decision = {
  rules: ["SOS 9.62", "SOS 9.14", "SOS 9.63"],
  asks: (t, s) => `${now(t, s)}: choose a hex to attack.`,
  waits: attacks,
  marks: attackers.fillTargets,
  acts: {
    done: {
      means(t, s, _i, { hexes }) {
        const names = hexes.map((h) => hexId(t, h));
        const open = `${counted(hexes.length, "hex", "hexes")} can still be attacked: ${listed(names, "nobody")}.`;
        const phase = phaseName(s[t.layout.phase]!);
        const last = phase === "Soviet exploit attack";
        const over = last && s[t.layout.turn] === s[t.layout.lastTurn] ? ` The game ends: ${resultNow(t, s)}.` : "";
        return { text: `End ${phase}`, ends: last ? "turn" : "phase", warning: `${open}${over}` };
      },
      does: (t, s, _i, play) => closeStage(t, s, play),
    },
    hex: {
      means(t, s, hex, { viewer }) {
        const must = markOf(t, s, hex) === MARK_ATTACK ? " (marked, must be attacked)" : "";
        return hexMeaning(t, hex, `Attack ${hexText(t, hex)}: ${enemiesIn(t, s, hex, viewer)} there${must}`);
      },
      does: attackers.openAttack,
    },
  },
  closes: closeStage,
  frame: {},
};

/** Choose the attackers. The engine carries out the later steps, and the defender prepares. */
export const attackUnit: Decision = {
  ...picked,
  rules: ["SOS 9.63", "SOS 9.15", "SOS 9.64", "SOS 9.71"],
  asks(t, s, viewer) {
    const hex = askedHex(t, s);
    const so = anyHas(t, s, ATTACKER) ? `So far ${oddsNow(t, s)}.` : "Choose the attackers.";
    return `Attack on ${hexText(t, hex)}, held by ${enemiesIn(t, s, hex, viewer)}. ${so}`;
  },
  about: aboutPicks(ATTACKER),
  waits: (_t, _s, by, hex) => ({ text: `The ${by} side prepares the defence of ${hex}.`, rule: "SOS 9.02" }),
  marks: attackers.fillAttackers,
  acts: {
    done: {
      means: (t, s) => ({ text: `Attack with those named: ${oddsNow(t, s)}`, warning: neglected(t, s, []) }),
      does: attackers.closeAttackers,
    },
    all: {
      means(t, s, _i, { units }) {
        const hex = askedHex(t, s);
        const adjacent = units.filter((u) => t.board.distance(placeOf(t, s, u), hex) === 1);
        return {
          text: `Attack with everybody beside ${hexId(t, hex)}. ${attackSum(t, s, hex, adjacent)}`,
          warning: neglected(t, s, adjacent),
        };
      },
      does: attackers.pickAllAttackers,
    },
    number: { means: stukasText, does: attackers.pickStukas },
    unit: {
      means: (t, s, u) =>
        unitMeaning(t, s, u, `Attack with ${unitFrom(t, s, u)}. ${attackSum(t, s, askedHex(t, s), [u])}`),
      does: attackers.pickAttacker,
    },
  },
  closes(t, s) {
    if (!anyHas(t, s, ATTACKER) && s[topFrame(t, s) + F_STUKAS] === 0) pop(t, s);
    else attackers.closeAttackers(t, s);
  },
  work: {
    due: (t, s) => s[topFrame(t, s) + F_STEP]! >= 5,
    does: (t, s, play) => attack.continueAttack(t, s, play),
  },
  frame: attackFrame(2),
};

/** True when engineers, then armor, are committed. */
export const attackDrm: Decision = {
  ...picked,
  rules: ["SOS 9.71", "SOS 9.58", "SOS 9.82"],
  asks(t, s) {
    const who = asksArmor(t, s) ? "armor beside infantry" : "engineers";
    return `Attack on ${hexText(t, askedHex(t, s))}: ${oddsNow(t, s)}. Commit the ${who}, for -1 and the first loss?`;
  },
  about: aboutPicks(ATTACKER),
  waits: attacks,
  marks: bothOf(YES, NO),
  acts: {
    yes: {
      means: (t, s) => `Commit ${committed(t, s)}: die -1, and the first loss of defensive fire comes from them`,
      does: (t, s) => commit(t, s, true),
    },
    no: {
      means: (t, s) => `Hold ${committed(t, s)} back: no modifier, losses as you choose`,
      does: (t, s) => commit(t, s, false),
    },
  },
  frame: attackFrame(ASKS_DRM),
};

const asksArmor = (t: Tables, s: StateView): boolean => (s[topFrame(t, s) + F_COMMIT]! & COMMIT_ASKS_ARMOR) !== 0;
const committed = (t: Tables, s: StateView): string => (asksArmor(t, s) ? "the armor" : "the engineers");

/** True when it is a close assault. */
export const attackMode: Decision = {
  ...picked,
  rules: ["SOS 9.67"],
  asks: (t, s) =>
    `Attack on ${hexText(t, askedHex(t, s))}: ${oddsNow(t, s)}. Press it as a close assault, one column up for both sides?`,
  about: aboutPicks(ATTACKER),
  waits: attacks,
  marks: attack.fillMode,
  acts: {
    normal: {
      means: (t, s) => `Attack as it is: ${oddsNow(t, s)}`,
      does: (t, s: State, _i, play) => attack.announceAttack(t, s, false, play),
    },
    accelerate: {
      means: (t, s) => `Close assault: ${oddsNow(t, s, 1)}; the defender fires one column up too`,
      does: (t, s: State, _i, play) => attack.announceAttack(t, s, true, play),
    },
  },
  optional: true,
  frame: attackFrame(4),
};

/** Marked hexes that no unit could attack any more if the attackers picked and these went for another. */
function neglected(t: Tables, s: StateView, more: readonly number[]): string | null {
  const side = actorOf(t, s);
  const hex = askedHex(t, s);
  const gone = new Set([...unitsWith(t, s, ATTACKER), ...more]);
  const attackable = (h: number, without: ReadonlySet<number>): boolean =>
    unitsBeside(t, s, side, h).some((u) => t.roster.infantryType[u] === 1 && !without.has(u));
  const left = t.board.ids.flatMap((id, h) =>
    h !== hex &&
    markOf(t, s, h) === MARK_ATTACK &&
    (s[t.layout.hexState + h]! & ATTACKED) === 0 &&
    attackable(h, new Set()) &&
    !attackable(h, gone)
      ? [id]
      : [],
  );
  return left.length === 0
    ? null
    : `Nobody is left to attack the marked ${left.length === 1 ? "hex" : "hexes"} ${listed(left, "nobody")}.`;
}
