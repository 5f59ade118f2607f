/** Receives webhooks on 127.0.0.1 and checks their signatures; reads past events from the API. */
import { Webhook as Verifier } from "standardwebhooks";
import { serveHere } from "../local_server.ts";
import { pagesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";

export interface Receipt {
  readonly id: string;
  readonly path: string;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: unknown };
}

type Answer = number | "silence" | ((receipt: Receipt) => number);

export type Receiver = ReturnType<typeof startReceiver>;

/** `secretOf` returns the secret for a path; if the secret is null, signatures are not checked. */
export function startReceiver(secretOf: (path: string) => string | null = () => null) {
  /** Requests with a valid signature, also those that were answered with an error. */
  const receipts: Receipt[] = [];
  const forged: string[] = [];
  let how: Answer = 204;
  let notify = () => {};
  const server = serveHere(
    async (request) => {
      const path = new URL(request.url).pathname;
      const text = await request.text();
      const headers = Object.fromEntries(request.headers);
      const secret = secretOf(path);
      const receipt = { id: headers["webhook-id"]!, path, body: JSON.parse(text) };
      try {
        if (secret !== null) new Verifier(secret).verify(text, headers);
        receipts.push(receipt);
      } catch {
        forged.push(path);
      }
      notify();
      if (how === "silence") await new Promise<void>((resolve) => waiting.push(resolve));
      const status = how === "silence" ? 204 : typeof how === "number" ? how : how(receipt);
      const elsewhere = status === 302 && { headers: { Location: "http://127.0.0.1:1/elsewhere" } };
      return new Response(null, { status, ...elsewhere });
    },
  );
  const waiting: (() => void)[] = [];
  return {
    url: server.url,
    port: server.port,
    receipts,
    forged,
    /** Sets the answer: a status, a function of the request, or no answer. */
    answer(next: Answer) {
      how = next;
      for (const go of waiting.splice(0)) go();
    },
    async received(count: number) {
      while (receipts.length < count) {
        await new Promise<void>((resolve) => notify = resolve);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const go of waiting.splice(0)) go();
      await server[Symbol.asyncDispose]();
    },
  };
}

export interface PastEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function readEvents(key: Caller, since = "", limit = 500) {
  const path = `/api/public/v1/events?since=${encodeURIComponent(since)}&limit=${limit}`;
  const pages = await Array.fromAsync(pagesOf(key, path));
  const events: PastEvent[] = pages.flatMap(({ data }) => data);
  const { nextSince, isComplete } = pages.at(-1);
  return { events, nextSince: String(nextSince), isComplete };
}
