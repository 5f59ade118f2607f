import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { assertWhole } from "../killed_work.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { bodyOf } from "../../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { extent } from "../../proof.ts";
import { temporaryFolder } from "../../temporary_folder.ts";
import { watchedStore } from "../../watched_store.ts";
import {
  addProduct,
  addProducts,
  addRule,
  priceOf,
  proposals,
  push,
  pushJudged,
  untilJudged,
} from "./market.ts";

const AUTO = {
  marginFloor: { pct: 10 },
  actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 50 }],
};

Deno.test("a price that a person sets while rules apply theirs stands", async () => {
  await using meeting = await openMeetingStore();
  await using app = await startTestApp({ store: meeting.store });
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  await addRule(app.owner, AUTO);
  const skus = Array.from({ length: extent(30, 10) }, (_, n) => `SKU-${n}`);
  const ids = await addProducts(app, skus.map((sku) => ({ sku })));
  for (let round = 0; round < extent(4, 3); round++) {
    app.clock.advance(60_000);
    await push(app, skus.map((sku) => [sku, "acme", 90 - round]));
    await meeting.meet(ids.map((id) => async () => {
      await bodyOf(app.owner.patch(`/api/products/${id}`, { ourPriceCents: 9_500 + round }), 200);
    }));
    await untilJudged(app);
    const prices = await Promise.all(ids.map((id) => priceOf(app.owner, id)));
    assertEquals(new Set(prices), new Set([9_500 + round]));
  }
  const { items } = await bodyOf(
    app.owner.get("/api/audit-logs?action=product.update&limit=200&order=desc"),
    200,
  );
  ok(items.length > 0);
  await assertWhole(app);
});

interface MeetingStore extends AsyncDisposable {
  readonly store: Store;
  /**
   * Runs one of the writes between the reads and the commit of each evaluation, until all writes
   * are done.
   */
  meet(writes: readonly (() => Promise<void>)[]): Promise<void>;
}

/** A store in which a person's writes happen between the reads and the commit of an evaluation. */
async function openMeetingStore(): Promise<MeetingStore> {
  const folder = await temporaryFolder();
  const opened = await openStore({ kvUrl: null, dataDir: folder.path }, 5_000);
  let waiting: (() => Promise<void>)[] = [];
  let isMeeting = false;
  const store = watchedStore(opened, {
    async committing() {
      // While a write runs, its own commit must not start another write.
      const write = isMeeting ? undefined : waiting.shift();
      if (write === undefined) return;
      isMeeting = true;
      await write().finally(() => isMeeting = false);
    },
  });
  return {
    store,
    meet(writes) {
      const done = writes.map((write) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        return { promise, write: () => write().then(resolve, reject) };
      });
      waiting = done.map(({ write }) => write);
      return Promise.all(done.map(({ promise }) => promise)).then(() => {});
    },
    async [Symbol.asyncDispose]() {
      opened.kv.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

withApp.test("a person's price stands however often the same competitor price was seen since", async (app) => {
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  const id = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  app.clock.advance(60_000);
  await bodyOf(app.owner.patch(`/api/products/${id}`, { ourPrice: 95 }), 200);
  await untilJudged(app);
  await addRule(app.owner, AUTO);
  await pushOften(app, "acme", 90);
  assertEquals(await priceOf(app.owner, id), 9_500);
  const [proposal] = await proposals(app.owner);
  assertEquals([proposal?.status, proposal?.proposedCents], ["open", 9_000]);
  match(proposal?.reason ?? "", /manual_price/);
  await pushOften(app, "acme", 88);
  assertEquals(await priceOf(app.owner, id), 8_800);
});

withApp.test("a shop that returns with half its price is an outlier, however often others were seen", async (app) => {
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  const id = await addProduct(app.owner, "A");
  await addRule(app.owner, { ...AUTO, marginFloor: { pct: 46 } });
  await push(app, [["A", "acme", 110]]);
  await pushOften(app, "bolt", 120);
  await pushJudged(app, [["A", "acme", 50]]);
  assertEquals(await priceOf(app.owner, id), 10_000);
  const [proposal] = await proposals(app.owner);
  assertEquals([proposal?.status, proposal?.proposedCents], ["open", 9_260]);
  match(proposal?.reason ?? "", /outlier/);
});

withApp.test("yesterday's price counts only in the same currency", async (app) => {
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  const id = await addProduct(app.owner, "A");
  app.clock.advance(48 * 3_600_000);
  const forints = { currency: "HUF", ourPrice: 400, costPrice: 200 };
  await bodyOf(app.owner.patch(`/api/products/${id}`, forints), 200);
  const actions = [{ ...AUTO.actions[0], maxChangePct: 10 }];
  await addRule(app.owner, { ...AUTO, actions });
  for (const price of [380, 361, 343]) {
    app.clock.advance(60_000);
    await pushJudged(app, [["A", "acme", price]], { currency: "HUF" });
  }
  // 361 forints are within 10 % of the first price in forints, but 343 forints are not. The earlier
  // price in euros is not compared.
  assertEquals(await priceOf(app.owner, id), 36_100);
  const proposal = (await proposals(app.owner)).at(-1);
  assertEquals([proposal?.status, proposal?.proposedCents], ["open", 34_300]);
  match(proposal?.reason ?? "", /daily_change_too_large/);
});

/** Pushes 500 observations of the same price, one for each minute. */
async function pushOften(app: TestApp, shop: string, price: number): Promise<void> {
  const sinceMs = app.clock.now().getTime();
  app.clock.advance(500 * 60_000);
  const key = await app.key(["observations:write"]);
  const observations = Array.from({ length: 500 }, (_, n) => ({
    sku: "A",
    url: `https://${shop}.example/A`,
    price,
    currency: "EUR",
    observedAt: new Date(sinceMs + (n + 1) * 60_000).toISOString(),
  }));
  await bodyOf(key.post("/api/public/v1/observations", { observations }), 200);
  await untilJudged(app);
}
