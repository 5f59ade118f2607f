/**
 * Proofs of identity. Each successful proof gives the session a new token, so that a stolen token
 * becomes useless. Failed proofs are audited, and are limited like failed sign-ins.
 */
import { z } from "@hono/zod-openapi";
import { sha256 } from "../../base/bytes.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { type Context, contextFor } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import {
  checkAnswer,
  listPasskeys,
  namedUser,
  PasskeyAnswer,
  passkeys,
  type PasskeyTools,
} from "../factors/passkey.ts";
import { acceptCode, recoveryCodes, spendRecoveryCode, totps } from "../factors/change_factors.ts";
import { matchesPassword, newToken } from "../passwords/password.ts";
import { actorOf, findUserById, noteUser, requireUser, type StoredUser } from "../users/user.ts";
import { countAttempt, forgiveAttempt } from "./login_throttle.ts";
import { addSession, removeSession, type Session, sessions } from "./session.ts";
import { refusePassword, replaceSession, type Stranger } from "./sign_in.ts";

export const Proof = z.strictObject({
  password: z.string().optional(),
  code: z.string().max(100).optional().describe("Of the authenticator app"),
  recoveryCode: z.string().max(100).optional()
    .describe("One of the person's codes, which counts once"),
  passkey: PasskeyAnswer.optional().describe("Answers `POST /auth/prove/passkey`"),
}).refine(
  (proof) => Object.values(proof).filter((one) => one !== undefined).length === 1,
  "Must contain exactly one proof of identity",
)
  .meta({ id: "Proof" });

type Proof = z.infer<typeof Proof>;

export const ProofChoice = z.object({
  password: z.boolean().describe("True if the person has a password"),
  code: z.boolean().describe("True if the person has an authenticator app"),
  passkey: z.boolean().describe("True if the person has a passkey"),
  recoveryCode: z.boolean().describe("True if the person has recovery codes left"),
  provider: z.string().nullable().describe(
    "The name of the provider at which the person can sign in again; null: there is none",
  ),
}).meta({ id: "ProofChoice" });

interface Prover extends Pick<Stranger, "browser" | "earlierSession" | "mustUse" | "permit"> {
  readonly tools: PasskeyTools | null;
}

export async function proofChoice(
  ctx: Context,
  { earlierSession, tools, mustUse }: Prover,
  provider: string | null,
): Promise<z.infer<typeof ProofChoice>> {
  const userId = ctx.actor.id;
  const [{ row: user }, session, totp, keys, codes] = await Promise.all([
    requireUser(ctx, userId),
    requireSession(ctx, earlierSession),
    totps.find(ctx, { userId, state: "active" }),
    listPasskeys(ctx, userId),
    recoveryCodes.find(ctx, { userId }),
  ]);
  const isFirst = session.row.awaits === undefined;
  return {
    password: isFirst && user.passwordHash !== null && mustUse(user) === null,
    code: totp !== null,
    passkey: tools !== null && keys.length > 0,
    recoveryCode: (codes?.row.hashes.length ?? 0) > 0,
    provider: isFirst && user.hasProvider ? provider : null,
  };
}

type ProofKind = "password" | "totp" | "recovery_code" | "passkey" | null;
type Check = (write: Write) => Promise<ProofKind>;

export async function prove(
  ctx: Context,
  proof: Proof,
  prover: Prover,
): Promise<{ user: StoredUser; token: string }> {
  const { row: user } = await requireUser(ctx, ctx.actor.id);
  if (proof.password !== undefined) refusePassword(prover.mustUse(user));
  const asked = await requireSession(ctx, prover.earlierSession);
  if (asked.row.awaits && proof.password !== undefined) {
    throw new Failure("second_factor_required", "The password was given: send the second factor");
  }
  const throttle = { store: ctx.store, clock: ctx };
  const attempt = await countAttempt(throttle, {
    // Second factors have their own count of failures, which a correct password does not reset.
    email: proof.password === undefined ? `factor ${user.email}` : user.email,
    address: prover.browser.address,
    isKnownBrowser: proof.password !== undefined,
  });
  const check = await checkOf(ctx, user, proof, prover);
  const token = await transact(ctx, async (write) => {
    const kind = await check(write);
    if (kind === null) return null;
    await forgiveAttempt(throttle, write, attempt);
    if (kind !== "password") {
      noteUser(write, ctx, user, { action: "user.factor_use", after: { factor: kind } });
    }
    const { row } = await requireSession(ctx, prover.earlierSession);
    return await renewSession(write, ctx, row, kind !== "password");
  });
  if (token !== null) return { user, token };
  const [field = ""] = Object.keys(proof);
  await transact(ctx, (write) => {
    noteUser(write, ctx, user, { action: "user.factor_fail", after: { factor: field } });
  });
  throw refuseFields([{ path: field, message: "Is wrong, or was used before" }]);
}

