import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { Webhook as Verifier } from "standardwebhooks";
import { countUnreadAlerts, walkAlerts } from "../../src/alerts/alert_store.ts";
import { transact } from "../../src/platform/kv.ts";
import { createWorkLoop } from "../../src/platform/work_loop.ts";
import { changeWebhook, deleteWebhook } from "../../src/webhooks/change_webhook.ts";
import { createDeliverer } from "../../src/webhooks/deliver.ts";
import { resendDelivery, testWebhook } from "../../src/webhooks/send_again.ts";
import { sweepDeliveries } from "../../src/webhooks/sweep_deliveries.ts";
import { dueQueue, findWebhook } from "../../src/webhooks/webhook_store.ts";
import { priceChanged } from "../events/news.ts";
import { startReceiver } from "./receiver.ts";
import { LIMITS, openWebhookBench } from "./webhook_bench.ts";

const HOUR_MS = 3_600_000;

Deno.test("a delivery is signed as the reference library asks, and carries type, time and data", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver(bench.secretOf);
  const { id, secret } = await bench.webhook(`${receiver.url}/a`);
  await bench.announce([priceChanged(7)]);
  await bench.deliver();
  assertEquals(receiver.forged, []);
  const [receipt] = receiver.receipts;
  assertEquals([receipt?.body.type, receipt?.body.data], ["price.changed", priceChanged(7).data]);
  ok(!Number.isNaN(Date.parse(receipt!.body.timestamp)));
  const [delivery] = await bench.log(id);
  assertEquals([delivery?.status, delivery?.attempts.length], ["delivered", 1]);
  assertEquals(delivery?.eventId, receipt?.id);
  assertEquals(await bench.rows("wdu"), 0);
  let isForgeryTaken = true;
  try {
    const headers = { "webhook-id": "x", "webhook-timestamp": "1", "webhook-signature": "v1,AA" };
    new Verifier(secret).verify("{}", headers);
  } catch {
    isForgeryTaken = false;
  }
  assertEquals(isForgeryTaken, false, "the library refuses what is not signed");
});

Deno.test("a receiver that is down for a while loses nothing and gets nothing twice; the log says how it went", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver(bench.secretOf);
  const { id } = await bench.webhook(`${receiver.url}/a`);
  receiver.answer(503);
  await bench.announce([priceChanged(1), priceChanged(2)]);
  const nextMs = await bench.deliver();
  ok(nextMs !== null && nextMs <= 10_000, `the first retry is due in ${nextMs} ms`);
  bench.advance(6_000);
  await bench.deliver();
  receiver.answer(200);
  bench.advance(2 * 60_000);
  await bench.deliver();
  const log = await bench.log(id);
  assertEquals(log.map(({ status }) => status), ["delivered", "delivered"]);
  assertEquals(log[0]!.attempts.map(({ httpStatus }) => httpStatus), [503, 503, 200]);
  const ids = receiver.receipts.map((receipt) => receipt.id);
  assertEquals([ids.length, new Set(ids).size], [6, 2], "three tries each, under the same id");
  assertEquals((await findWebhook(bench.ctx, id))?.webhook.failingSince, null);
});

Deno.test("what was announced before the clock went back an hour is delivered at once; a retry keeps its rest", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  await bench.webhook(`${receiver.url}/a`);
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

Deno.test("after eight tries over 24 h a delivery is given up; it can be sent again under its id", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  const { id } = await bench.webhook(`${receiver.url}/a`);
  receiver.answer(500);
  const startMs = bench.ctx.now().getTime();
  await bench.announce([priceChanged(1)]);
  for (let tries = 1;; tries++) {
    await bench.deliver();
    const [delivery] = await bench.log(id);
    if (delivery?.status === "failed") {
      assertEquals([tries, delivery.attempts.length, delivery.nextAttemptAt], [8, 8, null]);
      break;
    }
    bench.advance(Date.parse(delivery!.nextAttemptAt!) - bench.ctx.now().getTime());
  }
  const hours = (bench.ctx.now().getTime() - startMs) / HOUR_MS;
  ok(hours > 23 && hours < 25, `${hours} h`);
  receiver.answer(200);
  const [failed] = await bench.log(id);
  await resendDelivery(bench.ctx, id, failed!.id);
  await bench.deliver();
  const [sent] = await bench.log(id);
  assertEquals([sent?.status, sent?.attempts.length], ["delivered", 9]);
  assertEquals(new Set(receiver.receipts.map((receipt) => receipt.id)).size, 1);
});

