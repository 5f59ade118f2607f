/** People with real passwords, for tests of how they sign in. */
import { randomBytes, scryptSync } from "node:crypto";
import { addUser, parseEmail } from "../../src/accounts/add_user.ts";
import { countAttempt } from "../../src/accounts/sessions/login_throttle.ts";
import { addUserRows, type StoredUser } from "../../src/accounts/users/user.ts";
import type { Role } from "../../src/accounts/roles.ts";
import { transact } from "../../src/platform/store/kv.ts";
import type { TestApp } from "../harness.ts";

export const PASSWORD = "nebel-kutsche-91";

/**
 * Of `PASSWORD`, by the least work that scrypt knows. A look at a hash does the work that the hash
 * itself names: half a second of the processor for those that the program makes, nothing for this one.
 */
const LIGHT_HASH = lightHash();

function lightHash(): string {
  const [salt, cost] = [randomBytes(16), { N: 2, r: 8, p: 1 }];
  const hash = scryptSync(PASSWORD, salt, 32, cost);
  const { N, r, p } = cost;
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

export function toolsOf({ store, app }: TestApp) {
  return { store, clock: app.clock };
}

/** In the workspace of the app's own people; a look at the password costs next to nothing. */
export async function addPerson(
  app: TestApp,
  email: string,
  role: Role = "owner",
): Promise<StoredUser> {
  const { newId, now } = app.app.clock;
  const user: StoredUser = {
    id: newId(),
    workspaceId: app.workspaceId,
    email: parseEmail(email),
    role,
    passwordHash: LIGHT_HASH,
    sessionGeneration: 0,
    createdAt: now().toISOString(),
  };
  await transact(app, (write) => Promise.resolve(addUserRows(write, user)));
  return user;
}

/** Like `addPerson`, by the program's own way: each look at the password costs what it does in earnest. */
export function addGuardedPerson(
  app: TestApp,
  email: string,
  role: Role = "owner",
): Promise<StoredUser> {
  return addUser(toolsOf(app), { email, role, password: PASSWORD });
}

/** Somebody has had so many guesses at passwords already: each at this account, from this address. */
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

/** Status and error code, or null for an answer that is no error. */
export async function outcome(answer: Response): Promise<[number, string | null]> {
  const text = await answer.text();
  const body = text.startsWith("{") ? JSON.parse(text) : {};
  return [answer.status, body.error?.code ?? null];
}

/** What follows `#token=` in a link. */
export function tokenOf(link: string): string {
  return link.split("#token=")[1] ?? "";
}
