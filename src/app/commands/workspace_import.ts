/** `workspace import FILE|-`: what `workspace export` wrote, as a new workspace of this store. */
import { Failure } from "../../base/failure.ts";
import { parseWorkspaceName } from "../../accounts/choose_workspace.ts";
import { removeFile } from "../../platform/store/store_file.ts";
import { importWorkspace } from "../workspace_files/import_workspace.ts";
import { readLines } from "../workspace_files/read_lines.ts";
import { withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

/** `-` is standard input. The file is read twice: a wrong one is refused before anything is written. */
export async function workspaceImport(
  path: string,
  { name }: { readonly name?: string },
): Promise<void> {
  const named = parseWorkspaceName(name);
  if (path !== "-") return await importFile(path, named);
  const spool = await Deno.makeTempFile({ prefix: "kurant-", suffix: ".ndjson" });
  try {
    await Deno.writeFile(spool, Deno.stdin.readable);
    await importFile(spool, named);
  } finally {
    await removeFile(spool);
  }
}

async function importFile(path: string, named: string | undefined): Promise<void> {
  const counts = new Map<string, number>();
  for await (const { type } of readLines(await open(path))) {
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  await withTools(async (tools) => {
    const { id, name } = await importWorkspace(tools, readLines(await open(path)), named);
    print(`Workspace "${name}" has the id ${id}`);
    for (const [type, count] of counts) {
      if (type !== "workspace" && type !== "end") print(`  ${type}: ${count}`);
    }
    print('Its users have no password yet: "kurant user password" sets one');
  });
}

async function open(path: string): Promise<ReadableStream<Uint8Array>> {
  try {
    return (await Deno.open(path)).readable;
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Failure("not_found", `There is no file "${path}"`, undefined, { cause });
  }
}
