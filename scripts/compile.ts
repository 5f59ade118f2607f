/**
 * One program of the service, its pages inside: `deno task compile [--target T] [--output FILE]`.
 * Needs the runtime that Deno downloads for the target; it is kept in Deno's own folder.
 */
import { variableNames } from "../src/app/composition/config.ts";
import { programOf } from "./program_packages.ts";

const PROJECT = new URL("../", import.meta.url);

/**
 * What the program needs besides the modules that `main.ts` imports. `dist` may also have the packages
 * of `deno task clients`.
 */
export const INCLUDED = [
  "dist/client",
  "dist/docs",
  "dist/files.json",
  // The Worker's module is named in a URL, which the compiler does not follow.
  "src/app/composition/foreign_worker.ts",
];

/**
 * A folder of a package that is left out: a file of 100,000 numbers, which the compiler takes for one
 * expression, overflows its stack.
 */
const UNREADABLE = { name: "bintrees", folder: "test" };

/**
 * Permissions are those of the task `kurant`, whose caller names files as the program's caller does.
 * `excluded` are paths of files or folders.
 */
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
  // Without the packages of tests and tools, which are most of the lock file.
  const excluding = ["--exclude-unused-npm", ...excluded.flatMap((path) => ["--exclude", path])];
  const all = [...flags.split(" "), ...excluding, ...included, ...output, ...options];
  return ["compile", ...all, "main.ts"];
}

/** The paths in Deno's cache that the compiler cannot read. */
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
