/** Prints what Deno's `--allow-…` flags in `deno.json` allow: environment variables or paths. */
import { environment, variableNames, VARIABLES } from "../composition/config.ts";
import { print } from "./terminal.ts";

const OWN_FOLDERS = ["dist", "src"];

export function allowed(kind: string, find: (name: string) => string | undefined): string[] {
  const secretFiles = variableNames().filter((name) => name.endsWith("_FILE"));
  const dataDir = find("DATA_DIR") || VARIABLES.DATA_DIR.fallback;
  switch (kind) {
    case "env":
      return variableNames();
    case "read":
      return [dataDir, ...OWN_FOLDERS, ...secretFiles.flatMap((name) => find(name) || [])];
    case "write":
      return [dataDir];
    default:
      throw new Error(`There is no list for "${kind}"`);
  }
}

if (import.meta.main) {
  print(allowed(Deno.args[0] ?? "", environment).join(","));
}
