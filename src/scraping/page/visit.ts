/**
 * Visits a page of a shop, for scrape runs, link checks, discovery and previews. A visit waits for
 * a permit, which is the right to send the shop one request.
 */
import type { SandboxPermit } from "../../platform/sandbox/sandbox.ts";
import type { Context } from "../../platform/store/context.ts";
import { TooComplex } from "../../base/failure.ts";
import type { FetchResult } from "../../platform/fetch/safe_fetch.ts";
import {
  type Aftermath,
  aftermathOf,
  failed,
  type FailedAnswer,
  type FetchDeps,
  type PricedAnswer,
  REDIRECTS_MAX,
  type ScrapeDeps,
  type ShopAnswer,
  type Slot,
} from "./visit_tools.ts";
import { keepNewest } from "../../base/collections.ts";
import { type StepResult, type StepTools, withHeartbeat } from "../../platform/jobs/job.ts";
import type { Write } from "../../platform/store/kv.ts";
import {
  askPermit,
  dropPermit,
  givePermitBack,
  isHeld,
  type NextPermit,
  type PermitInFlight,
  type RefusedPermit,
  slots,
} from "./permit.ts";
import { setTimeout as pause } from "node:timers/promises";
import { fetchRobots, judgeByRobots, type KnownRobots, saveRobots } from "./robots_file.ts";

export interface Validators {
  /** `etag` and `lastModified` are sent only in requests to `url`. */
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

type MovedPage = Extract<FetchResult, { kind: "moved" }>;

export type PageOutcome =
  | PricedAnswer & { readonly validators: Validators | null }
  | { readonly kind: "unchanged"; readonly httpStatus: 304 }
  | FailedAnswer;

export interface Asked<Answer> {
  readonly answer: Answer;
  readonly aftermath: Aftermath;
}

interface ShopRequest {
  readonly reading: SandboxPermit;
  readonly url: string;
  allows(url: URL): Promise<boolean>;
  readonly signal: AbortSignal;
  now(): Date;
}

interface PageRequest extends ShopRequest, Pick<ShopAnswer, "extractor" | "product" | "learning"> {
  readonly askedUrl: string;
  readonly hops?: number;
  readonly validators?: Validators | null;
}

const ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.5";

interface Wanted {
  readonly headers: Record<string, string>;
  readonly bytesMax: number;
  readonly redirectsMax: number;
  readonly validators?: Validators | null;
}

/** Follows redirects only within the origin, and only to URLs that `allows` accepts. */
export async function askShop<Answer>(
  deps: FetchDeps,
  { url, reading, signal, allows, now }: ShopRequest,
  { validators = null, ...wanted }: Wanted,
  read: (result: FetchResult) => Promise<Answer>,
): Promise<Asked<Answer>> {
  const { origin } = new URL(url);
  // The memory for the answer stays reserved until the answer is read.
  using place = deps.bodies.begin(reading.partition);
  const result = await deps.safeFetch({
    url,
    ...wanted,
    timeoutMs: deps.timeoutMs,
    onTooLarge: "refuse",
    admit: (bytes) => place.admit(bytes),
    follows: async (next) => next.origin === origin && await allows(next),
    conditional: validators && { url: validators.url, headers: conditionsOf(validators) },
    signal,
  });
  return { answer: await read(result), aftermath: aftermathOf(result, now().getTime()) };
}

export async function fetchPage(
  deps: FetchDeps,
  request: PageRequest,
): Promise<Asked<PageOutcome | MovedPage>> {
  const wanted = {
    headers: { Accept: ACCEPT, "Accept-Language": "de-DE,de;q=0.9,en;q=0.5" },
    bytesMax: deps.bytesMax,
    redirectsMax: REDIRECTS_MAX - (request.hops ?? 0),
    validators: request.validators ?? null,
  };
  return await askShop(deps, request, wanted, async (result): Promise<PageOutcome | MovedPage> => {
    if (result.kind === "moved") return result;
    if (result.kind === "failed") return failed(null, result.errorCode, result.message);
    return await readAnswer(deps, result, request);
  });
}

function conditionsOf({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { "If-None-Match": etag }),
    ...(lastModified === null ? {} : { "If-Modified-Since": lastModified }),
  };
}

type Answered = Extract<FetchResult, { kind: "answer" }>;

