import { fromKeys } from "../../src/base/collections.ts";
import { figuresOf } from "../../src/app/composition/figures.ts";
import { PAGE_STATUSES } from "../../src/engine/extraction/page_status.ts";
import { createRequestMetrics } from "../../src/platform/metrics.ts";
import type { Store } from "../../src/platform/store/kv.ts";

export function quietMetrics(store: Store, tableBytes = 0) {
  const pages = fromKeys(PAGE_STATUSES, () => 0);
  const tables = { size: () => tableBytes };
  const setup = { store, now: () => new Date(), dataDir: null, tables, pages };
  return createRequestMetrics(store, figuresOf(setup));
}
