import { KEY_SCOPE_NAMES, type Role } from "../../src/accounts/roles.ts";
import { type Caller, createCaller } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { itemsXml } from "../imports/import_bench.ts";
import { bodyOf, refuses } from "./answers.ts";
import { filled, listOperations, type Operation, UNKNOWN_ID } from "./operations.ts";
import { deepStrictEqual as assertEquals, notDeepStrictEqual, ok } from "node:assert/strict";

const KEY = { "Idempotency-Key": "night-1" };
const XML = { ...KEY, "Content-Type": "application/xml" };

type Pair = readonly [Caller, Caller];

async function peopleOf({ base, newSession }: TestApp, role: Role): Promise<Pair> {
  const personOf = async () => createCaller(base, { Cookie: await newSession(role) });
  return [await personOf(), await personOf()];
}

async function keysOf(app: TestApp): Promise<Pair> {
  return [await app.key(KEY_SCOPE_NAMES), await app.key(KEY_SCOPE_NAMES)];
}

const isReplayed = ({ headers }: Response) => headers.get("Idempotent-Replayed") === "true";

/** Routes that ignore the key, because each answer contains a secret or sets a cookie. */
const PASSED_OVER = [
  "/api/auth/factors/recovery-codes",
  "/api/auth/factors/totp",
  "/api/auth/factors/totp/confirm",
  "/api/auth/logout",
  "/api/auth/passkeys",
  "/api/auth/passkeys/challenge",
  "/api/auth/password",
  "/api/auth/prove",
  "/api/auth/prove/passkey",
  "/api/auth/provider/prove",
  "/api/keys",
  "/api/keys/{id}/rotate",
];
/** Routes that only read. They write nothing, so their answers are not kept. */
const KEEPS_NONE = ["/api/rules/counts", "/api/proposals/bulk/preview"];
/** Uploads. Imports free the key of a refused upload; a test below covers accepted ones. */
const UPLOADS = [
  "/api/imports",
  "/api/import-profiles/preview",
  "/api/public/v1/import-profiles/preview",
  "/api/public/v1/products/import",
];

function needsRole({ needs }: Operation): Role {
  return needs.session?.includes("owner") ? "owner" : "manager";
}

withApp.test("every POST that keeps its answer replays it to its caller, and to no other", async (app) => {
  const keys = await keysOf(app);
  const people = {
    owner: await peopleOf(app, "owner"),
    manager: await peopleOf(app, "manager"),
    viewer: await peopleOf(app, "viewer"),
  };
  const operations = (await listOperations(app)).filter(({ method, credentials, path }) =>
    method === "POST" && credentials.length > 0 && !PASSED_OVER.includes(path) &&
    !UPLOADS.includes(path) && !KEEPS_NONE.includes(path)
  );
  ok(operations.length >= 25, `${operations.length} routes are looked at`);
  const wrong: string[] = [];
  for (const operation of operations) {
    const pair = operation.credentials.includes("session") ? people[needsRole(operation)] : keys;
    const path = filled(operation, UNKNOWN_ID);
    // Only whether the answer is replayed matters, not the answer itself.
    const ask = async (caller: Caller) => {
      const answer = await caller.post(path, operation.takesBody ? {} : undefined, KEY);
      await answer.body?.cancel();
      return isReplayed(answer);
    };
    const seen = [await ask(pair[0]), await ask(pair[1]), await ask(pair[0]), await ask(pair[1])];
    if (seen.join() !== "false,false,true,true") wrong.push(`${path}: ${seen}`);
  }
  assertEquals(wrong, []);
});

withApp.test("a webhook's secret is shown again to the manager who made it, and to no other", async (app) => {
  const [anna, bert] = await peopleOf(app, "manager");
  const webhook = { url: "https://hook.shop.example/", events: ["price.changed"] };
  const mine = await anna.create("/api/webhooks", webhook, KEY);
  const theirs = await bert.post("/api/webhooks", webhook, KEY);
  assertEquals(isReplayed(theirs), false);
  const other = await bodyOf(theirs, 201);
  notDeepStrictEqual([other.id, other.secret], [mine.id, mine.secret]);
  assertEquals(await anna.create("/api/webhooks", webhook, KEY), mine);
  assertEquals(await bert.create("/api/webhooks", webhook, KEY), other);
});

withApp.test("an invitation's link is shown again to the owner who invited, and to no other", async (app) => {
  const [anna, bert] = await peopleOf(app, "owner");
  const invite = { email: "neu@shop.example", role: "viewer" };
  const mine = await anna.create("/api/users", invite, KEY);
  assertEquals(await anna.create("/api/users", invite, KEY), mine);
  await refuses(bert.post("/api/users", invite, KEY), "conflict");
  const path = `/api/users/${mine.id}/reset-link`;
  const first = await anna.act(path, undefined, KEY);
  const second = await bert.act(path, undefined, KEY);
  notDeepStrictEqual(second.link, first.link);
});

withApp.test("an upload with the same key of two people, or of two API keys, has an effect for each", async (app) => {
  const pairs = [
    ["/api/imports", await peopleOf(app, "manager")],
    ["/api/public/v1/products/import", await keysOf(app)],
  ] as const;
  for (const [path, [first, second]] of pairs) {
    const xml = itemsXml([{ sku: "A", title: "Apfel", price: "1,00" }]);
    const jobOf = async (caller: Caller) => {
      const body = await caller.act(path, xml, XML);
      return (body.data ?? body).jobId;
    };
    const jobs = [await jobOf(first), await jobOf(second)];
    assertEquals([await jobOf(first), await jobOf(second)], jobs, path);
    notDeepStrictEqual(jobs[0], jobs[1], path);
  }
});
