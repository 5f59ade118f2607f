/** Settings and phases of discovery, as constants that the web client imports too. */

/** `suggest`: a person decides; `automatic`: pages are linked if numbers leave no doubt. */
export const DISCOVERY_MODES = ["off", "suggest", "automatic"] as const;
export type DiscoveryMode = (typeof DISCOVERY_MODES)[number];

/** Phases of the work in order; `idle`: nothing to do until the next day. */
export const DISCOVERY_PHASES = [
  "off",
  "paused",
  "idle",
  "reading",
  "ordering",
  "visiting",
] as const;

export type DiscoveryPhase = (typeof DISCOVERY_PHASES)[number];
