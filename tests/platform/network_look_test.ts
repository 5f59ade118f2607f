/** Work that waits for the store alone gives way, too: what comes over the network is seen meanwhile. */
import { ok } from "node:assert/strict";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import { serveHere } from "../local_server.ts";
import { connectTo } from "../raw_http.ts";
import { temporaryFolder } from "../temporary_folder.ts";

Deno.test("a request is answered beside eight works that only wait for the store", async () => {
  await using folder = await temporaryFolder();
  const { kv } = await openStoreFile(`${folder.path}/kurant.db`, 5_000);
  await using server = serveHere(() => new Response("here"));
  const state = { isOver: false, turns: 0 };
  const working = Array.from({ length: 8 }, async () => {
    for (; !state.isOver; state.turns++) {
      const untilMs = performance.now() + 1;
      while (performance.now() < untilMs);
      await kv.get(["a"]);
    }
  });
  const waited: number[] = [];
  for (let n = 0; n < 10; n++) {
    const before = state.turns;
    using connection = await connectTo(server.url);
    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: here\r\n\r\n"));
    await connection.read(new Uint8Array(1_000));
    waited.push(state.turns - before);
  }
  state.isOver = true;
  await Promise.all(working);
  kv.close();
  ok(Math.max(...waited) < 100, `${waited} turns while somebody waited`);
});
