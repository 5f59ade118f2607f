/** `Idempotency-Key` (docs/integration.md): a repeated request has one effect and one answer. */
import { sha256 } from "../../src/base/bytes.ts";
import { idBytes } from "../../src/base/id.ts";
import { HOUR_MS } from "../../src/base/time.ts";
import { reservations } from "../../src/platform/http/idempotency_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { type Caller, createCaller } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { withStore } from "../memory_store.ts";
import { watchedStore } from "../watched_store.ts";
import { bodyOf, refusalOf, refusedField, refuses, statusOf } from "./answers.ts";
import { deepStrictEqual as assertEquals, match, notDeepStrictEqual, ok } from "node:assert/strict";
import { KEY_SCOPE_NAMES, type Role } from "../../src/accounts/roles.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { filled, listOperations, UNKNOWN_ID } from "./operations.ts";
import { addRule } from "../rules/evaluation/market.ts";

const SAMPLE = { sku: "A", title: "Kabel", ourPrice: 10 };
const KEY = { "Idempotency-Key": "night-1" };

/** The parts of a response that must be equal when the request is repeated. */
async function kept(pending: Promise<Response>) {
  const answer = await pending;
  const headers = ["Content-Type", "Location", "ETag"].map((name) => answer.headers.get(name));
  return { status: answer.status, headers, text: await answer.text() };
}

function isReplayed({ headers }: Response): boolean {
  return headers.get("Idempotent-Replayed") === "true";
}

async function countOf(caller: Caller): Promise<number> {
  return (await caller.read("/api/products?limit=200&includeDeleted=true")).count;
}

function create({ owner }: TestApp, product: Record<string, unknown> = SAMPLE): Promise<Response> {
  return owner.post("/api/products", product, KEY);
}

async function answers(answer: Promise<Response>, status: number, replayed: boolean) {
  const given = await answer;
  assertEquals([await statusOf(given), isReplayed(given)], [status, replayed]);
}

withApp.test("Idempotency-Key: an equal request gets the same answer, marked, even after a change or the deletion of the product, and has one effect", async (app) => {
  const first = await create(app);
  const again = await create(app);
  assertEquals([isReplayed(first), isReplayed(again)], [false, true]);
  notDeepStrictEqual(first.headers.get("X-Request-Id"), again.headers.get("X-Request-Id"));
  const expected = await kept(Promise.resolve(first));
  match(expected.headers[1] ?? "", /^\/api\/products\/[0-9a-f]{24}$/);
  assertEquals(await kept(Promise.resolve(again)), expected);
  assertEquals(await countOf(app.owner), 1);
  const { items } = await app.owner.read("/api/audit-logs?action=product.create");
  assertEquals(items.length, 1);

  const { id } = JSON.parse(expected.text);
  await app.owner.change(`/api/products/${id}`, { title: "Neu" });
  assertEquals(await kept(create(app)), expected);
  await app.owner.remove(`/api/products/${id}`);
  assertEquals(await kept(create(app)), expected);
});

withApp.test("Idempotency-Key: a refusal is kept like a success, except for its request id", async (app) => {
  await app.owner.create("/api/products", SAMPLE);
  const first = await refusalOf(create(app));
  assertEquals(first.code, "sku_exists");
  await app.owner.change(`/api/products/${first.details.productId}`, { sku: "B" });
  const answer = await create(app);
  assertEquals(isReplayed(answer), true);
  assertEquals((await bodyOf(answer, 409)).error.code, "sku_exists");
});

withApp.test("Idempotency-Key: another body or query is 422, another path is another request", async (app) => {
  const { id } = await app.owner.create("/api/products", SAMPLE, KEY);
  const other = create(app, { ...SAMPLE, title: "B" });
  const query = app.owner.post("/api/products?a=b", SAMPLE, KEY);
  for (const answer of [other, query]) await refuses(answer, "idempotency_key_reused");
  await app.owner.act(`/api/products/${id}/restore`, undefined, KEY);
  assertEquals(await countOf(app.owner), 1);
});

withApp.test("Idempotency-Key: 20 equal requests at once make one product", async (app) => {
  const ids = new Set<string>();
  for (const answer of await Promise.all(Array.from({ length: 20 }, () => create(app)))) {
    if (answer.status === 201) ids.add((await answer.json()).id);
    else await refuses(answer, "conflict");
  }
  assertEquals([ids.size, await countOf(app.owner)], [1, 1]);
});

withApp.test("Idempotency-Key: a repeated request is 409 while the first one runs, and for 60 s if the first one crashed", async (app) => {
  await leave(app, "running", null);
  for (const [seconds, laterMs] of [["60", 59_000], ["1", 2_000]] as const) {
    const answer = await create(app);
    assertEquals(answer.headers.get("Retry-After"), seconds);
    await refuses(answer, "conflict");
    app.clock.advance(laterMs);
  }
  await answers(create(app), 201, false);
});

