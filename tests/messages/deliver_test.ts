import { deepStrictEqual as assertEquals, ok, rejects, throws } from "node:assert/strict";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  requireWebhook,
  rotateSecret,
  serialiseWebhook,
  signingFields,
  type WebhookPatch,
  webhooks,
} from "../../src/messages/webhook.ts";
import { deliveries, dueQueue, sweepDeliveries } from "../../src/messages/delivery_store.ts";
import {
  createDeliverer,
  type DeliverySetup,
  resendDelivery,
  testWebhook,
  webhookListener,
} from "../../src/messages/deliver.ts";
import type { OutboxEvent } from "../../src/platform/events/event.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { relayOutbox } from "../../src/platform/events/outbox_store.ts";
import { parseAllowList } from "../../src/platform/fetch/fetch_limits.ts";
import { createSafeFetch } from "../../src/platform/fetch/safe_fetch.ts";
import { roomLog } from "../../src/platform/log.ts";
import { addTestWorkspace } from "../catalogue/catalogue_workspace.ts";
import { openMemoryStore } from "../memory_store.ts";
import { PATIENCE_MS, until } from "../patience.ts";
import { priceChanged, productId, publishAll, relaySetup } from "../platform/events/outbox.ts";
import { createTestClock } from "../platform/jobs/counting.ts";
import { assertFields, column } from "../api/answers.ts";
import { HOUR_MS } from "../../src/base/time.ts";
import { alerts } from "../../src/messages/alert_store.ts";
import { type Receipt, startReceiver } from "./receiver.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { testWith } from "../opened.ts";
import { extent } from "../proof.ts";

const PRIVATE = parseAllowList(["127.0.0.1"]);
if (!("allowed" in PRIVATE)) throw new Error("The list of the tests is wrong");
const LIMITS = { allowed: PRIVATE.allowed, ports: new Set([80, 443]) };

/** A store with webhooks, a settable clock, and a sender that tests start step by step. */
async function openWebhookBench() {
  const store = await openMemoryStore();
  // The clock starts at the current time: the library that checks signatures refuses old ones.
  const clock = createTestClock(Date.now());
  const safeFetch = createSafeFetch({
    ...LIMITS,
    userAgent: "test",
    resolve: () => Promise.resolve(["127.0.0.1"]),
    dial: (address, port) => ({ address, port }),
  });
  const setup: DeliverySetup = {
    store,
    clock,
    fetch: (request) => safeFetch({ ...request, timeoutMs: PATIENCE_MS }),
    alerts: { isMailOn: false },
    log: roomLog("webhooks"),
    sweepMs: 600_000,
    random: () => 0.5,
  };
  const secrets = new Map<string, string>();
  const stopping = new AbortController();
  const newWorkspace = () => addTestWorkspace(store, clock);
  const ctx = await newWorkspace();
  return {
    store,
    ctx,
    setup,
    stopping,
    advance: clock.advance,
    /** Creates another workspace, whose id is higher than earlier ids. */
    newWorkspace,
    secretOf: (path: string) => secrets.get(path) ?? null,
    async webhook(url: string, of = ctx) {
      const settings = { url, events: ["price.changed" as const], enabled: true };
      const made = await createWebhook(of, settings, LIMITS);
      secrets.set(new URL(url).pathname, made.secret);
      return made;
    },
    announce,
    deliver,
    async send(...events: readonly OutboxEvent[]) {
      await announce(events);
      return await deliver();
    },
    stored: async (id: string) => (await requireWebhook(ctx, id)).row,
    change: (id: string, patch: WebhookPatch) =>
      changeWebhook(ctx, id, patch, { limits: LIMITS, expected: null }),
    log,
    newest: async (webhookId: string) => {
      const [newest] = await log(webhookId);
      ok(newest, "There is no delivery");
      return newest;
    },
    rows: async (table: string) =>
      (await Array.fromAsync(store.kv.list({ prefix: [table] }))).length,
    [Symbol.dispose]: () => store.kv.close(),
  };

  async function log(webhookId: string) {
    const page = { within: { webhookId }, order: "desc", limit: 1_000 } as const;
    return (await deliveries.list(ctx, page)).map(({ row }) => row);
  }

  /** Publishes events, and queues a delivery of each to every webhook that wants it. */
  async function announce(events: readonly OutboxEvent[], of = ctx): Promise<void> {
    await publishAll(of, events);
    await relayOutbox(relaySetup(store, clock, [webhookListener]));
  }

  /** Sends all due deliveries. Returns the milliseconds until the next attempt. */
  async function deliver(deliverer = createDeliverer(setup)): Promise<number | null> {
    let nextMs: number | null;
    do {
      await deliverer.round(stopping.signal);
      await deliverer.drain();
      nextMs = await nextDueMs();
    } while (nextMs !== null && nextMs <= 0);
    return nextMs;
  }

  async function nextDueMs(): Promise<number | null> {
    const rows = await Array.fromAsync(store.kv.list({ prefix: ["wdu"] }));
    const dues = rows.map(({ key }) => Number(key[3]));
    return dues.length === 0 ? null : Math.min(...dues) - clock.now().getTime();
  }
}

