/** Rules that are saved while the server is killed fire once for each product, and tell of it in one mail. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { startSmtpServer } from "../messages/alerts/smtp_server.ts";
import { bodyOf } from "../api/answers.ts";
import { type Caller, createCaller } from "../caller.ts";
import { ALERT, firesByRule } from "../rules/evaluation/fires.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { addRule, isJudged } from "../rules/evaluation/market.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { until } from "../patience.ts";
import { findingsOf, type LiveServer, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { importToEnd } from "./scale_out_scene.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const KILLS = extent(10, 2);
const PRODUCTS = extent(3_000, 400);
/** What one mail holds. */
const MAILED = 400;
const BUSY_MS = 60_000;
/** A rule is judged for so long before the next is saved, and at most so long before the kill. */
const APART_MS = extent(500, 100);

/** Products at 100.00, each undercut by one shop. */
async function undercutByKey({ owner, url }: LiveServer, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => `SKU-${n}`);
  const more = "<BRAND>Markt</BRAND>";
  const items = numbers.map((sku) => ({ sku, title: sku, price: "100,00", more }));
  await importToEnd(owner, itemsXml(items));
  // Nobody is to visit the shop that the pushed prices are of.
  const bulk = { filter: { brand: "Markt" }, set: { scrapeEnabled: false } };
  assertEquals((await bodyOf(owner.post("/api/products/bulk", bulk), 200)).changed, count);
  const newKey = { name: "pushes", scopes: ["observations:write"] };
  const { key } = await bodyOf(owner.post("/api/keys", newKey), 201);
  const pusher = createCaller(url, { Authorization: `Bearer ${key}` });
  const observedAt = new Date().toISOString();
  for (let at = 0; at < count; at += 500) {
    const observations = numbers.slice(at, at + 500).map((sku) => ({
      sku,
      url: `https://acme.example/${sku}`,
      price: 90,
      currency: "EUR",
      inStock: true,
      observedAt,
    }));
    await bodyOf(pusher.post("/api/public/v1/observations", { observations }), 200);
  }
}

Deno.test(`rules that are saved while the server is killed ${KILLS} times fire once for each product`, async () => {
  await using folder = await temporaryFolder();
  {
    await using live = await startLiveServer(folder.path);
    await undercutByKey(live, PRODUCTS);
    assertEquals((await live.stop("SIGTERM")).code, 0);
  }
  const expected: Record<string, number> = {};
  const saved = async (owner: Caller) => {
    expected[await addRule(owner, { ...ALERT, name: `Rule ${Object.keys(expected).length}` })] =
      PRODUCTS;
  };
  for (let kill = 0; kill < KILLS; kill++) {
    await using live = await startLiveServer(folder.path);
    await saved(live.owner);
    await delay(APART_MS);
    await saved(live.owner);
    await delay(Math.random() * APART_MS);
    await live.crash();
  }
  // A stop leaves what waits to the next start.
  await until("nothing waits to be judged", async () => {
    {
      await using live = await startLiveServer(folder.path);
      await until("every rule has judged each product", async () => {
        const counts = Object.values(await firesByRule(live.owner));
        return counts.length === 2 * KILLS && counts.every((count) => count >= PRODUCTS);
      });
      assertEquals((await live.stop("SIGTERM")).code, 0);
    }
    const left = await openStore({ kvUrl: null, dataDir: folder.path }, BUSY_MS);
    try {
      return await isJudged(left);
    } finally {
      left.kv.close();
    }
  });
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, BUSY_MS);
  try {
    const rows = await Array.fromAsync(store.kv.list<{ ruleId: string }>({ prefix: ["al"] }));
    const fires = Map.groupBy(rows, ({ value }) => value.ruleId);
    const counts = [...fires].map(([id, alerts]) => [id, alerts.length]);
    assertEquals(Object.fromEntries(counts), expected);
  } finally {
    store.kv.close();
  }
  assertEquals(await findingsOf(folder.path), "");
});

Deno.test(`a server that is killed ${KILLS} times while it judges, and before it mails, mails each alert once`, async () => {
  await using folder = await temporaryFolder();
  await using smtp = startSmtpServer();
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: "prices@shop.example" };
  const skus = Array.from({ length: MAILED }, (_, n) => `SKU-${n}`);
  {
    await using live = await startLiveServer(folder.path, settings);
    await undercutByKey(live, MAILED);
    const actions = [{ type: "alert_email", to: ["buyer@shop.example"] }];
    await addRule(live.owner, { ...ALERT, actions });
    await delay(Math.random() * APART_MS);
    await live.crash();
  }
  for (let kill = 1; kill <= KILLS; kill++) {
    await using live = await startLiveServer(folder.path, settings);
    if (kill === KILLS) {
      await until("all is judged, and waits to be mailed", async () => {
        const [count = 0] = Object.values(await firesByRule(live.owner));
        return count >= MAILED;
      });
    } else await delay(Math.random() * APART_MS);
    await live.crash();
  }
  {
    await using live = await startLiveServer(folder.path, settings);
    await until("every mail is sent", async () => {
      const { items } = await bodyOf(live.owner.get("/api/alerts?limit=200&order=desc"), 200);
      return items.every(({ mail }: { mail: string }) => mail === "sent");
    });
    assertEquals((await live.stop("SIGTERM")).code, 0);
  }
  // What was sent in the moment of a kill comes again under its id.
  const texts = new Map(smtp.mails.map(({ messageId, text }) => [messageId, text]));
  const named = [...texts.values()].flatMap((text) => text.match(/\bSKU-\d+$/gm) ?? []);
  assertEquals(named.sort(), skus.sort());
  assertEquals(texts.size, 1);
  assertEquals(await findingsOf(folder.path), "");
});
