/** Prints figures, and measures the size of a store's file. */
import { stdout } from "node:process";
import { DatabaseSync } from "node:sqlite";
import type { TestApp } from "../harness.ts";

export function tell(name: string, figure: number, unit: string): void {
  const digits = figure < 10 ? 2 : figure < 100 ? 1 : 0;
  stdout.write(`${name.padEnd(60)} ${figure.toFixed(digits).padStart(9)} ${unit}\n`);
}

/** Bytes of the pages in use; free pages are reused. 0 for a store without a file. */
export function usedBytes({ storePath }: Pick<TestApp, "storePath">): number {
  if (storePath === "") return 0;
  using file = new DatabaseSync(storePath, { readOnly: true });
  const read = (name: string) =>
    Number(Object.values(file.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return (read("page_count") - read("freelist_count")) * read("page_size");
}
