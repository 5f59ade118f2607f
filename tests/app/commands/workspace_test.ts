import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { lockFolder } from "../../locked_store.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant } from "../../program.ts";
import { inFolder, namesIn } from "../../temporary_folder.ts";

const PASSWORD = "vier lange deutsche Wörter";

inFolder.test("workspace export and import move a workspace to another store, where its users get a password", async (folder) => {
  const [from, to] = ["from", "to"].map((name) => ({ DATA_DIR: `${folder.path}/${name}` }));
  const user = ["user", "add", "--email", "eva@example.com", "--role", "owner"];
  await succeeds(kurantHere([...user, "--workspace", "Süd"], from!, PASSWORD));
  const file = `${folder.path}/workspace.ndjson`;
  const exported = await kurant(["workspace", "export", file], from!);
  assertEquals([exported.code, exported.out], [0, ""]);
  match(exported.err, /^Süd: \d+ lines\n$/);
  await fails(kurantHere(["workspace", "export", file], from!), 1, /is there already/);

  const imported = kurantHere(["workspace", "import", file, "--name", "Muster GmbH"], to!);
  await succeeds(imported, /^Workspace "Muster GmbH" has the id [0-9a-f]{24}\n/);
  await succeeds(kurantHere(["user", "password", "--email", "eva@example.com"], to!, PASSWORD));
  await succeeds(kurantHere(["check-store"], to!));
  assertEquals(namesIn(from!.DATA_DIR), ["kurant.db", "kurant.key"]);
});

inFolder.test("workspace export - and import - work in a pipe, and a truncated file leaves nothing behind", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  await succeeds(kurantHere(["key", "add", "--name", "k"], settings));
  const { out } = await kurantHere(["workspace", "export", "-"], settings);
  await succeeds(kurant(["workspace", "import", "-", "--name", "Copy"], settings, out));
  const cut = out.split("\n").slice(0, -2).join("\n");
  await fails(
    kurantHere(["workspace", "import", "-", "--name", "Cut"], settings, cut),
    2,
    /^error: Line \d+ of the workspace file is missing: the file was cut$/m,
  );
  const unknown = kurantHere(["workspace", "export", "-", "--workspace", "Cut"], settings);
  await fails(unknown, 1, /^error: There is no workspace "Cut"$/m);
});

inFolder.test("workspace delete needs --yes and no running server, and leaves other workspaces intact", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  const missing = kurantHere(["workspace", "delete", "Muster", "--yes"], settings);
  await fails(missing, 1, /^error: There is no store ".*kurant\.db": set DATA_DIR to its folder$/m);
  for (const name of ["Muster", "Copy (incomplete)"]) {
    await succeeds(kurantHere(["key", "add", "--name", "k", "--workspace", name], settings));
  }
  const wanted = ["workspace", "delete", "Copy (incomplete)"];
  const deletion = () => kurantHere([...wanted, "--yes"], settings);
  await fails(
    kurantHere(wanted, settings),
    2,
    /^error: "Copy \(incomplete\)" \([0-9a-f]{24}\) with 0 products would be deleted for good/m,
  );
  {
    using _lock = lockFolder(folder.path);
    await fails(deletion(), 1, /^error: The store is in use by process \d+/m);
  }
  const gone = /^Workspace "Copy \(incomplete\)" \([0-9a-f]{24}\) is gone: \d+ rows\n$/;
  await succeeds(deletion(), gone);
  await fails(deletion(), 1, /^error: There is no workspace "Copy \(incomplete\)"$/m);
  const checked = await succeeds(kurantHere(["check-store"], settings));
  assertEquals(checked, "1 workspaces checked, 0 disagreements\n");
});

inFolder.test("workspace set stores how prices are kept, for a new workspace or a named one", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  const set = (args: readonly string[]) => kurantHere(["workspace", "set", ...args], settings);
  const table: readonly (readonly [args: readonly string[], told: string])[] = [
    [["--vat", "19", "--gross"], '"Workspace": prices are gross, VAT 19 %'],
    [["--net", "--workspace", "Filiale"], '"Filiale": prices are net, without a rate of VAT'],
    [["--vat", "8,1", "--workspace", "Workspace"], '"Workspace": prices are gross, VAT 8.1 %'],
  ];
  for (const [args, told] of table) {
    assertEquals(await succeeds(set(args)), `Workspace ${told}\n`);
  }
  for (const wrong of [[], ["--gross", "--net"], ["--vat", "viel"], ["--vat", "119"]]) {
    await fails(set(wrong), 2);
  }
  await succeeds(kurantHere(["check-store"], settings));
});
