import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { termsDe } from "../../src/engine/wording/terms.ts";
import { markdownTable } from "../markdown_table.ts";
import { HOSTILE_COST, HOSTILE_FILES, type HostileFile } from "./hostile_files.ts";

/*
 * docs/hostile_files.md lists the files that tests/fault/hostile_files_test.ts sends to the real
 * server, with the result of each. To update it: UPDATE_DOCS=1 deno test -A
 * tests/imports/hostile_files_document_test.ts
 */
const DOCUMENT = "docs/hostile_files.md";

const HEAD = `<!-- deno-fmt-ignore-file -->

# Hostile files

These files are broken, odd, or made to overload the service. \`tests/fault/hostile_files_test.ts\`
sends each file to the real server. Each import must end with the result and the finding in this
table, after at most ${HOSTILE_COST.processorMs / 1_000} s of processor time. All files together may
need at most ${HOSTILE_COST.memoryMib} MiB of additional memory. Meanwhile the server answers other
requests. A _refused_ file changes nothing. A file that is _read_ is imported, even with a
finding. _Message_ is the German text of the finding, and _Limit_ the limit that the file exceeds.
This table is generated from the test.

`;

Deno.test("docs/hostile_files.md lists the files that the test sends, with their results", () => {
  const names = ["File", "Result", "Finding", "Message", "Limit"];
  const text = HEAD + markdownTable([names, ...HOSTILE_FILES.map(rowOf)]);
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
