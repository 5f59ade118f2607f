/**
 * Copies the files that `deno compile` embeds to an empty folder, and runs this copy. The compiled
 * program itself is not run, because its runtime would have to be downloaded.
 */
import { deepStrictEqual as assertEquals, doesNotMatch, match, ok } from "node:assert/strict";
import { compileArguments, INCLUDED, unreadablePaths } from "../../scripts/compile.ts";
import { variableNames } from "../../src/app/composition/config.ts";
import { statusOf } from "../api/answers.ts";
import { buildClient } from "../built_client.ts";
import { startSmtpServer } from "../messages/smtp_server.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { type Launch, type OwnProgram, runProgram, startLiveServer } from "../program.ts";
import { tasks } from "../task_flags.ts";
import { inFolder, temporaryFolder } from "../temporary_folder.ts";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Program, programOf } from "../../scripts/program_packages.ts";

const permissionsOf = (args: readonly string[]) =>
  args.filter((arg) => /^--(no-prompt|allow-|deny-)/.test(arg));

const FLAGS = [...permissionsOf(compileArguments(tasks.kurant, [])), "--cached-only"];

Deno.test("the compiled program has the permissions of the task kurant, its pages and its Worker", () => {
  const target = ["--target", "x86_64-pc-windows-msvc"];
  const args = compileArguments(tasks.kurant, target);
  const flags = [
    "--no-prompt",
    "--allow-net",
    `--allow-env=${variableNames()}`,
    "--allow-sys=statfs",
  ];
  assertEquals(permissionsOf(args), [...flags, "--allow-read", "--allow-write"]);
  const included = [
    "dist/client",
    "dist/docs",
    "dist/files.json",
    "src/app/composition/foreign_worker.ts",
  ].flatMap((path) => ["--include", path]);
  assertEquals(INCLUDED.flatMap((path) => ["--include", path]), included);
  assertEquals(args.slice(-13), [...included, "--output", "kurant", ...target, "main.ts"]);
});

Deno.test("the compiler takes the program's packages, and leaves out those of tests and tools", async () => {
  await buildClient();
  await using folder = await temporaryFolder();
  const options = ["--no-check", "--output", `${folder.path}/kurant`];
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: compileArguments(tasks.kurant, options, await unreadablePaths()),
    // Deno itself serves as the runtime, which would otherwise be downloaded.
    env: { DENORT_BIN: Deno.execPath(), NO_COLOR: "1" },
  }).output();
  const told = new TextDecoder().decode(stderr);
  assertEquals(code, 0, told);
  const { size } = await Deno.stat(`${folder.path}/kurant`);
  const own = size - (await Deno.stat(Deno.execPath())).size;
  ok(own > 20_000_000 && own < 80_000_000, `${own} bytes`);
  for (const name of ["dist", "composition", "hono", "zod", "nodemailer"]) {
    match(told, nameIn(name));
  }
  for (const name of ["playwright-core", "typescript", "tests"]) doesNotMatch(told, nameIn(name));
});

/** Matches a line of the file tree that `deno compile` prints. */
const nameIn = (name: string) => new RegExp(`[├└]─.? ${name}\\b`);

inFolder.test("the compiled program contains all that it needs, wherever it is started", async ({ path }) => {
  const { entry, denoDir } = await embedProgram(path);
  await using smtp = startSmtpServer();
  const data = `${path}/data`;
  await Deno.mkdir(data);
  const settings = {
    DENO_DIR: denoDir,
    SMTP_URL: smtp.url,
    MAIL_FROM: "prices@shop.example",
    METRICS_TOKEN: "token-of-the-tests",
  };
  const launch: Launch = { program: { flags: FLAGS, entry, cwd: data } };
  await using server = await startLiveServer(data, settings, launch);
  const { owner, anyone } = server;
  const page = await (await anyone.get("/", { Accept: "text/html" })).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  for (const address of ["/readyz", "/docs", "/docs/swagger-ui.css", script ?? "no script"]) {
    assertEquals([address, await statusOf(anyone.get(address))], [address, 200]);
  }
  const shop = { domain: "shop.example", extractor: { priceSelector: "#price" } };
  await owner.create("/api/competitors", shop);
  doesNotMatch(server.log(), /no Worker can be had/);
  assertEquals(await statusOf(owner.get("/api/products.xlsx")), 200);
  const metrics = anyone.get("/metrics", { Authorization: `Bearer ${settings.METRICS_TOKEN}` });
  assertEquals(await statusOf(metrics), 200);
  const { status, message } = await owner.act("/api/overview/mail/test");
  assertEquals([status, smtp.mails.length], ["sent", 1], message);
  const { code } = await server.stop("SIGTERM");
  assertEquals([code, server.log().includes('"level":"error"')], [0, false]);
  await requireCommands(path, { flags: FLAGS, entry }, { DENO_DIR: denoDir, DATA_DIR: data });
});

