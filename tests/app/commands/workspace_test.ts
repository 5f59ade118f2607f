import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { lockFolder } from "../../locked_store.ts";
import { kurantHere } from "../../kurant_here.ts";
import { kurant } from "../../program.ts";
import { inFolder, namesIn } from "../../temporary_folder.ts";

const PASSWORD = "vier lange deutsche Wörter";

inFolder.test("workspace export and import move a workspace to another store, where its users get a password", async (folder) => {
  const [from, to] = ["from", "to"].map((name) => ({ DATA_DIR: `${folder.path}/${name}` }));
  const user = ["user", "add", "--email", "eva@example.com", "--role", "owner"];
  assertEquals((await kurantHere([...user, "--workspace", "Süd"], from!, PASSWORD)).code, 0);
  const file = `${folder.path}/workspace.ndjson`;
  const exported = await kurant(["workspace", "export", file], from!);
  assertEquals([exported.code, exported.out], [0, ""]);
  match(exported.err, /^Süd: \d+ lines\n$/);
  const again = await kurantHere(["workspace", "export", file], from!);
  assertEquals(again.code, 1);
  match(again.err, /is there already/);

  const imported = await kurantHere(["workspace", "import", file, "--name", "Muster GmbH"], to!);
  assertEquals([imported.code, imported.err], [0, ""]);
  match(imported.out, /^Workspace "Muster GmbH" has the id [0-9a-f]{24}\n/);
  const set = await kurantHere(["user", "password", "--email", "eva@example.com"], to!, PASSWORD);
  assertEquals(set.code, 0);
  assertEquals((await kurantHere(["check-store"], to!)).code, 0);
  assertEquals(namesIn(from!.DATA_DIR), ["kurant.db", "kurant.key"]);
});

inFolder.test("workspace export - and import - work in a pipe, and a truncated file leaves nothing behind", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  assertEquals((await kurantHere(["key", "add", "--name", "k"], settings)).code, 0);
  const { out } = await kurantHere(["workspace", "export", "-"], settings);
  const piped = await kurant(["workspace", "import", "-", "--name", "Copy"], settings, out);
  assertEquals([piped.code, piped.err], [0, ""]);
  const cut = out.split("\n").slice(0, -2).join("\n");
  const refused = await kurantHere(["workspace", "import", "-", "--name", "Cut"], settings, cut);
  assertEquals(refused.code, 2);
  match(refused.err, /^error: Line \d+ of the workspace file is missing: the file was cut$/m);
  const unknown = await kurantHere(["workspace", "export", "-", "--workspace", "Cut"], settings);
  assertEquals([unknown.code, unknown.out], [1, ""]);
  match(unknown.err, /^error: There is no workspace "Cut"$/m);
});

inFolder.test("workspace delete needs --yes and no running server, and leaves other workspaces intact", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  const missing = await kurantHere(["workspace", "delete", "Muster", "--yes"], settings);
  assertEquals(missing.code, 1);
  match(missing.err, /^error: There is no store ".*kurant\.db": set DATA_DIR to its folder$/m);
  for (const name of ["Muster", "Copy (incomplete)"]) {
    const made = await kurantHere(["key", "add", "--name", "k", "--workspace", name], settings);
    assertEquals(made.code, 0);
  }
  const wanted = ["workspace", "delete", "Copy (incomplete)"];
  const asked = await kurantHere(wanted, settings);
  assertEquals([asked.code, asked.out], [2, ""]);
  match(
    asked.err,
    /^error: "Copy \(incomplete\)" \([0-9a-f]{24}\) with 0 products would be deleted for good/m,
  );
  {
    using _lock = lockFolder(folder.path);
    const refused = await kurantHere([...wanted, "--yes"], settings);
    assertEquals([refused.code, refused.out], [1, ""]);
    match(refused.err, /^error: The store is in use by process \d+/m);
  }
  const done = await kurantHere([...wanted, "--yes"], settings);
  assertEquals([done.code, done.err], [0, ""]);
  match(done.out, /^Workspace "Copy \(incomplete\)" \([0-9a-f]{24}\) is gone: \d+ rows\n$/);
  const unknown = await kurantHere([...wanted, "--yes"], settings);
  match(unknown.err, /^error: There is no workspace "Copy \(incomplete\)"$/m);
  const checked = await kurantHere(["check-store"], settings);
  assertEquals([checked.code, checked.out], [0, "1 workspaces checked, 0 disagreements\n"]);
});

inFolder.test("workspace set stores how prices are kept, for a new workspace or a named one", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  const set = (...args: string[]) => kurantHere(["workspace", "set", ...args], settings);
  const made = await set("--vat", "19", "--gross");
  assertEquals([made.code, made.err], [0, ""]);
  assertEquals(made.out, 'Workspace "Workspace": prices are gross, VAT 19 %\n');
  const net = await set("--net", "--workspace", "Filiale");
  assertEquals(net.out, 'Workspace "Filiale": prices are net, without a rate of VAT\n');
  const rate = await set("--vat", "8,1", "--workspace", "Workspace");
  assertEquals(rate.out, 'Workspace "Workspace": prices are gross, VAT 8.1 %\n');
  for (const wrong of [[], ["--gross", "--net"], ["--vat", "viel"], ["--vat", "119"]]) {
    assertEquals((await set(...wrong)).code, 2, wrong.join(" "));
  }
  assertEquals((await kurantHere(["check-store"], settings)).code, 0);
});
