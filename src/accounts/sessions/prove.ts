/**
 * A signed-in person proves who they are, by a password or a second factor. Each proof gives the
 * session a new token, so that a stolen token becomes useless. Failures are audited and limited.
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
import { countAttempt } from "./login_throttle.ts";
import { addSession, removeSession, sessions, type SignedIn } from "./session.ts";
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

/** Returns true if the proof is right, and marks a one-time code as used in `write`. */
type Check = (write: Write) => Promise<boolean>;

/** Names of right proofs in the audit log. Wrong proofs have the names of their request fields. */
const FACTORS: Readonly<Record<string, string>> = {
  code: "totp",
  recoveryCode: "recovery_code",
  passkey: "passkey",
};

export async function prove(ctx: Context, proof: Proof, prover: Prover): Promise<SignedIn> {
  const { row: user } = await requireUser(ctx, ctx.actor.id);
  const isPassword = proof.password !== undefined;
  if (isPassword) refusePassword(prover.mustUse(user));
  const asked = await requireSession(ctx, prover.earlierSession);
  if (asked.row.awaits && isPassword) {
    throw new Failure("second_factor_required", "The password was given: send the second factor");
  }
  const forgive = await countAttempt({ store: ctx.store, clock: ctx }, {
    // Second factors are counted separately, so that a right password does not reset their count.
    email: isPassword ? user.email : `factor ${user.email}`,
    address: prover.browser.address,
    isKnownBrowser: isPassword,
  });
  const check = await checkOf(ctx, user, proof, prover);
  const [field = ""] = Object.keys(proof);
  const signedIn = await useProof(ctx, user, { field, check }, async (write) => {
    await forgive(write);
    return { user, token: await renewSession(write, ctx, prover.earlierSession, !isPassword) };
  });
  if (signedIn) return signedIn;
  throw refuseFields([{ path: field, message: "Is wrong, or was used before" }]);
}

/** Returns the result of `grant`; if the proof is wrong, audits the failure and returns null. */
async function useProof(
  ctx: Context,
  user: StoredUser,
  { field, check }: { readonly field: string; readonly check: Check },
  grant: (write: Write) => Promise<SignedIn>,
): Promise<SignedIn | null> {
  const factor = FACTORS[field];
  const granted = await transact(ctx, async (write) => {
    if (!await check(write)) return null;
    if (factor) noteUser(write, ctx, user, { action: "user.factor_use", after: { factor } });
    return await grant(write);
  });
  if (granted) return granted;
  await transact(ctx, (write) => {
    noteUser(write, ctx, user, { action: "user.factor_fail", after: { factor: field } });
  });
  return null;
}

export async function completeSession(ctx: Context, hash: Uint8Array): Promise<SignedIn> {
  const { row: user } = await requireUser(ctx, ctx.actor.id);
  const token = await transact(ctx, (write) => renewSession(write, ctx, hash, true));
  return { user, token };
}

export async function renewSession(
  write: Write,
  ctx: Context,
  earlier: Uint8Array | null,
  hasFactor: boolean,
): Promise<string> {
  const { hash, awaits: _, ...session } = (await requireSession(ctx, earlier)).row;
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
    return () => Promise.resolve(isRight);
  }
  if (code !== undefined) return (write) => acceptCode(write, ctx, "active", { userId, code });
  if (recoveryCode !== undefined) {
    return (write) => spendRecoveryCode(write, ctx, { userId, code: recoveryCode });
  }
  return passkey && tools
    ? await checkPasskey(ctx, tools, { userId, isAlone: false }, passkey)
    : () => Promise.resolve(false);
}

/** If the passkey is the only proof (`isAlone`), the device must have verified the person. */
async function checkPasskey(
  ctx: Context,
  tools: PasskeyTools,
  { userId, isAlone }: { readonly userId: string; readonly isAlone: boolean },
  passkey: PasskeyAnswer,
): Promise<Check> {
  const key = { userId, id: passkey.id };
  const found = await passkeys.find(ctx, key);
  const counter = found && await checkAnswer(tools, found, passkey, isAlone ? null : userId);
  return async (write) => {
    const latest = counter === null ? null : await passkeys.find(ctx, key);
    if (counter === null || latest === null) return false;
    const lastUsedAt = ctx.now().toISOString();
    passkeys.save(write, ctx, latest, { ...latest.row, counter, lastUsedAt });
    return true;
  };
}

/** Signs the person in only if the device has verified the person, for example by a fingerprint. */
export async function signInByPasskey(
  asker: Stranger,
  tools: PasskeyTools,
  passkey: PasskeyAnswer,
): Promise<SignedIn> {
  const { address } = asker.browser;
  const guess = { email: "passkey", address, isKnownBrowser: true };
  const forgive = await countAttempt(asker, guess);
  const userId = namedUser(passkey);
  const user = userId === null ? null : (await findUserById(asker.store, userId))?.row;
  if (user) {
    const ctx = contextFor(asker, user.workspaceId, actorOf(user));
    const check = await checkPasskey(ctx, tools, { userId: user.id, isAlone: true }, passkey);
    const signedIn = await useProof(ctx, user, { field: "passkey", check }, async (write) => {
      await forgive(write);
      return await replaceSession(write, asker, user, true);
    });
    if (signedIn) return signedIn;
  }
  throw new Failure("invalid_login", "The passkey is unknown, or was not verified");
}

async function requireSession(ctx: Context, hash: Uint8Array | null) {
  const found = hash && await sessions.find(ctx, { hash });
  if (!found) throw new Failure("not_authenticated", "A session is needed: sign in first");
  return found;
}
