import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { type Run, SCRAPE_ERRORS } from "../../src/scraping/runs/run.ts";
import { statusOf } from "../api/answers.ts";
import { type Caller, untilEnded } from "../caller.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import {
  documentsForPaths,
  HOSTILE_JSON_PATHS,
  HOSTILE_SELECTORS,
  hostilePages,
  pagesForSelectors,
} from "../engine/extraction/hostile_pages.ts";
import { until } from "../patience.ts";
import { type LiveServer, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { html, openShop, type Page, priced, type Shop } from "../scraping/hostile_shop.ts";
import { hostileRobots } from "../scraping/hostile_robots.ts";
import { testWithOne } from "../opened.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { FIVE_WAYS, goToEndless } from "./endless_interims.ts";
import { staysAwake } from "./stays_awake.ts";

const SETTINGS = { SCRAPE_ALLOW_PRIVATE: "127.0.0.0/8", SCRAPE_DOMAIN_DELAY_MS: "0" };

/** Number of products per test; all their runs are active at the same time. */
const PRODUCTS = 4;
/**
 * Short test runs send only every eighth input, because `engine/extraction/hostile_test.ts` parses
 * all inputs without a server.
 */
const SENT_EVERY = extent(1, 8);
const isSent = (_: unknown, n: number) => n % SENT_EVERY === 0;
const PREVIEWED_EVERY = extent(1, 3);

async function scrapeAll(owner: Caller, productIds: readonly string[]): Promise<Run[]> {
  return await Promise.all(productIds.map(async (productId) => {
    const { runId } = await owner.begin(`/api/products/${productId}/scrape-now`);
    return await untilEnded(owner, `/api/scrape-runs/${runId}`);
  }));
}

/** Requires a result for each linked page, and a known code for each failure. */
function requireWhole(runs: readonly Run[], targets: number): void {
  const results = runs.flatMap((run) => run.results);
  ok(runs.every(({ status }) => status === "succeeded"));
  assertEquals(results.length, targets);
  const known: readonly (string | null)[] = [null, ...SCRAPE_ERRORS];
  assertEquals(results.filter(({ errorCode }) => !known.includes(errorCode)), []);
}

/** Opens one shop per entry. Each has its own port, so that all are fetched at the same time. */
function openShops(shops: readonly Record<string, Page>[]): AsyncDisposableStack & { all: Shop[] } {
  const stack = new AsyncDisposableStack();
  return Object.assign(stack, { all: shops.map((pages) => stack.use(openShop(pages))) });
}

async function addProducts({ owner }: LiveServer, prefix: string): Promise<string[]> {
  const numbers = Array.from({ length: PRODUCTS }, (_, n) => n);
  // A scheduled run could start before all links exist, and `scrape-now` would return that run.
  const unscheduled = { scrapeEnabled: false };
  return await Promise.all(numbers.map((n) => addProduct(owner, `${prefix}-${n}`, unscheduled)));
}

const onServer = testWithOne(async () => {
  await using opening = new AsyncDisposableStack();
  const { path: dataDir } = opening.use(await temporaryFolder());
  const live = opening.use(await startLiveServer(dataDir, SETTINGS));
  const opened = opening.move();
  return { live, base: live.url, dataDir, [Symbol.asyncDispose]: () => opened.disposeAsync() };
});

onServer.test("hostile robots.txt files delay no other request", async ({ live, base, dataDir }) => {
  const files = hostileRobots().filter((_, n) => n % extent(1, 3) === 0);
  await using shops = openShops(
    files.map(([, text]) => ({ "/robots.txt": () => new Response(text), "/p": priced("9.00") })),
  );
  const products = await addProducts(live, "R");
  const links = shops.all.map((shop, n) => ({ sku: `R-${n % PRODUCTS}`, url: `${shop.base}/p` }));
  await live.owner.act("/api/competitor-products/bulk", { links });
  await staysAwake({ base, dataDir }, "robots.txt", async () => {
    requireWhole(await scrapeAll(live.owner, products), files.length);
    // The second run uses the robots.txt that the first run has cached.
    requireWhole(await scrapeAll(live.owner, products), files.length);
    const body = { url: `${shops.all[0]!.base}/p` };
    const preview = await live.owner.act("/api/competitor-products/preview", body);
    assertEquals(preview.errorCode, null);
  });
  const asked = shops.all.map(({ visits }) =>
    visits.filter(({ path }) => path === "/robots.txt").length
  );
  assertEquals(asked, files.map(() => 1));
});

onServer.test("endless interim responses delay no other request, on any way to a server", async ({ live, base, dataDir }) => {
  await using stack = new AsyncDisposableStack();
  for (const way of FIVE_WAYS) {
    const going = { owner: live.owner, stack, count: PRODUCTS };
    const awake = { base, dataDir, workMsMax: 500 };
    await staysAwake(awake, way.name, () => goToEndless(way, going));
  }
});

onServer.test("hostile pages delay no other request", async ({ live, base, dataDir }) => {
  const pages = [
    ...hostilePages(extent(2 ** 20, 2 ** 15)).filter(isSent).map(({ html }) => html),
    ...hostileBeginnings(),
  ];
  const shown = Object.fromEntries(pages.map((page, n) => [`/${n}`, () => html(page)]));
  await using shops = openShops(Array.from({ length: PRODUCTS }, () => shown));
  const products = await addProducts(live, "P");
  const links = pages.map((_, n) => {
    const at = n % PRODUCTS;
    return { sku: `P-${at}`, url: `${shops.all[at]!.base}/${n}` };
  });
  await live.owner.act("/api/competitor-products/bulk", { links });
  await staysAwake({ base, dataDir }, "pages", async () => {
    requireWhole(await scrapeAll(live.owner, products), pages.length);
  });
});

// Must be the last test, because it stops the server.
onServer.test("hostile selectors and paths delay no other request, also after a restart, and SIGTERM ends all", async ({ live: first, base, dataDir }) => {
  const extractors = [
    ...HOSTILE_JSON_PATHS.map((jsonPath) => ({ jsonPath })),
    ...HOSTILE_SELECTORS.map((priceSelector) => ({ priceSelector })),
  ].filter(isSent);
  const bytes = extent(2 ** 19, 2 ** 15);
  const [documents, markups] = [documentsForPaths(bytes), pagesForSelectors(bytes)];
  const headers = { "Content-Type": "application/json" };
  const pages = Object.fromEntries(extractors.map((extractor, n): [string, Page] => [
    `/${n}`,
    "jsonPath" in extractor
      ? () => new Response(documents[n % documents.length]!, { headers })
      : () => html(markups[n % markups.length]!),
  ]));
  await using shops = openShops(Array.from({ length: PRODUCTS }, () => pages));
  const urls = extractors.map((_, n) => `${shops.all[n % PRODUCTS]!.base}/${n}`);
  const products = await addProducts(first, "E");
  await staysAwake({ base, dataDir }, "extractors", async () => {
    await Promise.all(extractors.map(async (extractor, n) => {
      const match = await addMatch(first.owner, products[n % PRODUCTS]!, urls[n]!);
      const saved = first.owner.patch(`/api/competitor-products/${match.id}`, { extractor });
      assertEquals(await statusOf(saved), 200, JSON.stringify(extractor));
    }));
    for (const [n, extractor] of extractors.entries()) {
      // A preview parses a page like a run, so short test runs preview only some pages.
      if (n % PREVIEWED_EVERY > 0) continue;
      const body = { url: urls[n], extractor };
      const tried = first.owner.post("/api/competitor-products/preview", body);
      assertEquals(await statusOf(tried), 200, JSON.stringify(extractor));
    }
  });
  assertEquals((await first.stop("SIGTERM")).code, 0);
  await using live = await startLiveServer(dataDir, SETTINGS);
  await staysAwake({ base: live.url, dataDir }, "stored extractors", async () => {
    requireWhole(await scrapeAll(live.owner, products), extractors.length);
  });
  const before = shops.all.map(({ visits }) => visits.length);
  for (const productId of products) {
    await live.owner.begin(`/api/products/${productId}/scrape-now`);
  }
  await until(
    "pages are read again",
    () => shops.all.every(({ visits }, n) => visits.length > before[n]!),
  );
  const { code, err } = await live.stop("SIGTERM");
  assertEquals(code, 0);
  match(err, /"event":"stopped"/);
});

/** Pages that cost much CPU time before the server parses them as HTML. */
function hostileBeginnings(): readonly string[] {
  const pieces: [piece: string, count: number][] = [
    [`<title>${" ".repeat(2_000)}`, 400],
    // With one more letter, these texts would be signs of a page that blocks bots.
    ["geo.captcha-delivery.co", 40_000],
    ["_Incapsula_Resourc", 50_000],
    ["\0", 1_000_000],
    [" ", 4_000_000],
    ["<a <b ", 300_000],
    ["<!--", 8_000],
    ["<meta charset ", 8_000],
  ];
  // Short test runs repeat each piece an eighth as often; quadratic work still takes seconds.
  return pieces.map(([piece, count]) =>
    `<!doctype html><html>${piece.repeat(extent(count, count / 8))}`
  );
}
