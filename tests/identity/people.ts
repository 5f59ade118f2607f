/** People with real passwords, for tests of how they sign in. */
import { addUser } from "../../src/identity/add_user.ts";
import { beginSession } from "../../src/identity/sessions/begin_session.ts";
import type { StoredUser } from "../../src/identity/users/user.ts";
import { addUserRows } from "../../src/identity/users/user_store.ts";
import type { Role } from "../../src/platform/role.ts";
import { transact } from "../../src/platform/store/kv.ts";
import type { TestApp } from "../harness.ts";

export const PASSWORD = "nebel-kutsche-91";

export function toolsOf({ store, app }: TestApp) {
  return { store, clockwork: app.clockwork };
}

/** In the workspace of the app's own people. */
export function addPerson(app: TestApp, email: string, role: Role = "owner"): Promise<StoredUser> {
  return addUser(toolsOf(app), { email, role, password: PASSWORD });
}

export function login(
  app: TestApp,
  email: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.anyone.post("/api/auth/login", { email, password }, headers);
}

/** `pr_session=…` out of an answer's Set-Cookie. */
export function cookieOf(answer: Response): string {
  return answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
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

/** The cookie of somebody new with the role, who never had to type a password. */
export async function newSession(app: TestApp, role: Role): Promise<string> {
  const { store, clockwork } = toolsOf(app);
  const id = clockwork.newId();
  const user: StoredUser = {
    id,
    workspaceId: app.workspaceId,
    email: `${role}-${id}@shop.example`,
    role,
    passwordHash: null,
    sessionGeneration: 0,
    createdAt: clockwork.now().toISOString(),
  };
  const token = await transact({ store }, (write) => {
    addUserRows(write, user);
    return Promise.resolve(beginSession(write, user, clockwork.now()));
  });
  return `pr_session=${token}`;
}
