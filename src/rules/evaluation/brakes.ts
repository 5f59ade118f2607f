/**
 * Lists and releases brakes. A brake forbids a rule to cut a product's price further after too many
 * cuts (docs/decisions/rules.md). Also stops and resumes the automatic prices of all rules.
 */
import { AuditReason } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { batchesOf } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import { DAY_MS, iso } from "../../base/time.ts";
import { requireProduct } from "../../catalogue/lists/find_product.ts";
import { parseProduct, shard } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { productVersions } from "../../catalogue/products/change_log_store.ts";
import { isBraked, rivalOf } from "../../engine/pricing/bounds.ts";
import { compileRule, type JudgedRule } from "../../engine/pricing/compile_rule.ts";
import { openCursor, type Page, pageQuery, toPage } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { readCompetitorSet } from "../../shops/competitor_store.ts";
import { listRules, requireRule } from "../rule.ts";
import {
  brakes,
  type ClosedBrake,
  findRuleStates,
  NOTHING_KEPT,
  queueDirty,
  saveRuleState,
} from "./rule_state_store.ts";
import { z } from "@hono/zod-openapi";
import { type Columns, fields, moments, openListTable } from "../../catalogue/lists/list_file.ts";
import { momentCell, moneyCell } from "../../platform/tables/cell.ts";
import { manager, viewer } from "../../accounts/roles.ts";
import { done, one, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { resumeAutomation, stopAutomation } from "../../accounts/change_settings.ts";
import { leastIdAt } from "../../base/id.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import { requireWorkspace, Workspace } from "../../accounts/workspace.ts";
import { countOpenProposals, listProposals } from "../proposals/proposal_store.ts";

const BrakeFilter = z.strictObject({
  ruleId: z.string().max(100).optional().describe("Only brakes of this rule"),
  productId: z.string().max(100).optional().describe("Only brakes of this product"),
});

const BrakeQuery = z.strictObject({ ...pageQuery(50, 200), ...BrakeFilter.shape });

const shop = z.string().nullable();

const BrakeDocument = z.object({
  productId: z.string(),
  sku: z.string(),
  title: z.string(),
  ruleId: z.string(),
  ruleName: z.string(),
  currency: z.string().describe("Currency of the amounts"),
  closedAt: z.iso.datetime().describe("When the last of the cuts was made"),
  until: z.iso.datetime().describe("The rule makes no cuts until this time"),
  war: z.object({ competitorId: z.string(), competitor: shop }).nullable()
    .describe("The shop that was the cheapest at each cut, and cheaper each time; null: none"),
  cuts: z.array(z.object({
    at: z.iso.datetime(),
    fromCents: z.int().describe("The price before the cut"),
    toCents: z.int(),
    competitorId: z.string().nullable().describe("The cheapest competitor at the time of the cut"),
    competitor: shop.describe("Current name of that competitor; null: it was deleted"),
    referenceCents: z.int().nullable()
      .describe("Its price, per piece, with or without VAT like our price"),
  })).describe("The cuts that activated the brake, oldest first"),
}).meta({ id: "Brake" });

type BrakeDocument = z.infer<typeof BrakeDocument>;

const BrakeRelease = z.strictObject({ reason: AuditReason.optional() })
  .meta({ id: "BrakeRelease" });

const Position = z.object({ untilMs: z.number(), productId: z.string(), ruleId: z.string() });

async function pageOfBrakes(
  ctx: Context,
  query: z.infer<typeof BrakeQuery>,
): Promise<Page<BrakeDocument>> {
  const { limit, cursor } = query;
  const nowMs = ctx.now().getTime();
  const after = openCursor(ctx, cursor, Position) ?? { untilMs: nowMs };
  const rows: BrakeDocument[] = [];
  for await (const part of batchesOf(closedBrakes(ctx, after, query), limit + 1)) {
    rows.push(...await toDocuments(ctx, part, nowMs));
    if (rows.length > limit) break;
  }
  const positionOf = ({ until, productId, ruleId }: BrakeDocument) => (
    { untilMs: Date.parse(until), productId, ruleId }
  );
  return toPage(ctx, { rows, limit, positionOf });
}

async function* closedBrakes(
  ctx: Context,
  after: Partial<ClosedBrake>,
  { ruleId, productId }: z.infer<typeof BrakeFilter>,
): AsyncGenerator<ClosedBrake> {
  for await (const { row } of brakes.walk(ctx, { after })) {
    if (ruleId && row.ruleId !== ruleId) continue;
    if (!productId || row.productId === productId) yield row;
  }
}

async function toDocuments(
  workspace: WorkspaceStore,
  brakes: readonly ClosedBrake[],
  nowMs: number,
): Promise<BrakeDocument[]> {
  const ids = [...new Set(brakes.map(({ productId }) => productId))];
  const [documents, states, rules, competitors] = await Promise.all([
    findDocuments(workspace, ids),
    findRuleStates(workspace, ids),
    listRules(workspace),
    readCompetitorSet(workspace),
  ]);
  const products = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes)]));
  const names = new Map(rules.filter(hasBrake).map(({ id, name }) => [id, name]));
  const nameOf = (id: string | null) => competitors.byId.get(id ?? "")?.displayName ?? null;
  return brakes.flatMap(({ productId, ruleId, untilMs }) => {
    const product = products.get(productId);
    const ruleName = names.get(ruleId);
    const state = states.get(productId)?.state[ruleId]?.brake;
    if (!product || ruleName === undefined || !state || !isBraked(state, nowMs)) return [];
    const { sku, title, currency } = product;
    const rivalId = rivalOf(state.cuts);
    return [{
      ...{ productId, sku, title, ruleId, ruleName, currency },
      closedAt: iso(state.cuts.at(-1)?.atMs ?? 0),
      until: iso(untilMs),
      war: rivalId === null ? null : { competitorId: rivalId, competitor: nameOf(rivalId) },
      cuts: state.cuts.map(({ atMs, ...cut }) => ({
        at: iso(atMs),
        ...cut,
        competitor: nameOf(cut.competitorId),
      })),
    }];
  });
}

