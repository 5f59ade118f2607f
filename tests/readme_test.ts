/** Checks the README and documents: commands work when pasted, and tables match the code. */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { FAILURE_STATUS } from "../src/base/failure.ts";
import { allowed } from "../src/app/commands/allowed.ts";
import { variableNames, VARIABLES } from "../src/app/composition/config.ts";
import { wrongCitations } from "./cited_tests.ts";
import { startEmptyApp } from "./client/empty_app.ts";
import { startServer } from "./program.ts";
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

/** Runs a pasted block with this server's port; errors of curl fail the test. */
async function paste(block: string, { url, folder, token }: Pasted): Promise<string> {
  const script = [
    "set -euo pipefail",
    'npx() { shift 2; deno "$@"; }',
    'curl() { command curl --fail-with-body "$@"; }',
    block.replaceAll("http://127.0.0.1:8000", url).replaceAll("cookies.txt", `${folder}/c`),
  ].join("\n");
  const { success, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", script],
    env: { DATA_DIR: folder, TOKEN: token, NO_COLOR: "1" },
  }).output();
  const out = new TextDecoder().decode(stdout);
  ok(success, `${block}\n${out}\n${new TextDecoder().decode(stderr)}`);
  return out;
}

const isCommandOfTasks = (block: string) =>
  /^npx -y deno@[\d.]+ task (start|demo|test)\n$/.test(block);

Deno.test("README: every command block works when it is pasted", async () => {
  const blocks = shellBlocks.filter((block) => !isCommandOfTasks(block));
  assertEquals(blocks.length, 2);
  for (const block of blocks) {
    await using folder = await temporaryFolder();
    await using opened = block.includes("$TOKEN")
      ? await openEmpty()
      : await openProgram(folder.path);
    const out = await paste(block, { ...opened, folder: folder.path });
    match(out, /you@example\.com/);
    if (block.includes("/api/public/v1/products")) match(out, /"ourPrice":123456/);
  }
});

type Opened = Pick<Pasted, "url" | "token"> & AsyncDisposable;

async function openProgram(folder: string): Promise<Opened> {
  const server = await startServer({ DATA_DIR: folder });
  const dispose = () => server[Symbol.asyncDispose]();
  return { url: server.url, token: "", [Symbol.asyncDispose]: dispose };
}

/** The app in this process, as it is before the first user exists. */
async function openEmpty(): Promise<Opened> {
  const app = await startEmptyApp();
  const dispose = () => app[Symbol.asyncDispose]();
  return {
    url: app.base,
    token: app.setUpPath.split("#token=")[1] ?? "",
    [Symbol.asyncDispose]: dispose,
  };
}

Deno.test("README: it has at most 150 lines, and every link leads somewhere", async () => {
  ok(readme.split("\n").length <= 150);
  const targets = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target!);
  ok(targets.length > 15);
  for (const target of targets) ok((await Deno.stat(target)).isFile, target);
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
  const told = (await tableOf("errors.md")).map((
    [status, code],
  ) => [unquoted(code), Number(status)]);
  assertEquals(told, Object.entries(FAILURE_STATUS));
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
  // Users name the files of commands, so all files are allowed. "compact" checks for free space.
  const tool = [
    "--allow-net",
    valueOf("env"),
    "--allow-sys=statfs",
    "--allow-read",
    "--allow-write",
  ];
  assertEquals(flagsOf("kurant"), tool);
});

Deno.test("allowed.ts lists every variable, the store's folder, and files of secrets anywhere", () => {
  const settings: Record<string, string> = { SMTP_URL_FILE: "/srv/secrets/smtp" };
  const listed = (kind: string, more: Record<string, string> = {}) =>
    allowed(kind, (name) => ({ ...settings, ...more })[name]);
  assertEquals(listed("env"), variableNames());
  assertEquals(listed("read"), ["./data", "dist", "src", "/srv/secrets/smtp"]);
  assertEquals(listed("write", { DATA_DIR: "/srv/my data" }), ["/srv/my data"]);
});

Deno.test("README: every room and every library is explained", async () => {
  const entries = await Array.fromAsync(Deno.readDir("src"));
  const rooms = entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  const explained = (await tableOf("rooms.md")).map(([room]) => unquoted(room));
  assertEquals(rooms.filter((room) => !explained.includes(room)), []);
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
