/** All tables by room: docs/keys.md, check-store, the sweep and /metrics follow from this list. */
import { observedShops, wholeDays } from "../../shops/observations/shop_mark_store.ts";
import { auditSeals, sealedLists } from "../../accounts/audit/audit_seal_store.ts";
import { auditRows } from "../../accounts/audit/audit_store.ts";
import { keyHashes, keysByHash, keyUses } from "../../accounts/keys/api_key.ts";
import { challenges } from "../../accounts/factors/challenge.ts";
import { passkeys } from "../../accounts/factors/passkey.ts";
import { recoveryCodes } from "../../accounts/factors/recovery_codes.ts";
import { totps } from "../../accounts/factors/totp.ts";
import { sessions } from "../../accounts/sessions/session.ts";
import { countedAttempts } from "../../accounts/sessions/login_throttle.ts";
import { begunSignIns, providedIdentities } from "../../accounts/sessions/provider_sign_in.ts";
import { forgottenPasswords } from "../../accounts/users/forgotten_password.ts";
import { links, livingLinks } from "../../accounts/users/link_store.ts";
import { firstUsers, userChanges, users, visitRows } from "../../accounts/users/user.ts";
import { setUpLinks } from "../../accounts/set_up.ts";
import { vatSteps, workspaces } from "../../accounts/workspace_store.ts";
import { views } from "../../accounts/views/view.ts";
import { broughtRows, searchParts } from "../../catalogue/changes/rewrite_products.ts";
import {
  arrivalCounts,
  arrivedPrices,
  awaitedPrices,
  finishedExports,
  queuedArrivals,
} from "../../catalogue/prices/awaited_price_store.ts";
import { exportedChanges, importActors, priceRows } from "../../catalogue/prices/price_rows.ts";
import { priceMarks } from "../../catalogue/prices/price_mark.ts";
import { termsBegins, termsSteps } from "../../catalogue/prices/price_terms_store.ts";
import { holdPasses, holds } from "../../catalogue/products/hold_store.ts";
import { dueMarks, scheduleMarks } from "../../catalogue/products/schedule_mark_store.ts";
import { sales } from "../../catalogue/sales/sales_store.ts";
import { checkpointHeads, checkpointParts } from "../../market/current/checkpoint.ts";
import { mailDays } from "../../market/overview/send_morning_mails.ts";
import { trends } from "../../market/trends/trend_days.ts";
import { ownProfiles } from "../../imports/profiles/import_profiles.ts";
import {
  appliers,
  excludedMarks,
  findings,
  importFiles,
  refusedRecords,
  reportRows,
  tableTexts,
} from "../../imports/state/import_row_store.ts";
import { lastImports, pulls, silentMarks, sources } from "../../imports/state/source_store.ts";
import { undoers, undoRows } from "../../imports/state/undo_store.ts";
import { decisions, holdMarks, recoveries } from "../../messages/alerts/alert_listener.ts";
import { alerts } from "../../messages/alerts/alert.ts";
import { snoozes } from "../../messages/alerts/alert_causes.ts";
import { mailChoices } from "../../messages/alerts/mail_choice.ts";
import { mailStates } from "../../messages/alerts/mail_store.ts";
import { headMails } from "../../messages/alerts/mail_audit_head.ts";
import { mismatches, mismatchStands } from "../../messages/alerts/raise_mismatches.ts";
import { overdueMarks } from "../../messages/alerts/silent_sources.ts";
import { deliveries, webhooks } from "../../messages/webhooks/webhook_store.ts";
import { eventLog } from "../../platform/events/event_log.ts";
import { rateShares } from "../../platform/http/rate_limit.ts";
import { NO_WORKSPACE } from "../../platform/jobs/job.ts";
import { seenPages } from "../../scraping/link_checks/link_check_store.ts";
import { domains, slots } from "../../scraping/page/domain_queue.ts";
import { knownPages, unsurePages } from "../../scraping/page/last_page.ts";
import { robotsHeads, robotsParts } from "../../scraping/page/robots_file.ts";
import { lastRetries } from "../../scraping/runs/retry_kind.ts";
import {
  activeRuns,
  askedRuns,
  endedRuns,
  productRuns,
  runResults,
} from "../../scraping/runs/run.ts";
import { fetchDays, fetchHours, lastErrors } from "../../scraping/schedule/health_store.ts";
import { domainLoads, shopLoads } from "../../scraping/schedule/schedule_store.ts";
import {
  competitors,
  leavingCompetitors,
  switchedCompetitors,
} from "../../shops/competitor_store.ts";
import {
  automaticShops,
  metChanges,
  queuedSuggestions,
  suggestions,
} from "../../shops/discovery/suggestion_store.ts";
import { discoveries } from "../../shops/discovery/discovery_store.ts";
import { foundPages, pageParts } from "../../shops/discovery/page_store.ts";
import { knownUrls, plans } from "../../shops/discovery/url_store.ts";
import { identities } from "../../shops/matches/identity_store.ts";
import { linkRemovals, removedMatches } from "../../shops/matches/match_store.ts";
import { commitMoves, loneMoves } from "../../shops/observations/move_store.ts";
import { failingCounts, failingPages } from "../../shops/offers/failing_page_store.ts";
import { heldPrices, releasedPrices } from "../../shops/offers/held_price_store.ts";
import { trackedProducts } from "../../shops/offers/offer_store.ts";
import {
  patternedChanges,
  seenCounts,
  shopAlarms,
} from "../../shops/quarantine/shop_watch_store.ts";
import { keptPages, shopLessons } from "../../shops/recipes/recipe_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import type { Resealed, RowPlace } from "../../platform/store/sealed_fields.ts";
import type { KeepTerms, TableKeys } from "../../platform/store/table_options.ts";
import { spentDays } from "../../rules/evaluation/day_budget.ts";
import { lapses } from "../../rules/evaluation/lapse.ts";
import { brakePasses, lapsePasses } from "../../rules/evaluation/queue_ended.ts";
import { stalePasses } from "../../rules/evaluation/queue_stale_products.ts";
import { brakes } from "../../rules/evaluation/rule_state_store.ts";
import {
  expiryTable,
  openTable,
  proposalTable,
  statusTable,
  traceTable,
} from "../../rules/proposals/proposal_store.ts";
import { askedSlots, deletedRules, listParts, ruleTable } from "../../rules/rule_store.ts";
import { fireDays, lastFires, standingPasses, standings } from "../../rules/rule_stats_store.ts";

