import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { VERSION } from "../../../src/base/version.ts";
import { bodyOf, statusOf } from "../../api/answers.ts";
import { callerWithKey, signIn } from "../../caller.ts";
import { kurantHere } from "../../kurant_here.ts";
import { kurantTask, startServer } from "../../program.ts";
import { until } from "../../patience.ts";
import { inFolder } from "../../temporary_folder.ts";

const PASSWORD = "vier lange deutsche Wörter";

inFolder.test("user add, user password and key add work while a server runs", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  await using server = await startServer(settings);

  const who = ["--email", "eva@example.com"];
  const added = await kurantTask(["user", "add", ...who, "--role", "manager"], settings, PASSWORD);
  assertEquals([added.code, added.out], [0, "Added eva@example.com as manager\n"]);
  await signIn(server.url, { email: "eva@example.com", password: PASSWORD });

  const again = await kurantHere(["user", "add", ...who, "--role", "owner"], settings, PASSWORD);
  assertEquals([again.code, again.out], [1, ""]);

  await Deno.writeTextFile(`${folder.path}/new`, "fünf ganz andere deutsche Wörter\n");
  const changed = await kurantHere(
    ["user", "password", ...who, "--password-file", `${folder.path}/new`],
    settings,
  );
  assertEquals([changed.code, changed.err], [0, ""]);
  const password = "fünf ganz andere deutsche Wörter";
  await signIn(server.url, { email: "eva@example.com", password });

  const made = ["key", "add", "--name", "ERP", "--scopes", "products:write"];
  const key = await kurantHere(made, settings);
  assertEquals([key.code, key.err], [0, ""]);
  match(key.out, /^pk_live_[0-9A-Za-z]{32}\n$/);
  const products = callerWithKey(server.url, key.out.trim()).get("/api/public/v1/products");
  assertEquals(await bodyOf(products, 200), { data: [], nextCursor: null, count: 0 });

  const listed = await kurantHere(["key", "list"], settings);
  const { id, name, lastUsedAt: _, ...others } = JSON.parse(listed.out);
  assertEquals([name, others.scopes, "key" in others], ["ERP", ["products:write"], false]);
  const rotated = await kurantHere(["key", "rotate", id, "--overlap-hours", "0"], settings);
  match(rotated.out, /^pk_live_[0-9A-Za-z]{32}\n$/);
  const readWith = async (text: string) =>
    await statusOf(callerWithKey(server.url, text.trim()).get("/api/public/v1/products"));
  assertEquals(await readWith(rotated.out), 200);
  await until("the old key is refused", async () => await readWith(key.out) === 401);
  const next = JSON.parse((await kurantHere(["key", "list"], settings)).out);
  const revoked = await kurantHere(["key", "revoke", next.id], settings);
  assertEquals([revoked.code, revoked.out], [0, `Revoked ${next.id}\n`]);
  assertEquals((await kurantHere(["key", "list"], settings)).out, "");
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
    const result = await kurantHere(args, { DATA_DIR: folder.path }, input);
    assertEquals([args, input, result.code, result.out], [args, input, 2, ""]);
    match(result.err, err);
  }
});

inFolder.test("--help lists the commands and every variable, and each command has its own help", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  const all = await kurantHere(["--help"], settings);
  assertEquals([all.code, all.err], [0, ""]);
  for (const word of ["serve", "user", "key", "check-store", "PORT", "METRICS_TOKEN[_FILE]"]) {
    assertEquals([word, all.out.includes(word)], [word, true]);
  }
  for (const args of [["serve"], ["user", "add"], ["user", "password"], ["key", "add"]]) {
    const { code, out } = await kurantHere([...args, "--help"], settings);
    assertEquals([code, out.startsWith(`Usage: kurant ${args.join(" ")} [options]`)], [0, true]);
  }
});

Deno.test("--version prints only the version, which --help and the compiled program share", async () => {
  const { code, out, err } = await kurantHere(["--version"], {});
  assertEquals([code, out, err], [0, `${VERSION}\n`, ""]);
  match(VERSION, /^\d+\.\d+\.\d+$/);
  match((await kurantHere(["--help"], {})).out, new RegExp(`rules \\(${VERSION}\\)`));
});
