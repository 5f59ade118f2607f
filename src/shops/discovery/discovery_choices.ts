/**
 * Settings and phases of discovery (the search for product pages of shops), for server and client.
 */

/**
 * With `suggest`, people accept links. With `automatic`, links with clearly matching product
 * numbers are created without a person.
 */
export const DISCOVERY_MODES = ["off", "suggest", "automatic"] as const;
export type DiscoveryMode = (typeof DISCOVERY_MODES)[number];

export const DISCOVERY_PHASES = [
  "off",
  "paused",
  "idle",
  "reading",
  "ordering",
  "visiting",
] as const;

export type DiscoveryPhase = (typeof DISCOVERY_PHASES)[number];
