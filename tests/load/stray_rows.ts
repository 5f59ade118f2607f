/** Finds rows that an idle store must not contain and that `check-store` does not report. */

import { openStore } from "../../src/platform/store/open_store.ts";

export async function findStrayRows(dataDir: string): Promise<string[]> {
  const { kv } = await openStore({ kvUrl: null, dataDir }, 5_000);
  try {
    const found: string[] = [];
    for (const [table, what] of [["b", "parts of uploads"], ["bh", "uploads"]] as const) {
      const { length } = await Array.fromAsync(kv.list({ prefix: [table] }));
      if (length > 0) found.push(`${length} ${what} are left`);
    }
    return found;
  } finally {
    kv.close();
  }
}
