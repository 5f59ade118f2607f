/** The fetches of all enabled shops by hour of today and by day, for the screens Shops and Runs. */
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { clockIn, dateIn, DAY_MS, daysBefore } from "../../base/time.ts";
import type { Context } from "../../platform/store/context.ts";
import { listCompetitors } from "../../shops/competitor_store.ts";
import { type FetchCounts, fetchDays, sumFetches, walkHours } from "./health_store.ts";
import { z } from "@hono/zod-openapi";

const DAYS = 14;
const HOURS = 24;

const Counts = z.object({
  ok: z.int().meta({ description: "Number of successful fetches" }),
  failed: z.int(),
});

export const ShopFetches = z.object({
  date: z.iso.date().meta({ description: "Today in the workspace's time zone" }),
  items: z.array(z.object({
    competitorId: z.string(),
    hours: z.array(Counts).meta({ description: `The ${HOURS} hours of today` }),
    days: z.array(Counts).meta({
      description: `The last ${DAYS} days including today, oldest first`,
    }),
  })),
}).meta({ id: "ShopFetches" });

export async function readFetches(ctx: Context): Promise<z.output<typeof ShopFetches>> {
  const [{ timeZone }, shops] = await Promise.all([
    requireWorkspace(ctx),
    listCompetitors(ctx, null, null),
  ]);
  const now = ctx.now();
  const date = dateIn(now, timeZone);
  const dates = Array.from({ length: DAYS }, (_, at) => daysBefore(date, DAYS - 1 - at));
  const fromMs = now.getTime() - DAYS * DAY_MS;
  const items = shops.filter(({ enabled }) => enabled).map(async ({ id: competitorId }) => {
    const hours = Array.from({ length: HOURS }, (): FetchCounts => ({ ok: 0, failed: 0 }));
    const days = new Map(dates.map((day): [string, FetchCounts] => [day, { ok: 0, failed: 0 }]));
    const range = { within: { competitorId }, after: { date: daysBefore(date, DAYS) } };
    for await (const { row } of fetchDays.walk(ctx, range)) addTo(days, row.date, row);
    for await (const hour of walkHours(ctx, competitorId, { fromMs })) {
      const { date: day, time } = clockIn(new Date(hour.startMs), timeZone);
      addTo(days, day, hour);
      const place = Number(time.slice(0, 2));
      const before = hours[place];
      if (day === date && before) hours[place] = sumFetches([before, hour]);
    }
    return { competitorId, hours, days: [...days.values()] };
  });
  return { date, items: await Promise.all(items) };
}

function addTo(days: Map<string, FetchCounts>, day: string, counts: FetchCounts): void {
  const before = days.get(day);
  if (before) days.set(day, sumFetches([before, counts]));
}
