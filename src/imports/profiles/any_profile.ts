import { z } from "@hono/zod-openapi";
import { ImportProfile, NewImportProfile } from "./profile.ts";
import { NewTableProfile, TableProfile } from "./table_profile.ts";

/** How a file is read: one of XML, which may say no format, or a table. */
export const AnyProfile = z.discriminatedUnion("format", [ImportProfile, TableProfile]);

export type AnyProfile = ImportProfile | TableProfile;

/** A profile that is to be made. */
export const NewProfile = z.discriminatedUnion("format", [NewImportProfile, NewTableProfile]);

export type NewProfile = z.infer<typeof NewProfile>;

/** True for the profile of a table. */
export function isTable(profile: AnyProfile): profile is TableProfile {
  return profile.format === "table";
}

/** True for the profile of an XML file. */
export function isOfXml(profile: AnyProfile): profile is ImportProfile {
  return !isTable(profile);
}
