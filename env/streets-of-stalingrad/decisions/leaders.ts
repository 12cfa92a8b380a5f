import { hexId, hexText, knownIds, namesFor, unitId, unitsIn } from "../events/words.js";
import { F_FLAG, F_LEADER } from "../layout.js";
import { maker, ruleOfWay } from "../narration/guns.js";
import { hexMeaning } from "../narration/words.js";
import { closeLeader, fillLeaderHexes, goToCommand } from "../rules/units/leaders.js";
import { actorOf, askedHex, askedUnit, placeOf, topFrame } from "../state.js";
import type { Decision } from "./decision.js";
import { readUnit, yes } from "./frame.js";

/** Where a counter goes that makes way, or an OP that comes back. */
export const leaderMove: Decision = {
  rules: ["SOS 18.31"],
  cites: (t, s) => (placeOf(t, s, askedUnit(t, s)) < 0 ? ["SOS 14.98", "SOS 14.99"] : [ruleOfWay(t, s)]),
  asks(t, s) {
    const unit = askedUnit(t, s);
    if (placeOf(t, s, unit) < 0)
      return `The OP ${unitId(t, unit)} comes back: choose a hex with a gun of its command or the army's leader.`;
    const leaves = `${unitId(t, unit)} has to leave ${hexText(t, askedHex(t, s))}: choose`;
    if (t.roster.leader[unit] === 0) return `The ${maker(t, unit)} ${leaves} friends to go to, of the nearest.`;
    const nearest = s[topFrame(t, s) + F_LEADER] === 1 ? "" : ", of the nearest";
    return `The leader ${leaves} a unit of his command to go to${nearest}.`;
  },
  about(t, s, viewer) {
    const hex = askedHex(t, s);
    return { units: knownIds(t, s, [askedUnit(t, s)], viewer), places: hex < 0 ? [] : [hexId(t, hex)] };
  },
  waits: (t, s, by, hex) =>
    hex === ""
      ? { text: `The ${by} side brings an OP back.`, rule: "SOS 14.98" }
      : { text: `The ${by} side moves a ${maker(t, askedUnit(t, s))} out of ${hex}.`, rule: ruleOfWay(t, s) },
  marks: fillLeaderHexes,
  acts: {
    hex: {
      means: (t, s, hex, { viewer }) =>
        hexMeaning(
          t,
          hex,
          `Go to ${hexText(t, hex)}: ${namesFor(t, s, unitsIn(t, s, actorOf(t, s), hex), viewer)} there`,
        ),
      does: goToCommand,
    },
  },
  closes: (t, s, play) => closeLeader(t, s, play),
  frame: {
    // leaders who lost their command move before anything else of the next phase (SOS 18.1, ruling R58)
    on: [
      "attack.target",
      "arrive.box",
      "rf.place",
      "infil.unit",
      "bt.select",
      "move.select",
      "admin.end",
      "bomb.target",
      "walk",
      "op.fire",
      "attack.unit",
      "dog.use",
      "df.target",
      "after.unit",
      "after.hex",
      "advance.unit",
      "ica.unit",
      "leader.move", // a leader and a mine dog make way from one hex
    ],
    hex: "optional",
    write: (_t, s, frame) => ({ anywhere: yes(s[frame + F_LEADER] === 1), due: yes(s[frame + F_FLAG] === 1) }),
    read(r) {
      readUnit(r);
      r.set(F_LEADER, r.doc.anywhere === true ? 1 : 0);
      r.set(F_FLAG, r.doc.due === true ? 1 : 0);
    },
  },
};
