import { DAY_MS } from "../../../src/base/time.ts";
import { walkPriceRows } from "../../../src/catalogue/prices/price_rows.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { stopAutomation } from "../../../src/accounts/change_settings.ts";
import { spentDays } from "../../../src/rules/evaluation/rule_stats.ts";
import { brakes, findRuleStates } from "../../../src/rules/evaluation/rule_state_store.ts";
import { walkHeld } from "../../../src/shops/offers/failing_and_held_store.ts";
import { findOffers } from "../../../src/shops/offers/offer_store.ts";
import { recordFetch } from "../../../src/shops/recording/record_observation.ts";
import { auditRows } from "../../../src/accounts/audit/audit_store.ts";
import { proposalTable } from "../../../src/rules/proposals/proposal_store.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { assertWhole, opened, workAndKill } from "../killed_work.ts";
import { publishAll } from "../../platform/events/outbox.ts";
import { extent } from "../../proof.ts";
import { anObservation } from "../../shops/observations/made_observations.ts";
import { inFolder } from "../../temporary_folder.ts";
import { queuePushed } from "./judge_all.ts";
import { afterApp, automatic, CENT_BELOW, type RulesApp } from "./market.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const KILLS = extent(20, 1);
/** Kills of the evaluating process. The test stops automation after a quarter of them. */
const STOPPED_KILLS = extent(20, 2);
const COUNT = extent(64, 32);
const BUDGET = 23;

const skuOf = (n: number) => `P${String(n).padStart(3, "0")}`;

type Scene = Awaited<ReturnType<typeof prepare>>;

/** Adds products at 100.00, the same price at acme, and a rule that undercuts acme by a cent. */
async function prepare(
  dataDir: string,
  { holdsPrices, ...rule }: Record<string, unknown> & { readonly holdsPrices: boolean },
  more: (app: RulesApp) => Promise<void> = () => Promise.resolve(),
) {
  const skus = Array.from({ length: COUNT }, (_, n) => skuOf(n));
  const scene = await opened(dataDir, (store) =>
    afterApp({ store, holdsPrices }, async (app) => {
      const ids = await app.addAutomatic(skus, 100);
      const ruleId = await app.addSilentRule({ ...CENT_BELOW, ...rule });
      app.clock.advance(DAY_MS);
      await more(app);
      return { ids, ruleId };
    }));
  return { ...scene, dataDir };
}

const inScene = <T>({ dataDir, ctx }: Scene, work: (ctx: Context) => Promise<T>) =>
  opened(dataDir, (store) => work({ ...ctx, store }));

/** Stores a newly fetched price of acme for every product, but does not relay the events. */
async function show(scene: Scene, priceAt: (n: number) => number): Promise<void> {
  await inScene(scene, async (ctx) => {
    for (const [n, id] of scene.ids.entries()) {
      const { offers: [offer] } = await findOffers(ctx, id);
      ok(offer);
      const { matchId, competitorId } = offer;
      const prices = { costPriceCents: 5_000, ourPriceCents: 10_000, currency: "EUR" };
      const product = { id, sku: skuOf(n), ...prices };
      const place = { productId: id, matchId, competitorId, observedAtMs: ctx.now().getTime() };
      const seen = anObservation({ ...place, priceCents: priceAt(n) });
      await transact(
        ctx,
        (write) => recordFetch(write, ctx, { product, matchId }, { kind: "seen", seen }),
      );
    }
  });
}

/** Queues each product in a row of its own, so that a kill can hit between any two. */
const queue = (scene: Scene) =>
  inScene(scene, (ctx) => queuePushed(ctx, scene.ids.map((id) => [id])));

const judgeAndKill = (
  { dataDir, ctx }: Scene,
  task: "judge" | "release",
  more: Partial<Pick<Parameters<typeof workAndKill>[0], "ended" | "kills">> = {},
) =>
  workAndKill({
    child: new URL("./judge_child.ts", import.meta.url),
    ...{ dataDir, args: [ctx.now().toISOString(), ctx.workspaceId, task], kills: KILLS, ...more },
  });

