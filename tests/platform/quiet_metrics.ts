import { processFigures, storeFigures } from "../../src/app/composition/figures.ts";
import { createRequestMetrics } from "../../src/platform/metrics.ts";
import type { Store } from "../../src/platform/store/kv.ts";

export function quietMetrics(store: Store, tableBytes = 0) {
  return createRequestMetrics(store, [
    ...processFigures({ size: () => tableBytes }, {}),
    ...storeFigures(store, () => new Date(), null),
  ]);
}
