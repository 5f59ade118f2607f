import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { callerWithKey } from "../caller.ts";
import { startSmtpServer } from "../messages/smtp_server.ts";
import { type PastEvent, readEvents, startReceiver } from "../messages/receiver.ts";
import { until } from "../patience.ts";
import { findingsOf, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { inFolder } from "../temporary_folder.ts";

const KILLS = extent(3, 1);
const PRODUCTS = 4;
const ROUNDS = 15;
const PASSWORD = "mail-password-of-the-tests";

inFolder.test(`a server that is killed ${KILLS} times logs and sends every acknowledged price, in order for each product, and logs no secret`, async (folder) => {
  await using smtp = startSmtpServer();
  const secrets = new Map<string, string>();
  await using receiver = startReceiver((path) => secrets.get(path) ?? null);
  const settings = {
    SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
    SMTP_URL: smtp.url.replace("//", `//user:${PASSWORD}@`),
    MAIL_FROM: "prices@shop.example",
    LOG_LEVEL: "debug",
  };
  const ids: string[] = [];
  const set: number[][] = Array.from({ length: PRODUCTS }, () => []);
  const read: PastEvent[] = [];
  let [since, key, log] = ["", "", ""];
  for (let kill = 0; kill <= KILLS; kill++) {
    await using live = await startLiveServer(folder.path, settings);
    if (key === "") {
      const webhook = { url: `${receiver.url}/hook`, events: ["price.changed"] };
      secrets.set("/hook", (await live.owner.create("/api/webhooks", webhook)).secret);
      const made = { name: "ERP", scopes: ["events:read"] };
      key = (await live.owner.create("/api/keys", made)).key;
      for (let n = 0; n < PRODUCTS; n++) {
        const product = { sku: `P-${n}`, title: "P" };
        ids.push((await live.owner.create("/api/products", product)).id);
      }
    }
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(ids.map(async (id, n) => {
        const ourPriceCents = 100 + (set[n]?.length ?? 0);
        await live.owner.change(`/api/products/${id}`, { ourPriceCents });
        set[n]?.push(ourPriceCents);
      }));
    }
    const reader = callerWithKey(live.url, key);
    const readOn = async () => {
      const page = await readEvents(reader, since, 7);
      read.push(...page.events);
      since = page.nextSince;
      return pricesIn(read).length;
    };
    await readOn();
    if (kill < KILLS) {
      await live.crash();
      continue;
    }
    await until("all are read", async () => await readOn() >= set.flat().length);
    assertEquals((await readEvents(reader)).events, read);
    while (arrived().size < set.flat().length) {
      await receiver.received(receiver.receipts.length + 1);
    }
    // The mail library must work with the permissions of the task `kurant`.
    const mail = await live.owner.act("/api/settings/mail-test");
    assertEquals([mail.status, smtp.mails.length], ["sent", 1], mail.message);
    log = (await live.stop("SIGTERM")).err;
  }
  assertEquals(new Set(read.map(({ id }) => id)).size, read.length);
  assertEquals(ids.map((id) => pricesIn(read, id)), set);
  // A delivery may arrive twice; per product, the first arrivals are in order.
  assertEquals(ids.map((id) => pricesIn([...arrived().values()], id)), set);
  assertEquals(receiver.forged, []);
  for (const secret of [PASSWORD, secrets.get("/hook")!.slice(6)]) ok(!log.includes(secret));
  assertEquals(await findingsOf(folder.path), "");

  function arrived(): Map<string, Pick<PastEvent, "type" | "data">> {
    const events = new Map<string, Pick<PastEvent, "type" | "data">>();
    for (const { id, body } of receiver.receipts) {
      if (!events.has(id)) events.set(id, { type: "price.changed", data: Object(body.data) });
    }
    return events;
  }
});

function pricesIn(
  events: readonly Pick<PastEvent, "type" | "data">[],
  productId?: string,
): unknown[] {
  return events.filter(({ type, data }) =>
    type === "price.changed" && (productId === undefined || data.productId === productId)
  ).map(({ data }) => data.toCents);
}
