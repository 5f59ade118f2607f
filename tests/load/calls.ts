/**
 * Sends and records the requests of a load test, with kind, duration and whether the status was
 * expected.
 */
import { pause } from "../patience.ts";

export const EXTERNAL = "/api/public/v1";

/** A finished request. `status` is 0 if the connection broke before the end of the answer. */
export interface NotedCall {
  readonly kind: string;
  readonly status: number;
  readonly isExpected: boolean;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly text: string;
}

export interface Asked {
  /** The row of the summary that counts the request; by default its path. */
  readonly kind?: string;
  readonly method?: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** Text is sent as XML, other bodies as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly expects?: readonly number[];
}

interface Answered<T> {
  readonly status: number;
  /** Null unless the status was expected. */
  readonly body: T | null;
}

export type Ask = <T>(asked: Asked) => Promise<Answered<T>>;

export type Calls = ReturnType<typeof createCalls>;

const DEFAULT_EXPECTED = [200, 201, 202];
const TEXT_KEPT = 300;

export function createCalls(base: string) {
  let client = Deno.createHttpClient({});
  const noted: NotedCall[] = [];

  async function call<T>(credential: Record<string, string>, asked: Asked): Promise<Answered<T>> {
    const beganAtMs = performance.now();
    const { status, text } = await exchange(credential, asked);
    const isExpected = (asked.expects ?? DEFAULT_EXPECTED).includes(status);
    noted.push({
      kind: asked.kind ?? asked.path,
      status,
      isExpected,
      beganAtMs,
      endedAtMs: performance.now(),
      text: isExpected ? "" : text.slice(0, TEXT_KEPT),
    });
    return { status, body: isExpected && text !== "" ? JSON.parse(text) : null };
  }

  async function exchange(credential: Record<string, string>, asked: Asked) {
    const { path, body, headers, method = body === undefined ? "GET" : "POST" } = asked;
    const isText = typeof body === "string";
    const type = isText ? "application/xml" : "application/json";
    try {
      const answer = await fetch(base + path, {
        method,
        client,
        headers: { ...credential, ...(body !== undefined && { "Content-Type": type }), ...headers },
        body: isText || body === undefined ? body : JSON.stringify(body),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      // A broken connection is no error here. `judge` decides whether it was allowed.
      return { status: 0, text: String(error) };
    }
  }

  return {
    as: (credential: Record<string, string>): Ask => (asked) => call(credential, asked),
    hangUp() {
      client.close();
      client = Deno.createHttpClient({});
    },
    noted,
  };
}

export async function create(ask: Ask, path: string, body: unknown): Promise<string> {
  const answer = await ask<{ id: string }>({ kind: "seed", path, body });
  if (answer.body === null) throw new Error(`${path} is answered with ${answer.status}`);
  return answer.body.id;
}

interface Flow {
  /** The number of simultaneous executions; 1 by default. */
  readonly side?: number;
  readonly pauseMs: number;
  once(): Promise<unknown>;
}

export function repeat(flows: readonly Flow[]) {
  let isOver = false;
  const running = flows.flatMap(({ side = 1, pauseMs, once }) =>
    Array.from({ length: side }, async () => {
      while (!isOver) {
        await once();
        for (let left = pauseMs; left > 0 && !isOver; left -= 100) {
          await pause(Math.min(left, 100));
        }
      }
    })
  );
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

export const below = (count: number) => Math.floor(Math.random() * count);
export const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;
