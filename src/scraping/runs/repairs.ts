/**
 * A retry is a job that fetches a shop's failing pages again: linked pages whose last fetch failed
 * for one of the `REPAIR_CAUSES`. A shop has one retry at a time.
 */
import { manager, viewer } from "../../accounts/roles.ts";
import { compareTexts } from "../../base/text.ts";
import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { findDocuments, findProduct } from "../../catalogue/products/product_store.ts";
import { parseProducts } from "../../catalogue/products/product.ts";
import { one, page } from "../../platform/http/answer.ts";
import { openCursor, type Page, pageQuery, toPage } from "../../platform/http/http.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { competitorsById, requireCompetitor } from "../../shops/competitor_store.ts";
import { findMatches } from "../../shops/matches/list_matches.ts";
import { CompetitorProduct } from "../../shops/matches/match.ts";
import {
  countFailing,
  type FailingGroup,
  type FailingPage,
  type FailingPlace,
  listFailing,
  listFailingCounts,
} from "../../shops/offers/failing_and_held_store.ts";
import { REPAIR_CAUSES, type RepairCause } from "../../shops/offers/offer.ts";
import { z } from "@hono/zod-openapi";
import { addJob } from "../../platform/jobs/job_store.ts";
import { transact } from "../../platform/store/kv.ts";
import {
  type Job,
  JOB_STATUSES,
  type JobKind,
  type StepResult,
  type StepTools,
} from "../../platform/jobs/job.ts";
import { type AskedKind, cancelAsked, findInFlight, requireAsked } from "../asked_jobs.ts";
import { addManualRun, findRunInFlight, RUN_KIND } from "./run.ts";
import { defineTable } from "../../platform/store/table.ts";

const Cause = z.enum(REPAIR_CAUSES);

const RepairsQuery = z.strictObject({
  competitorId: z.string().optional(),
  ...pageQuery(50, 200),
});

const RepairPagesQuery = z.strictObject({
  competitorId: z.string().optional().describe("The shop; default: all shops"),
  cause: z.enum(["", ...REPAIR_CAUSES]).optional(),
  ...pageQuery(50, 200),
});

const RepairGroup = z.object({
  competitorId: z.string(),
  competitor: z.string().describe("The competitor's display name"),
  domain: z.string(),
  cause: Cause,
  pages: z.int().describe("Number of failing pages"),
  since: z.iso.datetime().describe("Since when the first of these pages has failed"),
  retryId: z.string().nullable().describe("The unfinished retry of the shop's failing pages"),
}).meta({ id: "RepairGroup" });
export type RepairGroup = z.output<typeof RepairGroup>;

const RepairGroups = z.object({
  items: z.array(RepairGroup),
  nextCursor: z.string().nullable(),
  count: z.int(),
  pages: z.int().describe("Number of failing pages in all groups"),
  shops: z.int().describe("Number of shops with failing pages"),
}).meta({ id: "RepairGroups" });

const RepairPage = CompetitorProduct.extend({
  cause: Cause,
  since: z.iso.datetime().describe("Since when every fetch has failed"),
  sku: z.string(),
  title: z.string(),
}).meta({ id: "RepairPage" });
export type RepairPage = z.output<typeof RepairPage>;

type Counted = FailingGroup & { readonly pages: number };