type Bench = Awaited<ReturnType<typeof openWebhookBench>>;

const withBench = testWith(openWebhookBench);

/** Opens a store with one webhook, and a receiver for this webhook that checks no signatures. */
const withReceiver = testWith(async () => {
  const bench = await openWebhookBench();
  const receiver = startReceiver();
  const { id } = await bench.webhook(`${receiver.url}/a`);
  return {
    bench,
    receiver,
    id,
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      bench[Symbol.dispose]();
    },
  };
});

withBench.test("a delivery is signed as the reference library demands, and has type, time and data", async (bench) => {
  await using receiver = startReceiver(bench.secretOf);
  const { id, secret } = await bench.webhook(`${receiver.url}/a`);
  await bench.send(priceChanged(7));
  assertEquals(receiver.forged, []);
  const [receipt] = receiver.receipts;
  assertEquals([receipt?.body.type, receipt?.body.data], ["price.changed", priceChanged(7).data]);
  ok(!Number.isNaN(Date.parse(receipt!.body.timestamp)));
  const delivery = await bench.newest(id);
  assertFields(delivery, { status: "delivered", eventId: receipt!.id });
  assertEquals(delivery.attempts.length, 1);
  assertEquals(await bench.rows("wdu"), 0);
  const headers = { "webhook-id": "x", "webhook-timestamp": "1", "webhook-signature": "v1,AA" };
  throws(() => new Verifier(secret).verify("{}", headers), "the library refuses other signatures");
});

withBench.test("during a rotation both secrets sign, afterwards only the new one", async (bench) => {
  const secrets = new Map<string, string>();
  await using receiver = startReceiver((path) => secrets.get(path) ?? null);
  const made = await bench.webhook(`${receiver.url}/a`);
  const rotated = await rotateSecret(bench.ctx, made.id, { overlapHours: 24 });
  ok(rotated.secret !== made.secret);
  const counts = async (secret: string, event: number) => {
    const before = receiver.receipts.length;
    secrets.set("/a", secret);
    await bench.send(priceChanged(event));
    return receiver.receipts.length - before;
  };
  assertEquals([await counts(made.secret, 1), await counts(rotated.secret, 2)], [1, 1]);
  // The library that verifies signatures uses the machine's clock, so this part calls
  // `signingFields`.
  const row = await bench.stored(made.id);
  const endMs = bench.ctx.now().getTime() + 24 * HOUR_MS;
  assertEquals(signingFields(row, new Date(endMs - 1)), ["secret", "previous.secret"]);
  assertEquals(signingFields(row, new Date(endMs)), ["secret"]);
  const again = await rotateSecret(bench.ctx, made.id, { overlapHours: 0 });
  assertEquals([await counts(rotated.secret, 3), await counts(again.secret, 4)], [0, 1]);
  const shown = serialiseWebhook(await bench.stored(made.id));
  assertEquals(Object.keys(shown).filter((name) => /secret|previous/.test(name)), []);
});

withBench.test("an unreadable secret can be replaced without an overlap", async ({ ctx, webhook }) => {
  const { id } = await webhook("http://127.0.0.1/a");
  const found = await requireWebhook(ctx, id);
  // A secret that was sealed for another webhook cannot be decrypted.
  const secret = await webhooks.seal(ctx, { id: "f".repeat(24) }, "secret", "whsec_AAAA");
  await transact(ctx, (write) => void webhooks.save(write, ctx, found, { ...found.row, secret }));
  await rejects(rotateSecret(ctx, id, { overlapHours: 1 }), { code: "conflict" });
  ok((await rotateSecret(ctx, id, { overlapHours: 0 })).secret.startsWith("whsec_"));
});