async function readAnswer(
  { reader, pages }: FetchDeps,
  answer: Answered,
  request: PageRequest,
): Promise<PageOutcome> {
  const { url, status, headers, body } = answer;
  if (status === 304 && request.validators) return { kind: "unchanged", httpStatus: 304 };
  const { askedUrl, extractor, product, learning, reading, signal } = request;
  const contentType = headers.get("Content-Type");
  const isChallenge = headers.get("cf-mitigated") === "challenge";
  try {
    const asked = { askedUrl, extractor, product, learning };
    const verdict = await reader.page(
      { ...asked, url, status, contentType, isChallenge, body },
      { ...reading, signal },
    );
    pages[verdict.facts.pageStatus] += 1;
    return verdict.kind === "priced" ? { ...verdict, validators: validatorsOf(answer) } : verdict;
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return failed(status, "too_complex", `The page is too complex to read: ${error.message}`);
  }
}

function validatorsOf({ url, headers }: Answered): Validators | null {
  const etag = headers.get("ETag");
  const lastModified = headers.get("Last-Modified");
  const isUsable = (text: string | null) => text === null || text.length <= 500;
  if (etag === null && lastModified === null) return null;
  return isUsable(etag) && isUsable(lastModified) ? { url, etag, lastModified } : null;
}

const WAIT_MS_MAX = 1_000;

interface VisitTools extends Omit<StepTools, "lastCommit" | "beat"> {
  readonly waitingMax?: number;
}

export interface VisitState {
  /** URL of the next request after a redirect; null before the first redirect. */
  readonly url: string | null;
  readonly hops: number;
  readonly turn: PermitInFlight | null;
  readonly ticket: Slot | null;
}

export const NO_VISIT: VisitState = { url: null, hops: 0, turn: null, ticket: null };

export function isLong({ untilMs }: { readonly untilMs: number }, nowMs: number): boolean {
  return untilMs - nowMs > WAIT_MS_MAX;
}

interface WaitingVisit {
  readonly kind: "waits";
  readonly state: VisitState;
  readonly askedAtMs: number | null;
  readonly rest: Pick<StepResult, "notBefore" | "committed">;
}

/** If `isParked`, the job frees its slot in the job runner until a second before `next.untilMs`. */
export function waitFor(
  { write, now }: VisitTools,
  state: VisitState,
  next: Exclude<NextPermit, RefusedPermit>,
  isParked: boolean,
): WaitingVisit {
  const { domain } = next.kind === "taken" ? next.permit : next.slot;
  // After a redirect to another shop, the visit leaves the queue of the previous shop.
  if (state.ticket && state.ticket.domain !== domain) slots.drop(write, {}, state.ticket);
  const visit = { kind: "waits", askedAtMs: null } as const;
  if (next.kind === "taken") {
    return { ...visit, state: { ...state, turn: next.permit, ticket: null }, rest: {} };
  }
  const { slot, untilMs } = next;
  slots.put(write, {}, { ...slot, wakeAtMs: untilMs });
  const notBefore = new Date(Math.max(now().getTime(), untilMs - WAIT_MS_MAX));
  return { ...visit, state: { ...state, ticket: slot }, rest: isParked ? { notBefore } : {} };
}

async function seekPermit(
  tools: VisitTools,
  state: VisitState,
  ask: () => Promise<NextPermit>,
): Promise<WaitingVisit | RefusedPermit> {
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const next = await ask();
    if (next.kind === "refused") return next;
    if (next.kind === "taken") return waitFor(tools, state, next, false);
    const nowMs = tools.now().getTime();
    const isOver = performance.now() >= giveUpAt || tools.shouldYield();
    if (isOver || isLong(next, nowMs)) return waitFor(tools, state, next, true);
    // The step's commit stores the job's place in the queue, so end the step if it is not stored.
    if (await slots.find(tools, next.slot) === null) return waitFor(tools, state, next, false);
    const pauseMs = Math.max(1, next.untilMs - nowMs);
    await pause(pauseMs, undefined, { signal: tools.stopping }).catch(() => {});
  }
}

type Brought<Answer> =
  & { readonly token: string; readonly aftermath: Aftermath }
  & { readonly atMs: number; readonly durationMs: number }
  & (
    | { readonly kind: "robots"; readonly robots: KnownRobots }
    | { readonly kind: "answer"; readonly answer: Answer | MovedPage }
  );

interface AskedVisit extends Pick<Slot, "lane" | "orderMs"> {
  readonly url: string;
  /** If true, the permit is given back before the answer is processed. */
  readonly isLong?: boolean;
}

type VisitStep<Answer> =
  | WaitingVisit
  | RefusedPermit
  | {
    readonly kind: "answered";
    readonly answer: Answer;
    readonly atMs: number;
    readonly durationMs: number;
    readonly askedAtMs: number;
    readonly committed: () => void;
  };

type Ask<Answer> = (signal: AbortSignal) => Promise<Asked<Answer | MovedPage>>;

/**
 * An answer stays in memory until the step is committed, to send no second request if the step is
 * repeated. If `ask` did not follow a redirect, the next step requests a permit for the new URL.
 */