withApp.test("Idempotency-Key: an effect whose answer was lost in a crash is answered by the created object", async (app) => {
  const made = await app.owner.post("/api/products", SAMPLE);
  const document = await bodyOf(made, 201);
  const path = `/api/products/${document.id}`;
  await leave(app, "done", path);
  const answer = await create(app);
  const { competitorPrices: _, market: _market, ...again } = await bodyOf(answer, 201);
  assertEquals([again, isReplayed(answer)], [document, true]);
  assertEquals(answer.headers.get("Location"), path);
  assertEquals(answer.headers.get("ETag"), made.headers.get("ETag"));
  const other = await refusalOf(create(app, { ...SAMPLE, sku: "B" }));
  assertEquals([other.code, await countOf(app.owner)], ["idempotency_key_reused", 1]);
});

withApp.test("Idempotency-Key: a lost answer about an existing object is no 201", async (app) => {
  const { id } = await app.owner.create("/api/products", SAMPLE);
  const path = `/api/products/${id}`;
  await leave(app, "done", path, { asked: "", under: `${path}/restore` });
  const answer = await app.owner.post(`${path}/restore`, undefined, KEY);
  assertEquals(isReplayed(answer), true);
  assertEquals((await bodyOf(answer, 200)).id, id);
});

withApp.test("Idempotency-Key: an API key repeats a request whose answer was lost, and gets the created object on its own interface", async (app) => {
  const { id: keyId, text } = await app.newKey(["rules:read", "rules:write"]);
  const rule = {
    name: "Half a percent",
    scope: { mode: "all" },
    when: { trigger: "competitor_undercut" },
    actions: [{ type: "alert_inapp" }],
  };
  const { id } = await app.manager.begin("/api/simulations", { rule });
  const under = "/api/public/v1/simulations";
  const body = { rule };
  const sent = { asked: JSON.stringify(body), under, by: `api_key ${keyId}` };
  await leave(app, "done", `/api/simulations/${id}`, sent);
  const headers = { ...KEY, Authorization: `Bearer ${text}` };
  const answer = await app.anyone.post(under, body, headers);
  assertEquals([isReplayed(answer), answer.headers.get("Location")], [true, `${under}/${id}`]);
  assertEquals((await bodyOf(answer, 201)).data.id, id);
});

withApp.test("Idempotency-Key: a lost answer about an effect without an address is 409, and the effect is not repeated", async (app) => {
  await leave(app, "done", null);
  const { code, details } = await refusalOf(create(app));
  assertEquals([code, details, await countOf(app.owner)], ["conflict", { carriedOut: true }, 0]);
});

/**
 * Stores an Idempotency-Key as a crashed process leaves it: `running` before the effect, `done`
 * after it.
 */
async function leave(
  app: TestApp,
  state: "running" | "done",
  path: string | null,
  { asked, under, by }: { asked: string; under: string; by?: string } = {
    asked: JSON.stringify(SAMPLE),
    under: "/api/products",
  },
): Promise<void> {
  const { id } = await app.owner.read("/api/auth/me");
  const hash = sha256(`${by ?? `user ${id}`}\n${KEY["Idempotency-Key"]}\n${under}`);
  const startedAtMs = app.clock.now().getTime();
  await transact(app, (write) => {
    reservations.save(write, app, null, {
      hash,
      state,
      asked: new Uint8Array(sha256(asked)).toHex(),
      startedAtMs,
      expiresAtMs: startedAtMs + 24 * HOUR_MS,
      path,
    });
    return Promise.resolve();
  });
}

withApp.test("Idempotency-Key: a 5xx is not kept, and the repeated request is executed", async (app) => {
  const { id } = await app.owner.create("/api/products", SAMPLE);
  const row = ["p", idBytes(app.workspaceId), idBytes(id)];
  const { value } = await app.store.kv.get(row);
  await app.store.kv.set(row, "torn");
  const body = { ids: [id], set: { priceLocked: true } };
  const lock = () => app.owner.post("/api/products/bulk", body, KEY);
  await answers(lock(), 500, false);
  await answers(lock(), 500, false);
  await app.store.kv.set(row, value);
  const answer = await lock();
  assertEquals(isReplayed(answer), false);
  assertEquals((await bodyOf(answer, 200)).changed, 1);
});

withStore.test("Idempotency-Key: a refusal because of too many changes at once is not kept, and the repeated request is executed", async (memory) => {
  let isBusy = false;
  const store = watchedStore(memory, {
    async committing(changes) {
      // Before each commit of the service, another commit changes the rule.
      for (const { key } of isBusy ? changes.filter(({ key }) => key[0] === "r") : []) {
        await memory.kv.set(key, (await memory.kv.get(key)).value);
      }
    },
  });
  await using app = await startTestApp({ store });
  const id = await addRule(app.owner);
  const toggle = () => app.owner.post(`/api/rules/${id}/toggle`, undefined, KEY);
  isBusy = true;
  const refused = await toggle();
  assertEquals(refused.headers.get("Retry-After"), "1");
  await refuses(refused, "conflict");
  isBusy = false;
  await answers(toggle(), 200, false);
  await answers(toggle(), 200, true);
});

