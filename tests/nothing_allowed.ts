import type { AddressAllowList } from "../src/platform/fetch/address_guard.ts";

/** Lets no private address through. */
export const NOTHING_ALLOWED: AddressAllowList = { hosts: new Set(), ranges: [] };
