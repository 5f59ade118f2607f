/**
 * Settings and phases of discovery. The module contains only constants, so that the web client may
 * import it.
 */

/**
 * `suggest`: a person decides which pages show our products; `automatic`: pages are linked without
 * a person if numbers leave no doubt.
 */
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