Deno.test("a dead receiver with a backlog delays nobody", async () => {
  using bench = await openWebhookBench();
  await using dead = startReceiver();
  await using healthy = startReceiver(bench.secretOf);
  dead.answer("silence");
  await bench.webhook(`${dead.url}/dead`);
  await bench.announce(Array.from({ length: 40 }, (_, n) => priceChanged(n)));
  await bench.webhook(`${healthy.url}/healthy`);
  await bench.announce(Array.from({ length: 20 }, (_, n) => priceChanged(100 + n)));
  const rounds = createWorkLoop({
    name: "deliveries",
    sweepMs: 600_000,
    log: bench.setup.log,
    round: (stopping) => deliverer.round(stopping),
  });
  const deliverer = createDeliverer(bench.setup, () => rounds.wake());
  rounds.start();
  await Promise.all([healthy.received(20), dead.received(4)]);
  assertEquals(dead.receipts.length, 4, "no more at once to one host");
  dead.answer(204);
  await rounds.stop();
  await deliverer.settle();
});

Deno.test("a redirect is not followed, and an answer's body is not kept", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  const { id } = await bench.webhook(`${receiver.url}/a`);
  receiver.answer(302);
  await bench.announce([priceChanged(1)]);
  await bench.deliver();
  const [delivery] = await bench.log(id);
  assertEquals(delivery?.attempts.map(({ errorCode }) => errorCode), ["redirect_refused"]);
  assertEquals(receiver.receipts.length, 1);
});

Deno.test("after three days without success the webhook is disabled and an alert says so, once", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  const { id } = await bench.webhook(`${receiver.url}/a`);
  receiver.answer(500);
  const startMs = bench.ctx.now().getTime();
  let { webhook } = (await findWebhook(bench.ctx, id))!;
  for (let hour = 0; webhook.enabled && hour < 240; hour += 6) {
    await bench.announce([priceChanged(hour)]);
    await bench.deliver();
    bench.advance(6 * HOUR_MS);
    ({ webhook } = (await findWebhook(bench.ctx, id))!);
  }
  const hours = (Date.parse(webhook.disabledAt ?? "") - startMs) / HOUR_MS;
  ok(hours >= 72 && hours <= 84, `${hours} h`);
  assertEquals([webhook.enabled, webhook.disabledAt !== null], [false, true]);
  assertEquals(await countUnreadAlerts(bench.ctx), 1);
  const walk = { index: { by: "unread" }, after: null, order: "asc" } as const;
  for await (const alert of walkAlerts(bench.ctx, walk)) {
    assertEquals([alert.severity, alert.ruleId, alert.isMailOff], ["high", null, true]);
  }
  const tries = receiver.receipts.length;
  await bench.announce([priceChanged(99)]);
  bench.advance(24 * HOUR_MS);
  await bench.deliver();
  assertEquals(receiver.receipts.length, tries, "nothing more is sent");
  assertEquals(await bench.rows("wdu"), 0);

  receiver.answer(200);
  await changeWebhook(bench.ctx, id, { enabled: true }, LIMITS);
  await bench.announce([priceChanged(100)]);
  await bench.deliver();
  assertEquals((await bench.log(id))[0]?.status, "delivered");
});

