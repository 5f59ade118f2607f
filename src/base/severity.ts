/** How urgent something is that people are told of: from a note to what cannot wait. */
export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];
