import { ImportProfile } from "./profile.ts";
import { bmecat } from "./bmecat.ts";
import { googleMerchant } from "./google_merchant.ts";
import { erpDefault } from "./erp_default.ts";

/** The built-in profiles; one that asks for a root element comes before the one that takes any. */
export const PROFILES: readonly ImportProfile[] = [bmecat, googleMerchant, erpDefault]
  .map((profile) => ImportProfile.parse(profile));
