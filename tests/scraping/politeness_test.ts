import { column } from "../api/answers.ts";
import { readConfig } from "../../src/app/composition/config.ts";
import { DAY_MS } from "../../src/base/time.ts";
import { createForeignReader, createScraper } from "../../src/app/composition/room_deps.ts";
import type { SafeFetch } from "../../src/platform/fetch/safe_fetch.ts";
import { JobRunner } from "../../src/platform/jobs/job_runner.ts";
import { waitForJob } from "../../src/platform/jobs/job_store.ts";
import { roomLog } from "../../src/platform/log.ts";
import { createRunKind } from "../../src/scraping/runs/run_kind.ts";
import { createClock } from "../../src/platform/store/context.ts";
import { transact } from "../../src/platform/store/kv.ts";
import {
  askPermit,
  CALM,
  countAhead,
  domains,
  type DomainState,
  judgePermit,
  released,
} from "../../src/scraping/page/permit.ts";
import { lastErrors } from "../../src/scraping/schedule/health.ts";
import { domainOf } from "../../src/shops/domain.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { withStore } from "../memory_store.ts";
import { PATIENCE_MS, until } from "../patience.ts";
import { watchedStore } from "../watched_store.ts";
import { heldBack, html, openShop, type Page, priced, type Shop } from "./hostile_shop.ts";
import { usualGapMs } from "./killed_scraping.ts";
import {
  addTargets,
  ended,
  onlyResult,
  openLink,
  openShopOfOne,
  scrape,
  SCRAPING_ENV,
  startRun,
  startScrapingApp,
  untilItWaits,
  withScrapingApp,
} from "./scraping_app.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Preview } from "../../src/scraping/teaching/preview_page.ts";
import { linksOf } from "../shops/shop.ts";
import { isLong } from "../../src/scraping/page/visit.ts";
import type { Aftermath } from "../../src/scraping/page/visit_tools.ts";
import { parseRetryAfter } from "../../src/platform/fetch/safe_fetch_answer.ts";

/**
 * Starts a job runner on the store, as a second process would. It records when requests are sent,
 * because they may arrive later.
 */
async function startWorker(
  { store }: TestApp,
  env: Record<string, string>,
  sentAtMs: number[],
): Promise<Pick<JobRunner, "stop">> {
  const reader = createForeignReader();
  const scraper = createScraper(readConfig((name) => env[name]), reader);
  const safeFetch: SafeFetch = (request) => {
    sentAtMs.push(Date.now());
    return scraper.safeFetch(request);
  };
  const appClock = await createClock(store, () => new Date());
  const kinds = [createRunKind({ ...scraper, safeFetch })];
  const boot = appClock.newId();
  const runner = new JobRunner({ store, clock: appClock, boot, kinds, log: roomLog("jobs") });
  await runner.start();
  return {
    stop: async () => {
      await runner.stop();
      reader[Symbol.dispose]();
    },
  };
}

const DELAY_MS = 150;

withStore.test("two processes fetch each target once, one at a time, with the delay between starts", async (store) => {
  const env = { ...SCRAPING_ENV, SCRAPE_DOMAIN_DELAY_MS: `${DELAY_MS}` };
  {
    // The app is closed before the runs are requested, so only the two workers fetch pages.
    await using app = await startTestApp({ store, env });
    const paths = Array.from({ length: 8 }, (_, n) => `/${n}`);
    await using shop = openShop(Object.fromEntries(paths.map((path) => [path, priced("1.00")])));
    const productIds: string[] = [];
    const urls = paths.map((path) => shop.base + path);
    for (let n = 0; n < urls.length; n += 2) {
      productIds.push(await addTargets(app, ...urls.slice(n, n + 2)));
    }
    await app.app.close();
    const sentAtMs: number[] = [];
    const others = await Promise.all([1, 2].map(() => startWorker(app, env, sentAtMs)));
    try {
      const runIds = await Promise.all(productIds.map((id) => startRun(app, id)));
      for (const runId of runIds) {
        const job = await waitForJob(app, "scrape", runId, PATIENCE_MS);
        assertEquals([job?.status, job?.hasErrors], ["succeeded", false]);
      }
    } finally {
      await Promise.all(others.map((other) => other.stop()));
    }
    assertEquals(column(shop.visits, "path").toSorted(), [...paths, "/robots.txt"].sort());
    assertEquals(shop.openMax(), 1);
    ok(usualGapMs(sentAtMs) >= 0.9 * DELAY_MS, String(sentAtMs));
  }
});