withApp.test("Idempotency-Key: expires after 24 hours", async (app) => {
  await app.owner.create("/api/products", SAMPLE, KEY);
  app.clock.advance(24 * HOUR_MS - 1_000);
  await answers(create(app), 201, true);
  app.clock.advance(1_000);
  const other = { ...SAMPLE, sku: "B" };
  await answers(create(app, other), 201, false);
  await answers(create(app, other), 201, true);
});

withApp.test("Idempotency-Key: an answer larger than the values and commits of the store is replayed whole, and a later shorter answer replaces all of it", async (app) => {
  const ids = Array.from({ length: 1_000 }, (_, n) => `${n}`.padStart(1_000, "0"));
  const body = { ids, set: { priceLocked: true } };
  const ask = () => kept(app.owner.post("/api/products/bulk", body, KEY));
  const first = await ask();
  assertEquals([first.status, first.text.length > 1_000_000], [200, true]);
  assertEquals(await ask(), first);
  app.clock.advance(24 * HOUR_MS);
  const short = () => kept(app.owner.post("/api/products/bulk", { ...body, ids: ["a"] }, KEY));
  const second = await short();
  assertEquals([second.status, await short()], [200, second]);
});

withApp.test("Idempotency-Key: is ignored by requests whose answers hold secrets, and by PATCH and DELETE", async (app) => {
  const texts = new Set<string>();
  for (const name of ["one", "one", "two"]) {
    const answer = await app.owner.post("/api/keys", { name, scopes: [] }, KEY);
    assertEquals(isReplayed(answer), false);
    texts.add((await bodyOf(answer, 201)).key);
  }
  assertEquals(texts.size, 3);
  for (const password of ["wrong password 1", "wrong password 2"]) {
    const login = app.anyone.post("/api/auth/login", { email: "a@b.example", password }, KEY);
    await refuses(login, "invalid_login");
  }
  const { id } = await app.owner.create("/api/products", SAMPLE);
  for (const title of ["B", "C"]) {
    assertEquals((await app.owner.change(`/api/products/${id}`, { title }, KEY)).title, title);
  }
  for (const status of [200, 404]) {
    assertEquals(await statusOf(app.owner.delete(`/api/products/${id}`, KEY)), status);
  }
});

withApp.test("Idempotency-Key: has 1 to 255 characters", async (app) => {
  for (const key of ["", "x".repeat(256), "x".repeat(10_000)]) {
    const answer = app.owner.post("/api/products", SAMPLE, { "Idempotency-Key": key });
    assertEquals(await refusedField(answer), "Idempotency-Key");
  }
  const longest = { "Idempotency-Key": "x".repeat(255) };
  assertEquals(await statusOf(app.owner.post("/api/products", SAMPLE, longest)), 201);
});

type Pair = readonly [Caller, Caller];

async function peopleOf({ base, newSession }: TestApp, role: Role): Promise<Pair> {
  const personOf = async () => createCaller(base, { Cookie: await newSession(role) });
  return [await personOf(), await personOf()];
}

async function keysOf(app: TestApp): Promise<Pair> {
  return [await app.key(KEY_SCOPE_NAMES), await app.key(KEY_SCOPE_NAMES)];
}

/** Routes that ignore `Idempotency-Key`, because they return a secret or set a cookie. */
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
/** POST routes that only read, so the service does not store their responses. */
const KEEPS_NONE = ["/api/rules/counts", "/api/proposals/bulk/preview"];
/** Upload routes, which store no refusal for an Idempotency-Key. */
const UPLOADS = [
  "/api/imports",
  "/api/import-profiles/preview",
  "/api/public/v1/import-profiles/preview",
  "/api/public/v1/products/import",
];

withApp.test("every POST that keeps its answer replays it to its caller, and to no other", async (app) => {
  const keys = await keysOf(app);
  const [owners, managers] = [await peopleOf(app, "owner"), await peopleOf(app, "manager")];
  const operations = (await listOperations(app)).filter(({ method, credentials, path }) =>
    method === "POST" && credentials.length > 0 && !PASSED_OVER.includes(path) &&
    !UPLOADS.includes(path) && !KEEPS_NONE.includes(path)
  );
  ok(operations.length >= 25, `${operations.length} routes are looked at`);
  const wrong: string[] = [];
  for (const operation of operations) {
    const people = operation.needs.session?.includes("owner") ? owners : managers;
    const pair = operation.credentials.includes("session") ? people : keys;
    const path = filled(operation, UNKNOWN_ID);
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

withApp.test("an upload with the same key of two people, or of two API keys, has an effect for each", async (app) => {
  const pairs = [
    ["/api/imports", await peopleOf(app, "manager")],
    ["/api/public/v1/products/import", await keysOf(app)],
  ] as const;
  for (const [path, [first, second]] of pairs) {
    const xml = itemsXml([{ sku: "A", title: "Apfel", price: "1,00" }]);
    const jobOf = async (caller: Caller) => {
      const body = await caller.act(path, xml, { ...KEY, "Content-Type": "application/xml" });
      return (body.data ?? body).jobId;
    };
    const jobs = [await jobOf(first), await jobOf(second)];
    assertEquals([await jobOf(first), await jobOf(second)], jobs, path);
    notDeepStrictEqual(jobs[0], jobs[1], path);
  }
});
