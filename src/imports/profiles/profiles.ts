import type { AnyProfile } from "./any_profile.ts";
import { ImportProfile } from "./profile.ts";
import { bmecat } from "./bmecat.ts";
import { googleMerchant } from "./google_merchant.ts";
import { erpDefault } from "./erp_default.ts";
import { TABLE_TEMPLATES } from "./table_templates.ts";

/** Those of XML; one that asks for a root element comes before the one that takes any. */
export const PROFILES: readonly ImportProfile[] = [bmecat, googleMerchant, erpDefault]
  .map((profile) => ImportProfile.parse(profile));

/** The built-in profiles. */
export const BUILT_IN: readonly AnyProfile[] = [...PROFILES, ...TABLE_TEMPLATES];
