/**
 * Compiles the service and its pages into one executable: `deno task compile [--target T] [--output
 * FILE]`.
 */
import { variableNames } from "../src/app/composition/config.ts";
import { programOf } from "./program_packages.ts";

const PROJECT = new URL("../", import.meta.url);

export const INCLUDED = [
  "dist/client",
  "dist/docs",
  "dist/files.json",
  // The compiler does not find `foreign_worker.ts`, because the code names the module by a URL.
  "src/app/composition/foreign_worker.ts",
];

/** This package's test files would overflow the compiler's stack, so they are left out. */
const UNREADABLE = { name: "bintrees", folder: "test" };

export function compileArguments(
  kurantTask: string,
  options: readonly string[],
  excluded: readonly string[] = [],
): string[] {
  const flags = /deno run (.*) main\.ts$/.exec(kurantTask)?.[1]
    ?.replace(/"--allow-env=[^"]*"/, `--allow-env=${variableNames().join()}`);
  if (flags === undefined) throw new Error('The task "kurant" does not run main.ts');
  const output = options.includes("--output") ? [] : ["--output", "kurant"];
  const included = INCLUDED.flatMap((path) => ["--include", path]);
  const excluding = ["--exclude-unused-npm", ...excluded.flatMap((path) => ["--exclude", path])];
  const all = [...flags.split(" "), ...excluding, ...included, ...output, ...options];
  return ["compile", ...all, "main.ts"];
}

export async function unreadablePaths(): Promise<string[]> {
  const { packages } = await programOf(["main.ts"]);
  return [...packages.values()].filter(({ name }) => name === UNREADABLE.name)
    .map(({ localPath }) => `${localPath}/${UNREADABLE.folder}`);
}

if (import.meta.main) {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", PROJECT)));
  const { code } = await new Deno.Command("deno", {
    args: compileArguments(tasks.kurant, Deno.args, await unreadablePaths()),
    cwd: PROJECT,
  }).spawn().status;
  Deno.exit(code);
}
