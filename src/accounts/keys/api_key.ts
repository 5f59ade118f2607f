import { z } from "@hono/zod-openapi";
import { BlockList, isIP } from "node:net";
import { sha256 } from "../../base/bytes.ts";
import { idBytes } from "../../base/id.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { defineStoreTable, defineTable, type Found } from "../../platform/store/table.ts";
import { KEY_SCOPE_NAMES } from "../roles.ts";
import { randomBase62 } from "../passwords/password.ts";
import { Name } from "../../engine/pricing/field.ts";
import { Failure, refuseFields, requireById } from "../../base/failure.ts";
import { HOUR_MS, isPast } from "../../base/time.ts";
import { addAuditRow } from "../audit/audit_store.ts";

function rangeOf(
  text: string,
): { readonly address: string; readonly bits: number; readonly family: "ipv4" | "ipv6" } | null {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0 || address.includes("%")) return null;
  const widest = version === 4 ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > widest)) return null;
  return {
    address,
    bits: bits === undefined ? widest : Number(bits),
    family: version === 4 ? "ipv4" : "ipv6",
  };
}

const AddressRanges = z.array(
  z.string().max(60).refine((text) => rangeOf(text) !== null, {
    message: "Must be an address or a range, such as 203.0.113.7 or 203.0.113.0/24",
  }),
).max(50).meta({
  description: "Addresses and CIDR ranges from which the key may be used; `[]`: from anywhere",
  example: ["203.0.113.0/24"],
});

export function isWithin(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  const version = isIP(address);
  if (version === 0) return false;
  const list = new BlockList();
  for (const range of ranges.map(rangeOf)) {
    if (range) list.addSubnet(range.address, range.bits, range.family);
  }
  return list.check(address, version === 4 ? "ipv4" : "ipv6");
}

const KEY_START = "pk_live_";
const SECRET_CHARACTERS = 32;
export const KEY_FORM = `An API key: \`${KEY_START}\` and ${SECRET_CHARACTERS} characters`;
const PREFIX_CHARACTERS = KEY_START.length + 4;

const KeyScopes = z.array(z.enum(KEY_SCOPE_NAMES)).max(KEY_SCOPE_NAMES.length)
  .refine((scopes) => new Set(scopes).size === scopes.length, "Must not name a scope twice")
  .describe("`[]` only allows reading products, observations and competitors");

export const NewApiKey = z.strictObject({
  name: Name,
  scopes: KeyScopes,
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null)
    .describe("The key is refused from this time on; null: never"),
  allowedAddresses: AddressRanges.default([]),
}).meta({ id: "NewApiKey" });

export type NewApiKey = z.infer<typeof NewApiKey>;

export const KeyRotation = z.strictObject({
  overlapHours: z.int().min(0).max(168).default(24)
    .describe("Time in which both keys are valid; 0 ends the old one at once"),
}).meta({ id: "KeyRotation" });

export type KeyRotation = z.infer<typeof KeyRotation>;

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
  lastUsedAt: z.iso.datetime().nullable().describe("May lag by up to 60 s"),
}).meta({ id: "ApiKey" });

export type ApiKey = z.infer<typeof ApiKey>;

export interface StoredApiKey extends Omit<ApiKey, "lastUsedAt" | "allowedAddresses"> {
  readonly workspaceId: string;
  /** Rows of earlier versions of Kurant lack `allowedAddresses`. */
  readonly allowedAddresses?: readonly string[];
  /** For a rotated key, the expiry time that it had before the rotation (null: never). */
  readonly grantedUntil?: string | null;
}

export function mintKey(): { text: string; hash: Uint8Array; prefix: string } {
  const text = KEY_START + randomBase62(SECRET_CHARACTERS);
  return { text, hash: sha256(text), prefix: text.slice(0, PREFIX_CHARACTERS) };
}

// A key's last use is stored in `keyUses`, so that using a key never conflicts with revoking it.

type HashedKey = StoredApiKey & { readonly hash: Uint8Array };

export const apiKeys = defineStoreTable<HashedKey, "hash", "id">({
  prefix: "k",
  about: "the API key with this SHA-256; deleted when it is revoked",
  key: { hash: "bytes" },
  indexes: { id: { prefix: "kw", key: { workspaceId: "id", id: "id" }, unique: true } },
});

export const keyUses = defineTable<{ readonly id: string; readonly at: string }, "id">({
  prefix: "kl",
  about: "the last use of an API key",
  key: { id: "id" },
  value: "at",
});

async function findKey({ store, workspaceId }: WorkspaceStore, id: string) {
  return await apiKeys.findBy({ store }, "id", { workspaceId, id });
}

