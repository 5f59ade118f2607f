/** A shop is asked for something that is not a page of it, and the answer read where that hurts nobody. */

import { TooComplex } from "../../base/failure.ts";
import type { FetchResult } from "../../platform/fetch/safe_fetch.ts";
import type { SandboxTurn } from "../../platform/sandbox/sandbox.ts";
import { type Aftermath, aftermathOf } from "../page/domain_state.ts";
import type { ShopRequest } from "../page/fetch_page.ts";
import { type FetchDeps, REDIRECTS_MAX } from "../page/scrape_deps.ts";

/** What an answer says, or why it says nothing. */
export type Reading<Said> =
  | { readonly kind: "read" } & Said
  | { readonly kind: "failed"; readonly errorCode: string };

/** What came of it, and what the shop's queue is told. */
export interface Fetched<Said> {
  readonly outcome: Reading<Said>;
  readonly aftermath: Aftermath;
  readonly durationMs: number;
}

type Answer = Extract<FetchResult, { kind: "answer" }>;

/**
 * Asks within one turn; redirects stay at the origin. `read` reads whatever the shop answers. Only an
 * abort is thrown.
 */
export async function askShop<Said>(
  deps: FetchDeps,
  request: ShopRequest,
  { accept, bytesMax }: { readonly accept: string; readonly bytesMax: number },
  read: (answer: Answer, turn: SandboxTurn) => Promise<Reading<Said>>,
): Promise<Fetched<Said>> {
  const startedAt = performance.now();
  const { origin } = new URL(request.url);
  using place = deps.bodies.begin(request.reading.lane);
  const result = await deps.safeFetch({
    url: request.url,
    headers: { Accept: accept },
    timeoutMs: deps.timeoutMs,
    redirectsMax: REDIRECTS_MAX,
    bytesMax,
    onTooLarge: "refuse",
    admit: (bytes) => place.admit(bytes),
    follows: async (next) => next.origin === origin && await request.allows(next),
    signal: request.signal,
  });
  const durationMs = Math.round(performance.now() - startedAt);
  const aftermath = aftermathOf(result, request.now().getTime());
  return { outcome: await outcomeOf(result, request, read), aftermath, durationMs };
}

async function outcomeOf<Said>(
  result: FetchResult,
  { reading, signal }: ShopRequest,
  read: (answer: Answer, turn: SandboxTurn) => Promise<Reading<Said>>,
): Promise<Reading<Said>> {
  if (result.kind === "moved") return { kind: "failed", errorCode: "redirect_refused" };
  if (result.kind === "failed") return { kind: "failed", errorCode: result.errorCode };
  try {
    return await read(result, { ...reading, signal, transfer: [result.body.buffer] });
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { kind: "failed", errorCode: "too_complex" };
  }
}

/** The failure that a status says; null for an answer that may be read. */
export function failureIn(
  { status }: Answer,
): Extract<Reading<unknown>, { kind: "failed" }> | null {
  if (status >= 200 && status < 300) return null;
  const isBlocked = status === 403 || status === 429;
  return { kind: "failed", errorCode: isBlocked ? "blocked" : "http_error" };
}
