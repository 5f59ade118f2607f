import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { HANG_MS } from "../patience.ts";
import { bigFilesTest } from "./big_hostile_files.ts";
import { dataTest } from "../sample_data.ts";
import { partOf, readWhole, type WholeUpload } from "./upload_reading.ts";

interface Expectation {
  readonly file: string;
  readonly committed: boolean;
  readonly expect: "accepted" | "rejected";
  readonly alsoRight?: string;
  readonly items?: number;
  readonly itemsOneOf?: readonly number[];
  readonly first?: Readonly<Record<string, unknown>>;
  readonly warning?: boolean;
  readonly mustNotContain?: string;
}

interface Expectations {
  readonly files: readonly Expectation[];
}

const EXPECTATIONS = "xml/hostile/expected.json";

function judge(upload: WholeUpload, expected: Expectation): void {
  const outcome = upload.refused ? "rejected" : "accepted";
  const why = `${expected.file}: ${outcome} ${upload.refused?.message ?? ""}`;
  ok([expected.expect, expected.alsoRight].includes(outcome), why);
  const told = JSON.stringify(upload);
  if (expected.mustNotContain) ok(!told.includes(expected.mustNotContain), `${why}: leaks`);
  if (outcome === "rejected") return;

  const { records, warnings } = upload;
  if (expected.expect === "accepted" && expected.items !== undefined) {
    assertEquals(records.length, expected.items, why);
  }
  if (expected.itemsOneOf) ok(expected.itemsOneOf.includes(records.length), why);
  if (expected.warning) ok(warnings.some(({ code }) => code === "encoding_guessed"), why);
  const first: Record<string, unknown> = { ...records[0]?.patch };
  for (const [field, value] of Object.entries(expected.first ?? {})) {
    assertEquals(first[field], value, `${why}: ${field}`);
  }
}

async function judgeFile(expected: Expectation, bytes: Uint8Array): Promise<void> {
  const start = performance.now();
  judge(await readWhole([partOf(expected.file, bytes)]), expected);
  const spentMs = performance.now() - start;
  ok(spentMs < HANG_MS, `${expected.file} took ${Math.round(spentMs)} ms`);
}

dataTest("readUpload() ends every hostile file as expected", EXPECTATIONS, async (data) => {
  const { files: expectations } = data.json<Expectations>(EXPECTATIONS);
  for (const expected of expectations.filter(({ committed }) => committed)) {
    await judgeFile(expected, data.bytes(`xml/hostile/${expected.file}`));
  }
});

dataTest(
  "readUpload() never shows a price of an inner item on the outer one",
  EXPECTATIONS,
  async (data) => {
    const part = partOf("nested.xml", data.bytes("xml/hostile/nested-item.xml"));
    const { records } = await readWhole([part]);
    assertEquals(records[0]?.patch, { sku: "A-1", title: "Set" });
  },
);

bigFilesTest(
  "readUpload() ends the hostile files of megabytes as expected",
  EXPECTATIONS,
  async (data, read) => {
    const { files: expectations } = data.json<Expectations>(EXPECTATIONS);
    const big = expectations.filter(({ committed }) => !committed);
    assertEquals(big.length, 3);
    for (const expected of big) await judgeFile(expected, read(expected.file));
  },
);
