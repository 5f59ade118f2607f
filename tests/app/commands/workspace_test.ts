import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { lockFolder, openStoreIn } from "../../closing_store.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant, kurantTask, startServer } from "../../program.ts";
import { inFolder, namesIn } from "../../temporary_folder.ts";
import { listWorkspaces } from "../../../src/accounts/workspace.ts";
import { addProduct } from "../../rules/evaluation/market.ts";
import { startTestApp } from "../../harness.ts";
import { LAYOUT } from "../../../src/platform/store/open_store.ts";
import { VERSION } from "../../../src/base/version.ts";
import { callerWithKey, signIn } from "../../caller.ts";

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
  const again = kurantHere(["workspace", "import", file, "--name", "Copy"], to!);
  await succeeds(
    again,
    /\n {2}user: 0, 1 left out because another workspace uses their address\n {2}audit: 2\n$/,
  );
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

inFolder.test("workspace delete needs --yes and no running server, upgrades an older store first, and leaves other workspaces intact", async (folder) => {
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
  {
    using store = await openStoreIn(folder.path);
    await store.kv.set(["schema"], LAYOUT - 1);
  }
  const { code, out, err } = await deletion();
  match(err, new RegExp(`^The store gets layout ${LAYOUT}: `, "m"));
  match(out, /^Workspace "Copy \(incomplete\)" \([0-9a-f]{24}\) is gone: \d+ rows\n$/);
  assertEquals(code, 0);
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
  const wrong = [[], ["--gross", "--net"], ["--vat", "viel"], ["--vat", ""], ["--vat", "119"]];
  for (const args of wrong) await fails(set(args), 2);
  await succeeds(kurantHere(["check-store"], settings));
});

inFolder.test("export prints the changes, and to standard error the start of the next export; it creates no workspace", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  await fails(kurantHere(["export"], settings), 1);
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
  const before = (await listWorkspaces(store)).map(({ name }) => name);
  const wrong = kurantHere(["export", "--workspace", "Mustr GmbH"], settings);
  await fails(wrong, 1, /no workspace "Mustr GmbH"/);
  assertEquals((await listWorkspaces(store)).map(({ name }) => name), before);
});

inFolder.test("user add, user password and key add work while a server runs", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  await using server = await startServer(settings);

  const who = ["--email", "eva@example.com"];
  const added = kurantTask(["user", "add", ...who, "--role", "manager"], settings, PASSWORD);
  await succeeds(added, /^Added eva@example.com as manager\n$/);
  await signIn(server.url, { email: "eva@example.com", password: PASSWORD });

  await fails(kurantHere(["user", "add", ...who, "--role", "owner"], settings, PASSWORD), 1);

  const password = "fünf ganz andere deutsche Wörter";
  const path = `${folder.path}/new`;
  await Deno.writeTextFile(path, `${password}\n`);
  await succeeds(kurantHere(["user", "password", ...who, "--password-file", path], settings));
  await signIn(server.url, { email: "eva@example.com", password });

  const made = ["key", "add", "--name", "ERP", "--scopes", "products:write"];
  const isKey = /^pk_live_[0-9A-Za-z]{32}\n$/;
  const key = await succeeds(kurantHere(made, settings), isKey);
  const callerOf = (text: string) => callerWithKey(server.url, text.trim());
  const products = await callerOf(key).read("/api/public/v1/products");
  assertEquals(products, { data: [], nextCursor: null, count: 0 });

  const list = () => succeeds(kurantHere(["key", "list"], settings));
  const { id, name, scopes, key: shown } = JSON.parse(await list());
  assertEquals([name, scopes, shown], ["ERP", ["products:write"], undefined]);
  const rotate = kurantHere(["key", "rotate", id, "--overlap-hours", "0"], settings);
  const rotated = await succeeds(rotate, isKey);
  await callerOf(rotated).read("/api/public/v1/products");
  const next = JSON.parse(await list());
  const revoked = await succeeds(kurantHere(["key", "revoke", next.id], settings));
  assertEquals([revoked, await list()], [`Revoked ${next.id}\n`, ""]);
});

inFolder.test("commands end with 2 and say what is missing or wrong", async (folder) => {
  const newUser = ["user", "add", "--email", "a@example.com", "--role", "owner"];
  const table: readonly (readonly [args: readonly string[], err: RegExp, input?: string])[] = [
    [["nonsense"], /unknown command 'nonsense'/],
    [["user", "add", "--role", "owner"], /'--email <address>' not specified/],
    [["user", "add", "--email", "a@example.com", "--role", "king"], /Allowed choices are viewer/],
    [["user", "add", "--email", "nobody", "--role", "owner"], /is not an e-mail address/],
    [newUser, /password/i, ""],
    [newUser, /password/i, "short"],
    [newUser, /password/i, "passwort1234"],
    [["key", "add"], /'--name <name>' not specified/],
    [["key", "add", "--name", "k", "--scopes", "rules:fly"], /There is no scope "rules:fly"/],
    [["key", "add", "--name", "k", "--expires", "2001-01-01T00:00:00Z"], /Must be in the future/],
    [["key", "add", "--name", "k", "--addresses", "erp"], /Must be an address or a range/],
    [["key", "add", "--name", "k", "--workspace", " "], /^error: workspace: /m],
    [["key", "revoke"], /missing required argument 'id'/],
    [["serve", "now"], /too many arguments/],
  ];
  for (const [args, err, input = PASSWORD] of table) {
    await fails(kurantHere(args, { DATA_DIR: folder.path }, input), 2, err);
  }
});

inFolder.test("--help shows the version, the commands and every variable, each command has its own help, and --version prints the version", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  const words = ["serve", "user", "key", "check-store", "PORT", "METRICS_TOKEN[_FILE]"];
  const named = [...words, `rules (${VERSION})`].map((word) => new RegExp(RegExp.escape(word)));
  await succeeds(kurantHere(["--help"], settings), ...named);
  for (const args of [["serve"], ["user", "add"], ["user", "password"], ["key", "add"]]) {
    const usage = new RegExp(`^Usage: kurant ${args.join(" ")} \\[options\\]`);
    await succeeds(kurantHere([...args, "--help"], settings), usage);
  }
  assertEquals(await succeeds(kurantHere(["--version"], settings)), `${VERSION}\n`);
  match(VERSION, /^\d+\.\d+\.\d+$/);
});
