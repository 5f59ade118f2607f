/**
 * All tables that `defineTable` or `defineStoreTable` declares, by folder of `src`.
 *
 * Encrypts stored credentials with a new `SECRET_KEY`, and finds unreadable credentials.
 */
import { mapValues } from "../../base/collections.ts";
import { NO_WORKSPACE } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type DeclaredTable, isTable } from "../../platform/store/table.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { resealRows, type RowPlace, secretTroubles } from "../../platform/store/table_options.ts";

const MODULES: Readonly<Record<string, readonly object[]>> = {
  accounts: [
    await import("../../accounts/admission.ts"),
    await import("../../accounts/audit/audit_seal_store.ts"),
    await import("../../accounts/audit/audit_store.ts"),
    await import("../../accounts/factors/passkey.ts"),
    await import("../../accounts/factors/change_factors.ts"),
    await import("../../accounts/keys/api_key.ts"),
    await import("../../accounts/sessions/login_throttle.ts"),
    await import("../../accounts/sessions/provider_sign_in.ts"),
    await import("../../accounts/sessions/session.ts"),
    await import("../../accounts/set_up.ts"),
    await import("../../accounts/users/change_user.ts"),
    await import("../../accounts/users/user.ts"),
    await import("../../accounts/views/view.ts"),
    await import("../../accounts/workspace.ts"),
  ],
  catalogue: [
    await import("../../catalogue/changes/rewrite_products.ts"),
    await import("../../catalogue/prices/awaited_price_store.ts"),
    await import("../../catalogue/prices/price_rows.ts"),
    await import("../../catalogue/prices/price_terms_store.ts"),
    await import("../../catalogue/products/change_log_store.ts"),
    await import("../../catalogue/sales/sales.ts"),
  ],
  market: [
    await import("../../market/overview/morning_mail.ts"),
    await import("../../market/trends/trend_days.ts"),
  ],
  imports: [
    await import("../../imports/profiles/import_profiles.ts"),
    await import("../../imports/state/import_row_store.ts"),
    await import("../../imports/state/sources.ts"),
    await import("../../imports/state/undo_store.ts"),
  ],
  messages: [
    await import("../../messages/alert_store.ts"),
    await import("../../messages/read_alerts.ts"),
    await import("../../messages/system_alerts.ts"),
    await import("../../messages/delivery_store.ts"),
    await import("../../messages/webhook.ts"),
  ],
  platform: [
    await import("../../platform/events/outbox_store.ts"),
    await import("../../platform/http/idempotency_store.ts"),
    await import("../../platform/jobs/job_store.ts"),
    await import("../../platform/store/spool_store.ts"),
  ],
  rules: [
    await import("../../rules/evaluation/rejudge_job.ts"),
    await import("../../rules/evaluation/rule_state_store.ts"),
    await import("../../rules/proposals/proposal_store.ts"),
    await import("../../rules/evaluation/rule_stats.ts"),
    await import("../../rules/rule.ts"),
  ],
  scraping: [
    await import("../../scraping/link_checks/link_check_store.ts"),
    await import("../../scraping/page/permit.ts"),
    await import("../../scraping/page/last_page.ts"),
    await import("../../scraping/page/robots_file.ts"),
    await import("../../scraping/runs/repairs.ts"),
    await import("../../scraping/runs/run.ts"),
    await import("../../scraping/schedule/health.ts"),
    await import("../../scraping/schedule/schedule.ts"),
  ],
  shops: [
    await import("../../shops/competitor_store.ts"),
    await import("../../shops/pages/discovery_store.ts"),
    await import("../../shops/pages/found_page_store.ts"),
    await import("../../shops/pages/url_store.ts"),
    await import("../../shops/matches/match_identity.ts"),
    await import("../../shops/matches/match_store.ts"),
    await import("../../shops/observations/move_store.ts"),
    await import("../../shops/observations/observation_store.ts"),
    await import("../../shops/observations/pack_store.ts"),
    await import("../../shops/offers/failing_and_held_store.ts"),
    await import("../../shops/offers/offer_store.ts"),
    await import("../../shops/recording/record_observation.ts"),
    await import("../../shops/recording/watch_shops.ts"),
    await import("../../shops/pages/recipe_store.ts"),
  ],
};

export const TABLES: Readonly<Record<string, readonly DeclaredTable[]>> = mapValues(
  MODULES,
  (modules) => modules.flatMap((one) => Object.values(one).filter(isTable)),
);

/** With `NO_WORKSPACE`, checks the tables that belong to the whole store. */
export async function* checkTables(place: WorkspaceStore): AsyncGenerator<string> {
  const isOfStore = place.workspaceId === NO_WORKSPACE;
  for (const table of Object.values(TABLES).flat()) {
    if (table.isOfStore === isOfStore) yield* table.inconsistencies(place);
  }
}

function tablesWithSecrets() {
  return Object.values(TABLES).flat().filter(({ options }) => options.sealed !== undefined);
}

export interface SecretPlace {
  readonly table: number;
  readonly after: RowPlace;
  readonly count: number;
}

/**
 * Encrypts the credentials of one batch of rows, starting at `place`. Returns the place where the
 * next batch starts, or null after the last batch.
 */
export async function resealSome(
  store: Store,
  write: Write,
  place: SecretPlace | null,
): Promise<SecretPlace | null> {
  const { table: at, after, count } = place ?? { table: 0, after: null, count: 0 };
  const table = tablesWithSecrets()[at];
  if (table === undefined) return null;
  const done = await resealRows(table, store, write, after);
  const next = done.after === null ? at + 1 : at;
  return { table: next, after: done.after, count: count + done.count };
}

/** If `resealAll` is interrupted, another call completes the work. */
export async function resealAll(store: Store): Promise<number> {
  let place: SecretPlace | null = null;
  for (let count = 0;; count = place.count) {
    place = await transact({ store }, (write) => resealSome(store, write, place));
    if (place === null) return count;
  }
}

export async function* findSecretTroubles(store: Store): AsyncGenerator<string> {
  for (const { options } of tablesWithSecrets()) yield* secretTroubles(options, store);
}
