/** Sends HTTP requests with a session cookie, with an API key, or without credentials. */

import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { pick } from "../src/base/collections.ts";
import { bodyOf } from "./api/answers.ts";
import { readUntil, until } from "./patience.ts";

type Json = ReturnType<typeof JSON.parse>;

interface Reading {
  (path: string, headers?: HeadersInit): Promise<Json>;
  <T>(path: string, headers?: HeadersInit): Promise<T>;
}

interface Writing {
  (path: string, body?: unknown, headers?: HeadersInit): Promise<Json>;
  <T>(path: string, body?: unknown, headers?: HeadersInit): Promise<T>;
}

/**
 * The methods from `send` to `delete` return the response without reading its body. The others
 * return the JSON body, and fail unless the status is 200 (`create`: 201, `begin`: 202).
 */
export interface Caller {
  /** Strings, bytes, forms and streams are sent unchanged, any other body as JSON. */
  send(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Response>;
  get(path: string, headers?: HeadersInit): Promise<Response>;
  post(path: string, body?: unknown, headers?: HeadersInit): Promise<Response>;
  put(path: string, body?: unknown, headers?: HeadersInit): Promise<Response>;
  patch(path: string, body: unknown, headers?: HeadersInit): Promise<Response>;
  delete(path: string, headers?: HeadersInit): Promise<Response>;
  readonly read: Reading;
  readonly act: Writing;
  readonly create: Writing;
  readonly begin: Writing;
  readonly change: Writing;
  readonly replace: Writing;
  readonly remove: Reading;
}

export function createCaller(base: string, credential: Record<string, string> = {}): Caller {
  const send: Caller["send"] = (method, path, body, headers) => {
    const raw = rawBody(body);
    const all = new Headers({
      ...credential,
      ...(raw !== null ? {} : { "Content-Type": "application/json" }),
    });
    new Headers(headers).forEach((value, name) => all.set(name, value));
    const init = { method, headers: all, body: raw === null ? JSON.stringify(body) : raw.body };
    return fetch(base + path, { ...init, redirect: "manual" });
  };
  const reading = (method: string): Reading => (path: string, headers?: HeadersInit) =>
    bodyOf(send(method, path, undefined, headers), 200);
  const writing =
    (method: string, status: number): Writing =>
    (path: string, body?: unknown, headers?: HeadersInit) =>
      bodyOf(send(method, path, body, headers), status);
  return {
    send,
    read: reading("GET"),
    act: writing("POST", 200),
    create: writing("POST", 201),
    begin: writing("POST", 202),
    change: writing("PATCH", 200),
    replace: writing("PUT", 200),
    remove: reading("DELETE"),
    get: (path, headers) => send("GET", path, undefined, headers),
    post: (path, body, headers) => send("POST", path, body, headers),
    put: (path, body, headers) => send("PUT", path, body, headers),
    patch: (path, body, headers) => send("PATCH", path, body, headers),
    delete: (path, headers) => send("DELETE", path, undefined, headers),
  };
}

/** Waits until the job has ended. */
export async function readSucceeded({ read }: Caller, path: string): Promise<Json> {
  const isOver = ({ status }: Json) => status !== "queued" && status !== "running";
  const job = await readUntil(`${path} is over`, () => read(path), isOver);
  assertEquals(job.status, "succeeded", JSON.stringify(job));
  return job;
}

export async function untilReads({ read }: Caller, path: string, wanted: object): Promise<void> {
  const names = Object.keys(wanted);
  await until(`${path} has ${JSON.stringify(wanted)}`, async () => {
    return isDeepStrictEqual(pick(await read(path), names), wanted);
  });
}

export function callerWithKey(base: string, key: string): Caller {
  return createCaller(base, { Authorization: `Bearer ${key}` });
}

export function untilEnded({ read }: Pick<Caller, "read">, path: string) {
  const isEnded = ({ finishedAt }: Json) => finishedAt !== null;
  return readUntil(`${path} has ended`, () => read(path), isEnded);
}

export async function signIn(
  base: string,
  credentials: { readonly email: string; readonly password: string },
) {
  const answer = await createCaller(base).post("/api/auth/login", credentials);
  await answer.body?.cancel();
  const cookie = cookieOf(answer);
  if (answer.status !== 200 || !cookie.startsWith("pr_session=")) {
    throw new Error(`${credentials.email} cannot sign in: ${answer.status}`);
  }
  return { caller: createCaller(base, { Cookie: cookie }), cookie };
}

export function cookieOf(answer: Response): string {
  return answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

/** Returns null if the body must be sent as JSON. */
function rawBody(body: unknown): { body: BodyInit | undefined } | null {
  if (body === undefined || typeof body === "string" || body instanceof FormData) return { body };
  if (body instanceof ReadableStream) return { body };
  return body instanceof Uint8Array ? { body: new Uint8Array(body) } : null;
}
