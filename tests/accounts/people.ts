/** People with real passwords, for tests of sign-ins. */
import { parseEmail } from "../../src/accounts/set_up.ts";
import { hashPassword } from "../../src/accounts/passwords/password.ts";
import { countAttempt } from "../../src/accounts/sessions/login_throttle.ts";
import { addUserRows, claimFirstUser, type StoredUser } from "../../src/accounts/users/user.ts";
import type { Role } from "../../src/accounts/roles.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { cookieOf } from "../caller.ts";
import "../light_hashes.ts";
import type { TestApp } from "../harness.ts";

export const PASSWORD = "nebel-kutsche-91";

/** Checking a password against this hash is fast, even in tests that call `realHashes()`. */
const LIGHT_HASH = await hashPassword(PASSWORD);

export function toolsOf({ store, app }: TestApp) {
  return { store, clock: app.clock };
}

export async function addPerson(
  app: TestApp,
  email: string,
  role: Role = "owner",
  passwordHash = LIGHT_HASH,
): Promise<StoredUser> {
  const { newId, now } = app.app.clock;
  const user: StoredUser = {
    id: newId(),
    workspaceId: app.workspaceId,
    email: parseEmail(email),
    role,
    passwordHash,
    sessionGeneration: 0,
    createdAt: now().toISOString(),
  };
  await transact(app, (write) => Promise.resolve(addUserRows(write, user)));
  return user;
}

export async function addFirstPerson(app: TestApp, email: string, role?: Role): Promise<void> {
  const { id } = await addPerson(app, email, role);
  await transact(app, (write) => Promise.resolve(claimFirstUser(write, id)));
}

/** Uses up `count` sign-in attempts: attempt n is for account `email(n)`, from `address(n)`. */
export async function spendGuesses(
  app: TestApp,
  count: number,
  guess: { readonly email: (n: number) => string; readonly address: (n: number) => string },
): Promise<void> {
  for (let n = 0; n < count; n++) {
    const [email, address] = [guess.email(n), guess.address(n)];
    await countAttempt(toolsOf(app), { email, address, isKnownBrowser: false });
  }
}

export function login(
  app: TestApp,
  email: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.anyone.post("/api/auth/login", { email, password }, headers);
}

/** Returns the status and the error code, which is null for a success. */
export async function outcome(
  answer: Response | Promise<Response>,
): Promise<[number, string | null]> {
  const given = await answer;
  const text = await given.text();
  const body = text.startsWith("{") ? JSON.parse(text) : {};
  return [given.status, body.error?.code ?? null];
}

export const SIGNED_OUT = [401, "not_authenticated"] as const;

/** Returns `SIGNED_OUT` if the session of `Cookie` has ended. */
export function visit({ anyone }: Pick<TestApp, "anyone">, Cookie: string) {
  return outcome(anyone.get("/api/auth/me", { Cookie }));
}

export async function cookieBy(answer: Promise<Response>): Promise<string> {
  const given = await answer;
  await given.body?.cancel();
  return cookieOf(given);
}

export function tokenOf(link: string): string {
  return link.split("#token=")[1] ?? "";
}