withReceiver.test("events published before the clock went back an hour are delivered at once; a retry keeps its wait", async ({ bench, receiver }) => {
  await bench.announce([priceChanged(1)]);
  bench.advance(-HOUR_MS);
  await bench.deliver();
  assertEquals(receiver.receipts.length, 1);
  receiver.answer(503);
  await bench.announce([priceChanged(2)]);
  for (let tries = 0; tries < 3; tries++) bench.advance(await bench.deliver() ?? 0);
  const tried = receiver.receipts.length;
  bench.advance(-60_000);
  await bench.deliver();
  assertEquals(receiver.receipts.length, tried);
  bench.advance(-HOUR_MS);
  await bench.deliver();
  assertEquals(receiver.receipts.length, tried + 1);
});

withReceiver.test("after eight tries over 24 h a delivery is given up; it can be resent under its id", async ({ bench, receiver, id }) => {
  receiver.answer(500);
  const startMs = bench.ctx.now().getTime();
  await bench.announce([priceChanged(1)]);
  await deliverAll(bench);
  const failed = await bench.newest(id);
  assertFields(failed, { status: "failed", nextAttemptAt: null });
  assertEquals([failed.attempts.length, receiver.receipts.length], [8, 8]);
  const hours = (bench.ctx.now().getTime() - startMs) / HOUR_MS;
  ok(hours > 23 && hours < 25, `${hours} h`);
  receiver.answer(200);
  await resendDelivery(bench.ctx, id, failed.id);
  await bench.deliver();
  const sent = await bench.newest(id);
  assertEquals(sent.status, "delivered");
  assertEquals(column(sent.attempts, "httpStatus"), [...Array<number>(8).fill(500), 200]);
  assertEquals(new Set(column(receiver.receipts, "id")).size, 1);
});

withBench.test("a dead receiver with a backlog delays no other receiver, and takes no place of its host from other workspaces", async (bench) => {
  await using dead = startReceiver();
  await using healthy = startReceiver(bench.secretOf);
  dead.answer("silence");
  await bench.webhook(`${dead.url}/dead`);
  await bench.announce(changesFrom(0, 40));
  await bench.webhook(`${healthy.url}/healthy`);
  await bench.announce(changesFrom(100, 20));
  const deliveries = startDeliveries(bench);
  await Promise.all([healthy.received(20), dead.received(4)]);
  assertEquals(dead.receipts.length, 4, "no more at once to one host");
  const other = await bench.newWorkspace();
  await bench.webhook(`${dead.url}/other`, other);
  await bench.announce([priceChanged(200)], other);
  deliveries.wake();
  await until("the host is asked", () => dead.receipts.some(({ path }) => path === "/other"));
  dead.answer(204);
  await deliveries.stop();
});

function changesFrom(first: number, count: number) {
  return Array.from({ length: count }, (_, n) => priceChanged(first + n));
}

function startDeliveries({ setup }: Bench) {
  const deliverer = createDeliverer(setup);
  deliverer.start();
  return deliverer;
}

/** Starts receivers that answer no request until a test calls `answer` with a status. */
function startSilent(count: number) {
  const receivers = Array.from({ length: count }, () => startReceiver());
  const answer = (how: "silence" | number) => {
    for (const receiver of receivers) receiver.answer(how);
  };
  answer("silence");
  return {
    receivers,
    answer,
    inHand: () => receivers.reduce((sum, { receipts }) => sum + receipts.length, 0),
    async [Symbol.asyncDispose]() {
      for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
    },
  };
}

withReceiver.test("a receiver that answers quickly gets 40 deliveries at once, and four after a slow response", async ({ bench, receiver, id }) => {
  const deliverer = createDeliverer(bench.setup);
  const startRound = async () => {
    await deliverer.round(bench.stopping.signal);
    const rows = dueQueue.list(bench.store, [bench.ctx.workspaceId, id]);
    return (await Array.fromAsync(rows)).filter(({ value }) => value.isInHand).length;
  };
  await bench.announce(changesFrom(0, 40));
  await bench.deliver(deliverer);
  await bench.announce(changesFrom(100, 60));
  receiver.answer("silence");
  assertEquals(await startRound(), 40);
  await receiver.received(80);
  bench.advance(2_000);
  receiver.answer(204);
  await deliverer.drain();
  receiver.answer("silence");
  assertEquals(await startRound(), 4);
  receiver.answer(204);
  await deliverer.drain();
});

