import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { walkPriceRows } from "../../../src/catalogue/prices/price_rows.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { stopAutomation } from "../../../src/accounts/change_settings.ts";
import { spentDays } from "../../../src/rules/evaluation/situation_reader.ts";
import { brakes, findRuleStates } from "../../../src/rules/evaluation/rule_state_store.ts";
import { checkObservations } from "../../../src/shops/check_observations.ts";
import { walkHeld } from "../../../src/shops/offers/held_price_store.ts";
import { findOffers } from "../../../src/shops/offers/offer_store.ts";
import { recordFetch } from "../../../src/shops/record_fetch.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { assertWhole, opened, workAndKill } from "../killed_work.ts";
import { publishAll } from "../../platform/events/outbox.ts";
import { contextOf, createTestClock } from "../../platform/jobs/counting.ts";
import { extent } from "../../proof.ts";
import { anObservation } from "../../shops/observations/added_observations.ts";
import { inFolder } from "../../temporary_folder.ts";
import { queuePushed } from "./judge_all.ts";
import { addProducts, addSilentRule, pushJudged, untilJudged } from "./market.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const KILLS = extent(20, 1);
/** The first quarter of the kills comes before the stop, the others after it. */
const STOPPED_KILLS = extent(20, 2);
const COUNT = extent(64, 32);
const BUDGET = 23;

interface Scene {
  readonly dataDir: string;
  readonly workspaceId: string;
  readonly ids: readonly string[];
  readonly now: Date;
  readonly ruleId: string;
}

const skuOf = (n: number) => `P${String(n).padStart(3, "0")}`;

/** Adds products at 100.00, equal prices of acme, and an automatic rule one cent below acme. */
async function prepare(
  dataDir: string,
  { holdsPrices, ...rule }: Record<string, unknown> & { readonly holdsPrices: boolean },
  more: (app: TestApp) => Promise<void> = () => Promise.resolve(),
): Promise<Scene> {
  return await opened(dataDir, async (store) => {
    await using app = await startTestApp({ store, holdsPrices });
    await app.owner.change("/api/settings", { autoApply: true });
    const products = Array.from({ length: COUNT }, (_, n) => ({ sku: skuOf(n) }));
    const ids = await addProducts(app, products);
    app.clock.advance(HOUR_MS);
    await pushJudged(app, ids.map((_, n) => [skuOf(n), "acme", 100]));
    const ruleId = await addSilentRule(app, {
      name: "A cent below",
      when: { trigger: "market_index", always: true },
      marginFloor: { pct: 10 },
      actions: [{ type: "auto_apply_if_safe", maxChangePct: 50, price: { adjust: { cents: -1 } } }],
      ...rule,
    });
    app.clock.advance(DAY_MS);
    await more(app);
    await untilJudged(app);
    return { dataDir, workspaceId: app.workspaceId, ids, now: app.clock.now(), ruleId };
  });
}

/** Pushes acme's price of every product. The event is not relayed yet. */
async function show(scene: Scene, priceAt: (n: number) => number): Promise<void> {
  await opened(scene.dataDir, async (store) => {
    const appClock = { ...createTestClock(), now: () => scene.now };
    const ctx = contextOf(store, appClock, scene.workspaceId);
    for (const [n, id] of scene.ids.entries()) {
      const { offers: [offer] } = await findOffers(ctx, id);
      ok(offer);
      const prices = { costPriceCents: 5_000, ourPriceCents: 10_000, currency: "EUR" };
      const product = { id, sku: skuOf(n), ...prices };
      await transact(ctx, (write) =>
        recordFetch(write, ctx, { product, matchId: offer.matchId }, {
          kind: "seen",
          seen: anObservation({
            ...{ productId: id, matchId: offer.matchId, competitorId: offer.competitorId },
            ...{ priceCents: priceAt(n), observedAtMs: scene.now.getTime() },
          }),
        }));
    }
  });
}

/** Queues each product in a row of its own, so that a kill can come between many commits. */
async function queue({ ids, workspaceId, now, dataDir }: Scene): Promise<void> {
  await opened(dataDir, (store) =>
    transact({ store }, (write) => {
      for (const id of ids) queuePushed(write, { workspaceId, id, productIds: [id], now });
    }));
}

const judgeAndKill = (
  { dataDir, now, workspaceId }: Scene,
  task: "judge" | "release",
  more: Partial<Pick<Parameters<typeof workAndKill>[0], "ended" | "kills">> = {},
) =>
  workAndKill({
    child: new URL("./judge_child.ts", import.meta.url),
    ...{ dataDir, args: [now.toISOString(), workspaceId, task], kills: KILLS, ...more },
  });

async function applied(store: Store, { workspaceId, ruleId }: Scene): Promise<number> {
  const rows = await Array.fromAsync(walkPriceRows({ store, workspaceId }));
  return rows.filter(({ change: { source, ref } }) => source === "rule" && ref === ruleId).length;
}

