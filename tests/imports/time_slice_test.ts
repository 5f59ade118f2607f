/** Long work gives way: what comes over the network meanwhile is seen at the next slice. */
import { ok } from "node:assert/strict";
import { TimeSlice } from "../../src/imports/apply/time_slice.ts";
import { serveHere } from "../local_server.ts";
import { connectTo } from "../raw_http.ts";

Deno.test("a request is answered within a few slices of work that waits for nothing", async () => {
  await using server = serveHere(() => new Response("here"));
  const state = { isOver: false, slices: 0 };
  const working = (async () => {
    for (const slice = new TimeSlice(); !state.isOver; state.slices++) {
      const untilMs = performance.now() + 5;
      while (performance.now() < untilMs);
      await slice.yield();
    }
  })();
  const waited: number[] = [];
  for (let n = 0; n < 10; n++) {
    const before = state.slices;
    using connection = await connectTo(server.url);
    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: here\r\n\r\n"));
    await connection.read(new Uint8Array(1_000));
    waited.push(state.slices - before);
  }
  state.isOver = true;
  await working;
  const median = waited.toSorted((a, b) => a - b)[5] ?? Infinity;
  ok(median < 30, `${waited} slices while somebody waited`);
});
