import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { compileArguments } from "../../scripts/compile.ts";
import { variableNames } from "../../src/app/composition/config.ts";
import { startServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));

const permissionsOf = (args: readonly string[]) =>
  args.filter((arg) => /^--(no-prompt|allow-|deny-)/.test(arg));

Deno.test("the compiled program has the permissions of the task kurant, and its pages and its Worker inside", () => {
  const target = ["--target", "x86_64-pc-windows-msvc"];
  const args = compileArguments(tasks.kurant, target);
  const flags = [
    "--no-prompt",
    "--allow-net",
    `--allow-env=${variableNames()}`,
    "--allow-sys=statfs",
  ];
  assertEquals(permissionsOf(args), [...flags, "--allow-read", "--allow-write"]);
  const included = ["--include", "dist", "--include", "src/app/composition/foreign_worker.ts"];
  assertEquals(args.slice(-9), [...included, "--output", "kurant", ...target, "main.ts"]);
  const named = compileArguments(tasks.kurant, ["--output", "dist/program"]);
  assertEquals(named.slice(-7), [...included, "--output", "dist/program", "main.ts"]);
});

Deno.test("the program finds its pages wherever it is started from", async () => {
  await using folder = await temporaryFolder();
  const program = {
    flags: permissionsOf(compileArguments(tasks.kurant, [])),
    entry: `${PROJECT}main.ts`,
    cwd: folder.path,
  };
  await using server = await startServer({ DATA_DIR: folder.path }, { program });
  const page = await fetch(`${server.url}/docs`);
  assertEquals(page.status, 200);
  match(await page.text(), /<html/);
});
