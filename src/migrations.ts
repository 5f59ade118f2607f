/** Every change of the layout of stored rows, oldest first. CHANGELOG.md tells operators of each. */
import type { Migration } from "./platform/migrate.ts";

export const MIGRATIONS: readonly Migration[] = [
  {
    to: 2,
    what: "scrape runs can be kept for fewer days than other jobs (RUN_RETENTION_DAYS)",
    // Stores of the first layout have no mark of their birth, which is what tells them apart.
    advance: () => Promise.resolve(null),
  },
];
