/** The composition root: which room gets what, and which answers for which path. */

import { createAdmission } from "../../accounts/admission.ts";
import { auditRoutes } from "../../accounts/audit/audit_routes.ts";
import { identityRoutes } from "../../accounts/identity_routes.ts";
import { createKeyRing } from "../../accounts/keys/key_ring.ts";
import { createVisits } from "../../accounts/sessions/visits.ts";
import { forgetOwnViews } from "../../accounts/views/change_views.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { viewRoutes } from "../../accounts/views/view_routes.ts";
import { createUlidSource } from "../../base/id.ts";
import { createCatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import { productRoutes } from "../../catalogue/product_routes.ts";
import { publicProductRoutes } from "../../catalogue/public_product_routes.ts";
import { salesRoutes } from "../../catalogue/sales/sales_routes.ts";
import { PATHS } from "../../client/paths.ts";
import { importProfileRoutes } from "../../imports/import_profile_routes.ts";
import { importRoutes } from "../../imports/import_routes.ts";
import { importSourceRoutes } from "../../imports/import_source_routes.ts";
import { createImportKind } from "../../imports/jobs/import_kind.ts";
import { createPullKind } from "../../imports/jobs/pull_kind.ts";
import { importFileRoutes } from "../../imports/list_file_routes.ts";
import { createClearingKind } from "../../imports/state/clear_import.ts";
import { MarketCache } from "../../market/current/market_cache.ts";
import { arrivalRoutes } from "../../market/export/arrival_routes.ts";
import { priceExportRoutes } from "../../market/export/price_export_routes.ts";
import { marketRoutes } from "../../market/market_routes.ts";
import { createMarketSource } from "../../market/market_source.ts";
import { MarketCounters } from "../../market/market_counters.ts";
import { readMoves } from "../../market/moves/list_moves.ts";
import { createMoveCache } from "../../market/moves/move_cache.ts";
import { overviewRoutes } from "../../market/overview/overview_routes.ts";
import { createFreshnessCache } from "../../market/overview/shop_freshness.ts";
import { coverageRoutes } from "../../market/read_coverage.ts";
import { createTrendKind } from "../../market/trends/trend_job.ts";
import { alertRoutes } from "../../messages/alerts/alert_routes.ts";
import { webhookRoutes } from "../../messages/webhooks/webhook_routes.ts";
import type { AppEnv, Authentication } from "../../platform/http/app_context.ts";
import { DEFAULT_BODY_PACE } from "../../platform/http/body.ts";
import { createBodyMemory } from "../../platform/http/body_memory.ts";
import { DrainGate } from "../../platform/http/door.ts";
import { createHttpApp } from "../../platform/http/http_app.ts";
import { createRateLimiter } from "../../platform/http/rate_limit.ts";
import { JobRunner } from "../../platform/jobs/job_runner.ts";
import { createRequestMetrics } from "../../platform/metrics.ts";
import { createClock } from "../../platform/store/clock.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { ThreadShare } from "../../platform/thread_share.ts";
import { askAgain } from "../../rules/evaluation/ask_again.ts";
import { createBacktestKind } from "../../rules/evaluation/backtest_job.ts";
import { brakeRoutes } from "../../rules/evaluation/brake_routes.ts";
import { evaluationRoutes } from "../../rules/evaluation/evaluation_routes.ts";
import { quarantineRoutes } from "../../rules/evaluation/quarantine_routes.ts";
import { createRejudgeKind } from "../../rules/evaluation/rejudge_job.ts";
import { createRuleCache } from "../../rules/rule_store.ts";
import { createSimulationKind } from "../../rules/evaluation/simulation_job.ts";
import { simulationRoutes } from "../../rules/evaluation/simulation_routes.ts";
import { proposalRoutes } from "../../rules/proposals/proposal_routes.ts";
import { findJudgedRule } from "../../rules/read_rules.ts";
import { ruleRoutes } from "../../rules/rule_routes.ts";
import { createDiscoveryKind } from "../../scraping/discovery/discovery_kind.ts";
import { discoveryRoutes } from "../../scraping/discovery/discovery_routes.ts";
import { linkCheckRoutes } from "../../scraping/link_check_routes.ts";
import { createAcceptKind } from "../../scraping/link_checks/accept_kind.ts";
import { createCheckKind, createVisitKind } from "../../scraping/link_checks/check_kind.ts";
import { createRetryKind } from "../../scraping/runs/retry_kind.ts";
import { createRunKind } from "../../scraping/runs/run_kind.ts";
import { createHealthOf } from "../../scraping/schedule/health_store.ts";
import { scrapingRoutes } from "../../scraping/scraping_routes.ts";
import { ProductIndexes } from "../../scraping/suggestions/product_indexes.ts";
import { competitorRoutes } from "../../shops/competitor_routes.ts";
import { matchRoutes } from "../../shops/match_routes.ts";
import { COMPETITOR_PRICES } from "../../shops/matches/competitor_prices.ts";
import { observationRoutes } from "../../shops/observation_routes.ts";
import { createThinningKind } from "../../shops/observations/retention_job.ts";
import { createPushCache } from "../../shops/push/offer_cache.ts";
import { createPages } from "../reference/page_routes.ts";
import { referenceRoutes } from "../reference/reference_routes.ts";
import { AUDIT_NAMES } from "./audit_names.ts";
import { createBackground } from "./background.ts";
import { type Config, urlOf } from "./config.ts";
import { createForeignReader } from "./foreign_reader.ts";
import { storeFigures } from "./figures.ts";
import { importDeps } from "./import_deps.ts";
import { createRetentionKind, maintenanceKind, retentionDays } from "./retention.ts";
import { createScraper } from "./scraper.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { randomBytes } from "node:crypto";

/** The parts that a process provides; everything else is created here. */
export interface AppParts {
  readonly store: Store;
  readonly config: Config;
  /** The wall clock; tests set their own. */
  now(): Date;
  /** The port that was listened on, for links; needed where `PORT` leaves it to the system. */
  readonly port?: () => number;
  /** The maximum wait of an upload for the end of its job; only tests change it. */
  readonly importAnswerMs?: number;
  /** The interval of looking for work of dead processes; only tests change it. */
  readonly sweepMs?: number | undefined;
}

/** Of all JSON bodies at once: thousands of sign-ins, 64 of the largest pushes. */
const STRANGERS_BODY_BYTES = 16 * 1024 * 1024;
const ADMITTED_BODY_BYTES = 64 * 1024 * 1024;

export interface App {
  readonly clock: ClockAndIds;
  /** Every method and path that answers, for those who compare them with the documents. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** Answers a request; `info` carries the client's address. */
  fetch(request: Request, info?: Deno.ServeHandlerInfo): Promise<Response>;
  /** Starts what the first page of a shop would wait for; what the platform lacks is in the log then. */
  warm(): Promise<void>;
  /**
   * From now on new requests are answered with 503, and running jobs are given back; resolves when
   * requests and background work have ended.
   */
  drain(): Promise<void>;
  /** Waits for background writes; the store may be closed afterwards. */
  close(): Promise<void>;
}

/** The whole service on one store, without a listening socket. */
export async function createApp(
  { store, config, now, port = () => config.PORT, importAnswerMs, sweepMs }: AppParts,
): Promise<App> {
  const clock = await createClock(store, now);
  const days = await retentionDays(store, config);
  const cache = createCatalogueCache();
  const ruleCache = createRuleCache();
  const tally = new MarketCounters();
  const marketCache = new MarketCache({
    bytesMax: config.MARKET_MEMORY_BYTES,
    ruleCache,
    newId: clock.newId,
    tally,
    rewrites: cache.rewrites,
  });
  const moveCache = createMoveCache();
  const market = createMarketSource(marketCache, ruleCache);
  const identity = {
    store,
    clock,
    keyRing: createKeyRing(store),
    visits: createVisits(),
    limiter: createRateLimiter(store, config.RATE_LIMIT_PER_MINUTE),
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    linkBase: () => urlOf(config, { port: port() }),
    onArrival: (workspace: WorkspaceStore) => {
      cache.warm(workspace);
      marketCache.warm({ ...workspace, now });
    },
    onRemoval: forgetOwnViews,
  };
  const thread = new ThreadShare();
  const gate: Authentication = {
    admit: createAdmission(identity),
    dispatch: async (request, c) => await app.fetch(request, c.env),
    timeZoneOf: async (workspace) => (await requireWorkspace(workspace)).timeZone,
    bodyPace: {
      ...DEFAULT_BODY_PACE,
      windowMs: config.REQUEST_BODY_TIMEOUT_MS,
      bytesPerWindowMin: Math.ceil(config.REQUEST_BODY_TIMEOUT_MS * 1.024),
    },
    thread,
    bodyMemory: {
      strangers: createBodyMemory(STRANGERS_BODY_BYTES),
      admitted: createBodyMemory(ADMITTED_BODY_BYTES),
    },
  };
  const marketFigures = () => ({
    ...tally,
    tableBytes: marketCache.size(),
    movesKept: moveCache.size(),
  });
  const reader = createForeignReader();
  const scraper = createScraper(config, reader);
  const metrics = config.METRICS_TOKEN === null ? null : createRequestMetrics(
    store,
    marketFigures,
    () => scraper.pages.counts(),
    storeFigures(store, clock.now),
  );
  const pages = createPages(Object.values(PATHS));
  const door = new DrainGate();
  const app = createHttpApp({
    gate,
    door,
    newRequestId: requestIds(now),
    isHttps: config.PUBLIC_URL?.startsWith("https:") ?? false,
    metrics,
    pageForUnknown: pages.forUnknown,
  });

  const products = {
    cache,
    competitorPrices: COMPETITOR_PRICES,
    market,
  };
  const competitors = {
    allowed: config.SCRAPE_ALLOW_PRIVATE,
    misfitsOf: reader.extractor,
    healthOf: createHealthOf(scraper.delayMs),
  };
  const moves = { cache, tables: marketCache, moves: moveCache, market, tally };
  const morning = {
    healthOf: competitors.healthOf,
    freshness: createFreshnessCache(),
    tables: marketCache,
    movesOf: async (ctx: Context, since: string) => {
      const asked = { limit: 1, since, groupBy: "competitor,category" } as const;
      const { groups = [], total } = await readMoves(ctx, moves, asked);
      const named = groups.map(({ competitor = "", category = null, ...group }) => ({
        ...group,
        competitor,
        category,
      }));
      return { groups: named, total };
    },
  };
  const indexes = new ProductIndexes();
  const background = createBackground({
    indexes,
    store,
    clock,
    config,
    morning,
    market: marketCache,
    sweepMs,
  });
  const wake = (kind: string) => jobs.wake(kind);
  const ownDeps = importDeps(config, wake);
  const imports = { ...ownDeps, answerMs: importAnswerMs ?? ownDeps.answerMs };
  const importKind = createImportKind(imports, cache.rewrites);
  const pulls = {
    urls: scraper.limits,
    safeFetch: scraper.safeFetch,
    limits: imports.limits,
    answerMs: imports.answerMs,
    wake,
  };
  const runKind = createRunKind(scraper);
  const retryKind = createRetryKind();
  const checkKind = createCheckKind(scraper);
  const discoveryKind = createDiscoveryKind({ scraper, reader, imports, indexes });
  const rooms: readonly (OpenAPIHono<AppEnv> | readonly OpenAPIHono<AppEnv>[])[] = [
    identityRoutes(identity),
    auditRoutes(AUDIT_NAMES),
    viewRoutes(),
    productRoutes(products),
    publicProductRoutes(products),
    salesRoutes(),
    competitorRoutes(competitors),
    ...matchRoutes(competitors),
    ...observationRoutes({ ...competitors, cache: createPushCache() }),
    ...importRoutes(imports, importKind),
    ...importProfileRoutes(imports),
    ...importSourceRoutes(pulls),
    importFileRoutes(),
    ruleRoutes(),
    evaluationRoutes({ cache }),
    brakeRoutes(),
    quarantineRoutes(),
    ...simulationRoutes(),
    ...marketRoutes({ ...moves, observationDays: days.observations }),
    ...coverageRoutes(moves),
    ...priceExportRoutes(),
    ...arrivalRoutes(),
    overviewRoutes({
      ...morning,
      morning,
      mailer: background.mailer,
      publicUrl: config.PUBLIC_URL,
    }),
    proposalRoutes({ ruleOf: findJudgedRule, askAgain, market }),
    scrapingRoutes(scraper, { runs: runKind, retries: retryKind }, reader.extractor),
    ...linkCheckRoutes(scraper, checkKind),
    ...discoveryRoutes({ kind: discoveryKind, allowed: competitors.allowed }),
    alertRoutes(background),
    ...webhookRoutes(background.webhooks),
    referenceRoutes({ app, store, metrics, metricsToken: config.METRICS_TOKEN, pages }),
  ];
  for (const routes of rooms.flat()) app.route("/", routes);

  const jobs = new JobRunner({
    thread,
    store,
    clock,
    kinds: [
      importKind,
      createPullKind(pulls),
      runKind,
      retryKind,
      checkKind,
      createVisitKind(scraper),
      createAcceptKind(scraper),
      discoveryKind,
      createClearingKind(),
      createBacktestKind(),
      createRejudgeKind(),
      createSimulationKind(),
      createThinningKind({ retentionDays: days.observations }),
      createRetentionKind(clock, days),
      createTrendKind(marketCache, tally),
      maintenanceKind,
    ],
  });
  await jobs.start();
  background.start();
  let rested: Promise<unknown> | null = null;
  const rest = () => rested ??= Promise.all([jobs.stop(), background.stop()]);

  return {
    clock,
    routes: app.routes,
    fetch: (request, info) =>
      door.pass(async () => await app.fetch(request, info), info?.completed),
    warm: () => reader.warm(),
    drain: async () => {
      await Promise.all([door.close(), rest()]);
    },
    close: async () => {
      await rest();
      reader[Symbol.dispose]();
      await Promise.all([
        identity.keyRing.drain(),
        identity.visits.drain(),
        cache.close(),
        marketCache.close(),
      ]);
    },
  };
}

function requestIds(now: () => Date): () => string {
  const newUlid = createUlidSource(() => now().getTime(), randomBytes);
  return () => `req_${newUlid()}`;
}
