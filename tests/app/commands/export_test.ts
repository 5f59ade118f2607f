import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { listWorkspaces } from "../../../src/accounts/workspace.ts";
import { openStoreIn } from "../../closing_store.ts";
import { addProduct } from "../../rules/evaluation/market.ts";
import { startTestApp } from "../../harness.ts";
import { fails, kurantHere } from "../../kurant_here.ts";
import { kurant } from "../../program.ts";
import { inFolder } from "../../temporary_folder.ts";

inFolder.test("export prints the changes, and to standard error the start of the next export", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  using store = await openStoreIn(folder.path);
  await using app = await startTestApp({ store });
  await addProduct(app.owner, "A");
  const first = await kurant(["export"], settings);
  assertEquals(first.code, 0, first.err);
  match(first.out, /<SKU>A<\/SKU>.*<PRICE>100,00<\/PRICE>/);
  const since = /^next-since: (\S+)$/m.exec(first.err)?.[1] ?? "";
  const none = await kurantHere(["export", "--format", "json", "--since", since], settings);
  assertEquals(JSON.parse(none.out).data, []);
  await addProduct(app.owner, "B");
  const next = await kurantHere(["export", "--format", "csv", "--since", since], settings);
  assertEquals(next.out.trim().split("\r\n").length, 2);
  match(next.out, /^"B",/m);
  await fails(kurantHere(["export", "--since", "yesterday"], settings), 2);
});

inFolder.test("export refuses an unknown workspace, and creates none", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  await fails(kurantHere(["export"], settings), 1);
  using store = await openStoreIn(folder.path);
  await using app = await startTestApp({ store });
  await addProduct(app.owner, "A");
  const before = (await listWorkspaces(store)).map(({ name }) => name);
  const wrong = kurantHere(["export", "--workspace", "Mustr GmbH"], settings);
  await fails(wrong, 1, /no workspace "Mustr GmbH"/);
  assertEquals((await listWorkspaces(store)).map(({ name }) => name), before);
});
