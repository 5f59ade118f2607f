/**
 * The response to a refused request: JSON, or a problem document (RFC 9457) if the client accepts
 * it. For invalid input, the response has the reason for each refused field, and the most similar
 * known name for each unknown field.
 */
import {
  type Failure,
  type RefusedField,
  type RefusedKind,
  refuseFields,
} from "../../base/failure.ts";
import type { z } from "@hono/zod-openapi";
import type { AppContext } from "./app_context.ts";

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
}

export function refusedFieldsOf(
  issues: readonly Issue[],
  known: readonly string[] = [],
): RefusedField[] {
  return issues.flatMap((issue) => fieldsOf(issue, known));
}

export function parseOrRefuse<T>(
  schema: z.ZodType<T>,
  value: unknown,
  known: readonly string[] = [],
): T {
  const { data, error } = schema.safeParse(value);
  if (error) throw refuseFields(refusedFieldsOf(error.issues, known));
  return data;
}

function fieldsOf(issue: Issue, known: readonly string[]): RefusedField[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys" && issue.keys) {
    return issue.keys.map((key) => {
      const near = nearWord(key, known);
      return {
        path: [...path, key].join("."),
        message: near === null ? "Unknown field" : `Unknown field: did you mean "${near}"?`,
        kind: "unknown",
      };
    });
  }
  const kind = kindOf(issue);
  const limit = issue.minimum ?? issue.maximum;
  return [{
    path: path.join("."),
    message: issue.message,
    ...(kind && { kind }),
    ...(kind && limit !== undefined && { limit: Number(limit) }),
  }];
}

const MISSED: Readonly<Record<string, readonly [below: RefusedKind, above: RefusedKind]>> = {
  number: ["too_small", "too_large"],
  int: ["too_small", "too_large"],
  string: ["too_short", "too_long"],
  array: ["too_few", "too_many"],
};

function kindOf({ code, origin = "", message }: Issue): RefusedKind | null {
  switch (code) {
    case "too_small":
      return MISSED[origin]?.[0] ?? null;
    case "too_big":
      return MISSED[origin]?.[1] ?? null;
    case "invalid_value":
      return "not_an_option";
    case "invalid_type":
      return message.endsWith("received undefined") ? "missing" : "wrong_type";
    default:
      return null;
  }
}

/** Returns the most similar word; null if every word needs more than two edits. */
export function nearWord(typed: string, words: readonly string[]): string | null {
  const plain = typed.toLowerCase();
  const near = words.map((word) => ({ word, edits: editsBetween(plain, word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= Math.min(2, word.length / 2))
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.word ?? null;
}

/** Counts insertions, deletions, replacements and swaps (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  if (a.length > 64 || Math.abs(a.length - b.length) > 2) return Infinity;
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      ));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? Infinity;
}

export const EXTERNAL = "/api/public/v1/";

/** A refusal as plain data, without the stack trace of a `Failure`. */
export type Refusal = Pick<Failure, "code" | "message" | "details" | "status">;

export function answerFailure(c: AppContext, failure: Refusal): Response {
  const { details, status } = failure;
  const answer = wantsProblem(c) ? problemOf(c, failure) : plainError(c, failure);
  const { headers } = answer;
  const retryAfter = details?.retryAfterSeconds;
  if (typeof retryAfter === "number") headers.set("Retry-After", String(retryAfter));
  else if (status === 503) headers.set("Retry-After", "5");
  if (status === 401 && c.req.path.startsWith(EXTERNAL)) {
    headers.set("WWW-Authenticate", 'Bearer realm="Kurant"');
  }
  if (status === 405 && Array.isArray(details?.allow)) {
    headers.set("Allow", details.allow.join(", "));
  }
  // Close the connection, because the client may still be sending the rest of the refused body.
  if (status === 408 || status === 413) headers.set("Connection", "close");
  return answer;
}

function plainError(c: AppContext, { code, message, details, status }: Refusal): Response {
  const error = { code, message, requestId: c.get("requestId"), ...(details && { details }) };
  return new Response(JSON.stringify({ error }), {
    status,
    headers: { "Content-Type": "application/json" },
  });
}

const PROBLEM_TYPE = "application/problem+json";

function wantsProblem(c: AppContext): boolean {
  return c.req.header("Accept")?.toLowerCase().includes(PROBLEM_TYPE) ?? false;
}

function problemOf(c: AppContext, { code, message, details, status }: Refusal): Response {
  const problem = {
    type: `urn:kurant:error:${code}`,
    title: code.charAt(0).toUpperCase() + code.slice(1).replaceAll("_", " "),
    status,
    detail: message,
    code,
    requestId: c.get("requestId"),
    ...(details && { details }),
  };
  return new Response(JSON.stringify(problem), {
    status,
    headers: { "Content-Type": PROBLEM_TYPE, "Vary": "Accept" },
  });
}