export class Visits<Answer> {
  readonly #kept = new Map<string, Brought<Answer>>();

  forget(jobId: string): void {
    this.#kept.delete(jobId);
  }

  async step(
    deps: ScrapeDeps,
    tools: VisitTools,
    state: VisitState,
    { isLong = false, ...asked }: AskedVisit,
    ask: Ask<Answer>,
  ): Promise<VisitStep<Answer>> {
    const { turn: permit } = state;
    const { requestId: jobId, write } = tools;
    if (permit === null) {
      return await seekPermit(tools, state, () => askForJob(deps, tools, asked));
    }
    const committed = () => this.forget(jobId);
    const free = { kind: "waits", state: { ...state, turn: null }, rest: { committed } } as const;
    const kept = this.#kept.get(jobId);
    const known = kept?.token === permit.token ? kept : null;
    if (!known && !await isHeld(tools, permit, deps.timeoutMs)) {
      await dropPermit(tools, { turn: permit });
      return { ...free, askedAtMs: null };
    }
    const brought = known ?? await bring(deps, tools, permit, asked.url, ask);
    keepNewest(this.#kept, jobId, brought, 1_000);
    const { atMs, durationMs } = brought;
    const askedAtMs = atMs - durationMs;
    const end = (into: Write) => settle(deps, into, tools, permit, asked.url, brought);
    if (isLong && brought.kind === "answer") await tools.checkpoint({}, end);
    else await end(write);
    if (brought.kind === "robots") return { ...free, askedAtMs };
    const { answer } = brought;
    if (!isMoved(answer)) {
      return { kind: "answered", answer, atMs, durationMs, askedAtMs, committed };
    }
    const hops = state.hops + answer.hops;
    if (hops <= REDIRECTS_MAX) {
      return { ...free, state: { ...NO_VISIT, url: answer.url, hops }, askedAtMs };
    }
    const message = `More than ${REDIRECTS_MAX} redirects`;
    return { kind: "refused", status: "failed", errorCode: "redirect_refused", message };
  }
}

function isMoved(answer: unknown): answer is MovedPage {
  return typeof answer === "object" && answer !== null && "kind" in answer &&
    answer.kind === "moved";
}

async function bring<Answer>(
  deps: FetchDeps,
  tools: VisitTools,
  { token, isForRobots }: PermitInFlight,
  url: string,
  ask: Ask<Answer>,
): Promise<Brought<Answer>> {
  const startedAt = performance.now();
  const { origin } = new URL(url);
  const now = () => tools.now();
  const brought = await withHeartbeat(
    tools,
    async (signal) =>
      isForRobots
        ? { kind: "robots", ...await fetchRobots(deps, { origin, signal, now }) } as const
        : { kind: "answer", ...await ask(signal) } as const,
  );
  const durationMs = Math.round(performance.now() - startedAt);
  return { ...brought, token, atMs: now().getTime(), durationMs };
}

async function settle(
  { delayMs }: ScrapeDeps,
  write: Write,
  tools: VisitTools,
  { domain, token }: PermitInFlight,
  url: string,
  brought: Brought<unknown>,
): Promise<void> {
  const { aftermath, atMs, durationMs } = brought;
  const askedAtMs = atMs - durationMs;
  const used = { token, aftermath, askedAtMs, nextAtMs: askedAtMs + delayMs };
  await givePermitBack(write, tools, domain, used);
  if (brought.kind === "robots") saveRobots(write, new URL(url).origin, token, brought.robots);
}

export function readingOf(
  { workspaceId, stopping, waitingMax }: Pick<
    VisitTools,
    "workspaceId" | "stopping" | "waitingMax"
  >,
): SandboxPermit {
  return { partition: workspaceId, signal: stopping, waitingMax };
}

export async function askForJob(
  deps: ScrapeDeps,
  tools: VisitTools,
  { url, ...place }: AskedVisit,
): Promise<NextPermit> {
  const asking = { ...place, id: tools.requestId, reading: readingOf(tools) };
  return await askPermit(deps, tools, url, asking);
}

/** `allows` returns false as long as no valid robots.txt of the URL's origin is stored. */
export function requestOf(
  { reader, userAgent }: ScrapeDeps,
  asker: Pick<Context, "store" | "workspaceId" | "now">,
  signal: AbortSignal,
  reading: SandboxPermit = { partition: asker.workspaceId },
): Omit<ShopRequest, "url"> {
  const now = () => asker.now();
  const allows = async (url: URL) => {
    const robots = { store: asker.store, reader, userAgent, permit: { ...reading, signal } };
    return (await judgeByRobots(robots, url, now().getTime())).kind === "allowed";
  };
  return { reading, allows, signal, now };
}
