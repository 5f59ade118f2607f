import type { serviceDe } from "./service_de.ts";

/** The service speaks English itself: nothing to put into other words. */
export const serviceEn: typeof serviceDe = { findings: {} };