async function applied(store: Store, { ctx: { workspaceId }, ruleId }: Scene): Promise<number> {
  const rows = await Array.fromAsync(walkPriceRows({ store, workspaceId }));
  return rows.filter(({ change: { source, ref } }) => source === "rule" && ref === ruleId).length;
}

inFolder.test(`a budget is spent once, and the brake counts each cut, when judging is killed ${KILLS} times`, async (folder) => {
  const scene = await prepare(
    folder.path,
    { holdsPrices: false, brake: { cuts: 2, days: 7, restDays: 9 } },
    async (app) => {
      // Cuts of this earlier day precede the budget, but the brake counts them.
      await app.push(Array.from({ length: COUNT }, (_, n) => [skuOf(n), "acme", 99]));
      app.clock.advance(DAY_MS);
      await app.owner.change("/api/settings", { budgetPerDay: BUDGET });
    },
  );
  const nowMs = scene.ctx.now().getTime();
  await show(scene, () => 9_800);
  await queue(scene);
  await judgeAndKill(scene, "judge", {
    ended: async (store) => {
      const done = await applied(store, scene) - COUNT;
      const [day] = await spentDays.list({ ...scene.ctx, store });
      assertEquals(day?.row.all ?? 0, done);
      ok(done <= BUDGET);
    },
  });
  await inScene(scene, async (ctx) => {
    assertEquals(await applied(ctx.store, scene), COUNT + BUDGET);
    const states = await findRuleStates(ctx, scene.ids);
    const cuts = [...states.values()].map(({ state }) => state[scene.ruleId]?.brake);
    const closed = cuts.filter((brake) => brake?.untilMs === nowMs + 9 * DAY_MS);
    assertEquals([cuts.length, closed.length], [COUNT, BUDGET]);
    const [first, second] = [[nowMs - DAY_MS, 10_000, 9_899], [nowMs, 9_899, 9_799]];
    for (const brake of cuts) {
      const moves = brake?.cuts.map(({ atMs, fromCents, toCents }) => [atMs, fromCents, toCents]);
      assertEquals(moves, brake?.untilMs === null ? [first] : [first, second]);
    }
    assertEquals((await brakes.list(ctx)).length, BUDGET);
    await assertWhole(ctx);
  });
});

inFolder.test(`no price is set after a stop, when judging is killed ${STOPPED_KILLS} times`, async (folder) => {
  const scene = await prepare(folder.path, { holdsPrices: false });
  await show(scene, () => 9_800);
  await queue(scene);
  let before = -1;
  let kills = 0;
  await judgeAndKill(scene, "judge", {
    kills: STOPPED_KILLS,
    ended: async (store) => {
      kills++;
      if (before >= 0) return assertEquals(await applied(store, scene), before);
      if (kills < STOPPED_KILLS / 4) return;
      await stopAutomation({ ...scene.ctx, store }, "War");
      before = await applied(store, scene);
      ok(before < COUNT, `of ${COUNT} ${before} are set`);
    },
  });
  await inScene(scene, async (ctx) => {
    assertEquals(await applied(ctx.store, scene), before);
    const open = (await proposalTable.list(ctx)).filter(({ row: { status } }) => status === "open");
    assertEquals(open.length, COUNT - before, "the others are proposed, each once");
    await assertWhole(ctx);
  });
});

inFolder.test(`a shop whose holding and release is killed ${KILLS} times is held and released completely, once`, async (folder) => {
  const scene = await prepare(folder.path, { holdsPrices: true });
  const price = (n: number) => 6_000 + n;
  await show(scene, price);
  const data = { cause: "push" as const, ref: null, productIds: scene.ids };
  await inScene(scene, (ctx) => publishAll(ctx, [{ type: "products.touched", data }]));
  const prices = (ctx: Context) =>
    Promise.all(scene.ids.map(async (id) => (await findOffers(ctx, id)).offers[0]?.priceCents));
  await judgeAndKill(scene, "judge");
  await inScene(scene, async (ctx) => {
    const held = await Array.fromAsync(walkHeld(ctx));
    assertEquals(held.map(({ code }) => code), Array(COUNT).fill("shop_jump"));
    assertEquals(await prices(ctx), Array(COUNT).fill(10_000));
    assertEquals(await applied(ctx.store, scene), COUNT, "what the shop asked before, and no more");
    assertEquals((await Array.fromAsync(ctx.store.kv.list({ prefix: ["qa"] }))).length, 1);
    await assertWhole(ctx);
  });
  await judgeAndKill(scene, "release");
  await inScene(scene, async (ctx) => {
    assertEquals(await Array.fromAsync(walkHeld(ctx)), []);
    assertEquals(await prices(ctx), scene.ids.map((_, n) => price(n)));
    const audit = (await auditRows.list(ctx)).map(({ row }) => row.action);
    const released = audit.filter((action) => action === "competitor_product.release");
    assertEquals(released.length, COUNT, "each is released once");
    await assertWhole(ctx);
  });
});

