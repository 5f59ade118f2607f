/**
 * What `deno compile` puts into the program, in a folder that holds nothing else: the modules that it
 * finds, what it is told to include, the settings, and the packages of these modules. The compiled
 * program itself needs a runtime that is downloaded; this shows that nothing is missing in it.
 */
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { INCLUDED } from "../../scripts/compile.ts";
import { buildClient } from "../built_client.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
interface Graph {
  readonly modules: readonly { readonly specifier: string; readonly npmPackage?: string }[];
  readonly npmPackages: Readonly<
    Record<string, { readonly dependencies: readonly string[]; readonly localPath: string }>
  >;
}

/** Copies the program; returns its entry and Deno's folder for it. */
export async function embedProgram(folder: string) {
  await buildClient();
  const [root, denoDir] = [`${folder}/program`, `${folder}/deno`];
  const entries = ["main.ts", ...INCLUDED.filter((path) => path.endsWith(".ts"))];
  const graphs = await Promise.all(entries.map(graphOf));
  const modules = graphs.flatMap(({ modules }) => modules);
  const here = pathToFileURL(PROJECT).href;
  const own = modules.map(({ specifier }) => specifier)
    .filter((specifier) => specifier.startsWith(here))
    .map((specifier) => specifier.slice(here.length));
  for (const path of new Set(own)) await copy(PROJECT + path, `${root}/${path}`);
  for (const path of INCLUDED.filter((path) => !path.endsWith(".ts"))) {
    await copyFolder(PROJECT + path, `${root}/${path}`);
  }
  const packages = new Set<string>();
  for (const graph of graphs) {
    for (const id of packagesOf(graph)) packages.add(id);
    await copyPackages(graph, packages, denoDir);
  }
  await writeSettings(root, packages);
  return { entry: `${root}/main.ts`, denoDir };
}

async function graphOf(entry: string): Promise<Graph> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: PROJECT,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** The packages of the modules and of those packages, out of all that the lock file names. */
function packagesOf({ modules, npmPackages }: Graph): ReadonlySet<string> {
  const wanted = new Set(modules.flatMap(({ npmPackage }) => npmPackage ?? []));
  for (const id of wanted) npmPackages[id]?.dependencies.forEach((other) => wanted.add(other));
  return wanted;
}

async function copyPackages(
  { npmPackages }: Graph,
  packages: ReadonlySet<string>,
  denoDir: string,
): Promise<void> {
  for (const id of packages) {
    const { localPath } = npmPackages[id]!;
    const within = localPath.slice(localPath.lastIndexOf("/npm/"));
    await copyFolder(localPath, denoDir + within);
    await copy(`${dirname(localPath)}/registry.json`, `${denoDir}${dirname(within)}/registry.json`);
  }
}

/** The settings and the lock file without what only tests, tools and the build of the pages need. */
async function writeSettings(root: string, packages: ReadonlySet<string>): Promise<void> {
  const { workspace: _, imports, ...settings } = await readJson("deno.json");
  const { specifiers, npm, version } = await readJson("deno.lock");
  // The number of a version ends where the peers begin.
  const names = new Set([...packages].map((id) => `npm:${id.split("_")[0]}`));
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
