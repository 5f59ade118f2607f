/** A workspace with rows of every kind, and callers who may call each operation. */
import { KEY_SCOPE_NAMES, type Role } from "../../../src/accounts/roles.ts";
import { type Caller, callerWithKey, cookieOf, createCaller } from "../../caller.ts";
import type { TestApp } from "../../harness.ts";
import { importXml } from "../../imports/import_bench.ts";
import { fillWorkspace } from "../../app/workspace_files/full_workspace.ts";
import { addPerson, login } from "../../accounts/people.ts";
import { bodyOf } from "../answers.ts";
import { type DocumentedOperation, documentedOperations } from "./document.ts";

/** The service may reach this machine, and of other machines only port 9, which is unused. */
export const SCENE_ENV = {
  SCRAPE_ALLOW_PORTS: "9",
  SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
  RATE_LIMIT_PER_MINUTE: "1000000",
};

export interface Scene {
  readonly app: TestApp;
  callerOf(operation: DocumentedOperation): Caller;
  /** Existing ids, by the path of their list. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly succeeded: Set<string>;
}

/** Fills the workspace. `sceneNow` reads the ids again, because each check changes some of them. */
export async function setScene(app: TestApp) {
  await fillWorkspace(app);
  const { id: keyId, text } = await app.newKey(KEY_SCOPE_NAMES);
  const key = callerWithKey(app.base, text);
  await importXml(key, "<ITEMS><ITEM><SKU>I</SKU></ITEM></ITEMS>");
  const webhook = { url: "http://127.0.0.1:9/hook", events: ["rule.fired"] };
  await app.owner.create("/api/webhooks", webhook);
  const owner = await completeCaller(app, "owner");
  const leavers = await leaversOf(app);
  // The ids of the callers are left out, so that no operation removes its own caller.
  const own = new Set([keyId]);
  for (const { id } of (await app.owner.read("/api/users")).items) own.add(id);
  await app.owner.create("/api/users", { email: "max@shop.example", role: "viewer" });
  const operations = await documentedOperations(app);
  const callerOf = ({ path, security }: DocumentedOperation) => {
    const leaver = leavers.get(path);
    if (leaver) return leaver;
    if (security.length === 0) return app.anyone;
    return path.startsWith("/api/public/v1/") ? key : owner;
  };
  return {
    operations,
    async sceneNow(succeeded: Set<string>): Promise<Scene> {
      return { app, callerOf, ids: await idsOf(operations, callerOf, own), succeeded };
    },
  };
}

/** A caller who stays admitted when the settings require a second factor. */
async function completeCaller(app: TestApp, role: Role): Promise<Caller> {
  const start = { isComplete: true, provedAt: new Date(8.64e15) };
  return createCaller(app.base, { Cookie: await app.newSession(role, {}, start) });
}

/** A caller for each operation that ends sessions, so that no other caller is signed out. */
async function leaversOf(app: TestApp): Promise<Map<string, Caller>> {
  const viewer = await completeCaller(app, "viewer");
  return new Map([
    ["/api/auth/logout", app.viewer],
    ["/api/auth/password", await signedInPerson(app, "eva@shop.example")],
    ["/api/auth/prove", await signedInPerson(app, "ida@shop.example")],
    ["/api/auth/sessions", viewer],
    ["/api/auth/sessions/{id}", viewer],
  ]);
}

async function signedInPerson(app: TestApp, email: string): Promise<Caller> {
  await addPerson(app, email, "viewer");
  const answer = await login(app, email);
  await bodyOf(answer, 200);
  return createCaller(app.base, { Cookie: cookieOf(answer) });
}

/** The ids on the first page of every list of the internal interface. */
async function idsOf(
  operations: readonly DocumentedOperation[],
  callerOf: Scene["callerOf"],
  own: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const operation of operations) {
    const { method, path } = operation;
    if (method !== "GET" || /\{|public|csv|xlsx|metrics/.test(path)) continue;
    const competitorId = found.get("/api/competitors")?.at(-1);
    const query = path === "/api/competitor-products" ? `?competitorId=${competitorId}` : "";
    const answer = JSON.parse(await (await callerOf(operation).get(path + query)).text());
    const items = Array.isArray(answer) ? answer : answer.items ?? [];
    const ids = items.map((item: Record<string, string>) => item.id ?? item.jobId)
      .filter((id: string) => !own.has(id)).slice(0, 5);
    if (ids.length > 0) found.set(path, ids);
  }
  return found;
}
