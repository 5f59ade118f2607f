/** Long work gives way: what comes over the network meanwhile is seen at the next slice. */
import { ok } from "node:assert/strict";
import { TimeSlice } from "../../src/platform/time_slice.ts";
import { serveHere } from "../local_server.ts";
import { connectTo } from "../raw_http.ts";

Deno.test("a request is answered within a few slices of work that waits for nothing", () =>
  judge(1));

Deno.test("no more slices go by when eight such works are at it at once", () => judge(8));

async function judge(works: number): Promise<void> {
  await using server = serveHere(() => new Response("here"));
  const state = { isOver: false, slices: 0 };
  const working = Array.from({ length: works }, async () => {
    using slice = new TimeSlice();
    for (; !state.isOver; state.slices++) {
      const untilMs = performance.now() + 5;
      while (performance.now() < untilMs);
      await slice.yield();
    }
  });
  const waited: number[] = [];
  for (let n = 0; n < 10; n++) {
    const before = state.slices;
    using connection = await connectTo(server.url);
    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: here\r\n\r\n"));
    await connection.read(new Uint8Array(1_000));
    waited.push(state.slices - before);
  }
  state.isOver = true;
  await Promise.all(working);
  ok(Math.max(...waited) < 30, `${waited} slices while somebody waited`);
}
