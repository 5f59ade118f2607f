import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addProduct, addRule, priceOf, push, statuses } from "../../rules/evaluation/market.ts";
import { startTestApp } from "../../harness.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { startReceiver } from "../../messages/receiver.ts";

Deno.test("a pushed price is evaluated, proposed and sent to a webhook without polling any queue", async () => {
  await using receiver = startReceiver();
  const env = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
  await using app = await startTestApp({ env, sweepMs: 2 * PATIENCE_MS });
  const hook = { url: `${receiver.url}/hook`, events: ["proposal.created", "proposal.decided"] };
  await app.owner.create("/api/webhooks", hook);
  await addRule(app.owner);
  const productId = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  await receiver.received(1);
  assertEquals(await statuses(app.owner), [["open", 9_000]]);
  const [proposal] = (await app.owner.read("/api/proposals")).items;
  await app.manager.act(`/api/proposals/${proposal.id}/approve`);
  await receiver.received(2);
  assertEquals(receiver.receipts.map(({ body }) => body.type), hook.events);
  assertEquals(await priceOf(app.owner, productId), 9_000);
});
