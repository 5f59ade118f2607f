import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant, startServer } from "../../program.ts";
import { callerWithKey } from "../../caller.ts";
import { withDenokv } from "../../stores.ts";
import { inFolder, temporaryFolder } from "../../temporary_folder.ts";

withDenokv.test("two servers and a tool share a KV Connect store, whose token may come as a file", async (kv) => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/token`, `${kv.token}\n`);
  const settings = {
    DATA_DIR: folder.path,
    KV_URL: kv.url,
    DENO_KV_ACCESS_TOKEN_FILE: `${folder.path}/token`,
  };
  await using first = await startServer(settings);
  await using second = await startServer(settings);
  const key = await succeeds(kurant(["key", "add", "--name", "k"], settings));
  for (const { url } of [first, second]) {
    const list = await callerWithKey(url, key.trim()).read("/api/public/v1/products");
    assertEquals(list.count, 0);
  }
});

withDenokv.test("SIGTERM ends a server whose KV Connect store has gone away", async (kv) => {
  await using folder = await temporaryFolder();
  const settings = { DATA_DIR: folder.path, KV_URL: kv.url, DENO_KV_ACCESS_TOKEN: kv.token };
  await using server = await startServer(settings);
  await kv[Symbol.asyncDispose]();
  const { code, err } = await server.stop("SIGTERM");
  assertEquals(code, 0);
  match(err, /"event":"some work did not end in time"/);
});

inFolder.test("an unreachable KV Connect store ends a command with 1 and a message", async (folder) => {
  const settings = {
    DATA_DIR: folder.path,
    KV_URL: "http://127.0.0.1:9",
    DENO_KV_ACCESS_TOKEN: "any",
  };
  const serve = kurantHere(["serve"], { ...settings, PORT: "0" });
  await fails(serve, 1, /^error: The store "http:\/\/127\.0\.0\.1:9" /m);
});
