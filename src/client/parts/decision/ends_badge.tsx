import { daysBetween, shortDay } from "../../formats/moment.ts";
import { useApp } from "../../app/app.ts";
import { Badge } from "../controls.tsx";
import type { Proposal } from "./decision.ts";

interface EndsProps {
  readonly proposal: Proposal;
  /** True to draw nothing if the proposal expires later than tomorrow. */
  readonly isOnlySoon?: boolean;
}

/** Shows the time in a warning colour if the proposal expires today, otherwise the day. */
export function EndsBadge({ proposal: { expiresAt }, isOnlySoon = false }: EndsProps) {
  const { words: { proposals: texts }, show } = useApp();
  const days = daysBetween(expiresAt, Date.now(), show.timeZone);
  if (days >= 0) return <Badge tone="warn">{texts.endsAt(show.time(expiresAt))}</Badge>;
  if (days === -1) return <Badge>{texts.endsTomorrow}</Badge>;
  return isOnlySoon ? null : <Badge>{texts.endsOn(shortDay(show, expiresAt))}</Badge>;
}
