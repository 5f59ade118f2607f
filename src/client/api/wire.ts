import type { components } from "./interface.ts";

/** What the service answers or takes, by its name in the document of the interface. */
export type Wire<Name extends keyof components["schemas"]> = components["schemas"][Name];
