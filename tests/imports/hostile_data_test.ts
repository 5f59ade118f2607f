import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { HANG_MS } from "../patience.ts";
import { bigFilesTest } from "./big_hostile_files.ts";
import { dataTest } from "../sample_data.ts";
import {
  type Expectation,
  EXPECTATIONS,
  expectationsOf,
  judgeOutcome,
} from "./hostile_expectations.ts";
import { partOf, readWhole, type WholeUpload } from "./upload_reading.ts";

function judge(upload: WholeUpload, expected: Expectation): void {
  const { records, warnings, refused } = upload;
  const outcome = refused ? "rejected" : "accepted";
  const message = refused?.message;
  const why = judgeOutcome(expected, { outcome, message, told: upload, count: records.length });
  if (outcome === "rejected") return;
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

dataTest(
  "readUpload() gives the expected result for every hostile file",
  EXPECTATIONS,
  async (data) => {
    for (const expected of expectationsOf(data).filter(({ committed }) => committed)) {
      await judgeFile(expected, data.bytes(`xml/hostile/${expected.file}`));
    }
  },
);

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
  "readUpload() gives the expected result for hostile files of megabytes",
  EXPECTATIONS,
  async (data, read) => {
    const big = expectationsOf(data).filter(({ committed }) => !committed);
    assertEquals(big.length, 3);
    for (const expected of big) await judgeFile(expected, read(expected.file));
  },
);
