import { type ExtractorCheck, requireUsable } from "../../competitors/extractor.ts";
import { requireTarget } from "../../competitors/matches/create_match.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { nextTurn } from "../runs/next_turn.ts";
import type { PageOutcome } from "../page/fetch_page.ts";
import { fetchTurn, usedTurn } from "../page/fetch_turn.ts";
import type { Ticket } from "../politeness/domain_state.ts";
import { dropTicket } from "../politeness/domain_store.ts";
import { giveTurnBack } from "../politeness/take_turn.ts";
import { judgeByRobots } from "../robots/robots_verdict.ts";
import { saveRobots } from "../robots/robots_store.ts";
import { type ReadingTurn, REDIRECTS_MAX, type ScrapeDeps } from "../page/scrape_deps.ts";
import { foundOn, NOTHING_FOUND, type RunCursor } from "../runs/run.ts";
import type { Preview, PreviewRequest } from "./preview.ts";

/** A person waits in front of a screen. */
const WAIT_MS_MAX = 15_000;

/** Pages of a workspace that may wait to be read; one more is refused with 503. */
const WAITING_MAX = 12;

type Turn = NonNullable<RunCursor["turn"]>;
/** A page that told nothing. */
const NO_PREVIEW = { ...NOTHING_FOUND, errorCode: null, message: null };

type FinalOutcome = Exclude<PageOutcome, { kind: "moved" }>;

/** What is left of a preview while it goes on. */
interface Look {
  readonly url: string;
  readonly hops: number;
}

/**
 * Fetches a page once, as politely as a run does, and stores nothing of what it says. Refuses with
 * `validation_failed` a URL that no match could have.
 */
export async function previewPage(
  ctx: Context,
  deps: ScrapeDeps,
  { url, extractor }: PreviewRequest,
  misfitsOf: ExtractorCheck,
): Promise<Preview> {
  await requireUsable(ctx, misfitsOf, extractor);
  const target = requireTarget(url, deps.limits.allowed);
  const waitUntilMs = performance.now() + WAIT_MS_MAX;
  let look: Look = { url: target.url, hops: 0 };
  for (;;) {
    const turn = await awaitTurn(ctx, deps, look.url, waitUntilMs);
    if ("status" in turn) return turn;
    const outcome = await useTurn(ctx, deps, look, turn, extractor ?? null);
    if (outcome === null) continue;
    if (outcome.kind !== "moved") return toPreview(outcome);
    look = { url: outcome.url, hops: look.hops + outcome.hops };
    if (look.hops > REDIRECTS_MAX) return refused("redirect_refused", "Too many redirects");
  }
}

/** A turn at the shop, or why there is none in time. */
async function awaitTurn(
  ctx: Context,
  deps: ScrapeDeps,
  url: string,
  waitUntilMs: number,
): Promise<Turn | Preview> {
  const asking = { lane: 0, orderMs: ctx.now().getTime(), id: ctx.newId() } as const;
  let waiting: Ticket | null = null;
  for (;;) {
    const next = await transact(
      ctx,
      (write) => nextTurn(write, ctx, deps, url, asking, readingOf(ctx)),
    );
    if (next.kind === "taken") return next.turn;
    if (next.kind === "refused") {
      const { status, errorCode, message } = next;
      return { ...NO_PREVIEW, status, errorCode, message };
    }
    waiting = next.ticket;
    const leftMs = waitUntilMs - performance.now();
    if (next.untilMs - ctx.now().getTime() > leftMs) break;
    await new Promise((resolve) => setTimeout(resolve, next.untilMs - ctx.now().getTime()));
  }
  await transact(ctx, (write) => {
    if (waiting) dropTicket(write, waiting);
  });
  const message = "Others wait for this shop, too: try again in a minute";
  return { ...NO_PREVIEW, status: "skipped", errorCode: "backing_off", message };
}

/** Null after a robots.txt, which says how to go on. */
async function useTurn(
  ctx: Context,
  deps: ScrapeDeps,
  { url, hops }: Look,
  turn: Turn,
  extractor: PreviewRequest["extractor"] & object | null,
): Promise<PageOutcome | null> {
  const { reader, userAgent } = deps;
  const asker = { store: ctx.store, reader, userAgent, turn: readingOf(ctx) };
  const robots = await judgeByRobots(asker, new URL(url), ctx.now().getTime());
  const brought = await fetchTurn(deps, {
    reading: readingOf(ctx),
    url,
    extractor,
    product: null,
    validators: null,
    redirectsMax: REDIRECTS_MAX - hops,
    allows: robots.kind === "allowed" ? robots.allows : () => Promise.resolve(false),
    timeoutMs: deps.timeoutMs,
    bytesMax: deps.bytesMax,
    signal: new AbortController().signal,
    now: () => ctx.now(),
  }, turn.isForRobots);
  await transact(ctx, async (write) => {
    await giveTurnBack(write, ctx, turn.domain, usedTurn(turn, brought, deps.delayMs));
    if (brought.kind !== "robots") return;
    saveRobots(write, brought.origin, turn.token, brought.robots, ctx.now().getTime());
  });
  return brought.kind === "robots" ? null : brought.outcome;
}

/** People can ask faster than pages are read. */
function readingOf({ workspaceId }: Context): ReadingTurn {
  return { lane: workspaceId, waitingMax: WAITING_MAX };
}

function toPreview(outcome: FinalOutcome): Preview {
  if (outcome.kind === "priced") {
    return { ...NO_PREVIEW, status: "ok", ...foundOn(outcome.found) };
  }
  if (outcome.kind === "unchanged") return refused("http_error", "The shop answers 304");
  const { errorCode, message, alternatives } = outcome;
  return { ...refused(errorCode, message), alternatives: [...alternatives] };
}

function refused(errorCode: string, message: string): Preview {
  return { ...NO_PREVIEW, status: "failed", errorCode, message };
}