export async function completeSession(
  ctx: Context,
  hash: Uint8Array,
): Promise<{ user: StoredUser; token: string }> {
  const { row: user } = await requireUser(ctx, ctx.actor.id);
  const token = await transact(ctx, async (write) => {
    return await renewSession(write, ctx, (await requireSession(ctx, hash)).row, true);
  });
  return { user, token };
}

export async function renewSession(
  write: Write,
  ctx: Context,
  { hash, awaits: _, ...session }: Session & { readonly hash: Uint8Array },
  hasFactor: boolean,
): Promise<string> {
  const token = newToken();
  const at = ctx.now().toISOString();
  await removeSession(ctx.store, write, hash);
  addSession(write, sha256(token), {
    ...session,
    ...(hasFactor && { isComplete: true }),
    provedAt: at,
    usedAt: at,
  });
  return token;
}

async function checkOf(
  ctx: Context,
  user: StoredUser,
  { password, code, recoveryCode, passkey }: Proof,
  { permit, tools }: Prover,
): Promise<Check> {
  const userId = user.id;
  if (password !== undefined) {
    const isRight = await permit(() => matchesPassword(password, user.passwordHash));
    return () => Promise.resolve(isRight ? "password" : null);
  }
  if (code !== undefined) {
    return async (write) =>
      await acceptCode(write, ctx, "active", { userId, code }) ? "totp" : null;
  }
  if (recoveryCode !== undefined) {
    const typed = { userId, code: recoveryCode };
    return async (write) => await spendRecoveryCode(write, ctx, typed) ? "recovery_code" : null;
  }
  const counter = passkey && tools && await counterOf(ctx, tools, userId, passkey, false);
  return async (write) => {
    if (!passkey || counter === null || counter === undefined) return null;
    return await saveCounter(write, ctx, userId, passkey, counter) ? "passkey" : null;
  };
}

async function counterOf(
  ctx: Context,
  tools: PasskeyTools,
  userId: string,
  passkey: PasskeyAnswer,
  isAlone: boolean,
): Promise<number | null> {
  const found = await passkeys.find(ctx, { userId, id: passkey.id });
  return found && await checkAnswer(tools, found, passkey, isAlone ? null : userId);
}

async function saveCounter(
  write: Write,
  ctx: Context,
  userId: string,
  { id }: PasskeyAnswer,
  counter: number,
): Promise<boolean> {
  const found = await passkeys.find(ctx, { userId, id });
  if (!found) return false;
  const lastUsedAt = ctx.now().toISOString();
  passkeys.save(write, ctx, found, { ...found.row, counter, lastUsedAt });
  return true;
}

/** Signs the person in only if the device has verified the person, for example by a fingerprint. */
export async function signInByPasskey(
  asker: Stranger,
  tools: PasskeyTools,
  passkey: PasskeyAnswer,
): Promise<{ user: StoredUser; token: string }> {
  const { address } = asker.browser;
  const guess = { email: "passkey", address, isKnownBrowser: true };
  const attempt = await countAttempt(asker, guess);
  const userId = namedUser(passkey);
  const found = userId === null ? null : await findUserById(asker.store, userId);
  const refusal = new Failure("invalid_login", "The passkey is unknown, or was not verified");
  if (!found) throw refusal;
  const { row: user } = found;
  const ctx = contextFor(asker, user.workspaceId, actorOf(user));
  const counter = await counterOf(ctx, tools, user.id, passkey, true);
  if (counter === null) {
    await transact(ctx, (write) => {
      noteUser(write, ctx, user, { action: "user.factor_fail", after: { factor: "passkey" } });
    });
    throw refusal;
  }
  const token = await transact(ctx, async (write) => {
    if (!await saveCounter(write, ctx, user.id, passkey, counter)) throw refusal;
    await forgiveAttempt(asker, write, attempt);
    noteUser(write, ctx, user, { action: "user.factor_use", after: { factor: "passkey" } });
    return await replaceSession(write, asker, user, true);
  });
  return { user, token };
}

async function requireSession(ctx: Context, hash: Uint8Array | null) {
  const found = hash && await sessions.find(ctx, { hash });
  if (!found) throw new Failure("not_authenticated", "A session is needed: sign in first");
  return found;
}
