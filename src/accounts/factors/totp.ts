/**
 * One-time codes of an authenticator app (RFC 6238: SHA-1, 6 digits, steps of 30 s). The codes of
 * the previous and the next step are also accepted. Each code works once.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { StoredSecret } from "../../platform/store/sealed_fields.ts";
import { defineTable } from "../../platform/store/table.ts";
import { Secret, TOTP } from "otpauth";

interface StoredTotp {
  readonly userId: string;
  /** A `pending` secret is not used for sign-ins until a code confirms it. */
  readonly state: "pending" | "active";
  /** In base32, encrypted. */
  readonly secret: StoredSecret;
  /** Step of the last accepted code; null before the first one. */
  readonly lastStep: number | null;
  readonly createdAt: string;
}

export const totps = defineTable<StoredTotp, "userId" | "state">({
  prefix: "fat",
  about: "a person's secret for one-time codes",
  key: { userId: "id", state: "text" },
  sealed: ["secret"],
});

interface NewTotp {
  readonly secret: string;
  readonly uri: string;
}

/** Replaces an earlier `pending` secret. */
export async function beginTotp(
  write: Write,
  workspace: WorkspaceStore,
  { userId, email, now }: {
    readonly userId: string;
    readonly email: string;
    readonly now: Date;
  },
): Promise<NewTotp> {
  const { base32: secret } = new Secret({ size: 20 });
  await saveTotp(write, workspace, {
    userId,
    state: "pending",
    secret,
    lastStep: null,
    createdAt: now.toISOString(),
  });
  return { secret, uri: codesOf(secret, email).toString() };
}

export async function confirmTotp(
  write: Write,
  workspace: WorkspaceStore,
  { userId, code, now }: TypedCode,
): Promise<boolean> {
  const found = await totps.find(workspace, { userId, state: "pending" });
  if (!found) return false;
  const secret = await totps.open(workspace, found.row, "secret");
  const step = acceptedStep(secret, found.row.lastStep, { code, now });
  if (step === null) return false;
  totps.remove(write, workspace, found);
  await saveTotp(write, workspace, { ...found.row, state: "active", secret, lastStep: step });
  return true;
}

interface TypedCode {
  readonly userId: string;
  readonly code: string;
  readonly now: Date;
}

export async function spendCode(
  write: Write,
  workspace: WorkspaceStore,
  { userId, code, now }: TypedCode,
): Promise<boolean> {
  const found = await totps.find(workspace, { userId, state: "active" });
  if (!found) return false;
  const secret = await totps.open(workspace, found.row, "secret");
  const step = acceptedStep(secret, found.row.lastStep, { code, now });
  if (step === null) return false;
  totps.save(write, workspace, found, { ...found.row, lastStep: step });
  return true;
}

/** Null if the code is wrong or its step is not after `lastStep`. */
function acceptedStep(
  secret: string,
  lastStep: number | null,
  { code, now }: Pick<TypedCode, "code" | "now">,
): number | null {
  const token = code.replace(/\s/g, "");
  const timestamp = now.getTime();
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
