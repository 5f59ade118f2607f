/**
 * Creates, from the configuration, caches, limits for catalogue imports, and functions that fetch
 * from other servers. A Web Worker parses untrusted texts, such as shop pages and sitemaps.
 */
import { fromKeys } from "../../base/collections.ts";
import { TooComplex } from "../../base/failure.ts";
import { PAGE_STATUSES } from "../../engine/extraction/page_status.ts";
import { createBodyRoom, judgeUrl, resolveBySystem } from "../../platform/fetch/fetch_limits.ts";
import { createSafeFetch, type SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import { roomLog } from "../../platform/log.ts";
import { Sandbox, type SandboxPermit } from "../../platform/sandbox/sandbox.ts";
import type { DiscoveryReader } from "../../scraping/discovery/discovery_job.ts";
import type { ScrapeDeps, ShopReader } from "../../scraping/page/visit_tools.ts";
import type { ExtractorCheck } from "../../shops/competitor_store.ts";
import type { Config } from "./config.ts";
import type { ForeignInputs, ForeignWork } from "./foreign_work.ts";
import type { ImportDeps } from "../../imports/apply/span.ts";
import { CatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import { MarketCache } from "../../market/current/market_cache.ts";
import { createMarketSource } from "../../market/market_source.ts";
import { readMoves } from "../../market/moves/list_moves.ts";
import type { MorningDeps } from "../../market/overview/morning_mail.ts";
import { FreshnessCache } from "../../market/overview/read_overview.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { createRuleCache } from "../../rules/rule.ts";
import { createHealthOf } from "../../scraping/schedule/health.ts";
import { ProductIndexes } from "../../scraping/suggestions/product_indexes.ts";

const log = roomLog("scraping");

const PRODUCT = "Kurant/1.0";

/** `notice` is a warning if the default User-Agent names no contact; otherwise null. */
export function introductionOf(
  { SCRAPE_USER_AGENT, PUBLIC_URL, MAIL_FROM }: Config,
): { readonly userAgent: string; readonly notice: string | null } {
  if (SCRAPE_USER_AGENT !== null) return { userAgent: SCRAPE_USER_AGENT, notice: null };
  const address = MAIL_FROM === null ? null : plainAddress(MAIL_FROM);
  const ways = [
    ...(PUBLIC_URL !== null && isPublicOrigin(PUBLIC_URL) ? [`+${PUBLIC_URL}`] : []),
    ...(address === null ? [] : [address]),
  ];
  if (ways.length > 0) return { userAgent: `${PRODUCT} (${ways.join("; ")})`, notice: null };
  const notice = "shops are not told how to reach you: set PUBLIC_URL to a public address, " +
    "MAIL_FROM, or SCRAPE_USER_AGENT with a contact";
  return { userAgent: PRODUCT, notice };
}

function plainAddress(mailbox: string): string | null {
  const address = mailbox.slice(mailbox.lastIndexOf("<") + 1).replace(">", "").trim();
  return /^[\x21-\x27\x2a-\x3a\x3c-\x7e]+$/.test(address) ? address : null;
}

function isPublicOrigin(origin: string): boolean {
  return "url" in judgeUrl(origin, { allowed: { hosts: new Set(), ranges: [] }, ports: null });
}

export function guardedFetch(
  { SCRAPE_ALLOW_PRIVATE: allowed, SCRAPE_ALLOW_PORTS: ports }: Config,
  userAgent: string,
): SafeFetch {
  return createSafeFetch({
    allowed,
    ports,
    userAgent,
    resolve: resolveBySystem,
    dial: (address, port) => ({ address, port }),
  });
}

export function createScraper(config: Config, reader: ShopReader): ScrapeDeps {
  const limits = { allowed: config.SCRAPE_ALLOW_PRIVATE, ports: config.SCRAPE_ALLOW_PORTS };
  const { userAgent, notice } = introductionOf(config);
  const safeFetch = guardedFetch(config, userAgent);
  return {
    safeFetch: notice === null ? safeFetch : warningOnce(safeFetch, notice),
    reader,
    bodies: createBodyRoom(),
    pages: fromKeys(PAGE_STATUSES, () => 0),
    limits,
    userAgent,
    timeoutMs: config.SCRAPE_TIMEOUT_MS,
    bytesMax: config.SCRAPE_MAX_BYTES,
    delayMs: config.SCRAPE_DOMAIN_DELAY_MS,
  };
}

function warningOnce(safeFetch: SafeFetch, notice: string): SafeFetch {
  let hasWarned = false;
  return (request) => {
    if (!hasWarned) log.warning(notice);
    hasWarned = true;
    return safeFetch(request);
  };
}

export interface ForeignReader extends ShopReader, DiscoveryReader, Disposable {
  readonly extractor: ExtractorCheck;
}

export function createForeignReader(): ForeignReader {
  let workHere: ForeignWork | null = null;
  const sandbox = new Sandbox({
    module: new URL("./foreign_worker.ts", import.meta.url),
    limitMs: 2_000,
    log: roomLog("sandbox"),
    // Load these parsers only on demand, because they would take a tenth of the start-up time.
    loadHere: async () => {
      workHere = (await import("./foreign_work.ts")).FOREIGN_WORK;
    },
  });
  const here = (): ForeignWork => {
    if (workHere === null) throw new Error("The readers were not loaded");
    return workHere;
  };
  const run = <Name extends keyof ForeignWork>(
    name: Name,
    input: ForeignInputs[Name],
    permit: SandboxPermit,
  ) => sandbox.run({ name, input }, permit, () => here()[name](input));
  return {
    page: (input, permit) => run("page", input, permit),
    robots: (input, permit) => run("robots", input, permit),
    sitemap: (input, permit) => run("sitemap", input, { ...permit, limitMs: 10_000 }),
    links: (input, permit) => run("links", input, permit),
    extractor: async (partition, { priceSelector, stockSelector, jsonPath }) => {
      const input = { priceSelector, stockSelector, jsonPath };
      // Fails with 503 if 100 tasks of the workspace already wait for the Worker.
      const permit = { partition, waitingMax: 100 };
      try {
        return await run("extractor", input, permit);
      } catch (error) {
        if (!(error instanceof TooComplex)) throw error;
        const message = `Is too complex to check: ${error.message}`;
        const part = jsonPath === null ? "priceSelector" : "jsonPath";
        return [{ part, message }];
      }
    },
    [Symbol.dispose]: () => sandbox[Symbol.dispose](),
  };
}

export interface AppParts {
  readonly store: Store;
  readonly config: Config;
  now(): Date;
  readonly port?: () => number;
  /** Maximum time that an upload waits for the end of its import job; only tests set it. */
  readonly importAnswerMs?: number;
  /** Time between two searches for work that other processes added; only tests set this time. */
  readonly sweepMs?: number | undefined;
  readonly pauseMinMs?: number;
  /** Parses untrusted texts; created if absent. `App.close` always disposes the reader. */
  readonly reader?: ForeignReader;
}

export type Shared = ReturnType<typeof shareParts>;

export function shareParts(parts: AppParts, clock: ClockAndIds) {
  const { config, reader = createForeignReader() } = parts;
  const ruleCache = createRuleCache();
  const tables = new MarketCache({ bytesMax: config.MARKET_MEMORY_BYTES, ruleCache });
  const scraper = createScraper(config, reader);
  const caches = {
    cache: new CatalogueCache(),
    tables,
    market: createMarketSource(tables, ruleCache),
  };
  const morning: MorningDeps = {
    healthOf: createHealthOf(scraper.delayMs),
    freshness: new FreshnessCache(),
    tables,
    movesOf: (ctx, since) =>
      readMoves(ctx, caches, { limit: 1, since, groupBy: "competitor,category" }),
  };
  return { ...parts, ...caches, clock, reader, scraper, morning, indexes: new ProductIndexes() };
}

export function importDeps(
  config: Config,
  wake: ImportDeps["wake"],
  answerMs = 10_000,
): ImportDeps {
  return {
    wake,
    answerMs,
    allowed: config.SCRAPE_ALLOW_PRIVATE,
    limits: {
      bodyBytesMax: config.IMPORT_MAX_BODY_BYTES,
      spoolBytesMax: config.IMPORT_MAX_SPOOL_BYTES ??
        2 * config.IMPORT_MAX_BODY_BYTES + 1024 * 1024,
      unpackedBytesMax: config.IMPORT_MAX_UNPACKED_BYTES,
      ratioMax: config.IMPORT_MAX_RATIO,
      filesMax: config.IMPORT_MAX_FILES,
      itemsMax: config.IMPORT_MAX_ITEMS,
      xml: { depthMax: config.IMPORT_MAX_DEPTH, textCharsMax: config.IMPORT_MAX_TEXT_CHARS },
    },
  };
}
