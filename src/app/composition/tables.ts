/** All tables, by folder of `src`. */
import * as auditSealStore from "../../accounts/audit/audit_seal_store.ts";
import * as auditStore from "../../accounts/audit/audit_store.ts";
import * as passkey from "../../accounts/factors/passkey.ts";
import * as oneTimeCodes from "../../accounts/factors/one_time_codes.ts";
import * as apiKey from "../../accounts/keys/api_key.ts";
import * as loginThrottle from "../../accounts/sessions/login_throttle.ts";
import * as providerSignIn from "../../accounts/sessions/provider_sign_in.ts";
import * as session from "../../accounts/sessions/session.ts";
import * as setUp from "../../accounts/set_up.ts";
import * as links from "../../accounts/users/links.ts";
import * as user from "../../accounts/users/user.ts";
import * as view from "../../accounts/views/view.ts";
import * as workspaceStore from "../../accounts/workspace_store.ts";
import * as rewriteProducts from "../../catalogue/changes/rewrite_products.ts";
import * as searchTextCopies from "../../catalogue/lists/search_text_copies.ts";
import * as awaitedPriceStore from "../../catalogue/prices/awaited_price_store.ts";
import * as priceRows from "../../catalogue/prices/price_rows.ts";
import * as priceTermsStore from "../../catalogue/prices/price_terms_store.ts";
import * as productMarkStore from "../../catalogue/products/product_mark_store.ts";
import * as salesStore from "../../catalogue/sales/sales_store.ts";
import * as checkpoint from "../../market/current/checkpoint.ts";
import * as sendMorningMails from "../../market/overview/send_morning_mails.ts";
import * as trendDays from "../../market/trends/trend_days.ts";
import * as importProfiles from "../../imports/profiles/import_profiles.ts";
import * as importRowStore from "../../imports/state/import_row_store.ts";
import * as importSources from "../../imports/state/sources.ts";
import * as undoStore from "../../imports/state/undo_store.ts";
import * as alert from "../../messages/alerts/alert.ts";
import * as alertListener from "../../messages/alerts/alert_listener.ts";
import * as mailStore from "../../messages/alerts/mail_store.ts";
import * as readAlerts from "../../messages/alerts/read_alerts.ts";
import * as timedAlerts from "../../messages/alerts/timed_alerts.ts";
import * as deliveryStore from "../../messages/webhooks/delivery_store.ts";
import * as webhook from "../../messages/webhooks/webhook.ts";
import * as outboxStore from "../../platform/events/outbox_store.ts";
import * as rateLimit from "../../platform/http/rate_limit.ts";
import * as situationReader from "../../rules/evaluation/situation_reader.ts";
import * as rejudgeJob from "../../rules/evaluation/rejudge_job.ts";
import * as ruleStateStore from "../../rules/evaluation/rule_state_store.ts";
import * as proposalStore from "../../rules/proposals/proposal_store.ts";
import * as ruleStatsStore from "../../rules/rule_stats_store.ts";
import * as ruleStore from "../../rules/rule.ts";
import * as linkCheckStore from "../../scraping/link_checks/link_check_store.ts";
import * as domainQueue from "../../scraping/page/permit.ts";
import * as lastPage from "../../scraping/page/last_page.ts";
import * as robotsFile from "../../scraping/page/robots_file.ts";
import * as repairs from "../../scraping/runs/repairs.ts";
import * as run from "../../scraping/runs/run.ts";
import * as health from "../../scraping/schedule/health.ts";
import * as schedule from "../../scraping/schedule/schedule.ts";
import * as competitorStore from "../../shops/competitor_store.ts";
import * as discoveryStore from "../../shops/discovery/discovery_store.ts";
import * as pageStore from "../../shops/discovery/page_store.ts";
import * as suggestionStore from "../../shops/discovery/suggestion_store.ts";
import * as urlStore from "../../shops/discovery/url_store.ts";
import * as identityStore from "../../shops/matches/match_identity.ts";
import * as matchStore from "../../shops/matches/match_store.ts";
import * as moveStore from "../../shops/observations/move_store.ts";
import * as shopMarkStore from "../../shops/observations/observation_store.ts";
import * as failingPageStore from "../../shops/offers/failing_page_store.ts";
import * as heldPriceStore from "../../shops/offers/held_price_store.ts";
import * as offerStore from "../../shops/offers/offer_store.ts";
import * as shopWatchStore from "../../shops/quarantine/shop_watch_store.ts";
import * as recipeStore from "../../shops/recipes/recipe_store.ts";
import { NO_WORKSPACE } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type DeclaredTable, isTable } from "../../platform/store/table.ts";

const MODULES: Readonly<Record<string, readonly object[]>> = {
  accounts: [
    auditSealStore,
    auditStore,
    passkey,
    oneTimeCodes,
    apiKey,
    loginThrottle,
    providerSignIn,
    session,
    setUp,
    links,
    user,
    view,
    workspaceStore,
  ],
  catalogue: [
    rewriteProducts,
    awaitedPriceStore,
    priceRows,
    priceTermsStore,
    productMarkStore,
    searchTextCopies,
    salesStore,
  ],
  market: [checkpoint, sendMorningMails, trendDays],
  imports: [importProfiles, importRowStore, importSources, undoStore],
  messages: [
    alert,
    alertListener,
    mailStore,
    readAlerts,
    timedAlerts,
    deliveryStore,
    webhook,
  ],
  platform: [outboxStore, rateLimit],
  rules: [
    situationReader,
    rejudgeJob,
    ruleStateStore,
    proposalStore,
    ruleStatsStore,
    ruleStore,
  ],
  scraping: [
    linkCheckStore,
    domainQueue,
    lastPage,
    robotsFile,
    repairs,
    run,
    health,
    schedule,
  ],
  shops: [
    competitorStore,
    discoveryStore,
    pageStore,
    suggestionStore,
    urlStore,
    identityStore,
    matchStore,
    moveStore,
    shopMarkStore,
    failingPageStore,
    heldPriceStore,
    offerStore,
    shopWatchStore,
    recipeStore,
  ],
};

export const TABLES: Readonly<Record<string, readonly DeclaredTable[]>> = Object.fromEntries(
  Object.entries(MODULES).map(([room, modules]) => [
    room,
    modules.flatMap((one) => Object.values(one).filter(isTable)),
  ]),
);

/** `NO_WORKSPACE` stands for the tables of the whole store. */
export async function* checkTables(place: WorkspaceStore): AsyncGenerator<string> {
  const isOfStore = place.workspaceId === NO_WORKSPACE;
  for (const table of Object.values(TABLES).flat()) {
    if (table.isOfStore === isOfStore) yield* table.inconsistencies(place);
  }
}
