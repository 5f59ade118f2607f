import { DAY_MS, MINUTE_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, notStrictEqual } from "node:assert/strict";
import { refusedField, statusOf } from "../api/answers.ts";
import { cookieOf } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import {
  addPerson,
  cookieBy,
  login,
  outcome,
  PASSWORD,
  SIGNED_OUT,
  toolsOf,
  visit,
} from "./people.ts";
import { countAttempt } from "../../src/accounts/sessions/login_throttle.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { testWith } from "../opened.ts";

withApp.test("POST /api/auth/login returns the user, and a cookie hidden from scripts and other sites", async (app) => {
  const { id } = await addPerson(app, "Anna@Shop.Example ", "manager");
  const answer = await login(app, " ANNA@shop.example");
  assertEquals(answer.status, 200);
  assertEquals(await answer.json(), {
    id,
    email: "anna@shop.example",
    name: null,
    role: "manager",
    status: "active",
    hasSecondFactor: false,
    createdAt: "2026-03-02T09:00:00.000Z",
  });
  const [pair, ...flags] = answer.headers.getSetCookie()[0]!.split("; ");
  assertEquals(/^pr_session=[\w-]{43}$/.test(pair!), true);
  assertEquals(flags, ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=1209600"]);
  assertEquals(answer.headers.get("Cache-Control"), "no-store");
});

Deno.test("POST /api/auth/login adds Secure exactly when browsers use https", async () => {
  await using app = await startTestApp({ env: { PUBLIC_URL: "https://kurant.example" } });
  await addPerson(app, "anna@shop.example");
  const answer = await login(app, "anna@shop.example");
  await answer.body?.cancel();
  assertEquals(answer.headers.getSetCookie()[0]?.endsWith("; Max-Age=1209600; Secure"), true);
});

withApp.test("POST /api/auth/login answers alike an unknown address, a wrong password and an invited user", async (app) => {
  await addPerson(app, "anna@shop.example");
  await app.owner.create("/api/users", { email: "ben@shop.example", role: "viewer" });
  const bodies = [];
  for (const email of ["nobody@shop.example", "anna@shop.example", "ben@shop.example", "", "x"]) {
    const answer = await login(app, email, "falsches-wort-77");
    const { error } = await answer.json();
    bodies.push([answer.status, error.code, error.message, answer.headers.get("Set-Cookie")]);
  }
  assertEquals(new Set(bodies.map((body) => JSON.stringify(body))).size, 1);
  assertEquals(bodies[0]?.slice(0, 2), [401, "invalid_login"]);
});

withApp.test("POST /api/auth/login starts a new session, ends the browser's previous one, and adopts no token chosen by someone else", async (app) => {
  await addPerson(app, "anna@shop.example");
  const first = await cookieBy(login(app, "anna@shop.example"));
  const second = await cookieBy(login(app, "anna@shop.example", PASSWORD, { Cookie: first }));
  notStrictEqual(second, first);
  assertEquals([await visit(app, first), await visit(app, second)], [SIGNED_OUT, [200, null]]);
  const planted = `pr_session=${"A".repeat(43)}`;
  const cookie = await cookieBy(login(app, "anna@shop.example", PASSWORD, { Cookie: planted }));
  notStrictEqual(cookie, planted);
  assertEquals(await visit(app, planted), SIGNED_OUT);
});

withApp.test("POST /api/auth/logout ends the session on the server and clears the cookie", async (app) => {
  const answer = await app.owner.post("/api/auth/logout");
  assertEquals(await answer.json(), { ok: true });
  assertEquals(
    answer.headers.get("Set-Cookie"),
    "pr_session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0",
  );
  assertEquals(await visit(app, app.ownerCookie), SIGNED_OUT);
});

withApp.test("a session ends 14 days after the login, however much it is used", async (app) => {
  app.clock.advance(14 * DAY_MS - 1);
  assertEquals(await visit(app, app.ownerCookie), [200, null]);
  app.clock.advance(1);
  assertEquals(await visit(app, app.ownerCookie), SIGNED_OUT);
});

withApp.test("POST /api/auth/password refuses a wrong or easy password, ends every session and gives the requesting browser a new one", async (app) => {
  await addPerson(app, "anna@shop.example");
  const here = await cookieBy(login(app, "anna@shop.example"));
  const there = await cookieBy(login(app, "anna@shop.example"));
  const changing = (currentPassword: string, newPassword: string) =>
    app.anyone.post("/api/auth/password", { currentPassword, newPassword }, { Cookie: here });
  const wrong = changing("falsches-wort-77", "regen-trommel-44");
  assertEquals(await refusedField(wrong), "currentPassword");
  assertEquals(await refusedField(changing(PASSWORD, "Passwort2024!")), "newPassword");
  const answer = await changing(PASSWORD, "regen-trommel-44");
  assertEquals(await answer.json(), { ok: true });
  for (const cookie of [here, there]) assertEquals(await visit(app, cookie), SIGNED_OUT);
  assertEquals(await visit(app, cookieOf(answer)), [200, null]);
  assertEquals(await outcome(login(app, "anna@shop.example")), [401, "invalid_login"]);
  const renewed = login(app, "anna@shop.example", "regen-trommel-44");
  assertEquals(await outcome(renewed), [200, null]);
});

async function lastVisit({ viewer }: TestApp): Promise<string | null> {
  return (await viewer.read("/api/auth/me")).lastVisitAt;
}

withApp.test("a pause of 30 minutes ends a visit, and the next one shows when it ended", async (app) => {
  const { clock, viewer } = app;
  assertEquals(await lastVisit(app), null);
  clock.advance(29 * MINUTE_MS);
  assertEquals(await lastVisit(app), null);
  clock.advance(MINUTE_MS);
  await statusOf(viewer.get("/api/products"));
  const endedAt = clock.now().toISOString();
  // An open page sends these requests automatically, so they do not prolong the visit.
  for (let n = 0; n < 3; n++) {
    clock.advance(10 * MINUTE_MS - 1);
    await statusOf(viewer.get("/api/alerts/unread-count"));
    await statusOf(viewer.get("/api/alerts/causes"));
    await statusOf(viewer.get("/api/products?limit=1"));
  }
  clock.advance(3);
  await Promise.all([viewer.get("/api/products"), viewer.get("/api/rules")].map(statusOf));
  assertEquals(await lastVisit(app), endedAt);
  clock.advance(10 * MINUTE_MS);
  assertEquals(await lastVisit(app), endedAt);
  assertEquals((await app.owner.read("/api/auth/me")).lastVisitAt, null);
});

withApp.test("the times of visits are deleted with the person", async (app) => {
  const { id } = await app.viewer.read("/api/auth/me");
  const count = async () =>
    (await Array.fromAsync(app.store.kv.list({ prefix: ["uv"] })))
      .filter(({ key }) => key[2] instanceof Uint8Array && key[2].toHex() === id).length;
  assertEquals(await count(), 1);
  assertEquals(await statusOf(app.owner.delete(`/api/users/${id}`)), 200);
  assertEquals(await count(), 0);
});

function attempt(app: TestApp, email: string, address: string) {
  const guess = { email, address, isKnownBrowser: false };
  return countAttempt(toolsOf(app), guess).catch((error) => error.code);
}

const from = (address: string) => ({ "X-Forwarded-For": address });

/** Returns the response's cookies that make a browser known to the service. */
function knownOf(answer: Response): string {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  return cookies.filter((cookie) => cookie.startsWith("pr_known_")).join("; ");
}

async function guessFromEverywhere(app: TestApp, email: string): Promise<void> {
  for (let n = 0; n < 30; n++) {
    assertEquals(typeof await attempt(app, email, `198.51.100.${n}`), "function");
  }
}

withApp.test("POST /api/auth/login delays the right password after 5 failures in 15 minutes, and a right one clears the failures", async (app) => {
  await addPerson(app, "anna@shop.example");
  for (let n = 0; n < 5; n++) {
    const failed = await login(app, "anna@shop.example", "falsches-wort-77");
    assertEquals(await outcome(failed), [401, "invalid_login"]);
    app.clock.advance(MINUTE_MS);
  }
  const waiting = await login(app, "anna@shop.example");
  assertEquals(waiting.headers.get("Retry-After"), String(10 * 60));
  assertEquals(await outcome(waiting), [429, "rate_limited"]);
  app.clock.advance(10 * MINUTE_MS);
  assertEquals((await outcome(login(app, "anna@shop.example")))[0], 200);
  const statuses = [];
  for (const word of ["x1", "x2", "x3", "x4", undefined, "x5", "x6", "x7", "x8", undefined]) {
    statuses.push((await outcome(login(app, "anna@shop.example", word)))[0]);
  }
  assertEquals(statuses, [401, 401, 401, 401, 200, 401, 401, 401, 401, 200]);
});

withApp.test("POST /api/auth/login allows an address 20 failures over all accounts, without a forged header", async (app) => {
  for (let n = 0; n < 20; n++) {
    assertEquals(typeof await attempt(app, `user${n}@shop.example`, "127.0.0.1"), "function");
  }
  const forged = { "X-Forwarded-For": "203.0.113.9" };
  const refused = await login(app, "other@shop.example", "falsches-wort-77", forged);
  assertEquals(await outcome(refused), [429, "rate_limited"]);
});

const withProxy = testWith(() => startTestApp({ env: { TRUSTED_PROXIES: "127.0.0.1" } }));

withProxy.test("POST /api/auth/login: guesses from many addresses block strangers, but no browser that has signed in before", async (app) => {
  for (const name of ["anna", "bert"]) await addPerson(app, `${name}@shop.example`);
  const signIn = (email: string, cookie: string, password = PASSWORD) =>
    login(app, email, password, { ...from("192.0.2.1"), ...(cookie && { Cookie: cookie }) });
  const [anna, bert] = [
    knownOf(await signIn("anna@shop.example", "")),
    knownOf(await signIn("bert@shop.example", "")),
  ];
  await guessFromEverywhere(app, "anna@shop.example");
  const statusOf = async (cookie: string) =>
    (await outcome(await signIn("anna@shop.example", cookie)))[0];
  const forged = `${anna.split("=")[0]}=${bert.split("=")[1]}`;
  for (const cookie of ["", bert, forged, anna.slice(0, -2), `${anna.split("=")[0]}=`]) {
    assertEquals([cookie, await statusOf(cookie)], [cookie, 429]);
  }
  assertEquals(await statusOf(anna), 200);
  assertEquals(await statusOf(""), 429);
  app.clock.advance(61 * MINUTE_MS);
  assertEquals(await statusOf(""), 200);
});

withProxy.test("POST /api/auth/login: a known browser guesses no faster, and a new password makes it unknown", async (app) => {
  await addPerson(app, "anna@shop.example");
  const elsewhere = from("192.0.2.1");
  const signedIn = await login(app, "anna@shop.example", PASSWORD, elsewhere);
  const Cookie = knownOf(signedIn);
  const [session] = signedIn.headers.getSetCookie();
  const wrong = () =>
    login(app, "anna@shop.example", "falsches-wort-77", { ...from("203.0.113.9"), Cookie });
  for (let n = 0; n < 5; n++) assertEquals((await outcome(await wrong()))[0], 401);
  assertEquals((await outcome(await wrong()))[0], 429);
  const newPassword = "gabel-wolke-17-mond";
  const change = { currentPassword: PASSWORD, newPassword };
  const headers = { ...elsewhere, Cookie: session?.split(";")[0] ?? "" };
  const changed = await app.anyone.post("/api/auth/password", change, headers);
  assertEquals((await outcome(changed))[0], 200);
  await guessFromEverywhere(app, "anna@shop.example");
  const again = (cookie: string) =>
    login(app, "anna@shop.example", newPassword, { ...elsewhere, Cookie: cookie });
  assertEquals((await outcome(await again(Cookie)))[0], 429);
  assertEquals((await outcome(await again(knownOf(changed))))[0], 200);
});

const ANNA = { email: "anna@shop.example", address: "192.0.2.1", isKnownBrowser: false };

withApp.test("a forgiven attempt no longer counts for address, account and their pair", async (app) => {
  const tools = toolsOf(app);
  for (let round = 0; round < 30; round++) {
    await transact(tools, await countAttempt(tools, ANNA));
  }
  assertEquals(typeof await attempt(app, "anna@shop.example", "192.0.2.1"), "function");
});
