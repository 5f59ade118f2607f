/** Helpers for tests of rules: products, prices of shops, rules, and waiting for evaluations. */
import { ok } from "node:assert/strict";
import type { Caller } from "../../caller.ts";
import type { TestApp } from "../../harness.ts";
import { REJUDGE_KIND } from "../../../src/platform/events/rejudge.ts";
import { hasEnded } from "../../../src/platform/jobs/job.ts";
import { jobs } from "../../../src/platform/jobs/job_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { findRule, saveRule } from "../../../src/rules/rule.ts";
import { until } from "../../patience.ts";

/** A short rule without a cooldown, which matches cheaper competitors. */
export const UNDERCUT = {
  name: "Match cheaper competitors",
  enabled: true,
  cooldownMinutes: 0,
  when: { trigger: "competitor_undercut" },
  scope: { mode: "all" },
  actions: [{ type: "propose_price", formula: "match_cheapest" }],
};

/** The terms of a rule that matches cheaper competitors automatically. */
export function automatic(maxChangePct: number, floorPct = 10) {
  const action = { type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct };
  return { marginFloor: { pct: floorPct }, actions: [action] };
}

export async function addRule(caller: Caller, more: Record<string, unknown> = {}): Promise<string> {
  return (await caller.create("/api/rules", { ...UNDERCUT, ...more })).id;
}

export async function addProduct(caller: Caller, sku: string, more: Record<string, unknown> = {}) {
  const body = { sku, title: `Product ${sku}`, ourPrice: 100, costPrice: 50, ...more };
  return (await caller.create("/api/products", body)).id;
}

export async function addProducts(
  app: Pick<TestApp, "key">,
  products: readonly (Readonly<Record<string, unknown>> & { readonly sku: string })[],
): Promise<string[]> {
  const key = await app.key(["products:write"]);
  const items = products.map((one) => ({
    ...{ title: `Product ${one.sku}`, ourPrice: 100, costPrice: 50 },
    ...one,
  }));
  const { data } = await key.act("/api/public/v1/products/batch", { items });
  return data.map(({ id, outcome }: { id: string; outcome: string }) => {
    ok(outcome === "created", JSON.stringify(data));
    return id;
  });
}

/** Waits until earlier writes are evaluated, then pushes prices, each as `[sku, shop, price]`. */
export async function push(
  app: TestApp,
  rows: readonly (readonly [sku: string, shop: string, price: number])[],
  more: Record<string, unknown> = {},
): Promise<void> {
  await untilJudged(app);
  const key = await app.key(["observations:write"]);
  const observations = rows.map(([sku, shop, price]) => ({
    sku,
    url: `https://${shop}.example/${sku}`,
    price,
    currency: "EUR",
    inStock: true,
    observedAt: app.clock.now().toISOString(),
    ...more,
  }));
  const { data } = await key.act("/api/public/v1/observations", { observations });
  ok(data.rejected === 0, JSON.stringify(data));
}

export async function pushJudged(...pushed: Parameters<typeof push>): Promise<void> {
  await push(...pushed);
  await untilJudged(pushed[0]);
}

/** Adds a product at 100.00 with a cost of 50.00, and a proposal of 90.00. Returns both ids. */
export async function propose(app: TestApp, rule: Record<string, unknown> = {}) {
  const ruleId = await addRule(app.owner, {
    marginFloor: { pct: 10 },
    cooldownMinutes: 60,
    ...rule,
  });
  const productId = await addProduct(app.owner, "A");
  await pushJudged(app, [["A", "acme", 90]]);
  const [proposal] = await proposals(app.owner, "status=open");
  ok(proposal);
  return { ruleId, productId, id: proposal.id };
}

export async function untilJudged({ store }: Pick<TestApp, "store">): Promise<void> {
  await until("nothing waits to be judged", () => isJudged(store));
}

export async function isJudged(store: TestApp["store"]): Promise<boolean> {
  if (await hasQueued(store)) return false;
  // A job queues the products of a changed rule or shop.
  for await (const { row: job } of jobs.walkAll(store)) {
    if (job.kind === REJUDGE_KIND && !hasEnded(job)) return false;
  }
  // Both tables are checked twice, because an evaluation takes products from one table and adds
  // events to the other.
  return !(await hasQueued(store) || await hasQueued(store));
}

async function hasQueued({ kv }: TestApp["store"]): Promise<boolean> {
  return await hasRows(kv, "nw") || await hasRows(kv, "tq");
}

async function hasRows(kv: Deno.Kv, table: string): Promise<boolean> {
  for await (const _ of kv.list({ prefix: [table] }, { limit: 1 })) return true;
  return false;
}

interface ShownProposal {
  readonly id: string;
  readonly ruleId: string;
  readonly productId: string;
  readonly sku: string;
  readonly currentCents: number;
  readonly proposedCents: number;
  readonly status: string;
  readonly reason: string;
  readonly trace: { readonly references: readonly unknown[] } | null;
  readonly decidedBy: { readonly type: string; readonly name: string } | null;
}

export async function proposals(caller: Caller, query = ""): Promise<ShownProposal[]> {
  return (await caller.read(`/api/proposals?limit=200&${query}`)).items;
}

export async function statuses(caller: Caller, query = ""): Promise<(readonly [string, number])[]> {
  return (await proposals(caller, query)).map((one) => [one.status, one.proposedCents]);
}

export async function priceOf(caller: Caller, productId: string): Promise<number> {
  return (await caller.read(`/api/products/${productId}`)).ourPriceCents;
}

/** Like `addRule`, but causes no evaluation. */
export async function addSilentRule(app: TestApp, more: Record<string, unknown> = {}) {
  const id = await addRule(app.owner, { ...more, enabled: false });
  const workspace = { store: app.store, workspaceId: app.workspaceId };
  await transact(app, async (write) => {
    const found = await findRule(workspace, id);
    ok(found);
    saveRule(write, app.workspaceId, found.rule, { ...found.rule, enabled: true });
  });
  return id;
}

/** Ends the start phase of a workspace by a first decision, and undoes this decision. */
export async function decideOnce(app: TestApp): Promise<void> {
  const { items: [{ id }] } = await app.owner.read("/api/proposals?status=open");
  await app.owner.act(`/api/proposals/${id}/approve`, {});
  await app.owner.act(`/api/proposals/${id}/rollback`, {});
}