inFolder.test(`a budget is spent once, and the brake counts each cut, when judging is killed ${KILLS} times`, async (folder) => {
  const scene = await prepare(
    folder.path,
    { holdsPrices: false, brake: { cuts: 2, days: 7, restDays: 9 } },
    async (app) => {
      // First, each product's price is cut once, on a day without a budget.
      await pushJudged(app, Array.from({ length: COUNT }, (_, n) => [skuOf(n), "acme", 99]));
      app.clock.advance(DAY_MS);
      await app.owner.change("/api/settings", { budgetPerDay: BUDGET });
    },
  );
  const first = scene.now.getTime() - DAY_MS;
  await show(scene, () => 9_800);
  await queue(scene);
  await judgeAndKill(scene, "judge", {
    ended: async (store) => {
      const done = await applied(store, scene) - COUNT;
      const [day] = await spentDays.list({ store, workspaceId: scene.workspaceId });
      assertEquals(day?.row.all ?? 0, done);
      ok(done <= BUDGET);
    },
  });
  await opened(scene.dataDir, async (store) => {
    assertEquals(await applied(store, scene), COUNT + BUDGET);
    const workspace = { store, workspaceId: scene.workspaceId };
    const states = await findRuleStates(workspace, scene.ids);
    const cuts = [...states.values()].map((state) => state[scene.ruleId]?.brake);
    const closed = cuts.filter((brake) => brake?.untilMs === scene.now.getTime() + 9 * DAY_MS);
    assertEquals([cuts.length, closed.length], [COUNT, BUDGET]);
    const moves = (brake: typeof cuts[number]) =>
      brake?.cuts.map(({ atMs, fromCents, toCents }) => [atMs, fromCents, toCents]);
    const one = [first, 10_000, 9_899];
    for (const brake of cuts) {
      assertEquals(
        moves(brake),
        brake?.untilMs === null ? [one] : [one, [scene.now.getTime(), 9_899, 9_799]],
      );
    }
    assertEquals((await brakes.list(workspace)).length, BUDGET);
    await assertWhole({ ...scene, store }, checkObservations);
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
      const appClock = { ...createTestClock(), now: () => scene.now };
      await stopAutomation(contextOf(store, appClock, scene.workspaceId), "War");
      before = await applied(store, scene);
      ok(before < COUNT, `of ${COUNT} ${before} are set`);
    },
  });
  await opened(scene.dataDir, async (store) => {
    assertEquals(await applied(store, scene), before);
    const rows = await Array.fromAsync(store.kv.list<{ status: string }>({ prefix: ["pr"] }));
    const open = rows.filter(({ value }) => value.status === "open");
    assertEquals(open.length, COUNT - before, "the others are proposed, each once");
    await assertWhole({ ...scene, store }, checkObservations);
  });
});

inFolder.test(`a shop whose holding and release is killed ${KILLS} times is held and released completely, once`, async (folder) => {
  const scene = await prepare(folder.path, { holdsPrices: true });
  const price = (n: number) => 6_000 + n;
  await show(scene, price);
  await opened(scene.dataDir, async (store) => {
    const appClock = { ...createTestClock(), now: () => scene.now };
    const ctx = contextOf(store, appClock, scene.workspaceId);
    const data = { cause: "push" as const, ref: null, productIds: scene.ids };
    await publishAll(ctx, [{ type: "products.touched", data }]);
  });
  const prices = async (store: Store) =>
    await Promise.all(scene.ids.map(async (id) => {
      const { offers } = await findOffers({ store, workspaceId: scene.workspaceId }, id);
      return offers[0]?.priceCents;
    }));
  const heldOf = async (store: Store) =>
    await Array.fromAsync(walkHeld({ store, workspaceId: scene.workspaceId }));
  await judgeAndKill(scene, "judge");
  await opened(scene.dataDir, async (store) => {
    assertEquals((await heldOf(store)).map(({ code }) => code), Array(COUNT).fill("shop_jump"));
    assertEquals(await prices(store), Array(COUNT).fill(10_000));
    assertEquals(await applied(store, scene), COUNT, "what the shop asked before, and no more");
    const told = (await Array.fromAsync(store.kv.list({ prefix: ["qa"] }))).length;
    assertEquals(told, 1);
    await assertWhole({ ...scene, store }, checkObservations);
  });
  await judgeAndKill(scene, "release");
  await opened(scene.dataDir, async (store) => {
    assertEquals([await heldOf(store), await prices(store)], [
      [],
      scene.ids.map((_, n) => price(n)),
    ]);
    const audit = await Array.fromAsync(store.kv.list<unknown>({ prefix: [] }));
    const released = audit.filter(({ value }) =>
      typeof value === "object" && value !== null && "action" in value &&
      value.action === "competitor_product.release"
    );
    assertEquals(released.length, COUNT, "each is released once");
    await assertWhole({ ...scene, store }, checkObservations);
  });
});
