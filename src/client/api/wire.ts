import type { components } from "./interface.ts";

/** Types of the interface by their names in the OpenAPI document. */
export type Wire<Name extends keyof components["schemas"]> = components["schemas"][Name];
