import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { shown } from "../../env/index.js";

/**
 * Answers calls of tools that don't have the form of a call, before the SDK does so in zod's words. Arguments that are
 * null are none.
 *
 * @param transport connected, so that the server listens to it
 */
export function guardCalls(transport: Transport): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if (!("method" in message) || !("id" in message) || message.method !== "tools/call")
      return onmessage?.(message, extra);
    const params = message.params ?? {};
    const wrong = whatIsWrong(params);
    if (wrong === null) {
      const { arguments: given, ...rest } = params;
      return onmessage?.({ ...message, params: given === null ? rest : params }, extra);
    }
    const { id } = message;
    const refusal: JSONRPCMessage = { jsonrpc: "2.0", id, error: { code: ErrorCode.InvalidParams, message: wrong } };
    void transport.send(refusal, { relatedRequestId: id });
  };
}

function whatIsWrong({ name, arguments: given }: Readonly<Record<string, unknown>>): string | null {
  if (typeof name !== "string") return `tools/call: name is a text, not ${shown(name)}`;
  if (typeof given !== "object" && given !== undefined)
    return `tools/call: arguments is an object, not ${shown(given)}`;
  return Array.isArray(given) ? "tools/call: arguments is an object, not a list" : null;
}
