import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { statusOf } from "../../api/answers.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { kurantHere } from "../../kurant_here.ts";
import { startLiveServer } from "../../program.ts";
import { inFolder } from "../../temporary_folder.ts";

inFolder.test("check-store finds no fault in a server's store, and finds removed rows", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  await addProduct(settings);
  const clean = await kurantHere(["check-store"], settings);
  assertEquals([clean.code, clean.out], [0, "1 workspaces checked, 0 disagreements\n"]);

  const { kv } = await openStore({ kvUrl: null, dataDir: folder.path }, 1_000);
  for await (const { key } of kv.list({ prefix: ["ps"] })) await kv.delete(key);
  const lists = await Array.fromAsync(kv.list({ prefix: ["jk"] }));
  for (const { key } of lists) await kv.delete(key);
  kv.close();
  const broken = await kurantHere(["check-store"], settings);
  assertEquals(broken.code, 1);
  match(broken.out, /^Workspace: Product [0-9a-f]{24} has no index row of its SKU "4711-A"$/m);
  // The server has planned its nightly jobs; one of them belongs to no workspace.
  match(broken.out, /^Workspace: "j" lacks [0-9]+ index rows "jk"$/m);
  match(broken.out, /^The whole store: "j" lacks [0-9]+ index rows "jk"$/m);
  match(broken.err, /^error: 1 workspaces checked, [1-9]\d* disagreements$/m);
});

async function addProduct(settings: { DATA_DIR: string }): Promise<void> {
  await using server = await startLiveServer(settings.DATA_DIR);
  const made = server.owner.post("/api/products", {
    sku: "4711-A",
    title: "Kühlschrank",
    brand: "Bosch",
  });
  assertEquals(await statusOf(made), 201);
}
