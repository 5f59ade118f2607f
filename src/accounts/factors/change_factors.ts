/**
 * Sets up, lists and removes second factors, and checks the codes that a person types. Codes come
 * from an authenticator app (RFC 6238: SHA-1, 6 digits, steps of 30 s) or are recovery codes. Each
 * code works once. An app's code of the previous or next step is accepted, too. A recovery code has
 * 120 random bits, so a fast hash (SHA-256) is enough. A commit that changes a person's factors
 * also saves the user, so that simultaneous changes conflict.
 */
import { z } from "@hono/zod-openapi";
import { Failure, noSuch, refuseFields } from "../../base/failure.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import {
  type FoundUser,
  noteUser,
  requireUser,
  saveUser,
  saveUserAnew,
  type StoredUser,
} from "../users/user.ts";
import { requireWorkspace } from "../workspace.ts";
import {
  checkMade,
  listPasskeys,
  type MadePasskey,
  Passkey,
  passkeys,
  PASSKEYS_MAX,
  type PasskeyTools,
  serialisePasskey,
  type StoredPasskey,
} from "./passkey.ts";
import type { StoredSecret } from "../../platform/store/secret_store.ts";
import { defineTable } from "../../platform/store/table.ts";
import { Secret, TOTP } from "otpauth";
import { sha256Hex } from "../../base/bytes.ts";
import { randomBytes } from "node:crypto";

export const Factors = z.object({
  totp: z.object({ createdAt: z.iso.datetime() }).nullable()
    .describe("The authenticator app; null: none"),
  passkeys: z.array(Passkey),
  recoveryCodesLeft: z.int(),
  isRequired: z.boolean().describe("Whether the person's role needs a second factor"),
  allowsPasskeys: z.boolean()
    .describe("False if the service has no address for which browsers make passkeys"),
}).meta({ id: "Factors" });

export async function factorsOf(
  ctx: Context,
  allowsPasskeys: boolean,
): Promise<z.infer<typeof Factors>> {
  const userId = ctx.actor.id;
  const { row: user } = await requireUser(ctx, userId);
  const [totp, keys, codes, isRequired] = await Promise.all([
    totps.find(ctx, { userId, state: "active" }),
    listPasskeys(ctx, userId),
    recoveryCodes.find(ctx, { userId }),
    isFactorRequired(ctx, user),
  ]);
  return {
    totp: totp && { createdAt: totp.row.createdAt },
    passkeys: keys.map(serialisePasskey),
    recoveryCodesLeft: codes?.row.hashes.length ?? 0,
    isRequired,
    allowsPasskeys,
  };
}

export async function beginApp(ctx: Context): Promise<{ secret: string; uri: string }> {
  const { row: { id: userId, email } } = await requireUser(ctx, ctx.actor.id);
  const { base32: secret } = new Secret({ size: 20 });
  const createdAt = ctx.now().toISOString();
  const totp = { userId, state: "pending", secret, lastStep: null, createdAt } as const;
  await transact(ctx, (write) => saveTotp(write, ctx, totp));
  return { secret, uri: codesOf(secret, email).toString() };
}

export async function confirmApp(ctx: Context, code: string): Promise<string[]> {
  return await transact(ctx, async (write) => {
    const found = await requireUser(ctx, ctx.actor.id);
    if (!await acceptCode(write, ctx, "pending", { userId: found.row.id, code })) {
      throw refuseFields([{ path: "code", message: "Is not the current code" }]);
    }
    return addFactor(write, ctx, found, { factor: "totp" });
  });
}

export async function addPasskey(
  ctx: Context,
  tools: PasskeyTools,
  { name, passkey }: { readonly name: string; readonly passkey: z.infer<typeof MadePasskey> },
): Promise<{ passkey: Passkey; codes: string[] }> {
  const userId = ctx.actor.id;
  const made = await checkMade(tools, userId, passkey);
  if (!made) throw refuseFields([{ path: "passkey", message: "Must answer a new challenge" }]);
  return await transact(ctx, async (write) => {
    const found = await requireUser(ctx, userId);
    const others = await listPasskeys(ctx, userId);
    if (others.length >= PASSKEYS_MAX) {
      throw new Failure("conflict", `A person has at most ${PASSKEYS_MAX} passkeys`);
    }
    const createdAt = ctx.now().toISOString();
    const row: StoredPasskey = { ...made, userId, name, createdAt, lastUsedAt: null };
    passkeys.save(write, ctx, null, row);
    const codes = addFactor(write, ctx, found, { factor: "passkey", name });
    return { passkey: serialisePasskey(row), codes };
  });
}

