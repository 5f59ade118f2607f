/** People with real passwords, for tests of how they sign in. */
import { addUser } from "../../src/identity/add_user.ts";
import type { StoredUser } from "../../src/identity/users/user.ts";
import type { Role } from "../../src/identity/roles.ts";
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
