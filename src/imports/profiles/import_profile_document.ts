/** An import profile as the in-app interface shows and takes it (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
import { refuseFields } from "../../base/failure.ts";
import { utf8Bytes } from "../../base/text.ts";
import { ignoring } from "../../platform/http/http.ts";
import { refusedFieldsOf } from "../../platform/http/refused_fields.ts";
import { ImportProfile } from "./profile.ts";
import { ProfileShape } from "./profile_shape.ts";
import { PROFILES } from "./profiles.ts";

/** A stored value holds 64 KiB. */
const PROFILE_BYTES_MAX = 30_000;

export const ProfileDocument = ProfileShape.extend({
  builtIn: z.boolean().meta({ description: "True for those of the product, which are read-only" }),
}).meta({ id: "ImportProfileDocument" });

/** A body may hold it, as a document that was read does. */
export const PROFILE_READ_ONLY = ["builtIn"];

export type ProfileDocument = z.infer<typeof ProfileDocument>;

export function documentOfProfile(profile: ImportProfile): ProfileDocument {
  return { ...profile, builtIn: PROFILES.includes(profile) };
}

/** True for an id that no new profile may have. */
export function isBuiltIn(id: string): boolean {
  return PROFILES.some((profile) => profile.id === id);
}

/** Refuses with `validation_failed`, naming each field. */
export function requireProfile(value: unknown): ImportProfile {
  const parsed = ignoring(PROFILE_READ_ONLY, ImportProfile).safeParse(value);
  if (!parsed.success) throw refuseFields(parsed.error.issues.flatMap(refusedFieldsOf));
  if (utf8Bytes(JSON.stringify(parsed.data)) <= PROFILE_BYTES_MAX) return parsed.data;
  const message = `The profile has more than ${PROFILE_BYTES_MAX} bytes`;
  throw refuseFields([{ path: "", message }]);
}
