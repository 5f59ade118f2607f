import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { FairQueue } from "../../src/platform/event_loop.ts";
import { BodyMemory } from "../../src/platform/http/body.ts";
import { createHttpApp, DrainGate } from "../../src/platform/http/http_app.ts";
import { jsonAnswer, Ok } from "../../src/platform/http/http.ts";
import { route } from "../../src/platform/http/route.ts";
import { withStore } from "../memory_store.ts";
import { nextTurn, PATIENCE_MS } from "../patience.ts";
import { contextOf, createTestClock } from "./jobs/counting.ts";

withStore.test("a flood of one workspace leaves slots, and is refused beyond the queue limit", async (store) => {
  const app = createHttpApp({
    gate: {
      admit: (c) =>
        Promise.resolve(contextOf(store, createTestClock(), c.req.header("X-Workspace"))),
      dispatch: () => Promise.reject(new Error("no idempotent route here")),
      timeZoneOf: () => Promise.resolve("UTC"),
      bodyPace: { windowMs: PATIENCE_MS, bytesPerWindowMin: 1, totalMs: PATIENCE_MS },
      requests: new FairQueue(4, { keepsSlotsFree: true }),
      bodyMemory: { strangers: new BodyMemory(1e6), admitted: new BodyMemory(1e6) },
    },
    drainGate: new DrainGate(),
    newRequestId: () => "req_1",
    isHttps: false,
    metrics: null,
  });
  const begun: string[] = [];
  const release = Promise.withResolvers<void>();
  route({
    method: "get",
    path: "/slow",
    access: { by: "key", scopes: [] },
    responses: () => ({ 200: jsonAnswer(Ok, "Answered") }),
  }, async (c) => {
    begun.push(c.req.header("X-Workspace") ?? "");
    await release.promise;
    return c.json({ ok: true });
  }).addTo(app);
  const ask = async (workspaceId: string) =>
    (await app.request("/slow", { headers: { "X-Workspace": workspaceId } })).status;
  // Two of the four slots, and the 500 places of the queue.
  const flood = Array.from({ length: 502 }, () => ask("a"));
  await nextTurn();
  assertEquals(await ask("a"), 429);
  const other = ask("b");
  await nextTurn();
  assertEquals(begun, ["a", "a", "b"]);
  release.resolve();
  assertEquals(new Set(await Promise.all([...flood, other])), new Set([200]));
});
