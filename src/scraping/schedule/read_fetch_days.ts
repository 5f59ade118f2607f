/** How fetching from a shop went day by day, as it is answered. */

import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { dateIn, daysBefore } from "../../base/time.ts";
import type { Context } from "../../platform/store/context.ts";
import { requireCompetitor } from "../../shops/find_competitor.ts";
import { findDays, listHours } from "./health_store.ts";
import { z } from "@hono/zod-openapi";

/** As many days are kept, today among them. */
export const FETCH_DAYS = 30;
const DAY_MS = 86_400_000;

export const FetchDays = z.object({
  days: z.array(z.object({
    date: z.iso.date().meta({ description: "In the zone of the workspace" }),
    ok: z.int().meta({ description: "Fetches that brought a price, or an answer as good" }),
    failed: z.int(),
  })).meta({ description: `The last ${FETCH_DAYS}, oldest first, today the last` }),
}).meta({ id: "FetchDays" });

export type FetchDays = z.output<typeof FetchDays>;

/** Days without a fetch have 0 of both. Refuses with `not_found`. */
export async function readFetchDays(ctx: Context, id: string): Promise<FetchDays> {
  const { competitor } = await requireCompetitor(ctx, id);
  const { timeZone } = await requireWorkspace(ctx);
  const now = ctx.now();
  const today = dateIn(now, timeZone);
  const dates = Array.from({ length: FETCH_DAYS }, (_, at) => daysBefore(today, at)).toReversed();
  const days = await findDays(ctx, competitor.id, dates[0] ?? today);
  const fromMs = now.getTime() - FETCH_DAYS * DAY_MS;
  for await (const { startMs, ok, failed } of listHours(ctx, competitor.id, { fromMs })) {
    const date = dateIn(new Date(startMs), timeZone);
    const day = days.get(date);
    days.set(date, { ok: (day?.ok ?? 0) + ok, failed: (day?.failed ?? 0) + failed });
  }
  return {
    days: dates.map((date) => {
      const { ok = 0, failed = 0 } = days.get(date) ?? {};
      return { date, ok, failed };
    }),
  };
}