Deno.test("a failure of days ago costs no later event its eight tries, nor does a test that fails", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  const { id } = await bench.webhook(`${receiver.url}/a`);
  receiver.answer(500);
  for (let tests = 0; tests < 2; tests++) {
    await testWebhook(bench.ctx, id);
    await bench.deliver();
    bench.advance(5 * 24 * HOUR_MS);
  }
  await bench.announce([priceChanged(1)]);
  const restMs = await bench.deliver();
  receiver.answer(200);
  bench.advance(restMs ?? 0);
  await bench.deliver();
  const [delivery] = await bench.log(id);
  assertEquals([delivery?.status, delivery?.attempts.length], ["delivered", 2]);
  const { webhook } = (await findWebhook(bench.ctx, id))!;
  assertEquals([webhook.enabled, webhook.failingSince], [true, null]);
  assertEquals(await countUnreadAlerts(bench.ctx), 0);
});

Deno.test("two processes send what is due once", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  await bench.webhook(`${receiver.url}/a`);
  await bench.announce(Array.from({ length: 30 }, (_, n) => priceChanged(n)));
  await Promise.all([bench.deliver(), bench.deliver()]);
  const ids = receiver.receipts.map((receipt) => receipt.id);
  assertEquals([ids.length, new Set(ids).size], [30, 30]);
});

Deno.test("a try that its process left unfinished is made again when its lease is over", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  const { id } = await bench.webhook(`${receiver.url}/a`);
  await bench.announce([priceChanged(1)]);
  await transact(bench.ctx, async (write) => {
    const row = (await dueQueue.findBehind(bench.store, null))!;
    const untilMs = bench.ctx.now().getTime() + 60_000;
    dueQueue.move(write, row, untilMs, { ...row.value, isInHand: true });
  });
  await bench.deliver();
  assertEquals(receiver.receipts.length, 0);
  bench.advance(61_000);
  await bench.deliver();
  assertEquals((await bench.log(id))[0]?.status, "delivered");
});

Deno.test("a stop gives back what is in hand, and the next process sends it at once", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  const { id } = await bench.webhook(`${receiver.url}/a`);
  receiver.answer("silence");
  await bench.announce([priceChanged(1)]);
  const stopping = new AbortController();
  const deliverer = createDeliverer(bench.setup);
  await deliverer.round(stopping.signal);
  await receiver.received(1);
  stopping.abort();
  await deliverer.settle();
  assertEquals((await bench.log(id))[0]?.attempts, []);
  receiver.answer(200);
  await bench.deliver();
  assertEquals((await bench.log(id))[0]?.status, "delivered");
});

Deno.test("testWebhook() is tried once; a deleted webhook leaves nothing to try and no log", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  const { id } = await bench.webhook(`${receiver.url}/a`);
  receiver.answer(500);
  await testWebhook(bench.ctx, id);
  await bench.deliver();
  const [tested] = await bench.log(id);
  assertEquals([tested?.type, tested?.status, tested?.attempts.length], [
    "webhook.test",
    "failed",
    1,
  ]);
  await bench.announce([priceChanged(1)]);
  await deleteWebhook(bench.ctx, id);
  await bench.deliver();
  assertEquals(await bench.rows("wdu"), 0);
  await sweepDeliveries(bench.store, new Date(0));
  assertEquals(await bench.rows("wd"), 0);
});

Deno.test("sweepDeliveries() forgets what is old and keeps what is not", async () => {
  using bench = await openWebhookBench();
  await using receiver = startReceiver();
  const { id } = await bench.webhook(`${receiver.url}/a`);
  await bench.announce([priceChanged(1)]);
  await bench.deliver();
  bench.advance(40 * 24 * HOUR_MS);
  await bench.announce([priceChanged(2)]);
  await bench.deliver();
  const before = new Date(bench.ctx.now().getTime() - 30 * 24 * HOUR_MS);
  assertEquals(await sweepDeliveries(bench.store, before), 1);
  assertEquals((await bench.log(id)).length, 1);
});
