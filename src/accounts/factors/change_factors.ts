/**
 * Sets up, lists and removes second factors. A commit that adds or removes a factor also saves the
 * user, so that two simultaneous changes of a person's factors conflict.
 */
import { z } from "@hono/zod-openapi";
import { Failure, noSuch, refuseFields } from "../../base/failure.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { type FoundUser, noteUser, requireUser, saveUser, type StoredUser } from "../users/user.ts";
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
import {
  acceptCode,
  beginTotp,
  mintRecoveryCodes,
  recoveryCodes,
  totps,
} from "./one_time_codes.ts";

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
  const { user } = await requireUser(ctx, userId);
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

export async function beginApp(ctx: Context) {
  const { user } = await requireUser(ctx, ctx.actor.id);
  return await transact(ctx, (write) => beginTotp(write, ctx, user));
}

export async function confirmApp(ctx: Context, code: string): Promise<string[]> {
  return await transact(ctx, async (write) => {
    const found = await requireUser(ctx, ctx.actor.id);
    if (!await acceptCode(write, ctx, "pending", { userId: found.user.id, code })) {
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
    const { user } = await requireUser(ctx, ctx.actor.id);
    const names = { before: { name: found.row.name }, after: { name } };
    noteUser(write, ctx, user, { action: "user.factor_rename", ...names });
    return serialisePasskey(renamed);
  });
}

/** Throws `conflict` if the person's role requires a factor, and the person has no other factor. */
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
    const { user, versionstamp } = await requireUser(ctx, ctx.actor.id);
    if (!user.hasFactor) throw new Failure("conflict", "Set up a second factor first");
    saveUser(write, user, versionstamp);
    noteUser(write, ctx, user, { action: "user.recovery_codes" });
    return mintRecoveryCodes(write, ctx, user.id);
  });
}

export async function resetFactors(ctx: Context, id: string): Promise<StoredUser> {
  return await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, id);
    await forgetFactors(write, ctx, id);
    const changed = { ...user, hasFactor: false, sessionGeneration: user.sessionGeneration + 1 };
    saveUser(write, changed, versionstamp);
    noteUser(write, ctx, user, { action: "user.factor_reset" });
    return changed;
  });
}

export async function forgetFactors(
  write: Write,
  workspace: WorkspaceStore,
  userId: string,
): Promise<void> {
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
  const { user, versionstamp } = found;
  saveUser(write, { ...user, hasFactor: true }, versionstamp);
  noteUser(write, ctx, user, { action: "user.factor_add", after: { ...factor } });
  return user.hasFactor ? [] : mintRecoveryCodes(write, ctx, user.id);
}

async function removeFactor(
  write: Write,
  ctx: Context,
  factor: ChangedFactor,
  hasFactor: boolean,
): Promise<void> {
  const { user, versionstamp } = await requireUser(ctx, ctx.actor.id);
  if (!hasFactor && await isFactorRequired(ctx, user)) {
    throw new Failure("conflict", "Your role needs a second factor: add another one first");
  }
  if (!hasFactor) recoveryCodes.drop(write, ctx, { userId: user.id });
  saveUser(write, { ...user, hasFactor }, versionstamp);
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