export function hasBrake(rule: JudgedRule): boolean {
  return compileRule(rule).brake !== null;
}

async function releaseBrake(
  ctx: Context,
  productId: string,
  ruleId: string,
  reason: string | null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const { rule } = await requireRule(ctx, ruleId);
    const product = await requireProduct(ctx, productId, false);
    const versions = await productVersions.find(ctx, [shard(product.sku)]);
    const states = await findRuleStates(ctx, [productId]);
    const { state: before, seen } = states.get(productId) ?? NOTHING_KEPT;
    const { brake, ...past } = before[ruleId] ?? { lastFiredAtMs: null, rank: null };
    if (!hasBrake(rule) || brake === undefined || !isBraked(brake, ctx.now().getTime())) {
      throw new Failure("conflict", "The brake is not active");
    }
    productVersions.check(write, ctx.workspaceId, versions);
    const state = { ...before, [ruleId]: past };
    saveRuleState(write, ctx.workspaceId, product, { state, seen }, before);
    addAuditRow(write, ctx, {
      action: "rule.release",
      resource: { type: "rule", id: rule.id, label: rule.name },
      about: [`product:${productId}`],
      before: { sku: product.sku, brakedUntil: iso(brake.untilMs ?? 0) },
      after: { sku: product.sku, brakedUntil: null },
      reason,
    });
    queueDirty(write, ctx.workspaceId, ctx, [productId]);
  });
}

export function brakeRoutes() {
  return resource("/brakes", {
    read: { people: viewer },
    change: { people: manager },
    tags: ["Brakes"],
  })
    .list({
      query: BrakeQuery,
      answer: page(BrakeDocument, "Active brakes, in the order in which they end", {
        inApp: "BrakePage",
      }),
    }, ({ ctx, query }) => pageOfBrakes(ctx, query))
    .files("", {
      tags: ["Brakes"],
      query: BrakeFilter,
      words: "All matching active brakes, in the order in which they end",
      open: (ctx, filter) =>
        openListTable("brakes", COLUMNS, (page) => pageOfBrakes(ctx, { ...filter, ...page })),
    })
    .post("/{productId}/{ruleId}/release", {
      sensitive: true,
      optionalBody: BrakeRelease,
      answer: done("The rule may cut the price again; it is asked at once"),
    }, async ({ ctx, productId, ruleId, body: { reason = null } }) => {
      await releaseBrake(ctx, productId, ruleId, reason);
    }).routes;
}