withStore.test("a request that finds no robots.txt just before another request stores it fetches none", async (store) => {
  using reader = createForeignReader();
  const scraper = createScraper(readConfig(() => undefined), reader);
  const clock = await createClock(store, () => new Date());
  const url = "https://shop.example/p";
  const domain = domainOf(new URL(url));
  const busy = { token: "other", busyUntilMs: Date.now() + 10_000 };
  await transact({ store }, (write) => domains.put(write, {}, { ...CALM, ...busy, domain }));
  const watched = watchedStore(store, {
    async got([key]) {
      if (key?.[0] !== "rob") return;
      await transact({ store }, (write) => domains.put(write, {}, { ...CALM, domain }));
    },
  });
  const asking = { lane: 1, orderMs: 0, id: clock.newId(), reading: { partition: "w" } } as const;
  const next = await transact({ store: watched }, (write) => {
    const caller = { write, store: watched, now: () => clock.now(), newId: () => clock.newId() };
    return askPermit(scraper, caller, url, asking);
  });
  assertEquals(next.kind, "wait");
});

withScrapingApp.test("a run waits for a retry after one 500, in the queue and not in a slot", async (app) => {
  const broken: Page = () => html("", {}, 500);
  await using shop = await openShopOfOne(app, { "/a": broken, "/b": priced("1.00") });
  const runId = await startRun(app, shop.productId);
  const run = () => app.viewer.read(`/api/scrape-runs/${runId}`);
  await until("a page has failed", async () => (await run()).counts.failed > 0);
  assertEquals((await run()).status, "running");
  app.clock.advance(10_000);
  assertEquals(column((await ended(app, runId)).results, "status"), ["failed", "ok"]);
});

withScrapingApp.test("robots.txt is requested once a day, and after the clock was put back", async (app) => {
  await using shop = await openShopOfOne(app, { "/p": priced("1.00") });
  for (const hours of [0, 23, 2, -48]) {
    app.clock.advance(hours * 3_600_000);
    await scrape(app, shop.productId);
  }
  const paths = ["/robots.txt", "/p", "/p", "/robots.txt", "/p", "/robots.txt", "/p"];
  assertEquals(column(shop.visits, "path"), paths);
});

withScrapingApp.test("a shop with an unreachable robots.txt is reported, too; one that forbids visits is not", async (app) => {
  const state = { robots: () => html("", {}, 503) };
  const pages = { "/robots.txt": () => state.robots() };
  await using link = await openLink(app, priced("1.00"), { pages });
  const visitFails = async () => {
    assertEquals((await link.sees()).errorCode, "robots_disallowed");
    const error = (await lastErrors.find(app, link))?.row;
    return [error?.failingSince !== null, error?.isAnnounced];
  };
  assertEquals(await visitFails(), [true, false]);
  app.clock.advance(24 * 3_600_000);
  assertEquals(await visitFails(), [true, true]);
  state.robots = () => new Response("User-agent: *\nDisallow: /");
  assertEquals(await visitFails(), [false, false]);
});

const PREVIEW = "/api/competitor-products/preview";

/** The shop sends its robots.txt, which forbids `/closed`, only after `answer` is called. */
function openSlowShop() {
  const robots = heldBack(() => new Response("User-agent: *\nDisallow: /closed"));
  const pages = { "/open": priced("1.00"), "/closed": priced("2.00") };
  const shop = openShop({ "/robots.txt": robots.page, ...pages });
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
  // A waiting job runs again only after 5 s, and notices no change before.
  await using app = await startScrapingApp({ SCRAPE_DOMAIN_DELAY_MS: "5000" });
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
    const [match] = await linksOf(app.viewer, `productId=${productId}`);
    waiting.push({ path: `/api/competitor-products/${match!.id}`, runId });
  }
  const [removed, moved] = waiting;
  await app.manager.remove(removed!.path);
  await app.manager.change(moved!.path, { url: `${other.base}/p` });
  answer();
  // Advances the clock until both waiting runs have been due and have noticed their changed links.
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

async function waitingAt({ store, clock }: TestApp, { base }: Shop): Promise<number> {
  const domain = domainOf(new URL(base));
  const nowMs = clock.now().getTime();
  const last = { domain, lane: 1, orderMs: Number.MAX_SAFE_INTEGER, id: "" } as const;
  return await countAhead(store, last, nowMs);
}

/** Returns `ok`, or the reason why the preview has no price. */
async function preview(app: TestApp, { base }: Shop, path: string): Promise<string> {
  const { status, errorCode } = await app.manager.act<Preview>(PREVIEW, { url: base + path });
  return errorCode ?? status;
}

const PACE = { delayMs: 2_000, holdMs: 25_000 };
const ask = (state: DomainState, nowMs: number, ahead = 0) =>
  judgePermit(state, { token: "t", ahead, nowMs, pace: PACE });

function stateAfter(state: DomainState, nowMs: number, ...aftermaths: Aftermath[]): DomainState {
  return aftermaths.reduce((before, aftermath) => {
    const held = { ...before, token: "t", busyUntilMs: nowMs + 1 };
    return released(held, { token: "t", aftermath, askedAtMs: 0, nextAtMs: 0 }, nowMs);
  }, state);
}

