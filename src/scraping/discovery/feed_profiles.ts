/**
 * How feeds of other shops are read: by the columns and elements of Google's Merchant Center. They name
 * the pieces of a pack (`multipack`), for which records of our own have no field: here it comes as
 * `stock`, which these feeds do not say.
 */
import { ImportProfile } from "../../imports/profiles/profile.ts";
import { googleMerchant } from "../../imports/profiles/profiles.ts";
import { TableProfile } from "../../imports/profiles/table_profile.ts";
import { TABLE_TEMPLATES } from "../../imports/profiles/table_templates.ts";

/** In both forms: what is read by it has its pack in `stock`. */
export const FEED_PROFILE_ID = "shop-feed";

/** RSS and Atom. */
export const FEED_XML: ImportProfile = ImportProfile.parse({
  ...googleMerchant,
  id: FEED_PROFILE_ID,
  fields: { ...googleMerchant.fields, stock: { path: "MULTIPACK" } },
});

/** A table with those columns; others are read by the names of theirs. */
export const FEED_TABLES: readonly TableProfile[] = TABLE_TEMPLATES
  .filter(({ id }) => id === googleMerchant.id)
  .map((template) =>
    TableProfile.parse({
      ...template,
      id: FEED_PROFILE_ID,
      fields: { ...template.fields, stock: { columns: ["multipack"] } },
    })
  );
