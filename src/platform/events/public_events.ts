/** What webhooks can be subscribed to. The names are public and only ever grow. */
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
] as const;

export type PublicEventType = (typeof PUBLIC_EVENT_TYPES)[number];
