import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { openStore } from "../../src/platform/store/open_store.ts";
import { kurant, startServer, temporaryFolder } from "./kurant.ts";

Deno.test("check-store finds nothing in a store that a server has written, and what somebody took out", async () => {
  await using folder = await temporaryFolder();
  const settings = { DATA_DIR: folder.path };
  await addProduct(settings);
  const clean = await kurant(["check-store"], settings);
  assertEquals([clean.code, clean.out], [0, "1 workspaces checked, 0 disagreements\n"]);

  const { kv } = await openStore({ kvUrl: null, dataDir: folder.path }, 1_000);
  for await (const { key } of kv.list({ prefix: ["pb"] })) await kv.delete(key);
  const lists = await Array.fromAsync(kv.list({ prefix: ["jk"] }));
  for (const { key } of lists) await kv.delete(key);
  kv.close();
  const broken = await kurant(["check-store"], settings);
  assertEquals(broken.code, 1);
  match(broken.out, /^Workspace: Product [0-9a-f]{24} lacks the index row "pb bosch"$/m);
  // The server has planned its nights; one of the jobs is of the store as a whole.
  match(broken.out, /^Workspace: Job [0-9a-f]{24} has a missing row "jk"$/m);
  match(broken.out, /^The whole store: Job [0-9a-f]{24} has a missing row "jk"$/m);
  match(broken.err, /^error: 1 workspaces checked, [1-9]\d* disagreements$/m);
});

async function addProduct(settings: { DATA_DIR: string }): Promise<void> {
  const credentials = { email: "eva@example.com", password: "vier lange deutsche Wörter" };
  const args = ["user", "add", "--email", credentials.email, "--role", "manager"];
  assertEquals((await kurant(args, settings, credentials.password)).code, 0);
  await using server = await startServer(settings);
  const headers = { "Content-Type": "application/json" };
  const login = await fetch(`${server.url}/api/auth/login`, {
    method: "POST",
    headers,
    body: JSON.stringify(credentials),
  });
  await login.body?.cancel();
  const made = await fetch(`${server.url}/api/products`, {
    method: "POST",
    headers: { ...headers, Cookie: login.headers.get("Set-Cookie")!.split(";")[0]! },
    body: JSON.stringify({ sku: "4711-A", title: "Kühlschrank", brand: "Bosch" }),
  });
  await made.body?.cancel();
  assertEquals(made.status, 201);
}
