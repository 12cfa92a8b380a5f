import {
  type Answer,
  type Api,
  count,
  type Fault,
  faultOf,
  functionOf,
  said,
  type Silence,
  withoutThoughts,
} from "./api.js";

interface Call {
  readonly index?: number;
  readonly function?: { readonly arguments?: unknown };
}

interface Said {
  readonly content?: unknown;
  readonly refusal?: unknown;
  /** Thoughts, as servers of open models call them. */
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: readonly Call[];
}

interface Completion {
  readonly error?: unknown;
  readonly choices?: readonly { readonly message?: Said; readonly delta?: Said; readonly finish_reason?: unknown }[];
  readonly usage?: {
    readonly prompt_tokens?: unknown;
    readonly completion_tokens?: unknown;
    readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
    readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
  } | null;
}

/** Chat completions, which most servers speak. */
export const CHAT: Api = {
  path: "/chat/completions",
  spare: ["max_tokens", "temperature", "stream_options"],

  request({ messages, settings, tokens, offer, refused }) {
    const { model, temperature, effort, stream, body } = settings;
    return {
      model,
      messages,
      ...(temperature === null || refused("temperature") ? {} : { temperature }),
      ...(refused("max_tokens") ? { max_completion_tokens: tokens } : { max_tokens: tokens }),
      ...(effort === null ? {} : { reasoning_effort: effort }),
      ...(stream ? { stream } : {}),
      ...(stream && !refused("stream_options") ? { stream_options: { include_usage: true } } : {}),
      ...(offer === null ? {} : { tools: [{ type: "function", function: functionOf(offer) }] }),
      ...body,
    };
  },

  read(body): Answer | Fault | null {
    const { choices, usage, error } = (body ?? {}) as Completion;
    const choice = Array.isArray(choices) ? (choices as Completion["choices"])![0] : undefined;
    const message = choice?.message;
    if (typeof message !== "object" || message === null)
      return error === undefined || error === null ? null : faultOf(error);
    const finish = typeof choice?.finish_reason === "string" ? choice.finish_reason : null;
    const { text: words, thoughts } = withoutThoughts(wordsOf(message.content));
    const calls: readonly Call[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    const text = said(words, calls[0]?.function?.arguments);
    return {
      text,
      silence: text === "" ? silenceOf(message, finish) : null,
      finish,
      thoughts: [message.reasoning_content ?? message.reasoning, thoughts]
        .filter((t) => typeof t === "string" && t !== "")
        .join("\n"),
      asked: count(usage?.prompt_tokens),
      answered: count(usage?.completion_tokens),
      thought: count(usage?.completion_tokens_details?.reasoning_tokens),
      cached: count(usage?.prompt_tokens_details?.cached_tokens),
    };
  },

  joined(events, done): Completion | null {
    const [words, refusal, thoughts] = [[], [], []] as [string[], string[], string[]];
    const calls = new Map<number, string>();
    let finish: unknown = null;
    let usage: Completion["usage"];
    for (const event of events as readonly Completion[]) {
      if (event.error !== undefined && event.error !== null) return { error: event.error };
      usage = event.usage ?? usage;
      const choice = event.choices?.[0];
      finish = choice?.finish_reason ?? finish;
      const piece = choice?.delta;
      if (piece === undefined) continue;
      add(words, piece.content);
      add(refusal, piece.refusal);
      add(thoughts, piece.reasoning_content ?? piece.reasoning);
      for (const { index = 0, function: f } of piece.tool_calls ?? [])
        if (typeof f?.arguments === "string") calls.set(index, (calls.get(index) ?? "") + f.arguments);
    }
    if (finish === null && !done) return null;
    const message: Said = {
      content: words.join(""),
      refusal: refusal.join(""),
      reasoning_content: thoughts.join(""),
      tool_calls: [...calls.values()].map((given) => ({ function: { arguments: given } })),
    };
    return { choices: [{ message, finish_reason: finish }], ...(usage === undefined ? {} : { usage }) };
  },
};

function add(list: string[], piece: unknown): void {
  if (typeof piece === "string") list.push(piece);
}

/** A content's text, or the texts of its parts. */
function wordsOf(content: unknown): string {
  const parts = Array.isArray(content)
    ? (content as readonly ({ readonly text?: unknown } | null)[])
    : [{ text: content }];
  return parts.flatMap((part) => (typeof part?.text === "string" ? [part.text] : [])).join("\n");
}

function silenceOf({ refusal }: Said, finish: string | null): Silence {
  if (typeof refusal === "string" && refusal !== "") return "refused";
  if (finish === "content_filter") return "filtered";
  return finish === "length" ? "cut off" : "empty";
}
