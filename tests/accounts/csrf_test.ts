import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { refuses } from "../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { outcome } from "./people.ts";

type Cell = [headers: Record<string, string>, isTaken: boolean];

/** Sends a change without fields as the owner. True if the request is accepted. */
async function isTaken(app: TestApp, headers: Record<string, string>): Promise<boolean> {
  const [status, code] = await outcome(app.owner.patch("/api/settings", {}, headers));
  if (status !== 200) assertEquals([status, code], [403, "csrf_refused"]);
  return status === 200;
}

async function check(app: TestApp, cells: Cell[]): Promise<void> {
  for (const [headers, expected] of cells) {
    assertEquals([headers, await isTaken(app, headers)], [headers, expected]);
  }
}

withApp.test("PATCH with a cookie is accepted from our origin, by Host, and from programs", async (app) => {
  await check(app, [
    [{}, true],
    [{ Origin: app.base }, true],
    [{ "Sec-Fetch-Site": "same-origin" }, true],
    [{ Origin: app.base, "Sec-Fetch-Site": "same-origin" }, true],
    [{ Origin: "https://evil.example" }, false],
    [{ Origin: "null" }, false],
    [{ Origin: "" }, false],
    [{ Origin: app.base.replace(/\d+$/, "1") }, false],
    [{ "Sec-Fetch-Site": "cross-site" }, false],
    [{ "Sec-Fetch-Site": "same-site" }, false],
    [{ "Sec-Fetch-Site": "none" }, false],
    [{ Origin: app.base, "Sec-Fetch-Site": "cross-site" }, false],
    [{ Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" }, false],
  ]);
});

Deno.test("PATCH with a cookie is judged by PUBLIC_URL if it is set", async () => {
  await using app = await startTestApp({ env: { PUBLIC_URL: "https://kurant.example" } });
  await check(app, [
    [{ Origin: "https://kurant.example" }, true],
    [{ Origin: "http://kurant.example" }, false],
    [{ Origin: app.base }, false],
  ]);
});

withApp.test("GET with a cookie is answered for any origin; signing in, by password or invitation, is refused to other sites", async (app) => {
  for (const site of ["none", "same-site", "cross-site", "same-origin"]) {
    await app.owner.read("/api/auth/me", { "Sec-Fetch-Site": site });
  }
  const foreign = { Origin: "https://evil.example" };
  const login = { email: "eve@shop.example", password: "x" };
  await refuses(app.owner.post("/api/auth/login", login, foreign), "csrf_refused");
  const accepted = { token: "x", password: "y" };
  await refuses(app.owner.post("/api/invitations/accept", accepted, foreign), "csrf_refused");
});
