/**
 * Passkeys (WebAuthn). The server sends a challenge, and the person's device returns the signed
 * challenge. A challenge is valid for 5 minutes and for one answer. The signature covers the
 * origin, so an answer that was made for another site is refused.
 */
import { isPast } from "../../base/time.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { defineStoreTable, defineTable, type Found } from "../../platform/store/table.ts";
import { isToken, newToken } from "../passwords/password.ts";
import { z } from "@hono/zod-openapi";
import { isId } from "../../base/id.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { Name } from "../../engine/pricing/field.ts";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { Buffer } from "node:buffer";
import { isIP } from "node:net";

const VALID_MS = 5 * 60_000;

interface Challenge {
  readonly challenge: string;
  readonly purpose: "register" | "sign_in" | "prove";
  readonly userId: string | null;
  readonly expiresAt: string;
}

type Asked = Pick<Challenge, "purpose" | "userId">;

const challenges = defineStoreTable<Challenge, "challenge">({
  prefix: "fac",
  about: "an unanswered challenge for a passkey",
  key: { challenge: "text" },
  expireInMs: 2 * VALID_MS,
});

async function issueChallenge(store: Store, asked: Asked, now: Date): Promise<string> {
  const challenge = newToken();
  const expiresAt = new Date(now.getTime() + VALID_MS).toISOString();
  await transact({ store }, (write) => {
    challenges.put(write, {}, { challenge, ...asked, expiresAt });
  });
  return challenge;
}

async function takeChallenge(
  store: Store,
  challenge: unknown,
  { purpose, userId }: Asked,
  now: Date,
): Promise<boolean> {
  if (typeof challenge !== "string" || !isToken(challenge)) return false;
  return await transact({ store }, async (write) => {
    const found = await challenges.find({ store }, { challenge });
    if (!found) return false;
    challenges.remove(write, {}, found);
    const { row } = found;
    return row.purpose === purpose && row.userId === userId && !isPast(row.expiresAt, now);
  });
}

export const PASSKEYS_MAX = 20;

export const PasskeyName = Name.meta({ example: "Laptop" });

export const Passkey = z.object({
  id: z.string(),
  name: PasskeyName,
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
}).meta({ id: "Passkey" });

export type Passkey = z.infer<typeof Passkey>;

export interface StoredPasskey extends Passkey {
  readonly userId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** How many signatures the device has made; 0 if the device does not count its signatures. */
  readonly counter: number;
  readonly transports: readonly string[];
}

export const passkeys = defineTable<StoredPasskey, "userId" | "id">({
  prefix: "fap",
  about: "a person's passkey; `id` comes from the device",
  key: { userId: "id", id: "text" },
});

export function serialisePasskey({ id, name, createdAt, lastUsedAt }: StoredPasskey): Passkey {
  return { id, name, createdAt, lastUsedAt };
}

export async function listPasskeys(workspace: WorkspaceStore, userId: string) {
  return (await passkeys.list(workspace, { within: { userId } })).map(({ row }) => row);
}

const Base64url = z.string().max(20_000).regex(/^[\w-]*$/, "Must be base64url");

const answerOf = <T extends z.ZodRawShape>(response: T) =>
  z.object({
    id: Base64url.max(1_400),
    rawId: Base64url.max(1_400),
    type: z.literal("public-key"),
    response: z.object(response),
  });

export const MadePasskey = answerOf({
  clientDataJSON: Base64url,
  attestationObject: Base64url,
  transports: z.array(z.string().max(30)).max(10).default([]),
}).meta({ id: "MadePasskey" });

export const PasskeyAnswer = answerOf({
  clientDataJSON: Base64url,
  authenticatorData: Base64url,
  signature: Base64url,
  userHandle: Base64url.nullish(),
}).meta({ id: "PasskeyAnswer" });

export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

