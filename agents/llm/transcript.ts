import { createHash } from "node:crypto";
import { accessSync, appendFileSync, constants, existsSync, readFileSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { KesselError } from "../../env/index.js";
import type { Answer, Message, Silence } from "./endpoint.js";

/** One request with its answer, a line of a transcript (JSON Lines). */
export interface TranscriptLine {
  readonly model: string;
  readonly game: string;
  readonly seat: string;
  /** Hash of model, messages, and the settings that change what is sent. */
  readonly id: string;
  /** The settings that change what is sent, where they are not the default: `api=responses, tokens=100`. */
  readonly settings?: string;
  readonly messages: readonly Message[];
  readonly answer: string;
  /** Why the answer says nothing; null, or absent in older transcripts, when it says something. */
  readonly silence?: Silence | null;
  /** Why the answer ended, in the server's word. */
  readonly finish?: string | null;
  /** What the model thought, as far as its server shows it. */
  readonly thoughts?: string;
  /** Tokens of thoughts, of `answered`. */
  readonly thought?: number;
  /** Tokens that the server had in a cache, of `asked`. */
  readonly cached?: number;
  /** Milliseconds to the answer, with all that was asked again. */
  readonly ms?: number;
  readonly asked: number;
  readonly answered: number;
  /** The action that the answer named; null when it named none. */
  readonly action: string | null;
}

const OPEN = new Map<string, Transcript>();

/**
 * A file of requests and answers. Requests that it contains from an earlier run are answered from it, each answer once.
 */
export class Transcript {
  private readonly recorded = new Map<string, Answer[]>();
  private begun = false;

  /** @param file null keeps nothing @throws KesselError `bad-agent` for a file that is no transcript */
  constructor(private readonly file: string | null) {
    if (file === null) return;
    checkWritable(file);
    if (!existsSync(file)) return;
    for (const { id, answer: text, asked, answered, ...more } of readTranscript(file)) {
      const list = this.recorded.get(id) ?? [];
      const { silence = null, finish = null, thoughts = "", thought = 0, cached = 0 } = more;
      if (list.push({ text, silence, finish, thoughts, asked, answered, thought, cached }) === 1)
        this.recorded.set(id, list);
    }
  }

  /**
   * The one of a file, which all agents of this process share: no answer of this run is taken for one of an earlier.
   */
  static of(file: string | null): Transcript {
    const known = OPEN.get(file ?? "");
    if (known !== undefined) return known;
    const transcript = new Transcript(file);
    OPEN.set(file ?? "", transcript);
    return transcript;
  }

  /** An answer of an earlier run to the same messages. */
  take(id: string): Answer | undefined {
    return this.recorded.get(id)?.shift();
  }

  add(line: TranscriptLine): void {
    if (this.file === null) return;
    try {
      if (!this.begun) endLastLine(this.file);
      this.begun = true;
      appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    } catch (e) {
      throw new KesselError("bad-agent", `transcript ${this.file} can't be written: ${(e as Error).message}`);
    }
  }
}

/** @throws KesselError `bad-agent` before anything is asked, where an answer could not be kept */
function checkWritable(file: string): void {
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch (e) {
    const { code } = e as NodeJS.ErrnoException;
    throw new KesselError("bad-agent", `transcript ${file} can't be written: ${code ?? (e as Error).message}`);
  }
}

/** @param sent `settingsText` of the settings that change what is sent, without the temperature */
export const idOf = (model: string, temperature: number | null, messages: readonly Message[], sent: string): string =>
  createHash("sha256")
    .update(JSON.stringify([model, temperature, messages, ...(sent === "default" ? [] : [sent])]))
    .digest("hex");

/** Ends the last line of a run that was stopped while it wrote; the next line would otherwise join it, unreadable. */
function endLastLine(file: string): void {
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  const start = bytes.lastIndexOf("\n") + 1;
  if (start === bytes.length) return;
  if (isJson(bytes.toString("utf8", start))) appendFileSync(file, "\n");
  else truncateSync(file, start);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Every line of a transcript; one that was cut off while it was written, at the end, is left out. */
export function readTranscript(file: string): TranscriptLine[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (e) {
    throw new KesselError("bad-agent", `transcript ${file} can't be read: ${(e as Error).message}`);
  }
  const lines = text.split("\n");
  return lines.flatMap((line, i) => {
    try {
      const value = JSON.parse(line) as TranscriptLine;
      if (typeof value.id === "string" && typeof value.answer === "string") return [value];
    } catch {
      if (line === "" || i === lines.length - 1) return [];
    }
    throw new KesselError("bad-agent", `${file} is no transcript: line ${i + 1} holds no request`);
  });
}
