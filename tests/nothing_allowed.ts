import type { AddressAllowList } from "../src/platform/fetch/address_guard.ts";

export const NOTHING_ALLOWED: AddressAllowList = { hosts: new Set(), ranges: [] };
