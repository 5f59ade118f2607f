/**
 * One-time codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s). A code of the previous
 * and of the next step also counts. The step of the last accepted code is stored, and a code of the
 * same or an earlier step is refused, so that each code works once.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { Secret, TOTP } from "otpauth";

const STEP_MS = 30_000;
const SECRET_BYTES = 20;

interface StoredTotp {
  readonly userId: string;
  /** A `pending` secret counts for nothing until its first code confirms it. */
  readonly state: "pending" | "active";
  /** In base32. */
  readonly secret: string;
  /** The step of the last accepted code; null before the first one. */
  readonly lastStep: number | null;
  readonly createdAt: string;
}

export const totps = defineTable<StoredTotp, "userId" | "state">({
  prefix: "fat",
  about: "a person's secret of one-time codes",
  key: { userId: "id", state: "text" },
  keyOnly: ["userId", "state"],
});

/** A secret for an authenticator app, shown only while it is set up. */
interface NewTotp {
  readonly secret: string;
  /** The address in the QR code. */
  readonly uri: string;
}

/** Adds a secret that waits for its first code. It replaces an earlier one that waits. */
export function beginTotp(
  write: Write,
  { workspaceId, userId, email, now }: {
    readonly workspaceId: string;
    readonly userId: string;
    readonly email: string;
    readonly now: Date;
  },
): NewTotp {
  const { base32: secret } = new Secret({ size: SECRET_BYTES });
  const createdAt = now.toISOString();
  totps.put(write, { workspaceId }, {
    userId,
    state: "pending",
    secret,
    lastStep: null,
    createdAt,
  });
  return { secret, uri: codesOf(secret, email).toString() };
}

/** Makes the waiting secret the person's only one if the code is right. Returns whether it is. */
export async function confirmTotp(
  write: Write,
  workspace: WorkspaceStore,
  { userId, code, now }: TypedCode,
): Promise<boolean> {
  const found = await totps.find(workspace, { userId, state: "pending" });
  const step = found && acceptedStep(found, code, now);
  if (!found || step === null) return false;
  totps.remove(write, workspace, found);
  totps.put(write, workspace, { ...found.row, state: "active", lastStep: step });
  return true;
}

/** A code that a person has typed. */
interface TypedCode {
  readonly userId: string;
  readonly code: string;
  readonly now: Date;
}

/** Uses up a code. Returns whether it is right, and was not used before. */
export async function spendCode(
  write: Write,
  workspace: WorkspaceStore,
  { userId, code, now }: TypedCode,
): Promise<boolean> {
  const found = await totps.find(workspace, { userId, state: "active" });
  const step = found && acceptedStep(found, code, now);
  if (!found || step === null) return false;
  totps.save(write, workspace, found, { ...found.row, lastStep: step });
  return true;
}

/** The step of a right code after the last accepted one; null for any other code. */
function acceptedStep({ row }: Found<StoredTotp>, code: string, now: Date): number | null {
  const token = code.replace(/\s/g, "");
  const timestamp = now.getTime();
  const delta = codesOf(row.secret, "").validate({ token, timestamp, window: 1 });
  if (delta === null) return null;
  const step = Math.floor(timestamp / STEP_MS) + delta;
  return row.lastStep === null || step > row.lastStep ? step : null;
}

function codesOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: "Kurant", label, secret: Secret.fromBase32(secret) });
}
