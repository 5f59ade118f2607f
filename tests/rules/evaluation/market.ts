/** Helpers for tests of rules: add products, offers and rules, and wait for evaluations. */
import { ok } from "node:assert/strict";
import type { Caller } from "../../caller.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../../harness.ts";
import { testWith } from "../../opened.ts";
import { checkedAfter } from "../../shops/shop.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { REJUDGE_KIND } from "../../../src/platform/events/outbox_store.ts";
import { hasEnded } from "../../../src/platform/jobs/job.ts";
import { jobs } from "../../../src/platform/jobs/job_store.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { contextOf } from "../../platform/jobs/counting.ts";
import { queueEnded } from "../../../src/rules/evaluation/rule_state_store.ts";
import type { Proposal } from "../../../src/rules/proposals/proposal.ts";
import { findRule, saveRule } from "../../../src/rules/rule.ts";
import { until } from "../../patience.ts";
import { isWaiting } from "./judge_all.ts";

type Terms = Record<string, unknown>;

/** A rule without a cooldown that proposes the cheapest competitor's price, if it is below ours. */
export const UNDERCUT = {
  name: "Match cheaper competitors",
  enabled: true,
  cooldownMinutes: 0,
  when: { trigger: "competitor_undercut" },
  scope: { mode: "all" },
  actions: [{ type: "propose_price", formula: "match_cheapest" }],
};

/** A rule that keeps our price one cent below the cheapest offer, automatically. */
export const CENT_BELOW = {
  name: "A cent below",
  when: { trigger: "market_index", always: true },
  marginFloor: { pct: 10 },
  actions: [{ type: "auto_apply_if_safe", maxChangePct: 50, price: { adjust: { cents: -1 } } }],
};

/** A rule that sets our price to the cheapest competitor's, automatically. */
export function automatic(maxChangePct: number, floorPct = 10) {
  const action = { type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct };
  return { marginFloor: { pct: floorPct }, actions: [action] };
}

export async function addRule(caller: Caller, more: Terms = {}): Promise<string> {
  return (await caller.create("/api/rules", { ...UNDERCUT, ...more })).id;
}

