import type { CompetitorHealth, HealthOf } from "../../shops/competitor.ts";
import { perDayMax } from "./due_product.ts";
import { findCompetitorLoads } from "./schedule_store.ts";
import { findLastError, sumFetches } from "./health_store.ts";

const MILLI = 1_000;

/** How fetching from competitors goes, for those who show them. */
export function createHealthOf(delayMs: number): HealthOf {
  return async (ctx, ids) => {
    const loads = await findCompetitorLoads(ctx, ids);
    return await Promise.all(ids.map(async (id, at): Promise<CompetitorHealth> => {
      const [fetches, { error }] = await Promise.all([
        sumFetches(ctx, id, ctx.now().getTime()),
        findLastError(ctx, id),
      ]);
      return {
        ok24h: fetches.ok,
        failed24h: fetches.failed,
        lastError: error && { code: error.errorCode, message: error.message, at: error.at },
        due: Math.ceil((loads[at] ?? 0) / MILLI),
        perDayMax: perDayMax(delayMs),
      };
    }));
  };
}
