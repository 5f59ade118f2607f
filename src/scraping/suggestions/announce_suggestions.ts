import { type PublicEvent, SUGGESTED_TOGETHER_MAX } from "../../platform/events/event.ts";
import { announce } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { findCompetitor } from "../../shops/competitor_store.ts";

/** A new suggestion, as webhooks are told of it. */
export type NewSuggestion = Extract<
  PublicEvent,
  { type: "match.suggested" }
>["data"]["suggestions"][number];

/** Tells of new suggestions of a shop in the caller's commit, 20 in an event. */
export async function announceSuggestions(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "now" | "newId">,
  competitorId: string,
  suggestions: readonly NewSuggestion[],
): Promise<void> {
  if (suggestions.length === 0) return;
  const shop = await findCompetitor(ctx, competitorId);
  if (!shop) return;
  const { displayName: competitor } = shop.competitor;
  const events: PublicEvent[] = [];
  for (let at = 0; at < suggestions.length; at += SUGGESTED_TOGETHER_MAX) {
    const part = suggestions.slice(at, at + SUGGESTED_TOGETHER_MAX);
    events.push({
      type: "match.suggested",
      data: { competitorId, competitor, suggestions: part },
    });
  }
  announce(write, ctx, events);
}