const COLUMNS: Columns<BrakeDocument> = {
  ...fields("sku", "title"),
  rule: ({ ruleName }) => ruleName,
  competitor: ({ war }) => war?.competitor ?? null,
  cuts: ({ cuts }) => cuts.length,
  firstCutAt: ({ cuts }) => momentCell(cuts[0]?.at ?? null),
  before: ({ cuts, currency }) => moneyCell(cuts[0]?.fromCents ?? null, currency),
  after: ({ cuts, currency }) => moneyCell(cuts.at(-1)?.toCents ?? null, currency),
  reference: ({ cuts, currency }) => moneyCell(cuts.at(-1)?.referenceCents ?? null, currency),
  currency: ({ currency }) => currency,
  ...moments("closedAt", "until"),
  competitorId: ({ war }) => war?.competitorId ?? null,
  ...fields("productId", "ruleId"),
};

const PER_READ = 1_000;

const AutomationStopRequest = z.strictObject({
  reason: AuditReason.refine((reason) => reason !== null, "Must give a reason")
    .describe("The reason, which is shown to all people of the workspace"),
}).meta({ id: "AutomationStopRequest" });

const AutomationResumeRequest = z.strictObject({
  reason: AuditReason.optional(),
}).meta({ id: "AutomationResumeRequest" });

const Automation = z.object({
  automationStop: Workspace.shape.automationStop,
  rules: z.int()
    .describe("Enabled rules that set prices automatically; while stopped, they propose them"),
  waiting: z.int().describe("Number of open proposals, up to 100,000"),
  applied24h: z.int()
    .describe("Number of prices that rules set automatically in the last 24 hours, up to 10,000"),
}).meta({ id: "Automation" });

async function automationOf(
  workspace: WorkspaceStore & Pick<Context, "now">,
  { automationStop }: Pick<Workspace, "automationStop">,
) {
  const [rules, waiting, applied24h] = await Promise.all([
    listRules(workspace),
    countOpenProposals(workspace, 100_000),
    countAppliedByRules(workspace, workspace.now().getTime() - DAY_MS, 10_000),
  ]);
  const automatic = rules.filter(({ enabled, actions }) =>
    enabled && actions.some(({ type }) => type === "auto_apply_if_safe")
  );
  return { automationStop, rules: automatic.length, waiting, applied24h };
}

async function countAppliedByRules(workspace: WorkspaceStore, sinceMs: number, max: number) {
  const least = leastIdAt(sinceMs);
  let [counted, seen] = [0, 0];
  const index = { by: "status", status: "applied" } as const;
  const pages = pagesOf((...at) => listProposals(workspace, index, ...at, "desc"), idOf, PER_READ);
  for await (const page of pages) {
    const young = page.filter(({ id }) => id >= least);
    counted += young.filter(({ decidedBy }) => decidedBy?.type === "system").length;
    seen += page.length;
    if (young.length < PER_READ || seen >= max) break;
  }
  return counted;
}

export function automationRoutes() {
  return resource("", {
    read: { people: viewer },
    change: { people: manager },
    tags: ["Automation"],
  })
    .get("/automation", {
      answer: one(Automation, "Automatic prices: how many there are, and whether they are stopped"),
    }, async ({ ctx }) => automationOf(ctx, await requireWorkspace(ctx)))
    .post("/automation/stop", {
      body: AutomationStopRequest,
      answer: one(Automation, "Automatic prices are stopped; the numbers that this affects"),
    }, async ({ ctx, body: { reason } }) => automationOf(ctx, await stopAutomation(ctx, reason)))
    .post("/automation/resume", {
      sensitive: true,
      optionalBody: AutomationResumeRequest,
      answer: one(Automation, "Rules set prices automatically again"),
    }, async ({ ctx, body: { reason = null } }) => {
      return automationOf(ctx, await resumeAutomation(ctx, reason));
    }).routes;
}
