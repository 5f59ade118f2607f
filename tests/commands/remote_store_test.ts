import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { IS_DENOKV_MISSING, startDenokv } from "../stores.ts";
import { kurant, startServer, temporaryFolder } from "./kurant.ts";

Deno.test({
  name: "two servers and a tool share a KV Connect store, whose token may come as a file",
  ignore: IS_DENOKV_MISSING,
  async fn() {
    await using folder = await temporaryFolder();
    await using kv = await startDenokv();
    await Deno.writeTextFile(`${folder.path}/token`, `${kv.token}\n`);
    const settings = {
      DATA_DIR: folder.path,
      KV_URL: kv.url,
      DENO_KV_ACCESS_TOKEN_FILE: `${folder.path}/token`,
    };
    await using first = await startServer(settings);
    await using second = await startServer(settings);
    const key = await kurant(["key", "add", "--name", "k"], settings);
    assertEquals([key.code, key.err], [0, ""]);
    for (const { url } of [first, second]) {
      const answer = await fetch(`${url}/api/public/v1/products`, {
        headers: { Authorization: `Bearer ${key.out.trim()}` },
      });
      assertEquals([answer.status, (await answer.json()).count], [200, 0]);
    }
  },
});

Deno.test("a KV Connect store that is not there ends a command with 1 and says so", async () => {
  await using folder = await temporaryFolder();
  const settings = {
    DATA_DIR: folder.path,
    KV_URL: "http://127.0.0.1:9",
    DENO_KV_ACCESS_TOKEN: "any",
  };
  const { code, err } = await kurant(["serve"], { ...settings, PORT: "0" });
  assertEquals(code, 1);
  match(err, /^error: The store "http:\/\/127\.0\.0\.1:9" /m);
});
