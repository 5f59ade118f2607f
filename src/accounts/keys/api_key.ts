import { sha256 } from "../../base/bytes.ts";
import { KEY_SCOPE_NAMES } from "../key_scopes.ts";
import { randomBase62 } from "../secret.ts";
import { Name } from "../workspace.ts";
import { AddressRanges } from "./address_range.ts";
import { z } from "@hono/zod-openapi";

const KEY_START = "pk_live_";
const SECRET_CHARACTERS = 32;
/** The format of a key, for the OpenAPI documents. */
export const KEY_FORM = `An API key: \`${KEY_START}\` and ${SECRET_CHARACTERS} characters`;
/** Length of the visible part of a key: enough to distinguish keys, but not to guess one. */
const PREFIX_CHARACTERS = KEY_START.length + 4;

const KeyScopes = z.array(z.enum(KEY_SCOPE_NAMES)).max(KEY_SCOPE_NAMES.length)
  .refine((scopes) => new Set(scopes).size === scopes.length, "Must not name a scope twice")
  .meta({ description: "`[]` only allows reading products, observations and competitors" });

export const NewApiKey = z.strictObject({
  name: Name,
  scopes: KeyScopes,
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null)
    .meta({ description: "The key is refused from this time on; null: never" }),
  allowedAddresses: AddressRanges.default([]),
}).meta({ id: "NewApiKey" });

export type NewApiKey = z.infer<typeof NewApiKey>;

export const KeyRotation = z.strictObject({
  overlapHours: z.int().min(0).max(168).default(24).meta({
    description: "Time in which both keys are valid; 0 ends the old one at once",
  }),
}).meta({ id: "KeyRotation" });

export type KeyRotation = z.infer<typeof KeyRotation>;

/** A key in answers, without its secret part. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().meta({
    description: "The first characters of the key",
    example: "pk_live_4fQ7",
  }),
  scopes: z.array(z.string()),
  expiresAt: z.iso.datetime().nullable(),
  allowedAddresses: AddressRanges,
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().meta({ description: "May lag by up to 60 s" }),
}).meta({ id: "ApiKey" });

export type ApiKey = z.infer<typeof ApiKey>;

/** A key in the store, under the hash of its text. */
export interface StoredApiKey extends Omit<ApiKey, "lastUsedAt" | "allowedAddresses"> {
  readonly workspaceId: string;
  /** Absent in keys from before this field existed. */
  readonly allowedAddresses?: readonly string[];
}

/** The text of a new key, and the parts of it that may be stored. */
export function mintKey(): { text: string; hash: Uint8Array; prefix: string } {
  const text = KEY_START + randomBase62(SECRET_CHARACTERS);
  return { text, hash: keyHash(text), prefix: text.slice(0, PREFIX_CHARACTERS) };
}

/** True if the text has the form of a key. Other texts require no search in the store. */
export function isKeyText(text: string): boolean {
  return /^pk_live_[0-9A-Za-z]{32}$/.test(text);
}

export function keyHash(text: string): Uint8Array {
  return sha256(text);
}
