import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { termsDe } from "../../src/engine/wording/terms.ts";
import { HOSTILE_COST, HOSTILE_FILES, type HostileFile } from "./hostile_files.ts";

/*
 * docs/hostile_files.md lists the files that tests/fault/hostile_files_test.ts sends to the real server,
 * with what becomes of each there. Write it anew with:
 * UPDATE_DOCS=1 deno test -A tests/imports/hostile_files_document_test.ts
 */
const DOCUMENT = "docs/hostile_files.md";

const HEAD = `<!-- deno-fmt-ignore-file -->

# Hostile files

Broken files, and files made to overload the service. \`tests/fault/hostile_files_test.ts\` sends each
to the real server. It must end with the finding in this table and cost at most
${
  HOSTILE_COST.processorMs / 1_000
} s of the processor; all files together need at most ${HOSTILE_COST.memoryMib} MiB of additional memory. Requests are
answered meanwhile, and nothing of a refused file is applied. The table is generated from the test.

`;

Deno.test("docs/hostile_files.md lists what the test sends, with what becomes of it", () => {
  const text = HEAD + table([
    ["The file is", "It is", "Finding", "Said to people as", "Bound"],
    ...HOSTILE_FILES.map(rowOf),
  ]);
  if (Deno.env.get("UPDATE_DOCS")) Deno.writeTextFileSync(DOCUMENT, text);
  else assertEquals(Deno.readTextFileSync(DOCUMENT), text);
});

function rowOf({ what, refused, told, bound = "" }: HostileFile): string[] {
  const code = refused ?? told;
  const words: Readonly<Record<string, string>> = termsDe.findings;
  return [
    what,
    refused === null ? "read" : "refused",
    code === undefined ? "" : `\`${code}\``,
    code === undefined ? "" : words[code] ?? "",
    bound,
  ];
}

function table([head = [], ...rows]: readonly string[][]): string {
  const widths = head.map((_, at) =>
    Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`;
  return line(head) + line(widths.map((width) => "-".repeat(width))) + rows.map(line).join("");
}
