/** What a game can fail to keep. Each code has a game in test/faulty that earns it. */
export const CODES = {
  // static
  "action-names": "an action string that is blank, doubled or not found again",
  spec: "feature names, ranges, rows or statics that do not fit together",
  "rules-index": "data/rules.json names no such option, or gives no reason",
  orders: "data/orders.json names a kind of decision or an action that is not there",
  guide: "a guide that is missing, cites no built rule, or leaves out the rule of a decision",
  // play
  actor: "a player that does not exist",
  "mask-empty": "a player decides and nothing is legal",
  "mask-cells": "a cell that is neither 0 nor 1, is left unwritten or is outside, or a wrong count",
  "mask-refused": "an action in the mask cannot be carried out",
  "mask-idle": "an action in the mask changes nothing",
  "mask-enforced": "an action outside the mask was taken",
  endless: "longer than maxDecisions",
  broken: "`broken` complains in play",
  "returns-early": "a return other than 0 before the end",
  "returns-range": "a return outside -1..1",
  "returns-sum": "returns of two players that do not sum to 0",
  "question-writes": "a question changed the state",
  "question-varies": "a question asked twice was answered in two ways",
  deterministic: "same seed and actions, other states",
  replay: "a replay ends elsewhere",
  copies: "stepping one state changed another",
  // documents
  "round-trip": "read(write(s)) is another situation, or goes on differently",
  "not-json": "a document holds what JSON does not",
  "read-lax": "a document that breaks its schema was read",
  "read-crash": "reading failed without a KesselError",
  // observation
  "observation-unwritten": "a cell was left as it was",
  "observation-stale": "a row with notes keeps what stood in it before",
  "observation-range": "a value outside its feature's range",
  // hidden information
  "resample-broken": "`broken` complains of a sample",
  "resample-stream": "the random stream of a sample is not fresh",
  "resample-truth": "a sample depends on what the player can't know",
  "resample-same": "no sample is ever anything but the truth",
  "resample-fallback": "too many samples ignore some of the history",
  "resample-reproducible": "one seed, two samples",
  "resample-stuck": "a sample that can't be played to the end",
  "leak-observation": "an observation tells apart what its viewer can't",
  "leak-mask": "a mask does",
  "leak-view": "a view does",
  "leak-render": "a drawn board does",
  "leak-redact": "a state as one player knows it does, or keeps the random stream",
  "leak-scene": "a scene does",
  "leak-reward": "a return does",
  "leak-actor": "whose turn it is does",
  "leak-potential": "a shaping potential does",
  "leak-error": "an error text does",
  "leak-seen": "the record of an action does",
  "leak-event": "the report of an action does",
  "leak-prompt": "a prompt does",
  "leak-standing": "a standing does",
  "leak-spectator": "the spectator sees what a player may not",
  "view-poor": "two situations with one view and different masks or observations",
  // narration
  event: "an event of no known kind or rule, without a sentence, or with impossible dice",
  "event-changes-state": "a narrator changes what happens",
  "event-silent": "a viewer sees something change without an event",
  "event-dice": "a die that no event explains, or one that never fell",
  prompt: "a prompt without a sentence, with an unknown rule, or with two choices that read the same",
  "prompt-choices": "choices that are not the legal actions",
  "prompt-order": "a choice that ends a phase before one that does not",
  standing: "a standing that cites no rule, does not count, or contradicts the result",
  // scenes
  scene: "a scene breaks its schema, names what isn't there or changes its board",
  // chance
  "chance-sum": "probabilities do not sum to 1",
  "chance-sampling": "enumerated and sampled outcomes disagree",
  "chance-explicit": "chance nodes and dice disagree",
  // batch
  batch: "a batch and an Env disagree",
  // anything else
  crashed: "a question threw",
} as const;
export type Code = keyof typeof CODES;

export interface Complaint {
  readonly code: Code;
  /** One sentence; how often, when more than once. */
  readonly says: string;
}

/** Gathers complaints: the first sentence of each code, and how many followed. */
export class Complaints {
  private readonly first = new Map<Code, { says: string; times: number }>();

  add(code: Code, says: string): void {
    const known = this.first.get(code);
    if (known) known.times++;
    else this.first.set(code, { says, times: 1 });
  }

  /** Complains when `kept` is false. */
  expect(kept: boolean, code: Code, says: () => string): void {
    if (!kept) this.add(code, says());
  }

  /** Runs one part of the suite; what it throws is a complaint too, and the other parts go on. */
  guard(part: string, run: () => void): void {
    try {
      run();
    } catch (e) {
      this.add(
        "crashed",
        `${part}: ${e instanceof Error ? (e.stack ?? e.message).split("\n").slice(0, 3).join(" ") : String(e)}`,
      );
    }
  }

  list(): Complaint[] {
    return [...this.first].map(([code, { says, times }]) => ({
      code,
      says: times === 1 ? says : `${says} (${times} times)`,
    }));
  }
}
