/** Requests of a load test, recorded with kind, duration and whether their status was expected. */

/** A finished request; `status` is 0 if the connection broke before the answer was complete. */
export interface NotedCall {
  readonly kind: string;
  readonly status: number;
  readonly isExpected: boolean;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly text: string;
}

export interface Asked {
  readonly kind: string;
  readonly method?: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** Text is sent as XML, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Expected statuses; 200 to 202 by default. */
  readonly expects?: readonly number[];
}

interface Answered<T> {
  readonly status: number;
  /** Null unless the status was expected. */
  readonly body: T | null;
}

export type Ask = <T>(asked: Asked) => Promise<Answered<T>>;

export interface Calls {
  as(credential: Record<string, string>): Ask;
  hangUp(): void;
  readonly noted: readonly NotedCall[];
}

const DEFAULT_EXPECTED = [200, 201, 202];
const TEXT_KEPT = 300;

export function createCalls(base: string): Calls {
  let client = Deno.createHttpClient({});
  const noted: NotedCall[] = [];

  async function call<T>(credential: Record<string, string>, asked: Asked): Promise<Answered<T>> {
    const beganAtMs = performance.now();
    const { status, text } = await exchange(credential, asked);
    const isExpected = (asked.expects ?? DEFAULT_EXPECTED).includes(status);
    noted.push({
      kind: asked.kind,
      status,
      isExpected,
      beganAtMs,
      endedAtMs: performance.now(),
      text: isExpected ? "" : text.slice(0, TEXT_KEPT),
    });
    return { status, body: isExpected && text !== "" ? JSON.parse(text) : null };
  }

  async function exchange(credential: Record<string, string>, asked: Asked) {
    const { method = "GET", path, body, headers } = asked;
    const isText = typeof body === "string";
    const type = isText ? "application/xml" : "application/json";
    try {
      const answer = await fetch(base + path, {
        method,
        client,
        headers: {
          ...credential,
          ...(body === undefined ? {} : { "Content-Type": type }),
          ...headers,
        },
        body: isText || body === undefined ? body : JSON.stringify(body),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      // A broken connection is no error here. `judge` decides whether it was allowed.
      return { status: 0, text: String(error) };
    }
  }

  return {
    as: (credential) => <T>(asked: Asked) => call<T>(credential, asked),
    hangUp() {
      client.close();
      client = Deno.createHttpClient({});
    },
    noted,
  };
}
