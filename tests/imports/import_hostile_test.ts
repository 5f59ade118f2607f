/** Sends hostile XML files over HTTP; each must have the result that the sample data expect. */
import { fromKeys } from "../../src/base/collections.ts";
import { bodyOf, column } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { testNeeding } from "../needing.ts";
import { HANG_MS } from "../patience.ts";
import { IS_LONG } from "../proof.ts";
import { COLLECTION, dataTest, missingInCollection, type SampleData } from "../sample_data.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { itemsXml, sendXml } from "./import_calls.ts";
import { termsDe } from "../../src/engine/wording/terms.ts";
import { markdownTable } from "../markdown_table.ts";
import { HOSTILE_COST, HOSTILE_FILES, type HostileFile } from "./hostile_files.ts";
import { deepStrictEqual as assertEquals, equal, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";

interface Expectation {
  readonly file: string;
  /** False for large files, which are generated on demand. */
  readonly committed: boolean;
  readonly expect: "accepted" | "rejected";
  readonly alsoRight?: string;
  readonly items?: number;
  readonly itemsOneOf?: readonly number[];
  readonly first?: Readonly<Record<string, unknown>>;
  readonly warning?: boolean;
  readonly mustNotContain?: string;
}

const EXPECTATIONS = "xml/hostile/expected.json";
/** The file with the most entries, which short test runs skip. */
const LONG_FILE = "zip-200-entries.zip";
const WITNESS = { sku: "WITNESS", title: "Steht schon da", price: "9,99" };

async function catalogueOf(key: Caller): Promise<string> {
  return await (await key.get("/api/public/v1/products?limit=200")).text();
}

async function judge(
  key: Caller,
  { file, expect, alsoRight, items, itemsOneOf, first, warning, mustNotContain }: Expectation,
  bytes: Uint8Array<ArrayBuffer>,
  before: string,
): Promise<void> {
  const type = file.endsWith(".zip") ? "application/zip" : "application/xml";
  const start = performance.now();
  const answer = await sendXml(key, bytes, "", { "Content-Type": type });
  const { data, count } = await bodyOf(answer, 200);
  const spentMs = performance.now() - start;
  ok(spentMs < HANG_MS, `${file} took ${Math.round(spentMs)} ms`);
  const outcome = data.status === "succeeded" ? "accepted" : "rejected";
  const why = `${file}: ${outcome} ${data.error?.message ?? ""}`;
  ok([expect, alsoRight].includes(outcome), why);
  if (mustNotContain) ok(!JSON.stringify(data).includes(mustNotContain), `${why}: leaks`);
  assertEquals(answer.headers.get("X-Job-Status"), data.status, why);
  if (outcome === "rejected") {
    assertEquals([count, data.errorCount, data.errors.length], [0, 1, 1], why);
    const [fault] = data.errors;
    assertEquals([fault.severity, fault.index, fault.code], ["error", null, data.error.code], why);
    assertEquals(await catalogueOf(key), before, why);
    return;
  }
  if (expect === "accepted" && items !== undefined) assertEquals(count, items, why);
  if (itemsOneOf) ok(itemsOneOf.includes(count), `${why}: ${count}`);
  if (warning) ok(column(data.warnings, "code").includes("encoding_guessed"), why);
  const { data: products } = JSON.parse(await catalogueOf(key));
  const one = products.find(({ sku }: { sku: string }) => sku !== WITNESS.sku);
  const names = Object.keys(first ?? {});
  assertEquals(fromKeys(names, (name) => one?.[name]), first ?? {}, why);
}

async function judgeAll(
  data: SampleData,
  isAsked: (expected: Expectation) => boolean,
  read: (file: string) => Uint8Array<ArrayBuffer>,
): Promise<void> {
  await using app = await startTestApp();
  const newKey = () => app.strangerKey(["products:write"]);
  const refusing = await withWitness(await newKey());
  const untouched = await catalogueOf(refusing);
  const { files } = data.json<{ files: readonly Expectation[] }>(EXPECTATIONS);
  const asked = files.filter(isAsked);
  ok(asked.length >= 3);
  for (const expected of asked) {
    const { expect, alsoRight, file } = expected;
    const isRefused = alsoRight === undefined && expect === "rejected";
    const key = isRefused ? refusing : await newKey();
    if (alsoRight !== undefined) await withWitness(key);
    const before = isRefused ? untouched : await catalogueOf(key);
    await judge(key, expected, read(file), before);
  }
}

async function withWitness(key: Caller): Promise<Caller> {
  await bodyOf(sendXml(key, itemsXml([WITNESS])), 200);
  return key;
}

dataTest("every hostile file has the expected result over HTTP", EXPECTATIONS, (data) => {
  const isAsked = ({ committed, file }: Expectation) =>
    committed && (IS_LONG || file !== LONG_FILE);
  return judgeAll(data, isAsked, (file) => data.bytes(`xml/hostile/${file}`));
});

dataTest("an outer item never gets the price of an inner one", EXPECTATIONS, async (data) => {
  await using app = await startTestApp();
  const key = await app.key(["products:write"]);
  await bodyOf(sendXml(key, data.bytes("xml/hostile/nested-item.xml")), 200);
  const { data: outer } = await key.read("/api/public/v1/products/A-1");
  assertEquals([outer.title, outer.ourPrice, outer.prices], ["Set", null, []]);
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

testNeeding(hasPython ? missingInCollection(EXPECTATIONS) : "python3 is not installed", {
  name: "hostile files of megabytes have the expected result over HTTP",
  async fn() {
    await using folder = await temporaryFolder();
    const generator = COLLECTION.path("xml/hostile/generate.py");
    const generated = spawnSync("python3", [generator, folder.path, "--big"]);
    equal(generated.status, 0, String(generated.stderr));
    const read = (file: string) => Deno.readFileSync(`${folder.path}/${file}`);
    await judgeAll(COLLECTION, ({ committed }) => !committed, read);
  },
});

/*
 * docs/hostile_files.md lists the files of tests/fault/hostile_files_test.ts and their results. To
 * update it: UPDATE_DOCS=1 deno test -A tests/imports/import_hostile_test.ts
 */
const DOCUMENT = "docs/hostile_files.md";

const HEAD = `<!-- deno-fmt-ignore-file -->

# Hostile files

These files are broken, odd, or made to overload the service. \`tests/fault/hostile_files_test.ts\`
sends each file to the real server. Each import must end with the result and the reported problem
(_Finding_) in this table, after at most ${HOSTILE_COST.processorMs / 1_000} s of processor time.
All files together may need at most ${HOSTILE_COST.memoryMib} MiB of additional memory. While it imports these
files, the server answers other requests. A _refused_ file changes nothing. A file that is _read_
is imported, although a problem may be reported. _Message_ is the German text of the finding, and
_Limit_ the limit that the file exceeds. This table is generated from the test.

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