async function readRepairs(
  ctx: Context,
  { competitorId, limit, cursor }: z.output<typeof RepairsQuery>,
): Promise<z.output<typeof RepairGroups>> {
  const after = openCursor(ctx, cursor, GroupPlace);
  const isVain = competitorId !== undefined && !isId(competitorId);
  const [counts, shops] = await Promise.all([
    isVain ? [] : listFailingCounts(ctx, competitorId ?? null),
    competitorsById(ctx),
  ]);
  const groups = counts.filter((one) => shops.get(one.competitorId)?.enabled).sort(byPages);
  const rows = groups.filter((one) => after === null || byPages(one, after) > 0);
  const page = toPage(ctx, { rows, limit, positionOf: (group) => GroupPlace.parse(group) });
  const items = await Promise.all(page.items.map(async (group): Promise<RepairGroup[]> => {
    const shop = shops.get(group.competitorId);
    const [first] = await listFailing(ctx, group, null, 1);
    // Omit a group whose failing pages have all been repaired since the group was counted.
    if (!shop || !first) return [];
    const retry = await lastRetries.find(ctx, { competitorId: shop.id });
    const since = new Date(first.sinceMs).toISOString();
    const { id, displayName: competitor, domain } = shop;
    const retryId = retry?.row.retryId ?? null;
    return [{ ...group, competitorId: id, competitor, domain, since, retryId }];
  }));
  return {
    ...page,
    items: items.flat(),
    pages: groups.reduce((sum, group) => sum + group.pages, 0),
    shops: new Set(groups.map((group) => group.competitorId)).size,
  };
}

function byPages(a: Counted, b: Counted): number {
  return b.pages - a.pages || compareTexts(a.competitorId, b.competitorId) ||
    compareTexts(a.cause, b.cause);
}

const GroupPlace = z.object({ pages: z.number(), competitorId: z.string(), cause: Cause });

async function readRepairPages(
  ctx: Context,
  { competitorId, cause: text, limit, cursor }: z.output<typeof RepairPagesQuery>,
): Promise<Page<RepairPage>> {
  const cause = text ? text : null;
  const after = openCursor(ctx, cursor, PagePlace);
  const shops = competitorId === undefined
    ? await failingShops(ctx, cause)
    : [competitorId].filter(isId);
  const rows: (FailingPage & ShopPlace)[] = [];
  for (const shop of shops) {
    if (after && shop < after.competitorId) continue;
    const behind = after?.competitorId === shop ? after : null;
    const room = limit + 1 - rows.length;
    if (room === 0) break;
    const own = await listFailing(ctx, { competitorId: shop, cause }, behind, room);
    rows.push(...own.map((page) => ({ ...page, competitorId: shop })));
  }
  const page = toPage(ctx, { rows, limit, positionOf: (row) => PagePlace.parse(row) });
  const items = await withNames(ctx, page.items);
  return { ...page, items, count: items.length };
}

type ShopPlace = FailingPlace & { readonly competitorId: string };

async function failingShops(ctx: Context, cause: RepairCause | null): Promise<readonly string[]> {
  const [counts, shops] = await Promise.all([listFailingCounts(ctx), competitorsById(ctx)]);
  const failing = counts.filter((one) => cause === null || one.cause === cause)
    .map((one) => one.competitorId);
  return [...new Set(failing)].filter((id) => shops.get(id)?.enabled).sort(compareTexts);
}

async function withNames(
  workspace: WorkspaceStore,
  pages: readonly FailingPage[],
): Promise<RepairPage[]> {
  const productIds = [...new Set(pages.map(({ productId }) => productId))];
  const [documents, matches] = await Promise.all([
    findDocuments(workspace, productIds),
    findMatches(workspace, pages.map(({ matchId }) => matchId)),
  ]);
  const products = new Map(
    parseProducts(documents.map(({ bytes }) => bytes)).map((product) => [product.id, product]),
  );
  return pages.flatMap(({ matchId, productId, cause, sinceMs }) => {
    const product = products.get(productId);
    const match = matches.get(matchId);
    if (!product || !match) return [];
    const { sku, title } = product;
    return [{ ...match, cause, since: new Date(sinceMs).toISOString(), sku, title }];
  });
}

const id = z.string().refine(isId);
const PagePlace = z.object({ cause: Cause, sinceMs: z.number(), matchId: id, competitorId: id });

type Tools = StepTools<RetryJob>;
const UNFINISHED_MAX = 16;
const WAIT_MS = 500;
/** A commit has at most ten version checks, and each new run needs two. */
const ASKED_PER_STEP = 4;

