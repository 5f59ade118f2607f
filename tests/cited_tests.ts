/**
 * Checks that the tests cited in documents exist. Documents cite tests as `folder/file_test.ts`:
 * "beginning of the name".
 */
import { ok } from "node:assert/strict";

const DECLARED =
  /(?:\b(?:Deno\.)?test\w*\(|\bname:|\b\w+Test\(|\brow\()\s*(["`])((?:\\.|(?!\1)[^\\])*)\1/g;
const CITED = /`([\w/]+\.ts)`: "([^"]+)"/g;

/** Returns an error per cited test that does not exist. Each line of `cell` must cite one test. */
export async function wrongCitations(row: string, cell: string): Promise<string[]> {
  const cited = [...cell.matchAll(CITED)];
  if (cited.length === 0) return [`${row} names no test`];
  if (cell.split("<br>").length !== cited.length) return [`${row} is cited wrongly`];
  const wrong: string[] = [];
  for (const [, file = "", begin = ""] of cited) {
    const names = await namesIn(`tests/${file}`);
    if (names.some((name) => name.startsWith(begin))) continue;
    wrong.push(`${row}: no test of ${file} begins with "${begin}"`);
  }
  return wrong;
}

async function namesIn(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path).catch(() => null);
  ok(text !== null, `There is no file ${path}`);
  return [...text.matchAll(DECLARED)].map(([, , name]) => name!.replaceAll(/\$\{[^}]*\}/g, "…"));
}
