import { type Extractor, type ExtractorCheck, requireUsable } from "../../shops/extractor.ts";
import { findCompetitorByDomain } from "../../shops/competitor_store.ts";
import { requireTarget } from "../../shops/matches/create_match.ts";
import { fetchedUrl } from "../../shops/matches/match_url.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { type NextTurn, nextTurn } from "../runs/next_turn.ts";
import type { PageOutcome } from "../page/fetch_page.ts";
import type { AnswerVerdict } from "../page/judge_answer.ts";
import { fetchTurn, usedTurn } from "../page/fetch_turn.ts";
import { NOT_LEARNING, type PageLearning } from "../page/page_lesson.ts";
import type { Ticket, TurnInHand } from "../page/domain_state.ts";
import { dropTicket } from "../page/domain_store.ts";
import { giveTurnBack } from "../page/take_turn.ts";
import { learningOf } from "../page/shop_learning.ts";
import { judgeByRobots } from "../page/robots_verdict.ts";
import { saveRobots } from "../page/robots_store.ts";
import { type ReadingTurn, REDIRECTS_MAX, type ScrapeDeps } from "../page/scrape_deps.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import type { PageFacts } from "../../engine/extraction/page_facts.ts";
import { wantedOf } from "../page/page_article.ts";
import { candidatesOf, saidOfArticle } from "../page/page_said.ts";
import { foundOn, NOTHING_FOUND } from "../runs/run.ts";
import { compareWithPage, requireCompared } from "./compare_with_page.ts";
import type { Preview, PreviewRequest, ReadPage } from "./preview.ts";

/** A person waits in front of a screen. */
const WAIT_MS_MAX = 15_000;

/** Pages of a workspace that may wait to be read; one more is refused with 503. */
const WAITING_MAX = 12;

/** A page that told nothing. */
const NO_PREVIEW = {
  ...NOTHING_FOUND,
  page: null,
  candidates: [],
  errorCode: null,
  message: null,
};

/** What is left of a preview while it goes on. */
interface Look {
  readonly url: string;
  /** Where it began. */
  readonly askedUrl: string;
  readonly hops: number;
}

/**
 * Fetches a page once, as politely as a run does, and stores nothing of what it says. Refuses with
 * `validation_failed` a URL that no match could have, with `not_found` an unknown product.
 */
export async function previewPage(
  ctx: Context,
  deps: ScrapeDeps,
  { url, extractor, productId }: PreviewRequest,
  misfitsOf: ExtractorCheck,
): Promise<Preview> {
  const ours = productId ? await requireCompared(ctx, productId) : null;
  const asked = { url, extractor: extractor ?? null, product: ours && wantedOf(ours) };
  const read = toPreview(await lookAt(ctx, deps, asked, misfitsOf));
  return { ...read, ...compareWithPage(ours, read) };
}

/** A page to look at, and what is looked for on it. */
export interface AskedPage {
  readonly url: string;
  readonly extractor: Extractor | null;
  readonly product: WantedProduct | null;
}

/** What came of a look, and why there was none. */
export type Looked =
  | AnswerVerdict
  | Extract<PageOutcome, { kind: "unchanged" }>
  | Extract<NextTurn, { kind: "refused" }>;

/** As `previewPage`, with all that was found. */
export async function lookAt(
  ctx: Context,
  deps: ScrapeDeps,
  asked: AskedPage,
  misfitsOf: ExtractorCheck,
): Promise<Looked> {
  await requireUsable(ctx, misfitsOf, asked.extractor);
  const { url, domain } = requireTarget(asked.url, deps.limits.allowed);
  const shop = await findCompetitorByDomain(ctx, domain);
  const known = shop ? await learningOf(ctx, shop.competitor) : NOT_LEARNING;
  const learning = { ...known, isLearning: false };
  return await visit(ctx, deps, { ...asked, url, learning }, performance.now() + WAIT_MS_MAX);
}

/**
 * Fetches a page whose address was looked at, as politely as a run does. It waits for its turn until
 * then, on the clock of `performance.now()`.
 */
