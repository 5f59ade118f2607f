import { openStoreIn } from "../closing_store.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { startSmtpServer } from "../messages/smtp_server.ts";
import { type Caller, callerWithKey } from "../caller.ts";
import { ALERT, BRAND, firesByRule, outcomeOf } from "../rules/evaluation/fires.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { addRule, isJudged } from "../rules/evaluation/market.ts";
import { PATIENCE_MS, pause, repeatedly, until } from "../patience.ts";
import { findingsOf, type LiveServer, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { importToEnd, observationOf } from "./scale_out_scene.ts";
import { inFolder } from "../temporary_folder.ts";

const ROUNDS = extent(20, 2);
const KILLS = extent(10, 1);
/** Number of kills in the second test while the server evaluates rules. */
const KILLS_BEFORE = extent(10, 0);
const PRODUCTS = extent(3_000, 30);
const MAILED = extent(400, 30);
const APART_MS = extent(500, 100);
const POLL_MS = 500;

/** The load would exceed the default rate limit. */
const LOAD_SETTINGS = { RATE_LIMIT_PER_MINUTE: "1000000" } as const;
/** Products to which the tested rules do not apply. */
const LOADED = Array.from({ length: 50 }, (_, n) => `LOAD-${n}`);
/** Number of different pushed prices, 90 to 99: far lower ones than our 100 would be held back. */
const PRICES = 10;
const PAUSE_MIN_MS = extent(5, 60);
const LISTS = ["products?limit=50", "alerts?limit=50", "rules", "proposals?limit=50"];

function startLoad(reader: Caller, pusher: Caller) {
  const push = async (n: number) => {
    const observedAt = new Date().toISOString();
    const observations = LOADED.map((sku) => ({
      sku,
      url: `https://load.example/${sku}`,
      price: 90 + n % PRICES,
      currency: "EUR",
      inStock: true,
      observedAt,
    }));
    const { data } = await pusher.act("/api/public/v1/observations", { observations });
    assertEquals(data.rejected, 0, JSON.stringify(data));
  };
  const read = (n: number) => reader.read(`/api/${LISTS[n % LISTS.length]}`);
  const loads = [push, read].map((act) => {
    const begun = act(0);
    let n = 0;
    const going = repeatedly(async () => {
      await begun;
      await pause(PAUSE_MIN_MS);
      // `fetch` throws a TypeError if the server is killed during the request.
      await act(++n).catch((error) => ok(error instanceof TypeError, error));
    });
    return { begun, going };
  });
  return {
    begun: Promise.all(loads.map(({ begun }) => begun)),
    /** Ends the load; rejects if a push or a read was refused. */
    stop: () => Promise.all(loads.map(({ going }) => going[Symbol.asyncDispose]())),
  };
}

/**
 * Creates the products `LOADED` and, for each brand, as many as `brands` says, all at 100.00.
 * Pushes a lower price for the products of `brands`. Returns an API key that may push prices.
 */
async function undercutByKey({ owner, url }: LiveServer, brands: Record<string, number>) {
  const itemOf = (brand: string) => (sku: string) => (
    { sku, title: sku, price: "100,00", more: `<BRAND>${brand}</BRAND>` }
  );
  const undercut = Object.entries(brands).flatMap(([brand, count]) =>
    Array.from({ length: count }, (_, n) => itemOf(brand)(skuOf(brand, n)))
  );
  await importToEnd(owner, itemsXml([...undercut, ...LOADED.map(itemOf("Last"))]));
  // Prices are only pushed, so the shops' pages must not be visited.
  for (const brand of [...Object.keys(brands), "Last"]) {
    const bulk = { filter: { brand }, set: { scrapeEnabled: false } };
    await owner.act("/api/products/bulk", bulk);
  }
  const newKey = { name: "pushes", scopes: ["observations:write"] };
  const { key } = await owner.create("/api/keys", newKey);
  const pusher = callerWithKey(url, key);
  const observedAt = new Date().toISOString();
  for (let at = 0; at < undercut.length; at += 500) {
    const some = undercut.slice(at, at + 500);
    const observations = some.map(({ sku }) => observationOf(sku, observedAt));
    await pusher.act("/api/public/v1/observations", { observations });
  }
  return String(key);
}

const skuOf = (brand: string, n: number) => `${brand}-${n}`;

const BRANDS = { Einer: 1, Viele: PRODUCTS };
/** The brands of the rules that each round saves; a rule applies to all products of its brand. */
const ROUND = ["Einer", "Viele", "Einer", "Einer", "Viele", "Einer"] as const;

inFolder.test(`rules saved under load while the server is killed fire once each: four rules for one product and two rules for ${PRODUCTS}, ${ROUNDS} times, ${KILLS} kills`, async (folder) => {
  let key = "";
  const saved: Record<keyof typeof BRANDS, string[]> = { Einer: [], Viele: [] };
  for (let kill = 0; kill < KILLS; kill++) {
    await using live = await startLiveServer(folder.path, LOAD_SETTINGS);
    if (key === "") key = await undercutByKey(live, BRANDS);
    const pusher = callerWithKey(live.url, key);
    const load = startLoad(live.owner, pusher);
    await load.begun;
    for (let round = 0; round < ROUNDS / KILLS; round++) {
      for (const brand of ROUND) {
        const scope = { mode: "attribute", matches: { brand } };
        const rule = { ...ALERT, name: `${brand} ${saved[brand].length}`, scope };
        saved[brand].push(await addRule(live.owner, rule));
        await delay(Math.random() * APART_MS);
      }
    }
    await live.crash();
    await load.stop();
  }
  await untilAllJudged(folder.path);
  using store = await openStoreIn(folder.path);
  assertEquals([saved.Einer.length, saved.Viele.length], [4 * ROUNDS, 2 * ROUNDS]);
  const none = { lost: 0, doubled: 0 };
  assertEquals(await outcomeOf(store, saved.Einer, BRANDS.Einer), none);
  assertEquals(await outcomeOf(store, saved.Viele, BRANDS.Viele), none);
  assertEquals(await findingsOf(folder.path), "");
});

/** Restarts the server until no product waits for an evaluation. */
async function untilAllJudged(dataDir: string): Promise<void> {
  const isAllJudged = async () => {
    using store = await openStoreIn(dataDir);
    return await isJudged(store);
  };
  await until("nothing waits to be judged when the server has stopped", async () => {
    await using live = await startLiveServer(dataDir, LOAD_SETTINGS);
    const isDone = async () => {
      await pause(POLL_MS);
      return await isAllJudged();
    };
    // Waits long, because long test runs leave more than 100,000 alerts to make.
    await until("nothing waits to be judged", isDone, 4 * PATIENCE_MS);
    assertEquals((await live.stop("SIGTERM")).code, 0);
    return await isAllJudged();
  });
}

inFolder.test(`a server that is killed ${KILLS_BEFORE} times while it judges, and once before it mails, mails each alert once`, async (folder) => {
  await using smtp = startSmtpServer();
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: "prices@shop.example" };
  const skus = Array.from({ length: MAILED }, (_, n) => skuOf(BRAND, n));
  for (let kill = 0; kill <= KILLS_BEFORE; kill++) {
    await using live = await startLiveServer(folder.path, settings);
    if (kill === 0) {
      await undercutByKey(live, { [BRAND]: MAILED });
      const actions = [{ type: "alert_email", to: ["buyer@shop.example"] }];
      await addRule(live.owner, { ...ALERT, actions });
    }
    if (kill < KILLS_BEFORE) await delay(Math.random() * APART_MS);
    else {
      await until("all is judged, and waits to be mailed", async () => {
        const [count = 0] = Object.values(await firesByRule(live.owner));
        return count >= MAILED;
      });
    }
    await live.crash();
  }
  {
    await using live = await startLiveServer(folder.path, settings);
    await until("every mail is sent", async () => {
      const { items } = await live.owner.read("/api/alerts?limit=200&order=desc");
      return items.every(({ mail }: { mail: string }) => mail === "sent");
    });
    assertEquals((await live.stop("SIGTERM")).code, 0);
  }
  // A mail that was sent again after a kill has the message id of the first mail.
  const texts = new Map(smtp.mails.map(({ messageId, text }) => [messageId, text]));
  const named = [...texts.values()].flatMap((text) => text.match(/\bMarkt-\d+$/gm) ?? []);
  assertEquals(named.sort(), skus.sort());
  assertEquals(texts.size, 1);
  assertEquals(await findingsOf(folder.path), "");
});