/** The commands need modules and packages that the server does not need. */
async function requireCommands(
  folder: string,
  program: OwnProgram,
  settings: Record<string, string>,
): Promise<void> {
  await Deno.writeTextFile(`${folder}/items.xml`, itemsXml([{ sku: "A", title: "A" }]));
  const commands = [
    ["import", `${folder}/items.xml`],
    ["workspace", "export", `${folder}/workspace.ndjson`],
    ["backup", `${folder}/backup.db`],
    ["restore", `${folder}/backup.db`],
  ];
  const entry = `${folder}/program/commands.ts`;
  const source = `import { runCommandLine } from "./src/app/commands/command_line.ts";
for (const command of ${JSON.stringify(commands)}) {
  const code = await runCommandLine(command);
  if (code !== 0) throw new Error(command + " ends with " + code);
}
`;
  await Deno.writeTextFile(entry, source);
  const { code, err } = await runProgram({ ...program, entry }, [], settings);
  assertEquals([code, code === 0 ? "" : err], [0, ""]);
}

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
/** Returns the entry of the copied program, and its folder for Deno's cache. */
async function embedProgram(folder: string) {
  await buildClient();
  const [root, denoDir] = [`${folder}/program`, `${folder}/deno`];
  const { modules, packages } = await programOf([
    "main.ts",
    ...INCLUDED.filter((path) => path.endsWith(".ts")),
  ]);
  for (const path of modules) await copy(PROJECT + path, `${root}/${path}`);
  for (const path of INCLUDED.filter((path) => !path.endsWith(".ts"))) {
    const { isFile } = await Deno.stat(PROJECT + path);
    await (isFile ? copy : copyFolder)(PROJECT + path, `${root}/${path}`);
  }
  for (const { localPath } of packages.values()) await copyPackage(localPath, denoDir);
  await writeSettings(root, packages);
  return { entry: `${root}/main.ts`, denoDir };
}

async function copyPackage(localPath: string, denoDir: string): Promise<void> {
  const within = localPath.slice(localPath.lastIndexOf("/npm/"));
  await copyFolder(localPath, denoDir + within);
  // For packages without a version in deno.lock, Deno needs the registry's list of versions.
  const versions = `${dirname(localPath)}/registry.json`;
  if (existsSync(versions)) await copy(versions, `${denoDir}${dirname(within)}/registry.json`);
}

/** Writes `deno.json` and the lock file with only the program's packages. */
async function writeSettings(root: string, packages: Program["packages"]): Promise<void> {
  const { workspace: _, imports, ...settings } = await readJson("deno.json");
  const { specifiers, npm, version } = await readJson("deno.lock");
  // In a package id, the part after `_` names peer packages.
  const names = new Set([...packages.keys()].map((id) => `npm:${id.split("_")[0]}`));
  const kept = (all: Record<string, unknown>, isKept: (entry: [string, unknown]) => boolean) =>
    Object.fromEntries(Object.entries(all).filter(isKept));
  const write = (name: string, content: unknown) =>
    Deno.writeTextFile(`${root}/${name}`, JSON.stringify(content));
  await write("deno.json", {
    ...settings,
    imports: kept(imports, ([, specifier]) => names.has(String(specifier))),
  });
  await write("deno.lock", {
    version,
    specifiers: kept(specifiers, ([specifier]) => names.has(specifier)),
    npm: kept(npm, ([id]) => packages.has(id)),
  });
}

async function readJson(name: string) {
  return JSON.parse(await Deno.readTextFile(PROJECT + name));
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.copyFile(from, to);
}

async function copyFolder(from: string, to: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    await (isDirectory ? copyFolder : copy)(`${from}/${name}`, `${to}/${name}`);
  }
}
