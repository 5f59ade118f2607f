import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  type Attempt,
  countAttempt,
  forgiveAttempt,
} from "../../src/identity/sessions/login_throttle.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { addPerson, login, outcome, toolsOf } from "./people.ts";

const MINUTE_MS = 60_000;

function attempt(app: TestApp, email: string, address: string): Promise<Attempt | string> {
  return countAttempt(toolsOf(app), { email, address }).catch((error) => error.code);
}

Deno.test("POST /api/auth/login makes the right password wait after 5 failures in 15 minutes", async () => {
  await using app = await startTestApp();
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
  assertEquals((await outcome(await login(app, "anna@shop.example")))[0], 200);
});

Deno.test("POST /api/auth/login clears the account's failures when the password was right", async () => {
  await using app = await startTestApp();
  await addPerson(app, "anna@shop.example");
  const statuses = [];
  for (const word of ["x1", "x2", "x3", "x4", undefined, "x5", "x6", "x7", "x8", undefined]) {
    statuses.push((await outcome(await login(app, "anna@shop.example", word)))[0]);
  }
  assertEquals(statuses, [401, 401, 401, 401, 200, 401, 401, 401, 401, 200]);
});

Deno.test("POST /api/auth/login lets one address fail 20 times over all accounts, without a forged header", async () => {
  await using app = await startTestApp();
  for (let n = 0; n < 20; n++) {
    assertEquals(typeof await attempt(app, `user${n}@shop.example`, "127.0.0.1"), "object");
  }
  const forged = { "X-Forwarded-For": "203.0.113.9" };
  const refused = await login(app, "other@shop.example", "falsches-wort-77", forged);
  assertEquals(await outcome(refused), [429, "rate_limited"]);
});

Deno.test("POST /api/auth/login counts the address that a trusted proxy names", async () => {
  await using app = await startTestApp({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
  for (let n = 0; n < 20; n++) await attempt(app, `user${n}@shop.example`, "203.0.113.9");
  const from = async (address: string) => {
    const headers = { "X-Forwarded-For": address };
    return (await outcome(await login(app, "o@shop.example", "falsches-wort-77", headers)))[0];
  };
  assertEquals([await from("203.0.113.9"), await from("203.0.113.10")], [429, 401]);
});

Deno.test("countAttempt() lets through 5 of 40 at once, and counts an IPv6 network as one address", async () => {
  await using app = await startTestApp();
  const sameAccount = await Promise.all(
    Array.from({ length: 40 }, (_, n) => attempt(app, "anna@shop.example", `203.0.113.${n}`)),
  );
  assertEquals(sameAccount.filter((one) => typeof one === "object").length, 5);
  for (let n = 0; n < 20; n++) await attempt(app, `u${n}@shop.example`, `2001:db8:1:2::${n}`);
  assertEquals(await attempt(app, "x@shop.example", "2001:0db8:0001:0002:a:b:c:d"), "rate_limited");
  assertEquals(typeof await attempt(app, "x@shop.example", "2001:db8:1:3::1"), "object");
});

Deno.test("forgiveAttempt() takes back one attempt of the address and all of the account", async () => {
  await using app = await startTestApp();
  const tools = toolsOf(app);
  for (let round = 0; round < 30; round++) {
    const right = await countAttempt(tools, { email: "anna@shop.example", address: "192.0.2.1" });
    await transact(tools, (write) => forgiveAttempt(tools, write, right));
  }
  assertEquals(typeof await attempt(app, "anna@shop.example", "192.0.2.1"), "object");
});
