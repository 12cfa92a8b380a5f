import { signal } from "@preact/signals";
import type { MapAnswer, MapQuestion } from "../../../env/index.js";
import type { Reply, Request } from "../frame.js";

/** A question of two places that is being asked on the map. */
interface Asking {
  readonly question: MapQuestion;
  readonly from: string | null;
  readonly to: string | null;
  /** Null until it has come. */
  readonly answer: MapAnswer | null;
}

/** Asks what one place is to another, as whether it is seen from there. */
export class MapQuestions {
  readonly asking = signal<Asking | null>(null);

  constructor(
    private readonly send: (request: Request) => void,
    /** To screen readers. */
    private readonly say: (text: string) => void,
  ) {}

  /** Begins to ask, or leaves off. */
  ask(question: MapQuestion | null): void {
    this.asking.value = question === null ? null : { question, from: null, to: null, answer: null };
    if (question !== null) this.say(`${question.name}: choose the place to look from.`);
  }

  /** The place to ask from, then the one to ask about. */
  take(place: string): void {
    const { value } = this.asking;
    if (value === null) return;
    if (value.from === null) {
      this.asking.value = { ...value, from: place };
      this.say(`From ${place}: choose the place to look at.`);
    } else this.askAbout(place);
  }

  /** Asks about a place, also while it is only pointed at. */
  askAbout(place: string | null): void {
    const { value } = this.asking;
    if (value === null || value.from === null || place === null || place === value.from || place === value.to) return;
    this.asking.value = { ...value, to: place, answer: null };
    this.send({ op: "ask", kind: value.question.kind, from: value.from, to: place });
  }

  hear(reply: Extract<Reply, { op: "answer" }>): void {
    const { value } = this.asking;
    if (value?.question.kind !== reply.kind || value.from !== reply.from || value.to !== reply.to) return;
    this.asking.value = { ...value, answer: reply.answer };
    this.say([reply.answer.text, ...reply.answer.says.map((l) => l.text)].join(" "));
  }
}
