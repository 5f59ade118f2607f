/** Creates the routes and job kinds of the service. */
import { type AuditDeps, auditRoutes } from "../../accounts/audit/audit_routes.ts";
import type { IdentityDeps } from "../../accounts/identity_deps.ts";
import { identityRoutes } from "../../accounts/identity_routes.ts";
import { listUsers, personName } from "../../accounts/users/user.ts";
import { viewRoutes } from "../../accounts/views/view.ts";
import { isId } from "../../base/id.ts";
import { normaliseSku } from "../../base/text.ts";
import { productRoutes, publicProductRoutes } from "../../catalogue/product_routes.ts";
import { findIndexRow } from "../../catalogue/products/index_row_store.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { salesRoutes } from "../../catalogue/sales/record_sales.ts";
import { importProfileRoutes, importSourceRoutes } from "../../imports/import_profile_routes.ts";
import { importFileRoutes } from "../../imports/import_profile_routes.ts";
import { importRoutes } from "../../imports/import_routes.ts";
import { createImportKind } from "../../imports/jobs/import_kind.ts";
import { findImportState, ImportState } from "../../imports/jobs/import_document.ts";
import { createPullKind } from "../../imports/jobs/pull_kind.ts";
import { createClearingKind } from "../../imports/jobs/import_kind.ts";
import { arrivalRoutes } from "../../market/export/judge_arrival.ts";
import { priceExportRoutes } from "../../market/export/price_export_routes.ts";
import { marketRoutes } from "../../market/market_rows.ts";
import { readMoves } from "../../market/moves/list_moves.ts";
import type { MorningDeps } from "../../market/overview/read_overview.ts";
import { overviewRoutes } from "../../market/overview/morning_mail.ts";
import { FreshnessCache } from "../../market/overview/shop_freshness.ts";
import { coverageRoutes } from "../../market/read_coverage.ts";
import { createPastTrendKind, createTrendKind } from "../../market/trends/trend_job.ts";
import { alertRoutes } from "../../messages/alerts/alert_routes.ts";
import { eventRoutes, webhookRoutes } from "../../messages/webhooks/webhook_routes.ts";
import { webhooks } from "../../messages/webhooks/webhook.ts";
import type { Route } from "../../platform/http/route.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { createBacktestKind } from "../../rules/evaluation/backtest_job.ts";
import { brakeRoutes } from "../../rules/evaluation/brakes.ts";
import { evaluationRoutes } from "../../rules/evaluation/evaluation_routes.ts";
import { quarantineRoutes } from "../../rules/evaluation/quarantine_routes.ts";
import { createRejudgeKind } from "../../rules/evaluation/rejudge_job.ts";
import { createSimulationKind } from "../../rules/evaluation/simulation_store.ts";
import { simulationRoutes } from "../../rules/evaluation/simulations.ts";
import { createStandingKind } from "../../rules/evaluation/standing_job.ts";
import { proposalRoutes } from "../../rules/proposal_routes.ts";
import { ruleRoutes } from "../../rules/rule_routes.ts";
import { listRules } from "../../rules/rule.ts";
import { createDiscoveryKind } from "../../scraping/discovery/discovery_kind.ts";
import { discoveryRoutes } from "../../scraping/discovery/discovery_routes.ts";
import { linkCheckRoutes, scrapingRoutes } from "../../scraping/scraping_routes.ts";
import { createAcceptKind } from "../../scraping/link_checks/change_check.ts";
import { createCheckKind } from "../../scraping/link_checks/check_kind.ts";
import { createVisitKind } from "../../scraping/link_checks/visit_kind.ts";
import type { ScrapeDeps } from "../../scraping/page/visit_tools.ts";
import { createRetryKind } from "../../scraping/runs/repairs.ts";
import { createRunKind } from "../../scraping/runs/run_kind.ts";
import { ProductIndexes } from "../../scraping/suggestions/product_indexes.ts";
import {
  type CompetitorDeps,
  competitorRoutes,
  matchRoutes,
  observationRoutes,
} from "../../shops/shop_routes.ts";
import { listCompetitorPrices } from "../../shops/matches/list_matches.ts";
import { createThinningKind } from "../../shops/observations/retention_job.ts";
import type { Background } from "./background.ts";
import { type Caches, moveDeps } from "./caches.ts";
import type { Config } from "./config.ts";
import type { ForeignReader } from "./scraper.ts";
import { importDeps } from "./import_deps.ts";
import { createRetentionKind, maintenanceKind } from "./retention.ts";

export function createKinds(
  config: Config,
  importAnswerMs: number | undefined,
  { scraper, reader, indexes, wake }: KindTools,
) {
  const ownDeps = importDeps(config, wake);
  const imports = { ...ownDeps, answerMs: importAnswerMs ?? ownDeps.answerMs };
  const pulls = {
    urls: scraper.limits,
    safeFetch: scraper.safeFetch,
    limits: imports.limits,
    answerMs: imports.answerMs,
    wake,
  };
  return {
    imports,
    pulls,
    import: createImportKind(imports),
    run: createRunKind(scraper),
    retry: createRetryKind(),
    check: createCheckKind(scraper),
    visit: createVisitKind(scraper, indexes),
    discovery: createDiscoveryKind({ scraper, reader, imports, indexes }),
  };
}

interface KindTools {
  readonly scraper: ScrapeDeps;
  readonly reader: ForeignReader;
  readonly indexes: ProductIndexes;
  wake(kind: string): void;
}

type Kinds = ReturnType<typeof createKinds>;

