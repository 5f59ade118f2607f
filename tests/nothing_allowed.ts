import type { AddressAllowList } from "../src/platform/fetch/fetch_limits.ts";

export const NOTHING_ALLOWED: AddressAllowList = { hosts: new Set(), ranges: [] };
