/** Past events, for programs that fetch them (docs/decisions/jobs.md, Events). */
import { z } from "@hono/zod-openapi";
import { keyWith } from "../../accounts/route_access.ts";
import { refuseFields } from "../../base/failure.ts";
import { DAY_MS, parseBound } from "../../base/time.ts";
import { EVENT_DAYS, type LogPlace, walkEvents } from "../../platform/events/event_log.ts";
import { page } from "../../platform/http/answer.ts";
import { pageQuery } from "../../platform/http/http.ts";
import { openCursor, toPage } from "../../platform/http/page.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context } from "../../platform/store/context.ts";

const Query = z.strictObject({
  ...pageQuery(100, 500),
  since: z.string().optional().describe(
    "A time or a date (inclusive), or the `nextSince` of the previous call; absent: " +
      `all events of the last ${EVENT_DAYS} days`,
  ),
});

const PastEvent = z.object({
  id: z.string().describe("Sent to webhooks as `webhook-id`"),
  type: z.string().meta({ description: "The type of the event", example: "price.changed" }),
  timestamp: z.iso.datetime().describe("When it happened"),
  data: z.record(z.string(), z.unknown()).describe("As in the webhook of this type"),
}).meta({ id: "PastEvent" });

const nextSince = z.string().nullable()
  .describe("The `since` for the next call, on the last page; null on other pages");
const isComplete = z.boolean()
  .describe(`False if \`since\` is more than ${EVENT_DAYS} days ago, so that events are missing`);

export function eventRoutes() {
  return resource("/events", { look: { keys: keyWith("events:read") }, tags: ["Past events"] })
    .list({
      query: Query,
      answer: page(PastEvent, "Events, those of a product in the order in which they happened", {
        external: "PastEventPage",
        extra: { nextSince, isComplete },
      }),
    }, ({ ctx, query }) => pageOfEvents(ctx, query)).routes;
}

const Place = z.tuple([z.number(), z.number()]).readonly();

/** A page from the cursor or `since` on. The last page ends with the newest event at that time. */
async function pageOfEvents(ctx: Context, { limit, cursor, since }: z.output<typeof Query>) {
  const list = `events ${since ?? ""}`;
  const opened = openCursor(ctx, list, cursor);
  const start = opened === null ? placeSince(ctx, since) : Place.parse(opened);
  const rows = [];
  for await (const row of walkEvents(ctx, start)) if (rows.push(row) > limit) break;
  const positionOf = ({ behind }: { readonly behind: LogPlace }) => [...behind];
  const { items, nextCursor, count } = toPage(ctx, { list, rows, limit, positionOf });
  const end = items.at(-1)?.behind ?? start;
  const isLast = nextCursor === null;
  const [fromMs] = start;
  return {
    items: items.map(({ event }) => event),
    nextCursor,
    nextSince: isLast ? ctx.cursors.seal(scopeOf(ctx), [...end]) : null,
    isComplete: fromMs === 0 || fromMs >= ctx.now().getTime() - EVENT_DAYS * DAY_MS,
    count,
  };
}

function placeSince(ctx: Context, since: string | undefined): LogPlace {
  if (since === undefined || since === "") return [0, 0];
  const fromMs = parseBound(since, "start");
  if (fromMs !== null) return [Math.max(0, fromMs), 0];
  const place = Place.safeParse(ctx.cursors.open(scopeOf(ctx), since));
  if (place.success) return place.data;
  throw refuseFields([{
    path: "since",
    message: 'Must be a time such as 2026-08-01T09:00:00Z, a date, or a "nextSince"',
  }]);
}

function scopeOf({ workspaceId }: Context): string {
  return `${workspaceId} events since`;
}