export const jobKinds = (
  kinds: Kinds,
  { scraper, caches, clock, config }: {
    readonly scraper: ScrapeDeps;
    readonly caches: Caches;
    readonly clock: ClockAndIds;
    readonly config: Config;
  },
) => [
  kinds.import,
  createPullKind(kinds.pulls),
  kinds.run,
  kinds.retry,
  kinds.check,
  kinds.visit,
  createAcceptKind(scraper),
  kinds.discovery,
  createClearingKind(),
  createBacktestKind(),
  createRejudgeKind(),
  createSimulationKind(),
  createStandingKind(),
  createThinningKind({ retentionDays: config.OBSERVATION_RETENTION_DAYS }),
  createRetentionKind(clock, config),
  createTrendKind(caches.marketCache, caches.counters),
  createPastTrendKind(caches.marketCache),
  maintenanceKind,
];

export function roomRoutes(
  { identity, caches, shops, scraper, reader, kinds, background, morning, ...settings }: RouteParts,
): readonly Route[] {
  const { cache, market } = caches;
  const products = { cache, competitorPrices: listCompetitorPrices, market };
  const moves = moveDeps(caches);
  const { mailer } = background;
  return [
    identityRoutes(identity),
    auditRoutes(AUDIT_NAMES),
    viewRoutes(),
    productRoutes(products),
    publicProductRoutes(products),
    salesRoutes(),
    competitorRoutes(shops),
    ...matchRoutes(shops),
    ...observationRoutes(shops),
    ...importRoutes(kinds.imports, kinds.import),
    ...importProfileRoutes(kinds.imports),
    ...importSourceRoutes(kinds.pulls),
    importFileRoutes(),
    ruleRoutes(),
    evaluationRoutes({ cache }),
    brakeRoutes(),
    quarantineRoutes(),
    ...simulationRoutes(),
    ...marketRoutes({ ...moves, observationDays: settings.observationDays }),
    ...coverageRoutes(moves),
    ...priceExportRoutes(),
    ...arrivalRoutes(),
    overviewRoutes({ ...morning, morning, mailer, publicUrl: settings.publicUrl }),
    proposalRoutes(market),
    scrapingRoutes(scraper, { runs: kinds.run, retries: kinds.retry }, reader.extractor),
    ...linkCheckRoutes(scraper, kinds.check),
    ...discoveryRoutes({ kind: kinds.discovery, allowed: shops.allowed }),
    alertRoutes(background),
    ...webhookRoutes(background.webhooks),
    ...eventRoutes(),
  ].flat();
}

interface RouteParts {
  readonly identity: IdentityDeps;
  readonly caches: Caches;
  readonly shops: CompetitorDeps;
  readonly scraper: ScrapeDeps;
  readonly reader: ForeignReader;
  readonly kinds: Kinds;
  readonly background: Background;
  readonly morning: MorningDeps;
  readonly publicUrl: string | null;
  readonly observationDays: number;
}

export function morningOf(caches: Caches, healthOf: MorningDeps["healthOf"]) {
  const deps = moveDeps(caches);
  return {
    healthOf,
    freshness: new FreshnessCache(),
    tables: caches.marketCache,
    movesOf: async (ctx: Context, since: string) => {
      const asked = { limit: 1, since, groupBy: "competitor,category" } as const;
      const { groups = [], total } = await readMoves(ctx, deps, asked);
      const named = groups.map(({ competitor = "", category = null, ...group }) => ({
        ...group,
        competitor,
        category,
      }));
      return { groups: named, total };
    },
  };
}

const AUDIT_NAMES: AuditDeps = {
  async productIdOf(workspace, text) {
    const sku = normaliseSku(text);
    return skuError(sku) === null ? (await findIndexRow(workspace, sku))?.id ?? null : null;
  },

  async namesOf(workspace, things) {
    const names = new Map<string, string>();
    const idsOf = (type: string) => things.filter((one) => one.type === type).map(({ id }) => id);
    const products = idsOf("product").filter(isId);
    await Promise.all([
      noteProducts(names, workspace, products),
      idsOf("rule").length > 0 && noteRules(names, workspace),
      idsOf("user").length > 0 && notePeople(names, workspace),
      idsOf("webhook").length > 0 && noteWebhooks(names, workspace),
    ]);
    const asked = new Set(things.map(({ type, id }) => `${type}:${id}`));
    return new Map([...names].filter(([thing]) => asked.has(thing)));
  },

  importState: ImportState,

  async importsOf(workspace, ids) {
    const found = await Promise.all(
      ids.filter(isId).map(async (id) => {
        const state = await findImportState(workspace, id);
        return state === null ? [] : [[id, state] as const];
      }),
    );
    return Object.fromEntries(found.flat());
  },
};

async function noteProducts(
  names: Map<string, string>,
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<void> {
  for (const { id, bytes } of await findDocuments(workspace, ids)) {
    const { sku, title } = parseProduct(bytes);
    names.set(`product:${id}`, `${sku} ${title}`);
  }
}

async function noteRules(names: Map<string, string>, workspace: WorkspaceStore): Promise<void> {
  for (const rule of await listRules(workspace)) names.set(`rule:${rule.id}`, rule.name);
}

async function notePeople(names: Map<string, string>, workspace: WorkspaceStore): Promise<void> {
  for (const user of await listUsers(workspace, { after: null, limit: null })) {
    names.set(`user:${user.id}`, personName(user));
  }
}

async function noteWebhooks(names: Map<string, string>, workspace: WorkspaceStore): Promise<void> {
  for (const { row: { id, url } } of await webhooks.list(workspace)) {
    names.set(`webhook:${id}`, url);
  }
}
