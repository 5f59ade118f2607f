import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { openStoreIn } from "../../closing_store.ts";
import { kurantHere, succeeds } from "../../kurant_here.ts";
import { startLiveServer } from "../../program.ts";
import { inFolder } from "../../temporary_folder.ts";

inFolder.test("check-store finds no fault in a server's store, and finds removed rows", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  {
    await using server = await startLiveServer(folder.path);
    await server.owner.create("/api/products", { sku: "4711-A", title: "Kühlschrank" });
  }
  const clean = await succeeds(kurantHere(["check-store"], settings));
  assertEquals(clean, "1 workspaces checked, 0 disagreements\n");
  {
    using store = await openStoreIn(folder.path);
    for (const table of ["ps", "jk"]) {
      const rows = await Array.fromAsync(store.kv.list({ prefix: [table] }));
      for (const { key } of rows) await store.kv.delete(key);
    }
  }
  const broken = await kurantHere(["check-store"], settings);
  assertEquals(broken.code, 1);
  match(broken.out, /^Workspace: Product [0-9a-f]{24} has no index row of its SKU "4711-A"$/m);
  // The server has planned its nightly jobs; one of them belongs to no workspace.
  match(broken.out, /^Workspace: "j" lacks [0-9]+ index rows "jk"$/m);
  match(broken.out, /^The whole store: "j" lacks [0-9]+ index rows "jk"$/m);
  match(broken.err, /^error: 1 workspaces checked, [1-9]\d* disagreements$/m);
});
