/**
 * Codes that a person types as a second factor: codes of an authenticator app (RFC 6238: SHA-1, 6
 * digits, steps of 30 s), and recovery codes. Each code works once. A code of an app is also
 * accepted one step of 30 s too early or too late. A recovery code has 120 random bits, so a fast
 * hash (SHA-256) is enough.
 */
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { StoredSecret } from "../../platform/store/sealed_fields.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { StoredUser } from "../users/user.ts";
import { Secret, TOTP } from "otpauth";
import { sha256Hex } from "../../base/bytes.ts";
import { randomBytes } from "node:crypto";

interface StoredTotp {
  readonly userId: string;
  /** A `pending` secret cannot be used for sign-ins before a code confirms it. */
  readonly state: "pending" | "active";
  readonly secret: StoredSecret;
  /** Time step of the last accepted code; null before the first code. */
  readonly lastStep: number | null;
  readonly createdAt: string;
}

export const totps = defineTable<StoredTotp, "userId" | "state">({
  prefix: "fat",
  about: "a person's secret for one-time codes",
  key: { userId: "id", state: "text" },
  sealed: ["secret"],
});

export async function beginTotp(
  write: Write,
  ctx: Context,
  { id: userId, email }: Pick<StoredUser, "id" | "email">,
): Promise<{ secret: string; uri: string }> {
  const { base32: secret } = new Secret({ size: 20 });
  const createdAt = ctx.now().toISOString();
  await saveTotp(write, ctx, { userId, state: "pending", secret, lastStep: null, createdAt });
  return { secret, uri: codesOf(secret, email).toString() };
}

export async function acceptCode(
  write: Write,
  ctx: Context,
  state: StoredTotp["state"],
  { userId, code }: TypedCode,
): Promise<boolean> {
  const found = await totps.find(ctx, { userId, state });
  if (!found) return false;
  const secret = await totps.open(ctx, found.row, "secret");
  const lastStep = acceptedStep(secret, found.row.lastStep, code, ctx.now().getTime());
  if (lastStep === null) return false;
  if (state === "active") totps.save(write, ctx, found, { ...found.row, lastStep });
  else {
    totps.remove(write, ctx, found);
    await saveTotp(write, ctx, { ...found.row, state: "active", secret, lastStep });
  }
  return true;
}

interface TypedCode {
  readonly userId: string;
  readonly code: string;
}

/** Returns the time step of the code; null for a wrong code or a step not after `lastStep`. */
function acceptedStep(
  secret: string,
  lastStep: number | null,
  code: string,
  timestamp: number,
): number | null {
  const token = code.replace(/\s/g, "");
  const delta = codesOf(secret, "").validate({ token, timestamp, window: 1 });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 30_000) + delta;
  return lastStep === null || step > lastStep ? step : null;
}

async function saveTotp(
  write: Write,
  workspace: WorkspaceStore,
  { secret, ...totp }: StoredTotp & { readonly secret: string },
): Promise<void> {
  const sealed = await totps.seal(workspace, totp, "secret", secret);
  totps.put(write, workspace, { ...totp, secret: sealed });
}

function codesOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: "Kurant", label, secret: Secret.fromBase32(secret) });
}

const CODES = 10;
const CHARACTERS = 24;
/** The alphabet of Crockford's base32, in which no two characters look alike. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

export const recoveryCodes = defineTable<
  { readonly userId: string; readonly hashes: readonly string[] },
  "userId"
>({
  prefix: "far",
  about: "the hashes of a person's unused recovery codes",
  key: { userId: "id" },
});

/** Returns the texts of the new codes, which are shown only once. */
export function mintRecoveryCodes(
  write: Write,
  { workspaceId }: Pick<WorkspaceStore, "workspaceId">,
  userId: string,
): string[] {
  const codes = Array.from({ length: CODES }, newCode);
  recoveryCodes.put(write, { workspaceId }, { userId, hashes: codes.map(hashOf) });
  return codes;
}

export async function spendRecoveryCode(
  write: Write,
  workspace: WorkspaceStore,
  { userId, code }: TypedCode,
): Promise<boolean> {
  const found = await recoveryCodes.find(workspace, { userId });
  const hash = hashOf(code);
  if (!found?.row.hashes.includes(hash)) return false;
  const hashes = found.row.hashes.filter((other) => other !== hash);
  recoveryCodes.save(write, workspace, found, { ...found.row, hashes });
  return true;
}

function newCode(): string {
  const signs = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET.charAt(byte % 32));
  return signs.join("").replace(/(.{6})(?=.)/g, "$1-");
}

function hashOf(code: string): string {
  return sha256Hex(code.toLowerCase().replace(/[\s-]/g, ""));
}