const BEGIN: RetryCursor = { after: null, inHand: [] };

export function createRetryKind(): JobKind<RetryJob> {
  return {
    kind: RETRY_KIND,
    slotsPerProcess: 16,
    step: takeRetryStep,
    finish: async ({ jobId, args: { competitorId } }, tools) => {
      const last = await lastRetries.find(tools, { competitorId });
      if (last?.row.retryId === jobId) lastRetries.drop(tools.write, tools, last.row);
    },
  };
}

async function takeRetryStep(job: RetryJob, tools: Tools): Promise<StepResult<RetryJob>> {
  const { after, inHand: earlier } = job.cursor ?? BEGIN;
  const runs = earlier.map((id) => findInFlight(tools, RUN_KIND, id));
  const waiting = (await Promise.all(runs)).flatMap((run) => run?.jobId ?? []);
  const left = job.stats.pages - job.stats.asked;
  const wanted = Math.max(0, Math.min(UNFINISHED_MAX - waiting.length, ASKED_PER_STEP, left));
  const listed = wanted === 0 ? [] : await listFailing(tools, job.args, after, wanted);
  const { pages, runIds: asked } = await askInTurn(job, tools, listed);
  const inHand = [...new Set([...waiting, ...asked])];
  const stats = { ...job.stats, asked: job.stats.asked + pages.length };
  const progress = { processed: stats.asked - inHand.length, total: stats.pages };
  const step = { cursor: { after: pages.at(-1) ?? after, inHand }, stats, progress };
  const isAtEnd = stats.asked >= stats.pages || listed.length + pages.length === 0;
  if (isAtEnd && inHand.length === 0) return { ...step, end: { status: "succeeded" } };
  if (asked.length > 0) return step;
  return { ...step, notBefore: new Date(tools.now().getTime() + WAIT_MS) };
}

/** Starts runs in the given order; stops at a product that another shop's retry is visiting. */
async function askInTurn(
  { args: { competitorId } }: RetryJob,
  tools: Tools,
  listed: readonly FailingPage[],
) {
  const pages: FailingPage[] = [];
  const runIds = new Map<string, string>();
  for (const page of listed) {
    const { productId } = page;
    const { run, active } = await findRunInFlight(tools, productId);
    if (run && (run.args.competitorId ?? competitorId) !== competitorId) break;
    pages.push(page);
    const found = runIds.has(productId) ? null : await findProduct(tools, productId);
    if (!found) continue;
    const { jobId } = run ?? addManualRun(tools.write, tools, found.product, active, competitorId);
    runIds.set(productId, jobId);
  }
  return { pages, runIds: [...runIds.values()] };
}

const RETRY_KIND = "retry";

interface RetryArgs {
  readonly competitorId: string;
  readonly cause: RepairCause | null;
}

interface RetryCursor {
  readonly after: FailingPlace | null;
  readonly inHand: readonly string[];
}

interface RetryCounts {
  readonly pages: number;
  readonly asked: number;
}

export type RetryJob = Job<RetryArgs, RetryCursor, RetryCounts>;

interface LastRetry {
  readonly competitorId: string;
  readonly retryId: string;
}

const lastRetries = defineTable<LastRetry, "competitorId">({
  prefix: "fr",
  about: "the unfinished retry of the shop's failing pages",
  key: { competitorId: "id" },
  value: "retryId",
  check: async ({ competitorId, retryId }, workspace) =>
    await findInFlight(workspace, RETRY_KIND, retryId)
      ? null
      : `Competitor ${competitorId} waits for the retry ${retryId}, but this has ended`,
});

const RetryRequest = z.strictObject({
  competitorId: z.string(),
  cause: Cause.nullish().describe("Null for all causes"),
}).meta({ id: "RetryRequest" });
type RetryRequest = z.output<typeof RetryRequest>;