withBench.test("20 receivers of a workspace that never answer delay no other workspace", async (bench) => {
  await using silent = startSilent(20);
  await using honest = startReceiver();
  for (const { url } of silent.receivers) await bench.webhook(`${url}/silent`);
  await bench.announce(changesFrom(0, 8));
  const deliveries = startDeliveries(bench);
  await until("the silent ones have what they may have", () => silent.inHand() >= 48);
  const others = [await bench.newWorkspace(), await bench.newWorkspace()];
  for (const [n, other] of others.entries()) {
    await bench.webhook(`${honest.url}/${n}`, other);
    await bench.announce([priceChanged(100 + n)], other);
    deliveries.wake();
    await until("the honest one's delivery has arrived", () => honest.receipts.length === n + 1);
  }
  assertEquals(honest.receipts.map(({ path }) => path), ["/0", "/1"]);
  assertEquals(silent.inHand(), 48, "half of all slots, and nobody of them has answered");
  silent.answer(204);
  await deliveries.stop();
});

withBench.test("receivers that fail and hang do not delay another workspace's retry", async (bench) => {
  await using dead = startSilent(10);
  await using recovering = startReceiver();
  dead.answer(503);
  for (const { url } of dead.receivers) await bench.webhook(`${url}/dead`);
  const other = await bench.newWorkspace();
  recovering.answer(503);
  await bench.webhook(`${recovering.url}/back`, other);
  const delayMs = await bench.send(priceChanged(1)) ?? 0;
  bench.advance(1_000);
  await bench.announce([priceChanged(2)], other);
  await bench.deliver();
  dead.answer("silence");
  recovering.answer(204);
  bench.advance(delayMs - 1_000);
  const deliveries = startDeliveries(bench);
  await until("the dead have half of what is for failing ones", () => dead.inHand() === 10 + 4);
  bench.advance(1_000);
  deliveries.wake();
  await recovering.received(2);
  assertEquals(dead.inHand(), 10 + 4, "nobody of them has answered");
  dead.answer(204);
  await deliveries.stop();
});

withReceiver.test("after three days without success the webhook is disabled, and one alert says so", async ({ bench, receiver, id }) => {
  receiver.answer(500);
  await bench.send(priceChanged(98));
  bench.advance(60 * HOUR_MS);
  // Failed deliveries to the previous address do not count against the new address.
  await bench.change(id, { url: `${receiver.url}/a?new` });
  const startMs = bench.ctx.now().getTime();
  for (let hour = 0; (await bench.stored(id)).enabled && hour < 240; hour += 6) {
    await bench.send(priceChanged(hour));
    bench.advance(6 * HOUR_MS);
  }
  const { enabled, disabledAt } = await bench.stored(id);
  const hours = (Date.parse(disabledAt ?? "") - startMs) / HOUR_MS;
  ok(!enabled && hours >= 72 && hours <= 84, `${hours} h`);
  const [alert, ...others] = await alerts.listBy(bench.ctx, "unread", {});
  assertFields(alert?.row, { severity: "high", ruleId: null, isMailOff: true });
  assertEquals(others, []);
  const tries = receiver.receipts.length;
  await bench.announce([priceChanged(99)]);
  bench.advance(24 * HOUR_MS);
  await bench.deliver();
  assertEquals(receiver.receipts.length, tries, "nothing more is sent");
  assertEquals(await bench.rows("wdu"), 0);

  receiver.answer(200);
  await bench.change(id, { enabled: true });
  await bench.send(priceChanged(100));
  assertEquals((await bench.newest(id)).status, "delivered");
});

withReceiver.test("a new address is not failing because the former one was, even while disabled", async ({ bench, receiver, id }) => {
  const failingSince = async () => (await bench.stored(id)).failingSince;
  receiver.answer("silence");
  await bench.announce([priceChanged(1)]);
  const sent = bench.deliver();
  await receiver.received(1);
  await bench.change(id, { url: `${receiver.url}/a?second` });
  receiver.answer(500);
  const delayMs = await sent;
  assertEquals([receiver.receipts.length, await failingSince()], [1, null]);
  bench.advance(delayMs ?? 0);
  await bench.deliver();
  assertEquals([receiver.receipts.length, await failingSince() === null], [2, false]);
  await bench.change(id, { enabled: false });
  await bench.change(id, { url: `${receiver.url}/a?third` });
  assertEquals(await failingSince(), null);
});

