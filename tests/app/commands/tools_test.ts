import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { VERSION } from "../../../src/base/version.ts";
import { statusOf } from "../../api/answers.ts";
import { callerWithKey, signIn } from "../../caller.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurantTask, startServer } from "../../program.ts";
import { until } from "../../patience.ts";
import { inFolder } from "../../temporary_folder.ts";

const PASSWORD = "vier lange deutsche Wörter";

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
  const readWith = (text: string) => statusOf(callerOf(text).get("/api/public/v1/products"));
  assertEquals(await readWith(rotated), 200);
  await until("the old key is refused", async () => await readWith(key) === 401);
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
    [["key", "revoke"], /missing required argument 'id'/],
    [["serve", "now"], /too many arguments/],
  ];
  for (const [args, err, input = PASSWORD] of table) {
    await fails(kurantHere(args, { DATA_DIR: folder.path }, input), 2, err);
  }
});

inFolder.test("--help lists the commands and every variable, and each command has its own help", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  const words = ["serve", "user", "key", "check-store", "PORT", "METRICS_TOKEN[_FILE]"];
  const named = words.map((word) => new RegExp(RegExp.escape(word)));
  await succeeds(kurantHere(["--help"], settings), ...named);
  for (const args of [["serve"], ["user", "add"], ["user", "password"], ["key", "add"]]) {
    const usage = new RegExp(`^Usage: kurant ${args.join(" ")} \\[options\\]`);
    await succeeds(kurantHere([...args, "--help"], settings), usage);
  }
});

Deno.test("--version prints only the version, which --help and the compiled program share", async () => {
  assertEquals(await succeeds(kurantHere(["--version"], {})), `${VERSION}\n`);
  match(VERSION, /^\d+\.\d+\.\d+$/);
  await succeeds(kurantHere(["--help"], {}), new RegExp(`rules \\(${VERSION}\\)`));
});
