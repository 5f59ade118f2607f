/**
 * A POST that makes something records its `Idempotency-Key` in the commit of the effect. Otherwise
 * the service would repeat the effect if it crashes before it stores the answer.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { startTestApp } from "../harness.ts";
import { openMemoryStore } from "../memory_store.ts";
import { watchedStore } from "../watched_store.ts";
import { inputsOf, send } from "./contract/request.ts";
import { SCENE_ENV, setScene } from "./contract/scene.ts";

const SEED = 1;
const TRIES_MAX = 12;

/** Repeats have no effect, because a product has at most one unfinished run. */
const REPEATABLE = ["/api/scrape-runs"];

Deno.test("every POST that makes something records its Idempotency-Key in the same commit", async () => {
  const memory = await openMemoryStore();
  const states: unknown[] = [];
  const store = watchedStore(memory, {
    setting: ([table], value) => {
      if (table === "idm") states.push(Object(value).state);
    },
  });
  const app = await startTestApp({ env: SCENE_ENV, store });
  const { operations, sceneNow } = await setScene(app);
  const scene = await sceneNow(new Set());
  const making = operations.filter(({ method, path, responses }) =>
    method === "POST" && ("201" in responses || "202" in responses) && !REPEATABLE.includes(path)
  );
  const made = new Set<string>();
  const unrecorded = new Set<string>();
  for (const operation of making) {
    const inputs = inputsOf(operation, scene, "anything");
    for (const [at, input] of fc.sample(inputs, { seed: SEED, numRuns: TRIES_MAX }).entries()) {
      states.length = 0;
      const headers = { "Idempotency-Key": `${operation.path} ${at}` };
      const answer = await send(scene.callerOf(operation), operation, input, headers);
      await answer.body?.cancel();
      if (answer.status !== 201 && answer.status !== 202) continue;
      // Some operations keep no answers, because these contain secrets.
      if (!states.includes("running")) break;
      made.add(operation.path);
      if (!states.includes("done")) unrecorded.add(operation.path);
      break;
    }
  }
  await app[Symbol.asyncDispose]();
  memory.kv.close();
  assertEquals([...unrecorded], []);
  ok(made.size > 20, `only ${made.size} of ${making.length} operations made something`);
});
