import { deepStrictEqual as assertEquals, match, notStrictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Secret, TOTP } from "otpauth";
import { passkeys } from "../../src/accounts/factors/passkey.ts";
import { resetFactorsOf } from "../../src/accounts/set_up.ts";
import { column } from "../api/answers.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/base/time.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { StoreTrouble } from "../../src/platform/store/store_trouble.ts";
import { cookieOf, createCaller } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { withStore } from "../memory_store.ts";
import { extent } from "../proof.ts";
import { watchedStore } from "../watched_store.ts";
import {
  addPerson,
  cookieBy,
  login,
  outcome,
  PASSWORD,
  SIGNED_OUT,
  tokenOf,
  toolsOf,
  visit,
} from "./people.ts";

const EMAIL = "anna@shop.example";
const GUESSES = extent(100, 20);

/** Signs in with a password; all later requests send the newest session cookie. */
async function person(app: TestApp, email = EMAIL) {
  let cookie = cookieOf(await login(app, email));
  const caller = () => createCaller(app.base, { Cookie: cookie });
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await caller().send(method, path, body);
    if (cookieOf(answer).startsWith("pr_session=")) cookie = cookieOf(answer);
    return answer;
  };
  return {
    ask,
    get: (path: string) => ask("GET", path),
    post: (path: string, body: unknown = {}) => ask("POST", path, body),
    prove: async (body: unknown) => await outcome(await ask("POST", "/api/auth/prove", body)),
    cookie: () => cookie,
  };
}

