/** Work that waits for nothing, or for the store alone, lets requests be answered meanwhile. */
import { ok } from "node:assert/strict";
import { TimeSlice } from "../../src/platform/event_loop.ts";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import { serveHere } from "../local_server.ts";
import { connectTo } from "../raw_http.ts";
import { temporaryFolder } from "../temporary_folder.ts";

Deno.test("a request is answered within a few slices of work that waits for nothing", async () => {
  ok(await stepsWhileWaiting(1, slicing) < 30);
});

Deno.test("no more slices go by when eight such works are at it at once", async () => {
  ok(await stepsWhileWaiting(8, slicing) < 30);
});

Deno.test("a request is answered beside eight works that only wait for the store", async () => {
  await using folder = await temporaryFolder();
  const { kv } = await openStoreFile(`${folder.path}/kurant.db`, 5_000);
  const reading = () => async () => {
    work(1);
    await kv.get(["a"]);
  };
  const steps = await stepsWhileWaiting(8, reading);
  kv.close();
  ok(steps < 100, `${steps} calls while a request waited`);
});

function slicing(): () => Promise<void> {
  const slice = new TimeSlice();
  return async () => {
    work(5);
    await slice.yield();
  };
}

function work(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

/** The most steps that all works together took while one of ten requests waited for its answer. */
async function stepsWhileWaiting(works: number, begin: () => () => Promise<void>): Promise<number> {
  await using server = serveHere(() => new Response("here"));
  const state = { isOver: false, steps: 0 };
  const working = Array.from({ length: works }, async () => {
    const step = begin();
    for (; !state.isOver; state.steps++) await step();
  });
  const waited: number[] = [];
  for (let n = 0; n < 10; n++) {
    const before = state.steps;
    using connection = await connectTo(server.url);
    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: here\r\n\r\n"));
    await connection.read(new Uint8Array(1_000));
    waited.push(state.steps - before);
  }
  state.isOver = true;
  await Promise.all(working);
  return Math.max(...waited);
}