withReceiver.test("a test is tried once and follows no redirect, and neither it nor an old failure reduces the eight tries of a later event", async ({ bench, receiver, id }) => {
  receiver.answer(302);
  for (let tests = 0; tests < 2; tests++) {
    await testWebhook(bench.ctx, id);
    await bench.deliver();
    const { type, status, attempts } = await bench.newest(id);
    assertEquals([type, status], ["webhook.test", "failed"]);
    assertEquals(column(attempts, "errorCode"), ["redirect_refused"]);
    bench.advance(5 * 24 * HOUR_MS);
  }
  receiver.answer(500);
  const delayMs = await bench.send(priceChanged(1));
  receiver.answer(200);
  bench.advance(delayMs ?? 0);
  await bench.deliver();
  const { status, attempts } = await bench.newest(id);
  assertEquals([status, attempts.length], ["delivered", 2]);
  assertFields(await bench.stored(id), { enabled: true, failingSince: null });
  assertEquals(await alerts.count(bench.ctx, "unread"), 0);
});

withReceiver.test("a try that a stop interrupts is repeated after its lease", async ({ bench, receiver, id }) => {
  receiver.answer("silence");
  await bench.announce([priceChanged(1)]);
  const stopping = new AbortController();
  const deliverer = createDeliverer(bench.setup);
  await deliverer.round(stopping.signal);
  await receiver.received(1);
  stopping.abort();
  await deliverer.drain();
  assertEquals((await bench.newest(id)).attempts, []);
  receiver.answer(200);
  await bench.deliver();
  assertEquals(receiver.receipts.length, 1);
  bench.advance(61_000);
  await bench.deliver();
  assertEquals((await bench.newest(id)).status, "delivered");
});

function seenOf({ body: { data } }: Receipt): readonly [product: string, toCents: number] {
  const { productId, toCents } = Object(data);
  return [String(productId), Number(toCents)];
}

function pricesByProduct(receipts: readonly Receipt[]): Map<string, number[]> {
  const seen = Map.groupBy(receipts.map(seenOf), ([product]) => product);
  return new Map([...seen].map(([product, all]) => [product, all.map(([, toCents]) => toCents)]));
}

async function deliverAll(bench: Bench): Promise<void> {
  for (let nextMs = await bench.deliver(); nextMs !== null; nextMs = await bench.deliver()) {
    bench.advance(nextMs);
  }
}

withBench.test("events of a product arrive in order, each once, even if some are refused at first", async (bench) => {
  await using receiver = startReceiver(bench.secretOf);
  const { id } = await bench.webhook(`${receiver.url}/a`);
  const [products, changes] = [extent(10, 4), 12];
  const taken: Receipt[] = [];
  const refused = new Map<string, number>();
  receiver.answer((receipt) => {
    const [, toCents] = seenOf(receipt);
    const times = refused.get(receipt.id) ?? 0;
    refused.set(receipt.id, times + 1);
    if (times < toCents % 3) return 503;
    taken.push(receipt);
    return 204;
  });
  const prices = Array.from({ length: changes }, (_, n) => 1_000 + n);
  // Each commit publishes three price changes per product; all have the same time.
  for (let n = 0; n < changes; n += 3) {
    const row = prices.slice(n, n + 3).flatMap((toCents) =>
      Array.from({ length: products }, (_, product) => priceChanged(product, toCents))
    );
    await bench.announce(row);
  }
  await deliverAll(bench);
  const byProduct = pricesByProduct(taken);
  assertEquals(byProduct.size, products);
  for (const [product, came] of byProduct) assertEquals(came, prices, product);
  assertEquals(new Set(column(taken, "id")).size, products * changes);
  const delivered = Array(products * changes).fill("delivered");
  assertEquals(column(await bench.log(id), "status"), delivered);
  assertEquals([await bench.rows("wdu"), await bench.rows("wdo")], [0, 0]);
});

