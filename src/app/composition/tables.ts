/**
 * Every declared table, by room. docs/keys.md and check-store follow from this list; a test names a
 * declaration that is missing here.
 */
import { visitRows } from "../../accounts/users/visit.ts";
import { setUpLinks } from "../../accounts/set_up.ts";
import { vatSteps } from "../../accounts/vat_terms.ts";
import { views } from "../../accounts/views/view.ts";
import { holdMarks } from "../../messages/alerts/alert_listener.ts";
import { alerts } from "../../messages/alerts/alert_store.ts";
import { mailStates } from "../../messages/alerts/mail_store.ts";
import { mismatches, mismatchStands } from "../../messages/alerts/mismatch.ts";
import { overdueMarks } from "../../messages/alerts/silent_sources.ts";
import { deliveries, webhooks } from "../../messages/webhooks/webhook_store.ts";
import { NO_WORKSPACE } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { TableKeys } from "../../platform/store/table_options.ts";

export interface DeclaredTable {
  readonly options: TableKeys;
  readonly isOfStore: boolean;
  inconsistencies(place: WorkspaceStore): AsyncGenerator<string>;
}

export const TABLES: Readonly<Record<string, readonly DeclaredTable[]>> = {
  accounts: [setUpLinks, vatSteps, views, visitRows],
  messages: [
    alerts,
    deliveries,
    holdMarks,
    mailStates,
    mismatches,
    mismatchStands,
    overdueMarks,
    webhooks,
  ],
};

/** One sentence for each disagreement of a workspace's rows; of `NO_WORKSPACE` those of the whole store. */
export async function* checkTables(place: WorkspaceStore): AsyncGenerator<string> {
  const isOfStore = place.workspaceId === NO_WORKSPACE;
  for (const table of Object.values(TABLES).flat()) {
    if (table.isOfStore === isOfStore) yield* table.inconsistencies(place);
  }
}
