/** How figures are told, and how a file is weighed. */
import { stdout } from "node:process";
import { DatabaseSync } from "node:sqlite";
import type { TestApp } from "../harness.ts";

/** One line of the result. */
export function tell(name: string, figure: number, unit: string): void {
  const digits = figure < 10 ? 2 : figure < 100 ? 1 : 0;
  stdout.write(`${name.padEnd(60)} ${figure.toFixed(digits).padStart(9)} ${unit}\n`);
}

/** Bytes of the file's pages that are in use: free ones are used again. 0 where there is no file. */
export function usedBytes({ storePath }: Pick<TestApp, "storePath">): number {
  if (storePath === "") return 0;
  using file = new DatabaseSync(storePath, { readOnly: true });
  const read = (name: string) =>
    Number(Object.values(file.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return (read("page_count") - read("freelist_count")) * read("page_size");
}