export async function addProduct(caller: Caller, sku: string, more: Terms = {}) {
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

type PushedRows = readonly (readonly [sku: string, shop: string, price: number])[];

/** Waits until earlier writes are evaluated, then pushes prices. */
export async function push(
  app: TestApp,
  rows: PushedRows,
  more: Terms = {},
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

/** Adds a rule, a product at 100.00 with cost 50.00, and a proposal of 90.00. */
export async function propose(app: TestApp, rule: Terms = {}) {
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
  if (await isWaiting(store)) return false;
  // A change of a rule or shop adds a job that queues products for evaluation.
  for await (const { row: job } of jobs.walkAll(store)) {
    if (job.kind === REJUDGE_KIND && !hasEnded(job)) return false;
  }
  // Checks twice, because an evaluation may move work from `tq` (queue) to `nw` (outbox) meanwhile.
  return !(await isWaiting(store) || await isWaiting(store));
}

export async function proposals(caller: Caller, query = ""): Promise<Proposal[]> {
  return (await caller.read(`/api/proposals?limit=200&${query}`)).items;
}

export async function statuses(caller: Caller, query = ""): Promise<(readonly [string, number])[]> {
  return (await proposals(caller, query)).map((one) => [one.status, one.proposedCents]);
}

export async function priceOf(caller: Caller, productId: string): Promise<number> {
  return (await caller.read(`/api/products/${productId}`)).ourPriceCents;
}

/** Enables the rule without queueing any product. */
export async function addSilentRule(app: TestApp, more: Terms = {}) {
  const id = await addRule(app.owner, { ...more, enabled: false });
  const workspace = { store: app.store, workspaceId: app.workspaceId };
  await transact(app, async (write) => {
    const found = await findRule(workspace, id);
    ok(found);
    saveRule(write, app.workspaceId, found.rule, { ...found.rule, enabled: true });
  });
  return id;
}

/** Approves a proposal and rolls it back; the overview then shows no set-up steps. */
export async function decideOnce(app: TestApp): Promise<void> {
  const { items: [{ id }] } = await app.owner.read("/api/proposals?status=open");
  await app.owner.act(`/api/proposals/${id}/approve`, {});
  await app.owner.act(`/api/proposals/${id}/rollback`, {});
}

/**
 * Adds helpers that act as the owner. `push` waits until its prices are evaluated. Each read first
 * waits until all earlier writes are evaluated.
 */
export function rulesAppOf(app: TestApp) {
  const { owner } = app;
  const judged = () => untilJudged(app);
  const readAfter = <Given extends unknown[], T>(
    read: (caller: Caller, ...given: Given) => Promise<T>,
  ) =>
  async (...given: Given) => {
    await judged();
    return await read(owner, ...given);
  };
  return {
    ...app,
    judged,
    inTime: (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString(),
    addRule: (more?: Terms) => addRule(owner, more),
    addSilentRule: (more?: Terms) => addSilentRule(app, more),
    addProduct: (sku: string, more?: Terms) => addProduct(owner, sku, more),
    addProducts: (products: Parameters<typeof addProducts>[1]) => addProducts(app, products),
    push: (rows: PushedRows, more?: Terms) => pushJudged(app, rows, more),
    async pushAfter(ms: number, rows: PushedRows, more?: Terms) {
      await judged();
      app.clock.advance(ms);
      await pushJudged(app, rows, more);
    },
    async sell(sold: Readonly<Record<string, number>>) {
      const date = app.clock.now().toISOString().slice(0, 10);
      const rows = Object.entries(sold).map(([sku, units]) => ({ sku, date, units }));
      await (await app.key(["products:write"])).act("/api/public/v1/sales", { rows });
    },
    propose: (rule?: Terms) => propose(app, rule),
    /** Allows automatic prices, and adds products at 100.00; an hour later, acme asks `price`. */
    async addAutomatic(skus: readonly string[], price: number, more?: Terms) {
      await owner.change("/api/settings", { autoApply: true });
      const ids = await addProducts(app, skus.map((sku) => ({ sku, ...more })));
      app.clock.advance(HOUR_MS);
      await pushJudged(app, skus.map((sku) => [sku, "acme", price]));
      return ids;
    },
    /**
     * Advances the clock, and evaluates products for which a closed brake or another temporary
     * obstacle has ended. Returns how many obstacles have ended.
     */
    async endedAfter(ms: number) {
      await judged();
      app.clock.advance(ms);
      const queued = await queueEnded({ store: app.store, clock: app.app.clock });
      await judged();
      return queued;
    },
    proposals: readAfter(proposals),
    statuses: readAfter(statuses),
    priceOf: readAfter(priceOf),
    alerts: readAfter(async (caller, query = "") =>
      (await caller.read(`/api/alerts?limit=200&${query}`)).items
    ),
    decisions: readAfter(async (caller, productId: string) =>
      (await caller.read(`/api/products/${productId}/decisions`)).items
    ),
  };
}

export type RulesApp = ReturnType<typeof rulesAppOf>;

export async function startRulesApp(options: TestAppOptions = {}): Promise<RulesApp> {
  return rulesAppOf(await startTestApp(options));
}

/**
 * Closes the app after `work`, and adds a context of its workspace to the result. The context's
 * clock stands still.
 */
export async function afterApp<T extends object>(
  { store, ...options }: TestAppOptions & { readonly store: Store },
  work: (app: RulesApp) => Promise<T>,
): Promise<T & { readonly ctx: Context }> {
  await using app = await startRulesApp({ ...options, store });
  const made = await work(app);
  await app.judged();
  const now = app.clock.now();
  const clock = { ...app.app.clock, now: () => now };
  return { ...made, ctx: contextOf(store, clock, app.workspaceId) };
}

/** At the end of each test, no rows of the store may contradict each other. */
const checkedRules = (options: TestAppOptions) =>
  checkedAfter(testWith(() => startRulesApp(options)), (app) => app);

export const withRules = checkedRules({});
/** Suspicious prices are quarantined. */
export const withHeldPrices = checkedRules({ holdsPrices: true, env: { METRICS_TOKEN: "secret" } });
