/** Asks Deno for the modules of a program, and for the npm packages that they need. */
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../", import.meta.url));

interface ProgramGraph {
  readonly modules: readonly { readonly specifier: string; readonly npmPackage?: string }[];
  readonly npmPackages: Readonly<Record<string, NpmPackage>>;
}

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly dependencies: readonly string[];
  readonly localPath: string;
}

export interface Program {
  /** Paths of our own modules are relative to the project's folder. */
  readonly modules: ReadonlySet<string>;
  readonly packages: ReadonlyMap<string, NpmPackage>;
}

/** `entries` are paths relative to the project. */
export async function programOf(entries: readonly string[]): Promise<Program> {
  const modules = new Set<string>();
  const packages = new Map<string, NpmPackage>();
  for (const entry of entries) {
    const graph = await graphOf(entry);
    const own = new URL("../", import.meta.url).href;
    for (const { specifier } of graph.modules) {
      if (specifier.startsWith(own)) modules.add(specifier.slice(own.length));
    }
    const wanted = new Set(graph.modules.flatMap(({ npmPackage }) => npmPackage ?? []));
    for (const id of wanted) {
      const found = graph.npmPackages[id];
      if (!found) throw new Error(`No package "${id}" is locked`);
      packages.set(id, found);
      for (const other of found.dependencies) wanted.add(other);
    }
  }
  return { modules, packages };
}

async function graphOf(entry: string): Promise<ProgramGraph> {
  const { success, stdout, stderr } = await new Deno.Command("deno", {
    args: ["info", "--json", entry],
    cwd: PROJECT,
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(decoder.decode(stderr));
  return JSON.parse(decoder.decode(stdout));
}
