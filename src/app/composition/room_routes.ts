/** Creates the routes and job kinds of the service. */
import { type AuditDeps, auditRoutes } from "../../accounts/audit/audit_routes.ts";
import type { IdentityDeps } from "../../accounts/session_routes.ts";
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
import { salesRoutes } from "../../catalogue/sales/sales.ts";
import {
  importFileRoutes,
  importProfileRoutes,
  importSourceRoutes,
} from "../../imports/import_profile_routes.ts";
import { importRoutes } from "../../imports/import_routes.ts";
import { createClearingKind, createImportKind } from "../../imports/jobs/import_kind.ts";
import { findImportState, ImportState } from "../../imports/jobs/import_document.ts";
import { createPullKind } from "../../imports/jobs/pull_kind.ts";
import { arrivalRoutes } from "../../market/export/judge_arrival.ts";
import { priceExportRoutes } from "../../market/export/price_export_routes.ts";
import { marketRoutes } from "../../market/market_rows.ts";
import { overviewRoutes } from "../../market/overview/morning_mail.ts";
import { coverageRoutes } from "../../market/read_coverage.ts";
import { createPastTrendKind, createTrendKind } from "../../market/trends/trend_job.ts";
import { alertRoutes, eventRoutes, webhookRoutes } from "../../messages/message_routes.ts";
import { webhooks } from "../../messages/webhook.ts";
import type { Route } from "../../platform/http/route.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { createBacktestKind } from "../../rules/evaluation/backtest_job.ts";
import { brakeRoutes } from "../../rules/evaluation/brakes.ts";
import { evaluationRoutes } from "../../rules/evaluation/evaluation_routes.ts";
import { quarantineRoutes } from "../../rules/evaluation/quarantine.ts";
import { createRejudgeKind } from "../../rules/evaluation/rejudge_job.ts";
import { createSimulationKind } from "../../rules/evaluation/simulation_store.ts";
import { simulationRoutes } from "../../rules/evaluation/simulations.ts";
import { createStandingKind } from "../../rules/evaluation/rule_stats.ts";
import { proposalRoutes } from "../../rules/proposal_routes.ts";
import { listRules } from "../../rules/rule.ts";
import { ruleRoutes } from "../../rules/rule_resource.ts";
import { createDiscoveryKind } from "../../scraping/discovery/discovery_kind.ts";
import { discoveryRoutes } from "../../scraping/discovery/discovery_routes.ts";
import { linkCheckRoutes, pageRoutes, recipeRoutes } from "../../scraping/scraping_routes.ts";
import { runRoutes } from "../../scraping/runs/scrape_runs.ts";
import { createAcceptKind } from "../../scraping/link_checks/change_check.ts";
import { createCheckKind } from "../../scraping/link_checks/check_kind.ts";
import { createVisitKind } from "../../scraping/link_checks/visit_kind.ts";
import { createRetryKind, repairRoutes } from "../../scraping/runs/repairs.ts";
import { createRunKind } from "../../scraping/runs/run_kind.ts";
import { competitorRoutes, matchRoutes, observationRoutes } from "../../shops/shop_routes.ts";
import { listCompetitorPrices } from "../../shops/matches/list_matches.ts";
import { offersKey } from "../../shops/offers/offer_store.ts";
import { createThinningKind } from "../../shops/observations/retention_job.ts";
import type { Background } from "./background.ts";
import { importDeps, type Shared } from "./room_deps.ts";
import { createRetentionKind, maintenanceKind } from "./schedule.ts";

export function createKinds(shared: Shared, wake: (kind: string) => void) {
  const { config, tables, scraper, reader, clock, indexes } = shared;
  const imports = importDeps(config, wake, shared.importAnswerMs);
  const pulls = {
    urls: scraper.limits,
    safeFetch: scraper.safeFetch,
    limits: imports.limits,
    answerMs: imports.answerMs,
    wake,
  };
  const kinds = {
    import: createImportKind(imports),
    run: createRunKind(scraper),
    retry: createRetryKind(),
    check: createCheckKind(scraper),
    visit: createVisitKind(scraper, indexes),
    discovery: createDiscoveryKind({ scraper, reader, imports, indexes }),
  };
  const all = [
    ...Object.values(kinds),
    createPullKind(pulls),
    createAcceptKind(scraper),
    createClearingKind(),
    createBacktestKind(),
    createRejudgeKind(),
    createSimulationKind(),
    createStandingKind(),
    createThinningKind({ retentionDays: config.OBSERVATION_RETENTION_DAYS }),
    createRetentionKind(clock, config),
    createTrendKind(tables),
    createPastTrendKind(tables),
    maintenanceKind,
  ];
  return { ...kinds, imports, pulls, all };
}

