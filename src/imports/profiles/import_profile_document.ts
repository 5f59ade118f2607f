/** An import profile as the in-app interface shows and takes it (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
import { refuseFields } from "../../base/failure.ts";
import { utf8Bytes } from "../../base/text.ts";
import { ignoring } from "../../platform/http/http.ts";
import { refusedFieldsOf } from "../../platform/http/refused_fields.ts";
import { AnyProfile } from "./any_profile.ts";
import { ProfileShape } from "./profile_shape.ts";
import { BUILT_IN } from "./profiles.ts";
import { TableShape } from "./table_profile.ts";

/** A stored value holds 64 KiB. */
const PROFILE_BYTES_MAX = 30_000;

const builtIn = z.boolean()
  .meta({ description: "True for those of the product, which are read-only" });

const XmlDocument = ProfileShape.extend({ builtIn }).meta({ id: "XmlProfileDocument" });
const TableDocument = TableShape.extend({ builtIn }).meta({ id: "TableProfileDocument" });

export const ProfileDocument = z.union([XmlDocument, TableDocument])
  .meta({ id: "ImportProfileDocument" });

/** A body may hold it, as a document that was read does. */
export const PROFILE_READ_ONLY = ["builtIn"];

export type XmlProfileDocument = z.infer<typeof XmlDocument>;
export type TableProfileDocument = z.infer<typeof TableDocument>;
export type ProfileDocument = XmlProfileDocument | TableProfileDocument;

export function documentOfProfile<P extends AnyProfile>(profile: P): P & { builtIn: boolean } {
  return { ...profile, builtIn: BUILT_IN.includes(profile) };
}

/** True for an id that no new profile may have. */
export function isBuiltIn(id: string): boolean {
  return BUILT_IN.some((profile) => profile.id === id);
}

/** Refuses with `validation_failed`, naming each field. */
export function requireProfile(value: unknown): AnyProfile {
  const parsed = ignoring(PROFILE_READ_ONLY, AnyProfile).safeParse(value);
  if (!parsed.success) throw refuseFields(parsed.error.issues.flatMap(refusedFieldsOf));
  if (utf8Bytes(JSON.stringify(parsed.data)) <= PROFILE_BYTES_MAX) return parsed.data;
  const message = `The profile has more than ${PROFILE_BYTES_MAX} bytes`;
  throw refuseFields([{ path: "", message }]);
}
