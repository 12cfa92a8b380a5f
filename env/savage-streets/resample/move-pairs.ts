import { type AreaId, AREAS, PUBLIC_LOG_WORDS } from "../state.js";

const NONE = -1;
const NO_MOVE = 0x7fff;

/** What a complete network shows of its counters and reveals. */
interface Reveals {
  readonly departures: number;
  readonly counters: number;
  readonly named: Int8Array;
  readonly upMoveBefore: Int16Array;
  readonly revealBefore: Int16Array;
  readonly revealDeparture: Int16Array;
}

/**
 * Solo: moves out of the same stack in the same movement, one after the other (ruling R36). A move is its departure, or
 * -1 - number of a face-up unit's move.
 */
export class MovePairs {
  count = 0;
  readonly before = new Int16Array(PUBLIC_LOG_WORDS);
  readonly behind = new Int16Array(PUBLIC_LOG_WORDS);
  /** Of moves of face-up units what `StackOrder.arrivalOfUnit` reads, as it was then. */
  private upMoves = 0;
  readonly upMoved = new Int32Array(PUBLIC_LOG_WORDS);
  readonly upShown = new Int16Array(PUBLIC_LOG_WORDS);
  /** Departures that pairs depend on. */
  readonly inOrder: Uint8Array;
  /** The last move out of each stack in this movement, none behind the last one of all: `NO_MOVE`. */
  private readonly lastMove = new Int16Array(2 * AREAS);

  /** @param departures most there can be */
  constructor(departures: number) {
    this.inOrder = new Uint8Array(departures);
  }

  clear(): void {
    this.count = this.upMoves = 0;
    this.turnOver();
  }

  /** A movement phase begins or ends. */
  turnOver(): void {
    this.lastMove.fill(NO_MOVE);
  }

  /**
   * A face-up unit moves out of the stack of area `a`.
   *
   * @param moved when it last did, as a key, or -1; `shown` its reveal
   */
  addUp(a: AreaId, moved: number, shown: number): void {
    this.upMoved[this.upMoves] = moved;
    this.upShown[this.upMoves] = shown;
    this.add(a, NONE - this.upMoves++);
  }

  /** A departure was a move out of such a stack. */
  addDown(a: AreaId, chit: boolean, departure: number): void {
    this.add(chit ? AREAS + a : a, departure);
  }

  private add(stack: number, move: number): void {
    const before = this.lastMove[stack]!;
    this.lastMove[stack] = move;
    if (before === NO_MOVE) return;
    this.before[this.count] = before;
    this.behind[this.count++] = move;
  }

  /** The network is complete. Where units kept their places when they turned over, pairs depend on who they were. */
  end(net: Reveals): void {
    if (this.count === 0) return;
    const { inOrder } = this;
    inOrder.fill(0, 0, net.departures);
    for (let i = 0; i < this.count; i++)
      for (const move of [this.before[i]!, this.behind[i]!]) if (move >= 0) inOrder[move] = 1;
    const shown = (reveal: number): void => {
      if (reveal > 0) inOrder[net.revealDeparture[reveal]!] = 1;
    };
    for (let up = 0; up < this.upMoves; up++) if (this.upMoved[up]! < 0) shown(this.upShown[up]!);
    for (let k = 0; k < net.counters; k++)
      if (net.named[k]! >= 0 && net.upMoveBefore[k]! < 0) shown(net.revealBefore[k]!);
  }
}
