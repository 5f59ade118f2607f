/** A workspace with something of everything, and those who may call each operation. */
import { KEY_SCOPE_NAMES } from "../../../src/accounts/key_scopes.ts";
import { type Caller, callerWithKey, cookieOf, createCaller } from "../../caller.ts";
import type { TestApp } from "../../harness.ts";
import { importXml } from "../../imports/import_calls.ts";
import { fillWorkspace } from "../../app/workspace_files/full_workspace.ts";
import { bodyOf } from "../answers.ts";
import { type DocumentedOperation, documentedOperations } from "./document.ts";

/** Of all addresses that input may name, those of this machine alone lead anywhere. */
export const SCENE_ENV = {
  SCRAPE_ALLOW_PORTS: "9",
  SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
  RATE_LIMIT_PER_MINUTE: "1000000",
};

export interface Scene {
  readonly app: TestApp;
  callerOf(operation: DocumentedOperation): Caller;
  /** Ids of what there is, by the path of its list. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** Grows by the operations that were carried out. */
  readonly succeeded: Set<string>;
}

/** Fills the workspace; the scene is looked at again before each check, because checks change it. */
export async function setScene(app: TestApp) {
  await fillWorkspace(app);
  const { id: keyId, text } = await app.newKey(KEY_SCOPE_NAMES);
  const key = callerWithKey(app.base, text);
  await importXml(key, "<ITEMS><ITEM><SKU>I</SKU></ITEM></ITEMS>");
  const webhook = { url: "http://127.0.0.1:9/hook", events: ["rule.fired"] };
  await bodyOf(app.owner.post("/api/webhooks", webhook), 201);
  const person = await signedInPerson(app);
  // Who asks is not to be shut out on the way.
  const own = new Set([keyId]);
  for (const { id } of (await bodyOf(app.owner.get("/api/users"), 200)).items) own.add(id);
  await bodyOf(app.owner.post("/api/users", { email: "max@shop.example", role: "viewer" }), 201);
  const operations = await documentedOperations(app);
  const callerOf = ({ path, isGuarded }: DocumentedOperation) => {
    if (!isGuarded) return app.anyone;
    if (path === "/api/auth/logout") return app.viewer;
    if (path === "/api/auth/password") return person;
    return path.startsWith("/api/public/v1/") ? key : app.owner;
  };
  return {
    operations,
    async sceneNow(succeeded: Set<string>): Promise<Scene> {
      return { app, callerOf, ids: await idsOf(app.owner, operations, own), succeeded };
    },
  };
}

/** Somebody with a password of their own, whom it does not matter to sign out. */
async function signedInPerson({ owner, anyone, base }: TestApp): Promise<Caller> {
  const invited = await bodyOf(
    owner.post("/api/users", { email: "eva@shop.example", role: "viewer" }),
    201,
  );
  const token = /token=([\w-]+)/.exec(JSON.stringify(invited))?.[1];
  const password = "sechs blaue Kühlschränke";
  const accepted = await anyone.post("/api/invitations/accept", { token, password });
  await bodyOf(accepted, 200);
  return createCaller(base, { Cookie: cookieOf(accepted) });
}

/** The ids in the first page of every list inside. */
async function idsOf(
  owner: Caller,
  operations: readonly DocumentedOperation[],
  own: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { method, path } of operations) {
    if (method !== "GET" || /\{|public|csv|xlsx|metrics/.test(path)) continue;
    const competitorId = found.get("/api/competitors")?.at(-1);
    const query = path === "/api/competitor-products" ? `?competitorId=${competitorId}` : "";
    const answer = JSON.parse(await (await owner.get(path + query)).text());
    const items = Array.isArray(answer) ? answer : answer.items ?? [];
    const ids = items.map((item: Record<string, string>) => item.id ?? item.jobId)
      .filter((id: string) => !own.has(id)).slice(0, 5);
    if (ids.length > 0) found.set(path, ids);
  }
  return found;
}