export async function visit(
  ctx: Context,
  deps: ScrapeDeps,
  asked: AskedPage & { readonly learning: PageLearning },
  waitUntilMs: number,
): Promise<Looked> {
  const askedUrl = fetchedUrl(asked.url);
  let look: Look = { url: askedUrl, askedUrl, hops: 0 };
  for (;;) {
    const turn = await awaitTurn(ctx, deps, look.url, waitUntilMs);
    if ("kind" in turn) return turn;
    const outcome = await useTurn(ctx, deps, look, turn, asked);
    if (outcome === null) continue;
    if (outcome.kind !== "moved") return outcome;
    look = { ...look, url: outcome.url, hops: look.hops + outcome.hops };
    if (look.hops > REDIRECTS_MAX) {
      const [errorCode, message] = ["redirect_refused", "Too many redirects"];
      return { kind: "refused", status: "failed", errorCode, message };
    }
  }
}

/** A turn at the shop, or why there is none in time. */
async function awaitTurn(
  ctx: Context,
  deps: ScrapeDeps,
  url: string,
  waitUntilMs: number,
): Promise<TurnInHand | Extract<Looked, { kind: "refused" }>> {
  const asking = { lane: 0, orderMs: ctx.now().getTime(), id: ctx.newId() } as const;
  let waiting: Ticket | null = null;
  for (;;) {
    const next = await transact(
      ctx,
      (write) => nextTurn(write, ctx, deps, url, asking, readingOf(ctx)),
    );
    if (next.kind === "taken") return next.turn;
    if (next.kind === "refused") return next;
    waiting = next.ticket;
    const delayMs = Math.max(0, next.untilMs - ctx.now().getTime());
    if (delayMs > waitUntilMs - performance.now()) break;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
  await transact(ctx, (write) => {
    if (waiting) dropTicket(write, waiting);
  });
  const message = "Others wait for this shop, too: try again in a minute";
  return { kind: "refused", status: "skipped", errorCode: "backing_off", message };
}

/** Null after a robots.txt, which says how to go on. */
async function useTurn(
  ctx: Context,
  deps: ScrapeDeps,
  { url, askedUrl, hops }: Look,
  turn: TurnInHand,
  { extractor, product, learning }: Parameters<typeof visit>[2],
): Promise<PageOutcome | null> {
  const { reader, userAgent } = deps;
  const asker = { store: ctx.store, reader, userAgent, turn: readingOf(ctx) };
  const robots = await judgeByRobots(asker, new URL(url), ctx.now().getTime());
  const brought = await fetchTurn(deps, {
    reading: readingOf(ctx),
    url,
    askedUrl,
    extractor,
    product,
    learning,
    validators: null,
    isThorough: true,
    redirectsMax: REDIRECTS_MAX - hops,
    allows: robots.kind === "allowed" ? robots.allows : () => Promise.resolve(false),
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
export function readingOf({ workspaceId }: Pick<Context, "workspaceId">): ReadingTurn {
  return { lane: workspaceId, waitingMax: WAITING_MAX };
}

/** What a look found, as people are told. */
export function toPreview(looked: Looked): ReadPage {
  switch (looked.kind) {
    case "priced":
      return { ...NO_PREVIEW, status: "ok", ...foundOn(looked.found), ...saidBy(looked.facts) };
    case "refused": {
      const { status, errorCode, message } = looked;
      return { ...NO_PREVIEW, status, errorCode, message };
    }
    case "unchanged":
      return refused("http_error", "The shop answers 304");
    case "failed": {
      const { errorCode, message, alternatives, facts } = looked;
      const said = looked.httpStatus === null ? {} : saidBy(facts);
      return { ...refused(errorCode, message), alternatives: [...alternatives], ...said };
    }
  }
}

function saidBy(facts: PageFacts) {
  const { pageStatus, warnings: [...warnings] } = facts;
  return { pageStatus, warnings, page: saidOfArticle(facts), candidates: candidatesOf(facts) };
}

function refused(errorCode: string, message: string): ReadPage {
  return { ...NO_PREVIEW, status: "failed", errorCode, message };
}
