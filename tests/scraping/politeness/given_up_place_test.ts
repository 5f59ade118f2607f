import { countAhead } from "../../../src/scraping/page/permit.ts";
import type { Preview } from "../../../src/scraping/teaching/preview_page.ts";
import { domainOf } from "../../../src/shops/domain.ts";
import type { TestApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import { linksOf } from "../../shops/shop.ts";
import { heldBack, openShop, priced, type Shop } from "../hostile_shop.ts";
import {
  addTargets,
  ended,
  onlyResult,
  startRun,
  startScrapingApp,
  untilItWaits,
  withScrapingApp,
} from "../scraping_app.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const PREVIEW = "/api/competitor-products/preview";

/** With this delay, waiting jobs are parked. A parked job notices a change only when it is due. */
const PARKING = { SCRAPE_DOMAIN_DELAY_MS: "5000" };

/**
 * A shop that sends its robots.txt only after the test calls `answer`. The file forbids `/closed`.
 */
function openSlowShop() {
  const robots = heldBack(() => new Response("User-agent: *\nDisallow: /closed"));
  const shop = openShop({
    "/robots.txt": robots.page,
    "/open": priced("1.00"),
    "/closed": priced("2.00"),
  });
  return { shop, visited: robots.requested, answer: robots.release };
}

withScrapingApp.test("a run and a preview that robots.txt refuses while they wait leave the queue of the shop", async (app) => {
  const { shop, visited, answer } = openSlowShop();
  await using _ = shop;
  const first = await startRun(app, await addTargets(app, `${shop.base}/open`));
  await visited;
  const refused = preview(app, shop, "/closed");
  await until("the preview waits", async () => await waitingAt(app, shop) === 1);
  const second = await startRun(app, await addTargets(app, `${shop.base}/closed`));
  await untilItWaits(app, second);
  answer();
  await ended(app, first);
  assertEquals(await refused, "robots_disallowed");
  app.clock.advance(5_000);
  const result = onlyResult(await ended(app, second));
  assertEquals(result.errorCode, "robots_disallowed", JSON.stringify(result));
  assertEquals([await waitingAt(app, shop), await preview(app, shop, "/open")], [0, "ok"]);
});

Deno.test("runs whose match is removed or moves to another shop while they wait leave the queue of the shop", async () => {
  await using app = await startScrapingApp(PARKING);
  const { shop, visited, answer } = openSlowShop();
  await using _ = shop;
  await using other = openShop({ "/p": priced("3.00") });
  const first = await startRun(app, await addTargets(app, `${shop.base}/open`));
  await visited;
  const waiting: { path: string; runId: string }[] = [];
  for (let n = 0; n < 2; n++) {
    const productId = await addTargets(app, `${shop.base}/open`);
    const runId = await startRun(app, productId);
    await untilItWaits(app, runId);
    waiting.push({ path: await matchPath(app, productId), runId });
  }
  const [removed, moved] = waiting;
  await app.manager.remove(removed!.path);
  await app.manager.change(moved!.path, { url: `${other.base}/p` });
  answer();
  // A parked run notices the change when the run is due. The second run is due later.
  const due = setInterval(() => app.clock.advance(5_000), 20);
  try {
    assertEquals(onlyResult(await ended(app, removed!.runId)).status, "skipped");
    assertEquals(onlyResult(await ended(app, moved!.runId)).price, 300);
    await ended(app, first);
  } finally {
    clearInterval(due);
  }
  assertEquals(await waitingAt(app, shop), 0);
});

async function matchPath(app: TestApp, productId: string): Promise<string> {
  const [match] = await linksOf(app.viewer, `productId=${productId}`);
  return `/api/competitor-products/${match!.id}`;
}

/** The number of jobs in the shop's queue. */
async function waitingAt({ store, clock }: TestApp, { base }: Shop): Promise<number> {
  const domain = domainOf(new URL(base));
  const nowMs = clock.now().getTime();
  const last = { domain, lane: 1, orderMs: Number.MAX_SAFE_INTEGER, id: "" } as const;
  return await countAhead(store, last, nowMs);
}

/** Returns the status of a preview, which is `ok` or the reason why there is no price. */
async function preview(app: TestApp, { base }: Shop, path: string): Promise<string> {
  const { status, errorCode } = await app.manager.act<Preview>(PREVIEW, { url: base + path });
  return errorCode ?? status;
}