function codeAt(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

async function withAuthenticator(app: TestApp, role: "owner" | "viewer" = "owner") {
  const { id } = await addPerson(app, EMAIL, role);
  const anna = await person(app);
  const { secret } = await (await anna.post("/api/auth/factors/totp")).json();
  const proof = { code: codeAt(secret, app.clock.now()) };
  const { recoveryCodes } = await (await anna.post("/api/auth/factors/totp/confirm", proof)).json();
  app.clock.advance(MINUTE_MS);
  return { id, anna, secret, recoveryCodes: recoveryCodes as string[] };
}

const auditOf = async ({ owner }: TestApp, action: string) =>
  (await owner.read(`/api/audit-logs?action=${action}`)).items;

withApp.test("a sign-in with an app has two steps, and the cookie of the first allows nothing else", async (app) => {
  const { secret } = await withAuthenticator(app);
  const anna = await person(app);
  const first = anna.cookie();
  for (const path of ["/api/auth/me", "/api/products", "/api/auth/factors", "/api/auth/sessions"]) {
    assertEquals(await outcome(await anna.get(path)), [403, "second_factor_required"], path);
  }
  const sensitive = await anna.post("/api/auth/factors/recovery-codes");
  assertEquals(await outcome(sensitive), [403, "second_factor_required"]);
  assertEquals(await (await anna.get("/api/auth/prove")).json(), {
    password: false,
    code: true,
    passkey: false,
    recoveryCode: true,
    provider: null,
  });
  assertEquals(await anna.prove({ password: PASSWORD }), [403, "second_factor_required"]);
  const proved = await anna.post("/api/auth/prove", { code: codeAt(secret, app.clock.now()) });
  assertEquals(proved.status, 200);
  assertEquals((await proved.json()).hasSecondFactor, true);
  assertEquals((await anna.get("/api/auth/me")).status, 200);
  notStrictEqual(anna.cookie(), first);
  assertEquals(await visit(app, first), SIGNED_OUT, "the earlier token is worthless");
});

withApp.test("an app's code is accepted once, also at the same time, and no earlier code after it", async (app) => {
  const { secret } = await withAuthenticator(app);
  const now = app.clock.now();
  const before = codeAt(secret, new Date(now.getTime() - 30_000));
  const code = codeAt(secret, now);
  const people = [await person(app), await person(app), await person(app)];
  const answers = await Promise.all(people.map((one) => one.prove({ code })));
  assertEquals(answers.map(([status]) => status).toSorted(), [200, 400, 400]);
  const tryCode = async (typed: string) => await (await person(app)).prove({ code: typed });
  assertEquals(await tryCode(before), [400, "validation_failed"]);
  assertEquals(await tryCode(codeAt(secret, new Date(now.getTime() + 30_000))), [200, null]);
  const far = codeAt(secret, new Date(now.getTime() + 90_000));
  assertEquals(await tryCode(far), [400, "validation_failed"]);
});

withApp.test("many guesses of a code are throttled, even with right passwords in between", async (app) => {
  const { secret } = await withAuthenticator(app);
  const statuses: Record<number, number> = {};
  for (let n = 0; n < GUESSES; n++) {
    const guesser = await person(app);
    const right = codeAt(secret, app.clock.now());
    const code = String((Number(right) + 7 + n) % 1_000_000).padStart(6, "0");
    const [status] = await guesser.prove({ code });
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  assertEquals(statuses, { 400: 5, 429: GUESSES - 5 });
  const anna = await person(app);
  const proveNow = () => anna.prove({ code: codeAt(secret, app.clock.now()) });
  assertEquals(await proveNow(), [429, "rate_limited"]);
  app.clock.advance(HOUR_MS);
  assertEquals(await proveNow(), [200, null]);
  assertEquals((await auditOf(app, "user.factor_fail")).length, 5);
  const [use, ...others] = await auditOf(app, "user.factor_use");
  assertEquals([use.after, use.actor.name, others], [{ factor: "totp" }, EMAIL, []]);
});

withApp.test("an empty proof is wrong, and two proofs in one request are refused", async (app) => {
  const { secret } = await withAuthenticator(app);
  const anna = await person(app);
  const code = codeAt(secret, app.clock.now());
  for (const body of [{ code: "" }, { recoveryCode: "" }, {}, { code, password: "" }]) {
    assertEquals(await anna.prove(body), [400, "validation_failed"], JSON.stringify(body));
  }
  const wrong = column(await auditOf(app, "user.factor_fail"), "after");
  assertEquals(wrong, [{ factor: "code" }, { factor: "recoveryCode" }]);
  assertEquals(await anna.prove({ code }), [200, null]);
});

withApp.test("a recovery code works once, and new codes void the old ones", async (app) => {
  const { recoveryCodes: [first = "", second = "", ...others] } = await withAuthenticator(app);
  assertEquals(others.length, 8);
  match(first, /^[0-9a-hjkmnp-tv-z]{6}(-[0-9a-hjkmnp-tv-z]{6}){3}$/);
  const recover = async (recoveryCode: string) => {
    const anna = await person(app);
    return { anna, answer: await anna.prove({ recoveryCode }) };
  };
  const { anna, answer } = await recover(first.toUpperCase().replaceAll("-", " "));
  assertEquals(answer, [200, null]);
  assertEquals((await recover(first)).answer, [400, "validation_failed"]);
  assertEquals((await (await anna.get("/api/auth/factors")).json()).recoveryCodesLeft, 9);
  const renewed = await (await anna.post("/api/auth/factors/recovery-codes")).json();
  assertEquals((await recover(second)).answer, [400, "validation_failed"]);
  assertEquals((await recover(renewed.recoveryCodes[0])).answer, [200, null]);
  assertEquals((await auditOf(app, "user.recovery_codes")).length, 1);
  const rows = await Array.fromAsync(app.store.kv.list({ prefix: ["far"] }));
  const stored = Deno.inspect(rows, { depth: 9, iterableLimit: 99, strAbbreviateSize: 999 });
  assertEquals(stored.includes(renewed.recoveryCodes[1]), false, "only hashes are stored");
});

withStore.test("a passkey counts as wrong only if its answer is, not if the store takes no changes", async (memory) => {
  let isFull = true;
  const store = watchedStore(memory, {
    committing(changes) {
      const takes = changes.some(({ name, key }) => name === "delete" && key[0] === "fac");
      if (isFull && takes) throw new StoreTrouble("unable", new Error("disk I/O error"));
    },
  });
  await using app = await startTestApp({ store, env: { PUBLIC_URL: "http://localhost" } });
  const { id: userId, createdAt } = await addPerson(app, EMAIL);
  const key = { id: "key", name: "Laptop", createdAt, lastUsedAt: null, userId };
  const device = { publicKey: new Uint8Array(), counter: 0, transports: [] };
  await transact(app, (write) => passkeys.save(write, app, null, { ...key, ...device }));
  const anna = await person(app);
  const send = async (isNew: boolean, challenge: unknown) => {
    const type = isNew ? "webauthn.create" : "webauthn.get";
    const clientDataJSON = Buffer.from(JSON.stringify({ type, challenge })).toString("base64url");
    const rest = isNew ? { attestationObject: "" } : { authenticatorData: "", signature: "" };
    const response = { clientDataJSON, ...rest };
    const passkey = { id: "key", rawId: "key", type: "public-key", response };
    if (!isNew) return await anna.prove({ passkey });
    return await outcome(anna.post("/api/auth/passkeys", { name: "Laptop", passkey }));
  };
  const failures = async () => (await auditOf(app, "user.factor_fail")).length;
  for (const isNew of [false, true]) {
    isFull = true;
    const path = isNew ? "/api/auth/passkeys/challenge" : "/api/auth/prove/passkey";
    const { challenge } = await (await anna.post(path)).json();
    const before = await failures();
    assertEquals(await send(isNew, challenge), [503, "unavailable"]);
    assertEquals(await failures(), before);
    isFull = false;
    for (const wrong of [[challenge], challenge]) {
      assertEquals(await send(isNew, wrong), [400, "validation_failed"]);
    }
  }
  const wrong = column(await auditOf(app, "user.factor_fail"), "after");
  assertEquals(wrong, [{ factor: "passkey" }, { factor: "passkey" }]);
});

withApp.test("an app not confirmed by a code is no second factor", async (app) => {
  await addPerson(app, EMAIL);
  const anna = await person(app);
  const { uri } = await (await anna.post("/api/auth/factors/totp")).json();
  match(uri, /^otpauth:\/\/totp\/Kurant:anna%40shop\.example\?issuer=Kurant&secret=[A-Z2-7]{32}&/);
  const wrong = await anna.post("/api/auth/factors/totp/confirm", { code: "000000" });
  assertEquals(await outcome(wrong), [400, "validation_failed"]);
  const again = await (await login(app, EMAIL)).json();
  assertEquals([again.awaits, again.hasSecondFactor], [undefined, false]);
});

withApp.test("a role that needs a second factor allows only its set-up, and keeps the last factor", async (app) => {
  await addPerson(app, EMAIL, "manager");
  const anna = await person(app);
  assertEquals((await anna.get("/api/products")).status, 200);
  const settings = await app.owner.change("/api/settings", { secondFactorRoles: ["manager"] });
  assertEquals(settings.secondFactorRoles, ["manager"]);
  for (const path of ["/api/products", "/api/settings", "/api/auth/sessions"]) {
    assertEquals(await outcome(await anna.get(path)), [403, "second_factor_missing"], path);
  }
  assertEquals((await app.viewer.get("/api/products")).status, 200, "other roles are free");
  assertEquals((await (await anna.get("/api/auth/factors")).json()).isRequired, true);
  const { secret } = await (await anna.post("/api/auth/factors/totp")).json();
  const early = anna.cookie();
  const code = codeAt(secret, app.clock.now());
  assertEquals((await anna.post("/api/auth/factors/totp/confirm", { code })).status, 200);
  notStrictEqual(anna.cookie(), early);
  assertEquals((await anna.get("/api/products")).status, 200);
  const removal = await anna.ask("DELETE", "/api/auth/factors/totp");
  assertEquals(await outcome(removal), [409, "conflict"]);
  await app.owner.change("/api/settings", { secondFactorRoles: null });
  assertEquals(await outcome(await anna.ask("DELETE", "/api/auth/factors/totp")), [200, null]);
  assertEquals((await (await login(app, EMAIL)).json()).awaits, undefined);
});

withApp.test("DELETE /api/users/{id}/factors resets a person and ends their sessions; a reset link does not", async (app) => {
  const { id, anna } = await withAuthenticator(app, "viewer");
  assertEquals((await anna.get("/api/auth/me")).status, 200);
  const { link } = await app.owner.act(`/api/users/${id}/reset-link`);
  const accept = { token: tokenOf(link), password: PASSWORD };
  const cookie = await cookieBy(app.anyone.post("/api/invitations/accept", accept));
  assertEquals(await visit(app, cookie), [403, "second_factor_required"]);
  await app.owner.remove(`/api/users/${id}/factors`);
  assertEquals(await visit(app, anna.cookie()), SIGNED_OUT);
  assertEquals((await (await login(app, EMAIL)).json()).awaits, undefined);
  assertEquals((await auditOf(app, "user.factor_reset")).length, 1);
});

withApp.test("resetFactorsOf() admits an owner who has lost everything, and the log names the command", async (app) => {
  const { anna } = await withAuthenticator(app);
  await resetFactorsOf(toolsOf(app), ` ${EMAIL}`);
  assertEquals(await visit(app, anna.cookie()), SIGNED_OUT);
  assertEquals((await (await login(app, EMAIL)).json()).awaits, undefined);
  const [row] = await auditOf(app, "user.factor_reset");
  assertEquals(row?.actor.name, "Command line");
});

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const RULE = { name: "Rule", when: { trigger: "competitor_undercut" }, scope: { mode: "all" } };

const signedIn = (app: TestApp, agent = WINDOWS) =>
  cookieBy(login(app, EMAIL, PASSWORD, { "User-Agent": agent }));

withApp.test("sensitive actions of people, not of keys, need a proof of the last 10 minutes, which the session can renew", async (app) => {
  await addPerson(app, EMAIL);
  const { id } = await addPerson(app, "ben@shop.example", "viewer");
  let cookie = await signedIn(app);
  const ask = async (method: string, path: string, body?: unknown) =>
    await outcome(app.anyone.send(method, path, body, { Cookie: cookie }));
  const automatic = { ...RULE, actions: [{ type: "auto_apply_if_safe", maxChangePct: 5 }] };
  const acts: [string, string, unknown][] = [
    ["POST", "/api/keys", { name: "ERP", scopes: [] }],
    ["POST", "/api/users", { email: "cleo@shop.example", role: "viewer" }],
    ["PATCH", `/api/users/${id}`, { role: "owner" }],
    ["POST", `/api/users/${id}/reset-link`, {}],
    ["DELETE", `/api/users/${id}/factors`, undefined],
    ["DELETE", `/api/users/${id}`, undefined],
    ["PATCH", "/api/settings", { approval: { beyondPct: 5, people: 2 } }],
    ["PATCH", "/api/settings", { autoApply: true }],
    ["PATCH", "/api/settings", { secondFactorRoles: ["owner"] }],
    ["POST", "/api/rules", automatic],
    ["POST", "/api/automation/resume", {}],
    ["POST", "/api/webhooks", { url: "https://example.com/", events: ["price.changed"] }],
    ["POST", "/api/auth/factors/totp", {}],
    ["POST", "/api/auth/factors/recovery-codes", {}],
    ["POST", "/api/auth/passkeys/challenge", {}],
    ["POST", "/api/auth/sessions/end-others", {}],
  ];
  const erp = await app.key(["webhooks:write"]);
  app.clock.advance(10 * MINUTE_MS);
  const hook = { url: "https://example.com/", events: ["price.changed"] };
  assertEquals(await outcome(await erp.post("/api/public/v1/webhooks", hook)), [201, null]);
  for (const [method, path, body] of acts) {
    const answer = await ask(method, path, body);
    assertEquals(answer, [403, "reauthentication_required"], `${method} ${path}`);
  }
  const free = [
    ["GET", "/api/keys", undefined],
    ["PATCH", "/api/settings", { name: "Neu" }],
    ["POST", "/api/automation/stop", { reason: "Test" }],
    ["POST", "/api/rules", { ...RULE, actions: [{ type: "alert_inapp" }] }],
  ] as const;
  for (const [method, path, body] of free) {
    const [status] = await ask(method, path, body);
    assertEquals(status < 300, true, `${method} ${path}: ${status}`);
  }
  for (const password of ["falsch-falsch-1", ""]) {
    assertEquals(await ask("POST", "/api/auth/prove", { password }), [400, "validation_failed"]);
  }
  const { items } = await app.owner.read("/api/audit-logs?action=user.factor_fail");
  const failed = { factor: "password" };
  assertEquals(column(items, "after"), [failed, failed]);
  const old = cookie;
  const proof = { password: PASSWORD };
  cookie = await cookieBy(app.anyone.post("/api/auth/prove", proof, { Cookie: cookie }));
  notStrictEqual(cookie, old);
  assertEquals(await visit(app, old), SIGNED_OUT);
  app.clock.advance(10 * MINUTE_MS - 1);
  assertEquals(await ask("POST", "/api/keys", { name: "ERP", scopes: [] }), [201, null]);
  app.clock.advance(1);
  const late = await ask("POST", "/api/keys", { name: "PIM", scopes: [] });
  assertEquals(late, [403, "reauthentication_required"]);
});

withApp.test("an action that was refused for its old proof can be repeated with its Idempotency-Key", async (app) => {
  await addPerson(app, EMAIL);
  let cookie = await signedIn(app);
  app.clock.advance(11 * MINUTE_MS);
  const cleo = { email: "cleo@shop.example", role: "viewer" };
  const invite = (Cookie: string) =>
    app.anyone.post("/api/users", cleo, { Cookie, "Idempotency-Key": "one" });
  assertEquals(await outcome(await invite(cookie)), [403, "reauthentication_required"]);
  const proof = { password: PASSWORD };
  cookie = cookieOf(await app.anyone.post("/api/auth/prove", proof, { Cookie: cookie }));
  assertEquals(await outcome(await invite(cookie)), [201, null]);
});

withApp.test("an owner ends all sessions of a person, whose password stays", async (app) => {
  const { id } = await addPerson(app, EMAIL);
  const cookies = [await signedIn(app), await signedIn(app)];
  await app.owner.remove(`/api/users/${id}/sessions`);
  for (const cookie of cookies) assertEquals(await visit(app, cookie), SIGNED_OUT);
  assertEquals(await visit(app, await signedIn(app)), [200, null]);
  const { items } = await app.owner.read("/api/audit-logs?action=user.session_end");
  assertEquals(column(column(items, "resource"), "id"), [id]);
});

withApp.test("people see descriptions of their sessions, and end one or all others", async (app) => {
  await addPerson(app, EMAIL);
  const phone = await signedIn(
    app,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  );
  app.clock.advance(MINUTE_MS);
  const desk = await signedIn(app);
  const list = async (Cookie: string): Promise<Record<string, unknown>[]> =>
    (await app.anyone.read("/api/auth/sessions", { Cookie })).items;
  const [here, there] = await list(desk);
  assertEquals([here?.browser, here?.system, here?.isCurrent], ["firefox", "windows", true]);
  assertEquals([there?.browser, there?.system, there?.isCurrent], ["safari", "ios", false]);
  assertEquals([here?.address, there?.createdAt], ["127.0.0.1", "2026-03-02T09:00:00.000Z"]);
  const end = (id: unknown) =>
    app.anyone.delete(`/api/auth/sessions/${id}`, { Cookie: desk }).then(outcome);
  const { items: [stranger] } = await app.owner.read("/api/auth/sessions");
  assertEquals(await end(stranger.id), [404, "not_found"]);
  assertEquals(await end("x"), [404, "not_found"]);
  assertEquals(await end(there?.id), [200, null]);
  assertEquals(await visit(app, phone), SIGNED_OUT);

  const third = await signedIn(app);
  const others = await app.anyone.post("/api/auth/sessions/end-others", {}, { Cookie: desk });
  assertEquals(await outcome(others), [200, null]);
  assertEquals([await visit(app, third), await visit(app, desk)], [SIGNED_OUT, [200, null]]);
  assertEquals((await list(desk)).length, 1);
});

withApp.test("the list of sessions shows the last use, up to a minute too early", async (app) => {
  await addPerson(app, EMAIL);
  const cookie = await signedIn(app);
  app.clock.advance(30 * MINUTE_MS);
  const read = async () =>
    (await app.anyone.read("/api/auth/sessions", { Cookie: cookie })).items[0].lastUsedAt;
  await read();
  await app.app.close();
  assertEquals(await read(), "2026-03-02T09:30:00.000Z");
  app.clock.advance(-60 * MINUTE_MS);
  await read();
  await app.app.close();
  assertEquals(await read(), "2026-03-02T08:30:00.000Z");
});
