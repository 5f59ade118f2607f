/** Every change of the layout of stored rows, oldest first. CHANGELOG.md tells operators of each. */
import { buildFieldBlocks } from "./catalogue/changes/build_field_blocks.ts";
import { migrateEarlierHold } from "./identity/earlier_hold.ts";
import type { Migration } from "./platform/store/migrate.ts";

export const MIGRATIONS: readonly Migration[] = [
  {
    to: 2,
    what:
      "a hold of imports that nobody ever set is on; runs can be kept for fewer days than other " +
      "jobs (RUN_RETENTION_DAYS)",
    // Runs need no change: stores of the first layout have no mark of their birth.
    advance: (store, write, place) =>
      migrateEarlierHold(store, write, typeof place === "string" ? place : null),
  },
  {
    to: 3,
    what: "what lists of products are filtered by lies packed, in place of index rows and counts",
    advance: buildFieldBlocks,
  },
];