const PRODUCTS = extent(1_200, 30);

const SKUS = Array.from({ length: PRODUCTS }, (_, n) => `SKU-${n}`);

/**
 * Adds undercut products and rules; a cooldown would hide repeated evaluations, so the rules have
 * none. The rule for brand `Auto` sets prices itself. At the end, a `products.touched` event waits
 * for its listeners.
 */
async function prepareUndercut(store: Store): Promise<Context> {
  const { ctx, productIds } = await afterApp({ store }, async (app) => {
    await app.owner.change("/api/settings", { autoApply: true });
    const products = SKUS.map((sku, n) => ({ sku, brand: n % 3 === 0 ? "Auto" : "Hand" }));
    const productIds: string[] = [];
    for (let at = 0; at < PRODUCTS; at += 600) {
      productIds.push(...await app.addProducts(products.slice(at, at + 600)));
      app.clock.advance(60_000);
      await app.push(SKUS.slice(at, at + 600).map((sku) => [sku, "acme", 90]));
    }
    const ofBrand = (brand: string) => ({ mode: "attribute", matches: { brand } });
    await app.addSilentRule({
      scope: ofBrand("Hand"),
      actions: [{ type: "propose_price", formula: "match_cheapest" }, { type: "alert_inapp" }],
    });
    const { marginFloor, actions } = automatic(10);
    await app.addSilentRule({
      ...{ scope: ofBrand("Auto"), marginFloor },
      actions: [...actions, { type: "alert_email", severity: "high" }],
    });
    return { productIds };
  });
  const data = { cause: "push" as const, ref: null, productIds };
  await publishAll(ctx, [{ type: "products.touched", data }]);
  return ctx;
}

inFolder.test(`an evaluation that is killed ${KILLS} times has every effect once`, async (folder) => {
  const dataDir = folder.path;
  const { workspaceId, now } = await opened(dataDir, prepareUndercut);
  const child = new URL("./judge_child.ts", import.meta.url);
  const args = [now().toISOString(), workspaceId, "judge"];
  await workAndKill({ child, dataDir, args, kills: KILLS });
  await opened(dataDir, (store) => requireOnce(store, workspaceId));
});

async function requireOnce(store: Store, workspaceId: string): Promise<void> {
  const auto = Math.ceil(PRODUCTS / 3);
  const rows = async (...prefix: Deno.KvKey) =>
    await Array.fromAsync(store.kv.list<Record<string, unknown>>({ prefix }));
  const proposals = (await rows("pr")).map(({ value }) => value.status);
  const counted = Map.groupBy(proposals, (status) => status);
  assertEquals(counted.get("open")?.length, PRODUCTS - auto);
  assertEquals(counted.get("applied")?.length, auto);
  assertEquals(proposals.length, PRODUCTS, "a proposal of each product, none doubled");
  assertEquals((await rows("al")).length, PRODUCTS, "an alert of each product, none doubled");
  const prices = await Array.fromAsync(walkPriceRows({ store, workspaceId }));
  const changes = prices.filter(({ change }) => change.source === "rule");
  assertEquals(changes.length, auto, "each price is set once");
  const heard = await Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix: ["heard"] }));
  assertEquals(new Set(heard.map(({ value }) => value.value)), new Set([1n]));
  assertEquals(heard.length, PRODUCTS + (PRODUCTS - auto), "each event is heard once");
  const fires = await Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix: ["rf"] }));
  assertEquals(fires.reduce((sum, { value }) => sum + Number(value.value), 0), PRODUCTS);
  await assertWhole({ store });
}