interface CountedRows {
  readonly name: string;
  readonly help: string;
  readonly label: string;
}

export interface DeclaredTable {
  readonly options: TableKeys & { readonly keep?: KeepTerms; readonly figure?: CountedRows };
  readonly isOfStore: boolean;
  reseal(store: Store, write: Write, after: RowPlace): Promise<Resealed>;
  secretTroubles(store: Store): AsyncGenerator<string>;
  sweep(place: WorkspaceStore, before: Date): Promise<number>;
  addToFigure(place: WorkspaceStore, counts: Map<string, number>): Promise<void>;
  inconsistencies(place: WorkspaceStore): AsyncGenerator<string>;
}

export const TABLES: Readonly<Record<string, readonly DeclaredTable[]>> = {
  accounts: [
    auditRows,
    begunSignIns,
    countedAttempts,
    auditSeals,
    challenges,
    firstUsers,
    forgottenPasswords,
    keyHashes,
    keysByHash,
    keyUses,
    links,
    livingLinks,
    passkeys,
    recoveryCodes,
    sealedLists,
    sessions,
    providedIdentities,
    setUpLinks,
    totps,
    userChanges,
    users,
    vatSteps,
    views,
    visitRows,
    workspaces,
  ],
  catalogue: [
    arrivalCounts,
    arrivedPrices,
    awaitedPrices,
    broughtRows,
    dueMarks,
    exportedChanges,
    finishedExports,
    holdPasses,
    holds,
    importActors,
    priceMarks,
    priceRows,
    queuedArrivals,
    sales,
    scheduleMarks,
    searchParts,
    termsBegins,
    termsSteps,
  ],
  market: [checkpointHeads, checkpointParts, mailDays, trends],
  imports: [
    appliers,
    excludedMarks,
    findings,
    importFiles,
    lastImports,
    ownProfiles,
    pulls,
    refusedRecords,
    reportRows,
    tableTexts,
    silentMarks,
    sources,
    undoers,
    undoRows,
  ],
  messages: [
    alerts,
    decisions,
    recoveries,
    deliveries,
    headMails,
    holdMarks,
    mailChoices,
    mailStates,
    mismatches,
    mismatchStands,
    overdueMarks,
    snoozes,
    webhooks,
  ],
  platform: [eventLog, rateShares],
  rules: [
    askedSlots,
    brakePasses,
    brakes,
    deletedRules,
    expiryTable,
    lapsePasses,
    lapses,
    listParts,
    openTable,
    proposalTable,
    ruleTable,
    spentDays,
    stalePasses,
    standingPasses,
    standings,
    fireDays,
    lastFires,
    statusTable,
    traceTable,
  ],
  scraping: [
    activeRuns,
    askedRuns,
    domainLoads,
    domains,
    endedRuns,
    fetchDays,
    fetchHours,
    knownPages,
    lastErrors,
    lastRetries,
    productRuns,
    robotsHeads,
    robotsParts,
    runResults,
    seenPages,
    shopLoads,
    slots,
    unsurePages,
  ],
  shops: [
    automaticShops,
    commitMoves,
    competitors,
    discoveries,
    failingCounts,
    failingPages,
    foundPages,
    heldPrices,
    identities,
    keptPages,
    knownUrls,
    leavingCompetitors,
    linkRemovals,
    loneMoves,
    metChanges,
    observedShops,
    pageParts,
    patternedChanges,
    plans,
    queuedSuggestions,
    releasedPrices,
    removedMatches,
    seenCounts,
    shopAlarms,
    shopLessons,
    suggestions,
    switchedCompetitors,
    trackedProducts,
    wholeDays,
  ],
};

/** For `NO_WORKSPACE` the rows of the whole store. */
export async function* checkTables(place: WorkspaceStore): AsyncGenerator<string> {
  const isOfStore = place.workspaceId === NO_WORKSPACE;
  for (const table of Object.values(TABLES).flat()) {
    if (table.isOfStore === isOfStore) yield* table.inconsistencies(place);
  }
}
