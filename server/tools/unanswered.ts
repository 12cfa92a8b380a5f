import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/**
 * Requests of a client that have no answer yet. A server that ends when its input does must wait for them: nobody else
 * plays on.
 */
export class Unanswered {
  private readonly ids = new Set<string | number>();
  private waiting: (() => void)[] = [];

  /** @param transport connected, so that the server listens to it */
  constructor(transport: Transport) {
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if ("method" in message && "id" in message) this.ids.add(message.id);
      else if ("method" in message && message.method === "notifications/cancelled")
        this.drop(message.params?.["requestId"]);
      onmessage?.(message, extra);
    };
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      await send(message, options);
      if (!("method" in message)) this.drop(message.id);
    };
  }

  /** Waits until everything has its answer, or was cancelled by the client. */
  settled(): Promise<void> {
    return this.ids.size === 0 ? Promise.resolve() : new Promise((done) => this.waiting.push(done));
  }

  private drop(id: unknown): void {
    this.ids.delete(id as string | number);
    if (this.ids.size === 0) for (const done of this.waiting.splice(0)) done();
  }
}
