import { MINUTE_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  type Attempt,
  countAttempt,
  forgiveAttempt,
} from "../../src/accounts/sessions/login_throttle.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { testWith } from "../opened.ts";
import { addPerson, login, outcome, PASSWORD, toolsOf } from "./people.ts";

function attempt(app: TestApp, email: string, address: string): Promise<Attempt | string> {
  const guess = { email, address, isKnownBrowser: false };
  return countAttempt(toolsOf(app), guess).catch((error) => error.code);
}

const PROXIED = { env: { TRUSTED_PROXIES: "127.0.0.1" } };
const from = (address: string) => ({ "X-Forwarded-For": address });

/** Returns the cookies of a response that mark a known browser. */
function knownOf(answer: Response): string {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  return cookies.filter((cookie) => cookie.startsWith("pr_known_")).join("; ");
}

/** Sends one guess from each of 30 addresses. */
async function guessFromEverywhere(app: TestApp, email: string): Promise<void> {
  for (let n = 0; n < 30; n++) {
    assertEquals(typeof await attempt(app, email, `198.51.100.${n}`), "object");
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
  // A right password clears the failures of account and address.
  const statuses = [];
  for (const word of ["x1", "x2", "x3", "x4", undefined, "x5", "x6", "x7", "x8", undefined]) {
    statuses.push((await outcome(login(app, "anna@shop.example", word)))[0]);
  }
  assertEquals(statuses, [401, 401, 401, 401, 200, 401, 401, 401, 401, 200]);
});

withApp.test("POST /api/auth/login allows an address 20 failures over all accounts, without a forged header", async (app) => {
  for (let n = 0; n < 20; n++) {
    assertEquals(typeof await attempt(app, `user${n}@shop.example`, "127.0.0.1"), "object");
  }
  const forged = { "X-Forwarded-For": "203.0.113.9" };
  const refused = await login(app, "other@shop.example", "falsches-wort-77", forged);
  assertEquals(await outcome(refused), [429, "rate_limited"]);
});

const withProxy = testWith(() => startTestApp(PROXIED));

withProxy.test("POST /api/auth/login: wrong passwords from elsewhere do not lock the owner out", async (app) => {
  await addPerson(app, "anna@shop.example");
  const wrong = () => login(app, "anna@shop.example", "falsches-wort-77", from("203.0.113.9"));
  for (let n = 0; n < 5; n++) assertEquals(await outcome(await wrong()), [401, "invalid_login"]);
  assertEquals(await outcome(await wrong()), [429, "rate_limited"]);
  const owner = await login(app, "anna@shop.example", PASSWORD, from("192.0.2.1"));
  assertEquals((await outcome(owner))[0], 200);
});

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
  // The sign-in from a known browser does not allow other browsers to guess more often.
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

withApp.test("forgiveAttempt() takes back one attempt each of address, account and their pair", async (app) => {
  const tools = toolsOf(app);
  for (let round = 0; round < 30; round++) {
    const right = await countAttempt(tools, ANNA);
    await transact(tools, (write) => forgiveAttempt(tools, write, right));
  }
  assertEquals(typeof await attempt(app, "anna@shop.example", "192.0.2.1"), "object");
});