/** Returns null if browsers refuse passkeys at the origin `base`, for example without https. */
export function relyingPartyOf(base: string) {
  const { origin, hostname, protocol } = new URL(base);
  const isSecure = protocol === "https:" && isIP(hostname.replace(/[[\]]/g, "")) === 0;
  return isSecure || hostname === "localhost" ? { origin, id: hostname } : null;
}

export interface PasskeyTools {
  readonly store: Store;
  readonly now: ClockAndIds["now"];
  readonly party: NonNullable<ReturnType<typeof relyingPartyOf>>;
}

export async function registrationOptions(
  { store, now, party }: PasskeyTools,
  { userId, email, known }: {
    readonly userId: string;
    readonly email: string;
    readonly known: readonly StoredPasskey[];
  },
) {
  const { generateRegistrationOptions } = await loadLibrary();
  const challenge = await issueChallenge(store, { purpose: "register", userId }, now());
  return await generateRegistrationOptions({
    rpName: "Kurant",
    rpID: party.id,
    userName: email,
    userDisplayName: email,
    userID: new TextEncoder().encode(userId),
    challenge: Uint8Array.fromBase64(challenge, { alphabet: "base64url" }),
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
  });
}

/** `known`: the person's passkeys. `userId` and `known` are null if the person is not signed in. */
export async function answerOptions(
  { store, now, party }: PasskeyTools,
  userId: string | null,
  known: readonly StoredPasskey[] | null,
) {
  const { generateAuthenticationOptions } = await loadLibrary();
  const purpose = userId === null ? "sign_in" : "prove";
  const challenge = await issueChallenge(store, { purpose, userId }, now());
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: Uint8Array.fromBase64(challenge, { alphabet: "base64url" }),
    userVerification: userId === null ? "required" : "preferred",
    ...(known && {
      allowCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    }),
  });
}

export async function checkMade(
  { store, now, party }: PasskeyTools,
  userId: string,
  made: z.infer<typeof MadePasskey>,
): Promise<Pick<StoredPasskey, "id" | "publicKey" | "counter" | "transports"> | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const response: RegistrationResponseJSON = {
    ...made,
    response: { ...made.response },
    clientExtensionResults: {},
  };
  let taken = Promise.resolve(false);
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) =>
      taken = takeChallenge(store, challenge, { purpose: "register", userId }, now()),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(() => refused(taken));
  if (!checked?.verified) return null;
  const { id, publicKey, counter } = checked.registrationInfo.credential;
  return { id, publicKey, counter, transports: made.response.transports };
}

/**
 * Returns the new value of `counter`; null for a wrong answer. If `userId` is null, the device must
 * have verified the person, for example by a fingerprint.
 */
export async function checkAnswer(
  { store, now, party }: PasskeyTools,
  { row: { id, publicKey, counter } }: Found<StoredPasskey>,
  answer: PasskeyAnswer,
  userId: string | null,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { userHandle, ...rest } = answer.response;
  const response: AuthenticationResponseJSON = {
    ...answer,
    response: { ...rest, ...(userHandle && { userHandle }) },
    clientExtensionResults: {},
  };
  const purpose = userId === null ? "sign_in" : "prove";
  let taken = Promise.resolve(false);
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) =>
      taken = takeChallenge(store, challenge, { purpose, userId }, now()),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id, publicKey, counter },
    requireUserVerification: userId === null,
  }).catch(() => refused(taken));
  return checked?.verified ? checked.authenticationInfo.newCounter : null;
}

export function namedUser({ response }: PasskeyAnswer): string | null {
  const { userHandle } = response;
  if (!userHandle) return null;
  const userId = Buffer.from(userHandle, "base64url").toString();
  return isId(userId) ? userId : null;
}

/** Returns null for a wrong answer, but throws if the store has failed. */
async function refused(taken: Promise<boolean>): Promise<null> {
  await taken;
  return null;
}

async function loadLibrary() {
  return await import("@simplewebauthn/server");
}
