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

interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
}

/** A message, thoughts, or the call of a function; others are passed over. */
interface Item {
  readonly type?: unknown;
  readonly content?: unknown;
  readonly summary?: unknown;
  readonly arguments?: unknown;
}

interface Response {
  readonly status?: unknown;
  readonly error?: unknown;
  readonly incomplete_details?: { readonly reason?: unknown } | null;
  readonly output?: unknown;
  readonly usage?: {
    readonly input_tokens?: unknown;
    readonly output_tokens?: unknown;
    readonly input_tokens_details?: { readonly cached_tokens?: unknown } | null;
    readonly output_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
  } | null;
}

interface Event {
  readonly type?: unknown;
  readonly response?: Response;
  readonly item?: Item;
  readonly delta?: unknown;
  readonly error?: unknown;
}

/** The Responses API. Nothing of it is stored at the server, unless `body` asks for it. */
export const RESPONSES: Api = {
  path: "/responses",
  spare: ["temperature", "store"],

  request({ messages, settings, tokens, offer, refused }) {
    const { model, temperature, effort, stream, body } = settings;
    const [system] = messages;
    const rules = system?.role === "system" ? { instructions: system.content } : {};
    const reasoning = { ...(body["reasoning"] as object | undefined), ...(effort === null ? {} : { effort }) };
    return {
      model,
      ...rules,
      input: messages.slice(system?.role === "system" ? 1 : 0),
      ...(temperature === null || refused("temperature") ? {} : { temperature }),
      max_output_tokens: tokens,
      ...(refused("store") ? {} : { store: false }),
      ...(stream ? { stream } : {}),
      ...(offer === null ? {} : { tools: [{ type: "function", ...functionOf(offer), strict: false }] }),
      ...body,
      ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    };
  },

  read(body): Answer | Fault | null {
    const { status, error, output, usage, incomplete_details: cut } = (body ?? {}) as Response;
    if (error !== undefined && error !== null) return faultOf(error);
    if (!Array.isArray(output)) return null;
    if (status !== undefined && status !== "completed" && status !== "incomplete")
      return { fault: `a response whose status is ${JSON.stringify(status)}` };
    const items = (output as readonly (Item | null)[]).filter((item) => item !== null);
    const parts = items.filter(({ type }) => type === "message").flatMap(({ content }) => partsOf(content));
    const { text: words, thoughts } = withoutThoughts(textsOf(parts));
    const reasoning = items.filter(({ type }) => type === "reasoning");
    const text = said(words, items.find(({ type }) => type === "function_call")?.arguments);
    const reason = typeof cut?.reason === "string" ? cut.reason : null;
    const finish = reason ?? (typeof status === "string" ? status : null);
    return {
      text,
      silence: text === "" ? silenceOf(parts, reason ?? (status === "incomplete" ? "max_output_tokens" : null)) : null,
      finish,
      thoughts: [...reasoning.flatMap((r) => [r.summary, r.content].map((x) => textsOf(partsOf(x)))), thoughts]
        .filter((t) => t !== "")
        .join("\n"),
      asked: count(usage?.input_tokens),
      answered: count(usage?.output_tokens),
      thought: count(usage?.output_tokens_details?.reasoning_tokens),
      cached: count(usage?.input_tokens_details?.cached_tokens),
    };
  },

  joined(events): Response | null {
    const items: Item[] = [];
    const pieces = new Map<string, string>();
    for (const event of events as readonly Event[]) {
      const type = String(event.type);
      if (type === "error") return { error: event.error ?? event };
      if (type === "response.output_item.done" && event.item !== undefined) items.push(event.item);
      if (type.endsWith(".delta") && typeof event.delta === "string")
        pieces.set(type, (pieces.get(type) ?? "") + event.delta);
      if (!ENDS.includes(type) || event.response === undefined) continue;
      const { response } = event;
      // some servers end a stream with a response that repeats nothing of it
      if (Array.isArray(response.output) && response.output.length > 0) return response;
      return {
        status: type.slice("response.".length),
        ...response,
        output: items.length > 0 ? items : itemsOf(pieces),
      };
    }
    return null;
  },
};

/** Events that end a stream. */
const ENDS: readonly string[] = ["response.completed", "response.incomplete", "response.failed"];

/** What the pieces of a stream come to, where no event has a whole item. */
function itemsOf(pieces: ReadonlyMap<string, string>): Item[] {
  const of = (kind: string): string => pieces.get(`response.${kind}.delta`) ?? "";
  const [text, refusal, given] = [of("output_text"), of("refusal"), of("function_call_arguments")];
  const thoughts = of("reasoning_summary_text") + of("reasoning_text");
  return [
    ...(thoughts === "" ? [] : [{ type: "reasoning", summary: [{ text: thoughts }] }]),
    {
      type: "message",
      content: [...(text === "" ? [] : [{ type: "output_text", text }]), ...(refusal === "" ? [] : [{ refusal }])],
    },
    ...(given === "" ? [] : [{ type: "function_call", arguments: given }]),
  ];
}

function partsOf(content: unknown): Part[] {
  if (typeof content === "string") return [{ text: content }];
  return Array.isArray(content) ? (content as (Part | null)[]).filter((part) => part !== null) : [];
}

const textsOf = (parts: readonly Part[]): string =>
  parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");

function silenceOf(parts: readonly Part[], reason: string | null): Silence {
  if (parts.some(({ refusal }) => typeof refusal === "string" && refusal !== "")) return "refused";
  if (reason === "content_filter") return "filtered";
  return reason === "max_output_tokens" ? "cut off" : "empty";
}
