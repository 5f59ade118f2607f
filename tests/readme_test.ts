import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FAILURE_STATUS } from "../src/base/failure.ts";
import { allowed } from "../src/app/commands/allowed.ts";
import { variableNames, VARIABLES } from "../src/app/composition/config.ts";
import { wrongCitations } from "./cited_tests.ts";
import { startEmptyApp } from "./client/browser.ts";
import { outputOf, startServer } from "./program.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const readme = await Deno.readTextFile("README.md");
const manifest = JSON.parse(await Deno.readTextFile("deno.json"));
const shellBlocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);

async function tableOf(name: string): Promise<string[][]> {
  const lines = (await Deno.readTextFile(`docs/${name}`)).split("\n");
  const from = lines.findIndex((line) => line.startsWith("|"));
  const until = lines.findIndex((line, n) => n > from && !line.startsWith("|"));
  return lines.slice(from + 2, until < 0 ? undefined : until)
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

const unquoted = (cell: string | undefined) => cell!.replaceAll("`", "");

interface Pasted {
  readonly url: string;
  readonly folder: string;
  readonly token: string;
}

/** Runs a code block of the README against a test server; a failed request fails the test. */
async function paste(block: string, { url, folder, token }: Pasted): Promise<string> {
  const script = [
    "set -euo pipefail",
    'npx() { shift 2; deno "$@"; }',
    'curl() { command curl --fail-with-body "$@"; }',
    block.replaceAll("http://127.0.0.1:8000", url).replaceAll("cookies.txt", `${folder}/c`),
  ].join("\n");
  const env = { DATA_DIR: folder, TOKEN: token, NO_COLOR: "1" };
  const { code, out, err } = await outputOf("bash", ["-c", script], env);
  assertEquals(code, 0, `${block}\n${out}\n${err}`);
  return out;
}

const isCommandOfTasks = (block: string) =>
  /^npx -y deno@[\d.]+ task (start|demo|test)\n$/.test(block);

Deno.test("README: every command block works when it is pasted", async () => {
  const blocks = shellBlocks.filter((block) => !isCommandOfTasks(block));
  assertEquals(blocks.length, 2);
  for (const block of blocks) {
    await using folder = await temporaryFolder();
    await using app = await startEmptyApp();
    await using program = block.includes("$TOKEN")
      ? null
      : await startServer({ DATA_DIR: folder.path });
    const token = app.setUpPath.split("#token=")[1] ?? "";
    const url = program?.url ?? app.base;
    const out = await paste(block, { url, folder: folder.path, token });
    match(out, /you@example\.com/);
    if (block.includes("/api/public/v1/products")) match(out, /"ourPrice":123456/);
  }
});

Deno.test("README has at most 150 lines, and every link of a document leads to a file", async () => {
  ok(readme.split("\n").length <= 150);
  const documents = await Array.fromAsync(glob("{*.md,docs/**/*.md}"));
  const targets = await Promise.all(documents.map(async (path) => {
    const links = (await Deno.readTextFile(path)).matchAll(/\]\((?!\w+:)([^)#]+)/g);
    return [...links].map(([, target]) => join(dirname(path), target!));
  }));
  ok(targets.flat().length > 50);
  for (const target of new Set(targets.flat())) ok((await Deno.stat(target)).isFile, target);
});

Deno.test("README: installation and tests use the project's version of Deno", () => {
  const versions = [...readme.matchAll(/deno@([\d.]+)/g)].map(([, version]) => version);
  assertEquals([...new Set(versions)], [Deno.version.deno]);
  assertEquals(shellBlocks.filter(isCommandOfTasks).length, 3);
});

Deno.test("docs/configuration.md contains the settings that are checked at start", async () => {
  const told = (await tableOf("configuration.md")).map((cells) => cells.map(unquoted));
  const known = Object.entries(VARIABLES).map(([name, variable]) => [
    name,
    variable.fallback ?? "",
    variable.text + ("secret" in variable ? " (secret)" : ""),
  ]);
  assertEquals(told, known);
});

Deno.test("docs/errors.md has every code with its status", async () => {
  const told = await tableOf("errors.md");
  const codes = told.map(([status, code]) => [unquoted(code), Number(status)]);
  assertEquals(codes, Object.entries(FAILURE_STATUS));
});

Deno.test("tasks allow what allowed.ts lists, and no whole permission except the network", () => {
  const valueOf = (kind: string) =>
    `"--allow-${kind}=$(deno run -qE src/app/commands/allowed.ts ${kind})"`;
  const flagsOf = (name: string) => {
    const task = manifest.tasks[name];
    const command: string = typeof task === "string" ? task : task.command;
    return [...command.matchAll(/ ("--allow-[^"]*"|--allow-\S+)/g)].map(([, flag]) => flag!);
  };
  const server = ["--allow-net", valueOf("env"), valueOf("read"), valueOf("write")];
  for (const name of ["start", "dev"]) assertEquals(flagsOf(name), server, name);
  // A user may give a command any path, so commands may read and write all files. `compact` needs
  // `statfs` for the free space.
  const files = ["--allow-sys=statfs", "--allow-read", "--allow-write"];
  assertEquals(flagsOf("kurant"), ["--allow-net", valueOf("env"), ...files]);
});

Deno.test("allowed.ts lists every variable, the store's folder, and files of secrets anywhere", () => {
  const settings: Record<string, string> = { SMTP_URL_FILE: "/srv/secrets/smtp" };
  const listed = (kind: string, more: Record<string, string> = {}) =>
    allowed(kind, (name) => ({ ...settings, ...more })[name]);
  assertEquals(listed("env"), variableNames());
  assertEquals(listed("read"), ["./data", "dist", "src", "/srv/secrets/smtp"]);
  assertEquals(listed("write", { DATA_DIR: "/srv/my data" }), ["/srv/my data"]);
});

Deno.test("docs/libraries.md explains every library", async () => {
  const justified = (await tableOf("libraries.md")).map(([name]) => unquoted(name));
  assertEquals(Object.keys(manifest.imports).filter((name) => !justified.includes(name)), []);
});

Deno.test("docs/decisions/guarded.md names the tests that guard each decision", async () => {
  const decisions = await tableOf("decisions/guarded.md");
  ok(decisions.length > 50);
  const wrong = await Promise.all(
    decisions.map(([what = "", , guards = ""]) => wrongCitations(what, guards)),
  );
  assertEquals(wrong.flat(), []);
});

const guide = await readFile("CONTRIBUTING.md", "utf8");
const paths = await Array.fromAsync(glob("{src,tests,docs,scripts}/**/*.{ts,tsx,md,css,toml}"));

/** CONTRIBUTING.md may write a path without its first folders. */
function filesNamed(name: string): string[] {
  return paths.filter((path) => path === name || path.endsWith(`/${name}`));
}

const words = [...guide.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
const FILE = /^[\w./]+\.(?:tsx?|css|toml)$/;

Deno.test("CONTRIBUTING.md names only files that exist", () => {
  const named = words.filter((word) => FILE.test(word));
  ok(named.length > 50);
  assertEquals(named.filter((word) => filesNamed(word).length === 0), []);
});

Deno.test("CONTRIBUTING.md names declarations that are in the file beside them", async () => {
  const text = guide.replace(/\s+/g, " ");
  const pairs = [
    ...text.matchAll(/`(#?\w+)` \(`([^`]+\.tsx?)`[),]/g),
    ...text.matchAll(/`(#?\w+)` (?:in|of) `([\w./]+\.tsx?)`/g),
  ].map(([, name = "", file = ""]) => ({ name, file }));
  ok(pairs.length > 20);
  const missing: string[] = [];
  for (const { name, file } of pairs) {
    const texts = await Promise.all(filesNamed(file).map((path) => readFile(path, "utf8")));
    if (!texts.some((one) => one.includes(name))) missing.push(`${name} in ${file}`);
  }
  assertEquals(missing, []);
});
