/**
 * Copies to an empty folder everything that `deno compile` embeds: modules, included files,
 * settings and packages. If the copy runs, nothing is missing. The compiled program itself would
 * need a downloaded runtime.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { INCLUDED } from "../../scripts/compile.ts";
import { type Program, programOf } from "../../scripts/program_packages.ts";
import { buildClient } from "../built_client.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
/** Copies the program. Returns its entry and Deno's folder for it. */
export async function embedProgram(folder: string) {
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
  // Deno needs the list of a package's versions only if the lock file does not name the version.
  const versions = `${dirname(localPath)}/registry.json`;
  if (existsSync(versions)) await copy(versions, `${denoDir}${dirname(within)}/registry.json`);
}

/**
 * Writes the settings and the lock file without the entries that only tests, tools and the build of
 * the pages need.
 */
async function writeSettings(root: string, packages: Program["packages"]): Promise<void> {
  const { workspace: _, imports, ...settings } = await readJson("deno.json");
  const { specifiers, npm, version } = await readJson("deno.lock");
  // The part behind `_` in an id names peer packages, and is not part of the version.
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
