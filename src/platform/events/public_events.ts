/** Types of public events are never removed, because receivers depend on them. */
export const PUBLIC_EVENT_TYPES = [
  "rule.fired",
  "proposal.created",
  "proposal.decided",
  "price.changed",
  "observation.changed",
  "import.finished",
  "scrape_run.finished",
  "match.suggested",
  "match.linked",
  "match.mismatch",
  "alert.raised",
] as const;

export type PublicEventType = (typeof PUBLIC_EVENT_TYPES)[number];