interface RouteDeps {
  readonly identity: IdentityDeps;
  readonly kinds: ReturnType<typeof createKinds>;
  readonly background: Background;
}

export function roomRoutes(shared: Shared, { identity, kinds, background }: RouteDeps): Route[] {
  const { config, cache, market, scraper, reader, morning } = shared;
  const beside = (workspaceId: string, id: string) => [offersKey(workspaceId, id)];
  const products = { cache, beside, competitorPrices: listCompetitorPrices, market };
  const { mailer } = background;
  const shops = {
    allowed: config.SCRAPE_ALLOW_PRIVATE,
    checkExtractor: reader.extractor,
    healthOf: morning.healthOf,
  };
  return [
    identityRoutes(identity),
    auditRoutes(AUDIT_NAMES),
    viewRoutes(),
    productRoutes(products),
    publicProductRoutes(products),
    salesRoutes(),
    competitorRoutes(shops),
    matchRoutes(shops),
    observationRoutes(shops),
    importRoutes(kinds.imports, kinds.import),
    importProfileRoutes(kinds.imports),
    importSourceRoutes(kinds.pulls),
    importFileRoutes(),
    ruleRoutes(),
    evaluationRoutes({ cache }),
    brakeRoutes(),
    quarantineRoutes(),
    simulationRoutes(),
    marketRoutes({ ...shared, observationDays: config.OBSERVATION_RETENTION_DAYS }),
    coverageRoutes(shared),
    priceExportRoutes(),
    arrivalRoutes(),
    overviewRoutes({ ...morning, morning, mailer, publicUrl: config.PUBLIC_URL }),
    proposalRoutes(market),
    runRoutes(kinds.run),
    pageRoutes(scraper, reader.extractor),
    repairRoutes(kinds.retry),
    recipeRoutes(scraper),
    linkCheckRoutes(scraper, kinds.check),
    discoveryRoutes(shops.allowed),
    alertRoutes(background),
    webhookRoutes(background.webhooks),
    eventRoutes(),
  ].flat();
}

const AUDIT_NAMES: AuditDeps = {
  async productIdOf(workspace, text) {
    const sku = normaliseSku(text);
    return skuError(sku) === null ? (await findIndexRow(workspace, sku))?.id ?? null : null;
  },

  async namesOf(workspace, things) {
    const names = Object.entries(NAMES).map(async ([type, readNames]) => {
      const ids = new Set(things.filter((one) => one.type === type).map(({ id }) => id));
      const found = ids.size === 0 ? [] : await readNames(workspace, [...ids]);
      return found.filter(([id]) => ids.has(id)).map(([id, name]) =>
        [`${type}:${id}`, name] as const
      );
    });
    return new Map((await Promise.all(names)).flat());
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

/** The result may also contain names of resources that are not in `ids`. */
type NamesReader = (
  workspace: WorkspaceStore,
  ids: readonly string[],
) => Promise<(readonly [id: string, name: string])[]>;

const NAMES: Readonly<Record<string, NamesReader>> = {
  async product(workspace, ids) {
    const documents = await findDocuments(workspace, ids.filter(isId));
    return documents.map(({ id, bytes }) => {
      const { sku, title } = parseProduct(bytes);
      return [id, `${sku} ${title}`];
    });
  },
  rule: async (workspace) => (await listRules(workspace)).map(({ id, name }) => [id, name]),
  async user(workspace) {
    const users = await listUsers(workspace, { after: null, limit: null });
    return users.map((user) => [user.id, personName(user)]);
  },
  async webhook(workspace) {
    return (await webhooks.list(workspace)).map(({ row: { id, url } }) => [id, url]);
  },
};