const TROUBLE: Aftermath = { kind: "trouble", retryAfterMs: null };
const FINE: Aftermath = { kind: "fine" };

Deno.test("judgePermit() gives one permit at once; others ask again after the delay, and take over an expired permit", () => {
  const first = ask(CALM, 1_000);
  ok(first.kind === "taken");
  assertEquals(ask(first.state, 1_500), { kind: "wait", untilMs: 3_000 });
  assertEquals(ask(first.state, 9_000), { kind: "wait", untilMs: 9_100 });
  assertEquals(ask(first.state, 25_999).kind, "wait");
  assertEquals(ask(first.state, 26_000).kind, "taken");
  const used = { token: "t", aftermath: FINE, askedAtMs: 1_100, nextAtMs: 3_100 };
  const free = released(first.state, used, 1_200);
  // The delay counts from the request, which was sent 100 ms after the permit was taken.
  assertEquals(ask(free, 3_000), { kind: "wait", untilMs: 3_100 });
  assertEquals(ask(free, 3_100).kind, "taken");
});

Deno.test("judgePermit() keeps the delay after a request whose caller had a longer delay", () => {
  const pace = { ...PACE, delayMs: 60_000 };
  const slow = judgePermit(CALM, { token: "t", ahead: 0, nowMs: 1_000, pace });
  ok(slow.kind === "taken");
  const used = { token: "t", aftermath: FINE, askedAtMs: 1_100, nextAtMs: 61_100 };
  const free = released(slow.state, used, 1_200);
  assertEquals(ask(free, 1_500), { kind: "wait", untilMs: 3_100 });
  const again = judgePermit(free, { token: "t", ahead: 0, nowMs: 3_100, pace });
  assertEquals(again, { kind: "wait", untilMs: 61_100 });
});

Deno.test("at most eight requests wait for a shop without a delay, and the others are parked; each waits for those ahead of it", () => {
  const isParked = (ahead: number) => {
    const pace = { ...PACE, delayMs: 0 };
    const next = judgePermit(CALM, { token: "t", ahead, nowMs: 0, pace });
    return next.kind === "wait" && isLong(next, 0);
  };
  assertEquals([1, 7, 8, 100].map(isParked), [false, false, true, true]);
  const third = ask(CALM, 1_000, 3);
  ok(third.kind === "wait" && third.untilMs >= 1_000 + 3 * PACE.delayMs);
});

Deno.test("released() doubles the back-off after each trouble in a row, and resets it after a success", () => {
  const rests = [1, 2, 3, 4].map((times) =>
    stateAfter(CALM, 0, ...Array(times).fill(TROUBLE)).backoffUntilMs
  );
  assertEquals(rests, [10_000, 20_000, 40_000, 80_000]);
  const many = stateAfter(CALM, 0, ...Array(30).fill(TROUBLE));
  assertEquals(many.backoffUntilMs, 6 * 3_600_000);
  assertEquals(stateAfter(many, 0, FINE), CALM);
});

Deno.test("released() honours Retry-After, up to a day, and does not change another caller's permit", () => {
  const asked = (retryAfterMs: number) =>
    stateAfter(CALM, 0, { kind: "trouble", retryAfterMs }).backoffUntilMs;
  assertEquals([asked(1_000), asked(600_000), asked(10 ** 12)], [10_000, 600_000, 86_400_000]);
  const state = { ...CALM, token: "other", busyUntilMs: 9 };
  const used = { token: "t", aftermath: TROUBLE, askedAtMs: 1, nextAtMs: 5 };
  assertEquals(released(state, used, 0), state);
});

Deno.test("judgePermit() waits for a short back-off, gives up on a long one, and ignores an impossible one after the clock was set back", () => {
  const backingOff = (backoffUntilMs: number) => ask({ ...CALM, backoffUntilMs }, 0);
  assertEquals(backingOff(30_000), { kind: "wait", untilMs: 30_000 });
  assertEquals(backingOff(30_001), { kind: "backing_off", untilMs: 30_001 });
  const nowMs = 100 * DAY_MS;
  const asked = stateAfter(CALM, nowMs, { kind: "trouble", retryAfterMs: DAY_MS });
  assertEquals(ask(asked, nowMs), { kind: "backing_off", untilMs: nowMs + DAY_MS });
  assertEquals(ask(asked, nowMs - 1).kind, "taken");
});

Deno.test("parseRetryAfter() reads seconds and dates", () => {
  const nowMs = Date.parse("2026-03-02T09:00:00Z");
  const table: [string | null, number | null][] = [
    ["0", 0],
    [" 7 ", 7_000],
    ["Mon, 02 Mar 2026 09:01:00 GMT", 60_000],
    ["Mon, 02 Mar 2026 08:00:00 GMT", 0],
    ["soon", null],
    [null, null],
  ];
  for (const [header, ms] of table) {
    assertEquals(parseRetryAfter(header, nowMs), ms, String(header));
  }
});
