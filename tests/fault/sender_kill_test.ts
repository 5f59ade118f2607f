import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { startSmtpServer } from "../messages/alerts/smtp_server.ts";
import { findingsOf, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { inFolder } from "../temporary_folder.ts";
import { startReceiver } from "../messages/webhooks/receiver.ts";

const KILLS = extent(3, 1);
const PASSWORD = "mail-password-of-the-tests";

inFolder.test(`a server that is killed ${KILLS} times sends every acknowledged price, and logs no secret`, async (folder) => {
  await using smtp = startSmtpServer();
  const secrets = new Map<string, string>();
  await using receiver = startReceiver((path) => secrets.get(path) ?? null);
  const settings = {
    SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
    SMTP_URL: smtp.url.replace("//", `//user:${PASSWORD}@`),
    MAIL_FROM: "prices@shop.example",
    LOG_LEVEL: "debug",
  };
  const prices: number[] = [];
  const logs: string[] = [];
  let productId = "";
  for (let kill = 0; kill <= KILLS; kill++) {
    await using live = await startLiveServer(folder.path, settings);
    if (productId === "") {
      const webhook = { url: `${receiver.url}/hook`, events: ["price.changed"] };
      secrets.set("/hook", (await bodyOf(live.owner.post("/api/webhooks", webhook), 201)).secret);
      const product = { sku: "A", title: "A" };
      productId = (await bodyOf(live.owner.post("/api/products", product), 201)).id;
    }
    for (let n = 0; n < 25; n++) {
      const ourPriceCents = 100 + prices.length;
      await bodyOf(live.owner.patch(`/api/products/${productId}`, { ourPriceCents }), 200);
      prices.push(ourPriceCents);
    }
    if (kill < KILLS) {
      await live.crash();
      continue;
    }
    while (arrived().size < prices.length) {
      await receiver.received(receiver.receipts.length + 1);
    }
    // The mail library must work under the permissions of the task.
    const mail = await bodyOf(live.owner.post("/api/settings/mail-test"), 200);
    assertEquals([mail.status, smtp.mails.length], ["sent", 1], mail.message);
    logs.push((await live.stop("SIGTERM")).err);
  }
  // The first copies of all messages arrived in order.
  assertEquals([...arrived().values()], prices);
  assertEquals(receiver.forged, []);
  for (const secret of [PASSWORD, secrets.get("/hook")!.slice(6)]) {
    for (const log of logs) ok(!log.includes(secret));
  }
  assertEquals(await findingsOf(folder.path), "");

  /** The price of each event; repeated deliveries have the same id. */
  function arrived(): Map<string, number> {
    return new Map(receiver.receipts.map(({ id, body }) => [id, Object(body.data).toCents]));
  }
});
