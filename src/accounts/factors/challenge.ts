/** Challenges that passkeys sign. A challenge is valid for 5 minutes, and for one answer. */
import { type Store, transact } from "../../platform/store/kv.ts";
import { defineStoreTable } from "../../platform/store/table.ts";
import { isPast, isToken, newToken } from "../secret.ts";

const VALID_MS = 5 * 60_000;

interface Challenge {
  readonly challenge: string;
  readonly purpose: "register" | "sign_in" | "prove";
  /** Null for a sign-in, because the answer to the challenge names the person. */
  readonly userId: string | null;
  readonly expiresAt: string;
}

type Asked = Pick<Challenge, "purpose" | "userId">;

export const challenges = defineStoreTable<Challenge, "challenge">({
  prefix: "fac",
  about: "an unanswered challenge for a passkey",
  key: { challenge: "text" },
  expireInMs: 2 * VALID_MS,
});

export async function issueChallenge(store: Store, asked: Asked, now: Date): Promise<string> {
  const challenge = newToken();
  const expiresAt = new Date(now.getTime() + VALID_MS).toISOString();
  await transact({ store }, (write) => {
    challenges.put(write, {}, { challenge, ...asked, expiresAt });
  });
  return challenge;
}

export async function takeChallenge(
  store: Store,
  challenge: string,
  { purpose, userId }: Asked,
  now: Date,
): Promise<boolean> {
  if (!isToken(challenge)) return false;
  return await transact({ store }, async (write) => {
    const found = await challenges.find({ store }, { challenge });
    if (!found) return false;
    challenges.remove(write, {}, found);
    const { row } = found;
    return row.purpose === purpose && row.userId === userId && !isPast(row.expiresAt, now);
  });
}
