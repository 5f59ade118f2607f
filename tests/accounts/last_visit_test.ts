import { MINUTE_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { statusOf } from "../api/answers.ts";
import { type TestApp, withApp } from "../harness.ts";

async function lastVisit({ viewer }: TestApp): Promise<string | null> {
  return (await viewer.read("/api/auth/me")).lastVisitAt;
}

withApp.test("a pause of 30 minutes ends a visit, and the next one shows when it ended", async (app) => {
  const { clock, viewer } = app;
  assertEquals(await lastVisit(app), null);
  clock.advance(29 * MINUTE_MS);
  assertEquals(await lastVisit(app), null);
  clock.advance(20_000);
  await statusOf(viewer.get("/api/products"));
  const endedAt = clock.now().toISOString();
  // Requests that open pages repeat automatically do not count as visits.
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

withApp.test("a visit lasts 29.5 minutes after a request that was not stored", async (app) => {
  assertEquals(await lastVisit(app), null);
  app.clock.advance(50_000);
  await statusOf(app.viewer.get("/api/products"));
  app.clock.advance(29.5 * MINUTE_MS);
  assertEquals(await lastVisit(app), null);
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