export async function findShownKey(workspace: WorkspaceStore, id: string): Promise<ApiKey | null> {
  const [found, use] = await Promise.all([findKey(workspace, id), keyUses.find(workspace, { id })]);
  return found && serialiseKey(found.row, use?.row.at ?? null);
}

export async function listKeys(
  workspace: WorkspaceStore,
  { after, limit }: { after: string | null; limit: number },
): Promise<ApiKey[]> {
  const { workspaceId } = workspace;
  // `listBy` expects the id under the name of the primary key, `hash`.
  const range = { after: after === null ? null : { hash: idBytes(after) }, limit };
  const found = await apiKeys.listBy(workspace, "id", { workspaceId }, range);
  const uses = await keyUses.getMany(workspace, found.map(({ row }) => row));
  return found.map(({ row }, n) => serialiseKey(row, uses[n]?.row.at ?? null));
}

/** The commit fails if the key has been changed or revoked since it was read. */
function removeKey(write: Write, found: Found<HashedKey>): void {
  apiKeys.remove(write, {}, found);
  keyUses.drop(write, found.row, found.row);
}

export function serialiseKey(key: StoredApiKey, lastUsedAt: string | null): ApiKey {
  const { id, name, prefix, scopes, expiresAt, allowedAddresses = [], createdAt } = key;
  const fields = { id, name, prefix, scopes, expiresAt, createdAt, lastUsedAt };
  return { ...fields, allowedAddresses: [...allowedAddresses] };
}

export async function createKey(ctx: Context, input: NewApiKey) {
  if (isPast(input.expiresAt, ctx.now())) {
    throw refuseFields([{ path: "expiresAt", message: "Must be in the future" }]);
  }
  return await transact(ctx, (write) => mintInto(write, ctx, input));
}

function mintInto(
  write: Write,
  ctx: Context,
  { name, scopes, expiresAt, allowedAddresses }: NewApiKey,
) {
  const { text, hash, prefix } = mintKey();
  const key: StoredApiKey = {
    id: ctx.newId(),
    workspaceId: ctx.workspaceId,
    name,
    prefix,
    scopes,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    allowedAddresses,
    createdAt: ctx.now().toISOString(),
  };
  apiKeys.save(write, {}, null, { ...key, hash });
  addAuditRow(write, ctx, {
    action: "api_key.create",
    resource: { type: "api_key", id: key.id, label: name },
    after: {
      name,
      scopes,
      expiresAt: key.expiresAt,
      ...(allowedAddresses.length > 0 && { allowedAddresses }),
    },
  });
  return { key, text };
}

interface RevokedKeys {
  forget(keyId: string): void;
}

/** The old key stays valid for `overlapHours` hours, unless it expires earlier. */
export async function rotateKey(
  ctx: Context,
  id: string,
  { overlapHours }: KeyRotation,
  keyRing?: RevokedKeys,
): Promise<{ key: StoredApiKey; text: string }> {
  const made = await transact(ctx, async (write) => {
    const found = await requireKey(ctx, id);
    const { name, scopes, expiresAt, allowedAddresses = [] } = found.row;
    const { grantedUntil = expiresAt } = found.row;
    if (isPast(grantedUntil, ctx.now())) {
      throw new Failure("conflict", "The key has expired: create another one");
    }
    const minted = mintInto(write, ctx, {
      name,
      expiresAt: grantedUntil,
      allowedAddresses: [...allowedAddresses],
      scopes: KEY_SCOPE_NAMES.filter((scope) => scopes.includes(scope)),
    });
    const endsAt = new Date(ctx.now().getTime() + overlapHours * HOUR_MS).toISOString();
    const oldEndsAt = expiresAt !== null && expiresAt < endsAt ? expiresAt : endsAt;
    if (overlapHours === 0) removeKey(write, found);
    else apiKeys.save(write, {}, found, { ...found.row, expiresAt: oldEndsAt, grantedUntil });
    addAuditRow(write, ctx, {
      action: "api_key.rotate",
      resource: { type: "api_key", id, label: name },
      before: { expiresAt },
      after: { expiresAt: oldEndsAt, replacedBy: minted.key.id },
    });
    return minted;
  });
  keyRing?.forget(id);
  return made;
}

async function requireKey(ctx: Context, id: string) {
  return await requireById("key", id, (id) => findKey(ctx, id));
}

/** Other processes may accept the revoked key for up to 5 s (docs/decisions/identity.md). */
export async function revokeKey(ctx: Context, id: string, keyRing?: RevokedKeys): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireKey(ctx, id);
    const { name, scopes, expiresAt } = found.row;
    removeKey(write, found);
    addAuditRow(write, ctx, {
      action: "api_key.revoke",
      resource: { type: "api_key", id, label: name },
      before: { name, scopes, expiresAt },
    });
  });
  keyRing?.forget(id);
}