const Retry = z.object({
  id: z.string(),
  competitorId: z.string(),
  cause: Cause.nullable(),
  status: z.enum(JOB_STATUSES),
  pages: z.int().describe("Number of failing pages when the retry was requested"),
  done: z.int().describe("Number of these pages that were fetched, whatever the outcome"),
  failing: z.int().describe("Current number of failing pages of the same kind"),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
}).meta({ id: "Retry" });
export type Retry = z.output<typeof Retry>;

const ASKED_RETRY: AskedKind = { kind: RETRY_KIND, name: "retry", path: "/api/repairs/retries" };

/** If the shop already has an unfinished retry, returns this retry, even if its cause differs. */
async function retryPages(
  ctx: Context,
  { competitorId, cause = null }: RetryRequest,
): Promise<Retry> {
  const retry = await transact(ctx, async (write) => {
    const found = await requireCompetitor(ctx, competitorId);
    const last = await lastRetries.find(ctx, { competitorId });
    const running = last && await findInFlight<RetryJob>(ctx, RETRY_KIND, last.row.retryId);
    if (running) return running;
    if (!found.row.enabled) {
      throw new Failure("conflict", "The competitor is disabled: enable it first");
    }
    const pages = await countFailing(ctx, { competitorId, cause });
    if (pages === 0) throw new Failure("conflict", "No page fails with this cause");
    const args: RetryArgs = { competitorId, cause };
    const stats: RetryCounts = { pages, asked: 0 };
    const progress = { processed: 0, total: pages };
    const job = addJob(write, ctx, { kind: RETRY_KIND, args, stats, progress });
    lastRetries.save(write, ctx, last, { competitorId, retryId: job.jobId });
    ctx.receipt?.put(write, `/api/repairs/retries/${job.jobId}`);
    return job;
  });
  return await toRetry(ctx, retry);
}

async function readRetry(workspace: WorkspaceStore, id: string): Promise<Retry> {
  return await toRetry(workspace, await requireAsked(workspace, ASKED_RETRY, id));
}

async function cancelRetry(
  ctx: Context,
  kind: Pick<JobKind<RetryJob>, "kind" | "finish">,
  id: string,
): Promise<Retry> {
  await cancelAsked(ctx, ASKED_RETRY, kind, id);
  return await readRetry(ctx, id);
}

async function toRetry(workspace: WorkspaceStore, job: RetryJob): Promise<Retry> {
  const { competitorId, cause } = job.args;
  return {
    id: job.jobId,
    competitorId,
    cause,
    status: job.status,
    pages: job.stats.pages,
    done: Math.min(job.progress.processed, job.stats.pages),
    failing: await countFailing(workspace, { competitorId, cause }),
    createdAt: job.createdAt,
    finishedAt: job.finishedAt,
  };
}

export function repairRoutes(kind: JobKind<RetryJob>) {
  return resource("/repairs", {
    read: { people: viewer },
    change: { people: manager },
    tags: ["Scraping"],
  })
    .get("", {
      query: RepairsQuery,
      answer: one(RepairGroups, "Groups by shop and cause, most pages first"),
    }, ({ ctx, query }) => readRepairs(ctx, query))
    .get("/pages", {
      query: RepairPagesQuery,
      answer: page(RepairPage, "The pages of a shop, those that have failed longest first"),
    }, ({ ctx, query }) => readRepairPages(ctx, query))
    .post("/retries", {
      body: RetryRequest,
      answer: one(Retry, "The new or the unfinished retry"),
      status: 202,
      location: ({ id }) => `/repairs/retries/${id}`,
    }, ({ ctx, body }) => retryPages(ctx, body))
    .get("/retries/{retryId}", {
      answer: one(Retry, "The retry"),
    }, ({ ctx, retryId }) => readRetry(ctx, retryId))
    .post("/retries/{retryId}/cancel", {
      answer: one(Retry, "The retry; runs that were added continue"),
    }, ({ ctx, retryId }) => cancelRetry(ctx, kind, retryId)).routes;
}
