import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { FAILURE_STATUS } from "../../src/base/failure.ts";
import type { Caller } from "../caller.ts";
import type { RawAnswer } from "../raw_http.ts";

/** Returns the JSON body of an answer; throws its text if the status is not `status`. */
export async function bodyOf(answer: Response | Promise<Response>, status: number) {
  const { status: actual, text } = await read(await answer);
  if (actual !== status) throw new Error(`Expected ${status}, got ${actual}: ${cut(text)}`);
  return JSON.parse(text);
}

/** Yields the pages of a list; requests the next page only when the caller needs it. */
export async function* pagesOf({ get }: Pick<Caller, "get">, path: string) {
  const start = path.includes("?") ? "&" : "?";
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await bodyOf(get(`${path}${start}cursor=${encodeURIComponent(cursor)}`), 200);
    yield page;
    cursor = page.nextCursor;
  }
}

export async function everyItem(caller: Pick<Caller, "get">, path: string) {
  const pages = await Array.fromAsync(pagesOf(caller, path));
  return pages.flatMap(({ items, data }) => items ?? data);
}

type Json = ReturnType<typeof JSON.parse>;

export function column(rows: readonly Json[], name: string | number): Json[] {
  return rows.map((row) => row[name]);
}

export function valuesOf(rows: readonly Json[], ...names: readonly string[]): Json[][] {
  return rows.map((row) => names.map((name) => row[name]));
}

/** Checks only those fields of `row` that `expected` has. */
export function assertFields<Row extends object>(
  row: Row | null | undefined,
  expected: NoInfer<Partial<Row>>,
  message?: string,
): void {
  const found = Object.entries(row ?? {}).filter(([name]) => Object.hasOwn(expected, name));
  assertEquals(Object.fromEntries(found), expected, message);
}

export async function etagOf(answer: Promise<Response>): Promise<string> {
  const { headers, body } = await answer;
  await body?.cancel();
  return headers.get("ETag") ?? "";
}

/** Returns the `error` of a refusal, which must follow the rules of docs/decisions/http.md. */
export async function refusalOf(answer: Response | RawAnswer | Promise<Response | RawAnswer>) {
  const { status } = await answer;
  ok(status < 500, `Expected a refusal, got ${status}`);
  return await errorOf(answer);
}

/** Like `refusalOf`, but also accepts a status of 500 or more. */
export async function errorOf(answer: Parameters<typeof refusalOf>[0]) {
  const given = await answer;
  const { status, text } = await read(given);
  ok(status >= 400, `Expected an error, got ${status}: ${cut(text)}`);
  match(given.headers.get("Content-Type") ?? "", /^application\/json/);
  const { error, ...rest } = JSON.parse(text);
  assertEquals(rest, {}, text);
  const code = Object.entries(FAILURE_STATUS).find(([name]) => name === error.code);
  assertEquals(code?.[1], status, text);
  ok(typeof error.message === "string" && error.message.length > 5, text);
  match(error.requestId, /^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  assertEquals(given.headers.get("X-Request-Id"), error.requestId);
  const internals = /\bat .*\.ts\b|\bsrc\/|node_modules|file:\/\/|\bstack(?:\b|trace)/i;
  ok(!internals.test(text), `Internals: ${cut(text)}`);
  return error;
}

export async function refusedField(answer: Parameters<typeof refusalOf>[0]): Promise<string> {
  const { code, details } = await refusalOf(answer);
  assertEquals(code, "validation_failed");
  return details.fields[0].path;
}

export async function refuses(
  answer: Parameters<typeof refusalOf>[0],
  code: string,
  message?: string,
): Promise<void> {
  assertEquals((await refusalOf(answer)).code, code, message);
}

export async function statusOf(answer: Response | Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

async function read(answer: Response | RawAnswer): Promise<{ status: number; text: string }> {
  const text = answer instanceof Response ? await answer.text() : answer.body;
  return { status: answer.status, text };
}

function cut(text: string): string {
  return text.slice(0, 500);
}
