/** Settings and phases of discovery. The web client imports them too. */

/** `suggest`: people decide. `automatic`: a page is linked if product numbers leave no doubt. */
export const DISCOVERY_MODES = ["off", "suggest", "automatic"] as const;
export type DiscoveryMode = (typeof DISCOVERY_MODES)[number];

/** In the order of the work. `idle`: nothing to do until the next day. */
export const DISCOVERY_PHASES = [
  "off",
  "paused",
  "idle",
  "reading",
  "ordering",
  "visiting",
] as const;

export type DiscoveryPhase = (typeof DISCOVERY_PHASES)[number];