withReceiver.test("a later event of a product waits until the earlier one is given up; other products do not wait", async ({ bench, receiver, id }) => {
  receiver.answer((receipt) => seenOf(receipt)[1] === 1 ? 422 : 204);
  await bench.send(priceChanged(7, 1), priceChanged(7, 2), priceChanged(8, 3));
  assertEquals(receiver.receipts.map((receipt) => seenOf(receipt)[1]).toSorted(), [1, 3]);
  const [waiting] = (await bench.log(id)).filter(({ body }) => body.includes('"toCents":2'));
  assertEquals([waiting?.status, waiting?.attempts], ["pending", []]);
  // Resending the later event must not move it ahead of the earlier event.
  await resendDelivery(bench.ctx, id, waiting!.id);
  await deliverAll(bench);
  const tries = pricesByProduct(receiver.receipts);
  assertEquals(tries.get(productId(7)), [...Array<number>(8).fill(1), 2]);
  assertEquals(column(await bench.log(id), "status").sort(), ["delivered", "delivered", "failed"]);
  assertEquals([await bench.rows("wdu"), await bench.rows("wdo")], [0, 0]);
});

withReceiver.test("a product whose events are all refused lags by a day, however many events there are", async ({ bench, receiver, id }) => {
  receiver.answer((receipt) => seenOf(receipt)[0] === productId(7) ? 422 : 204);
  const startMs = bench.ctx.now().getTime();
  await bench.announce(Array.from({ length: 20 }, (_, n) => priceChanged(7, n + 1)));
  // Product 8's deliveries succeed, so that Kurant does not disable the webhook.
  for (let n = 0; n < 40 && await bench.rows("wdu") > 0; n++) {
    await bench.announce([priceChanged(8, n)]);
    bench.advance(Math.max(0, await bench.deliver() ?? 0));
  }
  assertEquals([await bench.rows("wdu"), await bench.rows("wdo")], [0, 0]);
  const failed = (await bench.log(id)).filter(({ status }) => status === "failed");
  const tries = failed.map(({ attempts }) => attempts.length).toSorted((a, b) => a - b);
  assertEquals(tries, [...Array<number>(18).fill(1), 8, 8]);
  const begunMs = Math.max(...failed.map(({ attempts }) => Date.parse(attempts[0]!.at)));
  const hours = (begunMs - startMs) / HOUR_MS;
  ok(hours < 25, `the last one is tried after ${hours} h`);
});

withBench.test("events that wait behind another end when their webhook is disabled or deleted", async (bench) => {
  await using receiver = startReceiver();
  receiver.answer(503);
  const made = [await bench.webhook(`${receiver.url}/a`), await bench.webhook(`${receiver.url}/b`)];
  await bench.send(priceChanged(7, 1), priceChanged(7, 2), priceChanged(7, 3));
  assertEquals(receiver.receipts.length, 2);
  await bench.change(made[0]!.id, { enabled: false });
  await deleteWebhook(bench.ctx, made[1]!.id);
  await sweepDeliveries(bench.store, new Date(0));
  await deliverAll(bench);
  assertEquals(receiver.receipts.length, 2);
  assertEquals(column(await bench.log(made[0]!.id), "status"), Array(3).fill("failed"));
  assertEquals([await bench.rows("wdu"), await bench.rows("wdo")], [0, 0]);
});

withReceiver.test("two processes together send each delivery once, in the order of its product; old ones are deleted, and those of a deleted webhook", async ({ bench, receiver, id }) => {
  const prices = Array.from({ length: 30 }, (_, n) => n + 1);
  const ofOne = prices.map((toCents) => priceChanged(7, toCents));
  await bench.announce([...changesFrom(100, 30), ...ofOne]);
  const both = [startDeliveries(bench), startDeliveries(bench)];
  await until("nothing waits", async () => {
    for (const process of both) process.wake();
    return await bench.rows("wdo") + await bench.rows("wdu") === 0;
  });
  for (const process of both) await process.stop();
  const ids = column(receiver.receipts, "id");
  assertEquals([ids.length, new Set(ids).size], [60, 60]);
  assertEquals(pricesByProduct(receiver.receipts).get(productId(7)), prices);
  bench.advance(40 * 24 * HOUR_MS);
  await bench.send(priceChanged(2));
  const before = new Date(bench.ctx.now().getTime() - 30 * 24 * HOUR_MS);
  assertEquals(await sweepDeliveries(bench.store, before), 60);
  assertEquals((await bench.log(id)).length, 1);
  await bench.announce([priceChanged(3)]);
  await deleteWebhook(bench.ctx, id);
  await bench.deliver();
  assertEquals(await bench.rows("wdu"), 0);
  assertEquals(await sweepDeliveries(bench.store, new Date(0)), 1);
  assertEquals(await bench.rows("wd"), 0);
});
