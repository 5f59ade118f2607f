/** What the README promises is so: its commands work when pasted, its tables say what the code says. */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { FAILURE_STATUS } from "../src/base/failure.ts";
import { VARIABLES } from "../src/config.ts";
import { type Server, startServer, temporaryFolder } from "./commands/kurant.ts";

const readme = await Deno.readTextFile("README.md");
const manifest = JSON.parse(await Deno.readTextFile("deno.json"));
const shellBlocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);

/** Cells of the table that follows a heading. */
function tableUnder(heading: string): string[][] {
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  ok(section, `the README has no section "${heading}"`);
  const lines = section.split("\n").filter((line) => line.startsWith("|")).slice(2);
  return lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

const unquoted = (cell: string | undefined) => cell!.replaceAll("`", "");

interface Pasted {
  readonly server: Server;
  readonly folder: string;
  readonly token: string;
}

/** Runs a block as somebody who pastes it, but for the server's port; a refusal of curl is a failure. */
async function paste(block: string, { server, folder, token }: Pasted): Promise<string> {
  const script = [
    "set -euo pipefail",
    'npx() { shift 2; deno "$@"; }',
    'curl() { command curl --fail-with-body "$@"; }',
    block.replaceAll("http://127.0.0.1:8000", server.url).replaceAll("cookies.txt", `${folder}/c`),
  ].join("\n");
  const { success, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", script],
    env: { DATA_DIR: folder, TOKEN: token, NO_COLOR: "1" },
  }).output();
  const out = new TextDecoder().decode(stdout);
  ok(success, `${block}\n${out}\n${new TextDecoder().decode(stderr)}`);
  return out;
}

const isCommandOfTasks = (block: string) => /^npx -y deno@[\d.]+ task (start|test)\n$/.test(block);

/** All names that a start reads, twins included: what `--allow-env` must name. */
function variableNames(): string[] {
  return Object.entries(VARIABLES).flatMap(([name, variable]) =>
    "secret" in variable ? [name, `${name}_FILE`] : [name]
  );
}

Deno.test("README: every command block works when it is pasted", async () => {
  const blocks = shellBlocks.filter((block) => !isCommandOfTasks(block));
  assertEquals(blocks.length, 2);
  for (const block of blocks) {
    await using folder = await temporaryFolder();
    await using server = await startServer({ DATA_DIR: folder.path });
    const token = /#token=(\S+)/.exec(await server.printed(/#token=\S+\n/))?.[1] ?? "";
    const out = await paste(block, { server, folder: folder.path, token });
    match(out, /you@example\.com/);
    if (block.includes("/api/public/v1/products")) match(out, /"ourPrice":123456/);
  }
});

Deno.test("README: a newcomer starts and tests with the version of Deno that the project is made for", () => {
  const versions = [...readme.matchAll(/deno@([\d.]+)/g)].map(([, version]) => version);
  assertEquals([...new Set(versions)], [Deno.version.deno]);
  assertEquals(shellBlocks.filter(isCommandOfTasks).length, 2);
});

Deno.test("README: the configuration table is the one that is checked at start", () => {
  const told = tableUnder("Configuration").map((cells) => cells.map(unquoted));
  const known = Object.entries(VARIABLES).map(([name, variable]) => [
    name,
    variable.fallback ?? "",
    variable.text + ("secret" in variable ? " (secret)" : ""),
  ]);
  assertEquals(told, known);
});

Deno.test("README: the table of errors has every code with its status", () => {
  const told = tableUnder("Errors").map(([status, code]) => [unquoted(code), Number(status)]);
  assertEquals(told, Object.entries(FAILURE_STATUS));
});

Deno.test("README: the tasks give the variables of the configuration, and no permission as a whole but the network", () => {
  for (const name of ["start", "kurant", "dev"]) {
    const task = manifest.tasks[name];
    const command: string = typeof task === "string" ? task : task.command;
    const env = /--allow-env=(\S+)/.exec(command)?.[1]?.split(",");
    assertEquals([name, env], [name, variableNames()]);
    const flags = [...command.matchAll(/ (--?[aA]\S*)/g)].map(([, flag]) => flag!.split("=")[0]);
    const asks = name === "kurant" ? ["--allow-sys"] : [];
    assertEquals(flags, ["--allow-net", "--allow-env", ...asks, "--allow-read", "--allow-write"]);
  }
  match(manifest.tasks.start.command, / --allow-read="\$DATA_DIR",dist,src,\/run\/secrets /);
  // Whoever runs a command names the files that it reads and writes; "compact" asks for free space.
  match(manifest.tasks.kurant, / --allow-sys=statfs --allow-read --allow-write main\.ts$/);
});

Deno.test("README: every room is explained, and every library has its sentence", async () => {
  const entries = await Array.fromAsync(Deno.readDir("src"));
  const rooms = entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  const explained = tableUnder("Rooms").map(([room]) => unquoted(room));
  assertEquals(rooms.filter((room) => !explained.includes(room)), []);
  const justified = tableUnder("Libraries").map(([name]) => unquoted(name));
  assertEquals(Object.keys(manifest.imports).filter((name) => !justified.includes(name)), []);
});

Deno.test("README: every decision names a test that exists", async () => {
  const guards = tableUnder("Decisions").map(([, , guard]) => unquoted(guard));
  ok(guards.length > 10);
  for (const guard of guards) ok((await Deno.stat(guard)).isFile, guard);
});
