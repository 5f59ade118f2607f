import { startOfTomorrow } from "../../formats/day.ts";
import { shortDay } from "../../formats/moment.ts";
import { useApp } from "../../app/app.ts";
import { Badge } from "../controls.tsx";
import type { Proposal } from "./decision.ts";

/** When the proposal expires: a time in a warning colour if today, else a day. */
export function EndsBadge({ proposal: { expiresAt } }: { proposal: Proposal }) {
  const { words: { proposals: texts }, show } = useApp();
  const isToday = expiresAt < startOfTomorrow(show.timeZone, new Date());
  return (
    <Badge tone={isToday ? "warn" : "plain"}>
      {isToday ? texts.endsAt(show.time(expiresAt)) : texts.endsOn(shortDay(show, expiresAt))}
    </Badge>
  );
}