export async function renamePasskey(ctx: Context, id: string, name: string): Promise<Passkey> {
  return await transact(ctx, async (write) => {
    const found = await requirePasskey(ctx, id);
    const renamed = { ...found.row, name };
    passkeys.save(write, ctx, found, renamed);
    const { row: user } = await requireUser(ctx, ctx.actor.id);
    const names = { before: { name: found.row.name }, after: { name } };
    noteUser(write, ctx, user, { action: "user.factor_rename", ...names });
    return serialisePasskey(renamed);
  });
}

/** Throws `conflict` if this is the only factor of a person whose role requires one. */
export async function removePasskey(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requirePasskey(ctx, id);
    passkeys.remove(write, ctx, found);
    const totp = await totps.find(ctx, { userId: ctx.actor.id, state: "active" });
    const left = (await listPasskeys(ctx, ctx.actor.id)).length - 1;
    const { name } = found.row;
    await removeFactor(write, ctx, { factor: "passkey", name }, totp !== null || left > 0);
  });
}

export async function removeApp(ctx: Context): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await totps.find(ctx, { userId: ctx.actor.id, state: "active" });
    if (!found) throw new Failure("not_found", "There is no authenticator app");
    totps.remove(write, ctx, found);
    const left = await listPasskeys(ctx, ctx.actor.id);
    await removeFactor(write, ctx, { factor: "totp" }, left.length > 0);
  });
}

export async function renewRecoveryCodes(ctx: Context): Promise<string[]> {
  return await transact(ctx, async (write) => {
    const found = await requireUser(ctx, ctx.actor.id);
    if (!found.row.hasFactor) throw new Failure("conflict", "Set up a second factor first");
    const user = saveUser(write, found);
    noteUser(write, ctx, user, { action: "user.recovery_codes" });
    return mintRecoveryCodes(write, ctx, user.id);
  });
}

export async function resetFactors(ctx: Context, id: string): Promise<StoredUser> {
  return await transact(ctx, async (write) => {
    const user = saveUserAnew(write, await requireUser(ctx, id), { hasFactor: false });
    await forgetFactors(write, ctx, id);
    noteUser(write, ctx, user, { action: "user.factor_reset" });
    return user;
  });
}

export async function forgetFactors(write: Write, workspace: WorkspaceStore, userId: string) {
  for (const row of await listPasskeys(workspace, userId)) passkeys.drop(write, workspace, row);
  for (const state of ["pending", "active"] as const) {
    totps.drop(write, workspace, { userId, state });
  }
  recoveryCodes.drop(write, workspace, { userId });
}

interface ChangedFactor {
  readonly factor: "totp" | "passkey";
  readonly name?: string;
}

function addFactor(write: Write, ctx: Context, found: FoundUser, factor: ChangedFactor): string[] {
  const user = saveUser(write, found, { hasFactor: true });
  noteUser(write, ctx, user, { action: "user.factor_add", after: { ...factor } });
  return found.row.hasFactor ? [] : mintRecoveryCodes(write, ctx, user.id);
}

async function removeFactor(write: Write, ctx: Context, factor: ChangedFactor, hasFactor: boolean) {
  const found = await requireUser(ctx, ctx.actor.id);
  if (!hasFactor && await isFactorRequired(ctx, found.row)) {
    throw new Failure("conflict", "Your role needs a second factor: add another one first");
  }
  const user = saveUser(write, found, { hasFactor });
  if (!hasFactor) recoveryCodes.drop(write, ctx, { userId: user.id });
  noteUser(write, ctx, user, { action: "user.factor_remove", before: { ...factor } });
}

async function isFactorRequired(ctx: Context, { role }: StoredUser): Promise<boolean> {
  return (await requireWorkspace(ctx)).secondFactorRoles.includes(role);
}

async function requirePasskey(ctx: Context, id: string) {
  const found = await passkeys.find(ctx, { userId: ctx.actor.id, id });
  if (!found) throw noSuch("passkey", id);
  return found;
}

interface StoredTotp {
  readonly userId: string;
  /** A new secret is `pending`, and useless for sign-ins, until the person enters a first code. */
  readonly state: "pending" | "active";
  readonly secret: StoredSecret;
  /** Number of the 30-second step of the last accepted code; null before the first code. */
  readonly lastStep: number | null;
  readonly createdAt: string;
}

export const totps = defineTable<StoredTotp, "userId" | "state">({
  prefix: "fat",
  about: "a person's secret for one-time codes",
  key: { userId: "id", state: "text" },
  sealed: ["secret"],
});

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

/** Returns the 30-second step of the code; null if the code is wrong or was used before. */
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

/** Returns the new codes; the store contains only their hashes. */
function mintRecoveryCodes(
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
