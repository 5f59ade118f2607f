/**
 * Sends decisions on proposals (one, several, or all that match a filter), and new prices of many
 * products. The service accepts or refuses each decision and price separately. Each new price is
 * sent with the price that the person saw, so that no newer price is overwritten.
 */
import { batchesOf } from "../../../base/collections.ts";
import { ApiError, asApiError, type Call, pagesOf } from "../../api/call.ts";
import type { BulkDecision, BulkDecisionOutcome } from "../../../rules/decide_many.ts";
import type { Proposal, Reopened } from "./decision.tsx";
import type { BulkPrices } from "../../../catalogue/changes/change_products.ts";

export type Decision = Pick<BulkDecision, "action" | "until" | "reason" | "leaveOut">;

export interface CounterPrice {
  readonly cents: number;
  readonly reason: string;
}

export interface Decided {
  readonly id: string;
  readonly sku: string | null;
  readonly reopened?: Reopened;
}

/** All proposals that match the filter, including proposals that are not loaded. */
interface Matching {
  readonly filter: Readonly<Record<string, string>>;
  readonly count: number;
  readonly loaded: readonly Proposal[];
}

export type Target = readonly Proposal[] | Matching;

export function isMatching(target: Target): target is Matching {
  return "count" in target;
}

export function countOf(target: Target): number {
  return isMatching(target) ? target.count : target.length;
}

export interface Refused extends Decided {
  readonly message: string;
  readonly guard: string | null;
  readonly error?: ApiError;
}

export interface BulkResult {
  readonly done: readonly Decided[];
  readonly refused: readonly Refused[];
  /** An error that stopped the remaining decisions. */
  readonly error?: unknown;
}

const PROPOSALS_PER_REQUEST = 200;

export async function decideOn(
  call: Call,
  decision: Decision,
  target: Target,
): Promise<BulkResult> {
  if (!isMatching(target)) return await decideInBulk(call, decision, target);
  const known = skusOf(target.loaded);
  const filter = { createdBefore: new Date().toISOString(), ...target.filter };
  const answers = pagesOf((cursor) =>
    sendDecision(call, { ...decision, filter, ...(cursor !== null && { cursor }) })
  );
  return await joined(answers, known);
}

/** Throws the refusal of a single proposal, so that the person sees the reason. */
export async function decideInBulk(
  call: Call,
  decision: Decision,
  proposals: readonly Decided[],
): Promise<BulkResult> {
  const known = skusOf(proposals);
  const answers = async function* () {
    for await (const ids of batchesOf(known.keys(), PROPOSALS_PER_REQUEST)) {
      yield await sendDecision(call, { ...decision, ids });
    }
  };
  const result = await joined(answers(), known);
  const error = known.size === 1 ? result.refused[0]?.error : undefined;
  if (error) throw error;
  return result;
}

type BulkBody = Omit<BulkDecision, "filter"> & { readonly filter?: Matching["filter"] };

async function sendDecision(call: Call, body: BulkBody): Promise<BulkDecisionOutcome> {
  return await call((api) => api.POST("/api/proposals/bulk", { body }), { outlivesPage: true });
}

function skusOf(proposals: readonly Decided[]): ReadonlyMap<string, string | null> {
  return new Map(proposals.map(({ id, sku }) => [id, sku]));
}

function resultOf(
  { results }: BulkDecisionOutcome,
  known: ReadonlyMap<string, string | null>,
): BulkResult {
  const named = (id: string): Decided => ({ id, sku: known.get(id) ?? null });
  return {
    done: results.filter(({ ok, isWaiting }) => ok && !isWaiting)
      .map(({ id, reopened }) => ({ ...named(id), ...(reopened && { reopened }) })),
    refused: results.flatMap(({ id, error, isWaiting }) =>
      error ? [refusalOf(named(id), error)] : isWaiting ? [waitingOf(named(id))] : []
    ),
  };
}

/**
 * Throws if the first request fails. If a later request fails, returns the error and the decisions
 * so far; other proposals of `known` count as refused.
 */
async function joined(
  answers: AsyncIterable<BulkDecisionOutcome>,
  known: ReadonlyMap<string, string | null>,
): Promise<BulkResult> {
  const unanswered = new Map(known);
  const found: BulkResult[] = [];
  let failure: unknown = null;
  try {
    for await (const answer of answers) {
      found.push(resultOf(answer, known));
      for (const { id } of answer.results) unanswered.delete(id);
    }
  } catch (error) {
    if (found.length === 0) throw error;
    failure = error;
    const { message } = asApiError(error);
    const refused = [...unanswered].map(([id, sku]) => ({ id, sku, message, guard: null }));
    found.push({ done: [], refused });
  }
  return {
    done: found.flatMap(({ done }) => done),
    refused: found.flatMap(({ refused }) => refused),
    error: failure,
  };
}

export async function setCounterPrice(
  call: Call,
  proposal: Decided,
  { cents, reason }: CounterPrice,
): Promise<BulkResult> {
  const { status } = await call((api) =>
    api.POST("/api/proposals/{id}/approve", {
      params: {
        path: { id: proposal.id },
        query: { allowLargeChange: true },
      },
      body: { priceCents: cents, ...(reason !== "" && { reason }) },
    }), { outlivesPage: true });
  return status === "open"
    ? { done: [], refused: [waitingOf(proposal)] }
    : { done: [proposal], refused: [] };
}

/** Until another person has approved the proposal, the decision counts as refused. */
function waitingOf(proposal: Decided): Refused {
  return { ...proposal, message: "", guard: "approval_needed" };
}

type Refusal = NonNullable<BulkDecisionOutcome["results"][number]["error"]>;

function refusalOf(proposal: Decided, { code, message, details = {} }: Refusal): Refused {
  const { guard } = details;
  const error = new ApiError({ code, message, status: 409, requestId: null, details });
  return { ...proposal, message, guard: typeof guard === "string" ? guard : null, error };
}

const PRICES_AT_ONCE = 200;

export type SeenPrice = BulkPrices["prices"][number];

export interface SetPrices {
  readonly prices: readonly SeenPrice[];
  readonly reason: string;
}

export interface SetPricesOutcome {
  readonly done: readonly SeenPrice[];
  readonly left: number;
  readonly error: unknown;
}

export function reversed({ seenCents, ourPriceCents, ...price }: SeenPrice): SeenPrice {
  return { ...price, seenCents: ourPriceCents, ourPriceCents: seenCents };
}

/** An error stops the remaining requests; prices that are already set can be undone. */
export async function setPrices(
  call: Call,
  { prices, reason }: SetPrices,
  onSent?: (count: number) => void,
): Promise<SetPricesOutcome> {
  const done: SeenPrice[] = [];
  let left = 0;
  for await (const part of batchesOf(prices, PRICES_AT_ONCE)) {
    onSent?.(done.length + left);
    const body: BulkPrices = { prices: part, ...(reason !== "" && { reason }) };
    try {
      const { results } = await call((api) =>
        api.POST("/api/products/bulk/prices", {
          params: { query: { allowLargeChange: true } },
          body,
        })
      );
      done.push(...part.filter((_, n) => results[n]?.ok));
      left += results.filter(({ ok }) => !ok).length;
    } catch (error) {
      return { done, left, error };
    }
  }
  return { done, left, error: null };
}
