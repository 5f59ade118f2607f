import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import {
  type Expectation,
  EXPECTATIONS,
  expectationsOf,
  judgeOutcome,
} from "./hostile_expectations.ts";
import { IMPORT, itemsXml, sendXml } from "./import_calls.ts";
import { bigFilesTest } from "./big_hostile_files.ts";
import { dataTest, type SampleData } from "../sample_data.ts";

const WITNESS = { sku: "WITNESS", title: "Steht schon da", price: "9,99" };

async function catalogueOf(key: Caller): Promise<string> {
  return await (await key.get("/api/public/v1/products?limit=200")).text();
}

async function judge(
  key: Caller,
  expected: Expectation,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const before = await catalogueOf(key);
  const isZip = expected.file.endsWith(".zip");
  const answer = await key.post(IMPORT, bytes, {
    "Content-Type": isZip ? "application/zip" : "application/xml",
  });
  const status = answer.headers.get("X-Job-Status");
  const { data, count } = await bodyOf(answer, 200);
  const outcome = data.status === "succeeded" ? "accepted" : "rejected";
  const message = data.error?.message;
  const why = judgeOutcome(expected, { outcome, message, told: data, count });
  assertEquals(status, data.status, why);
  if (outcome === "rejected") {
    assertEquals([count, data.errorCount, data.errors.length], [0, 1, 1], why);
    const [fault] = data.errors;
    assertEquals([fault.severity, fault.index, fault.code], ["error", null, data.error.code], why);
    assertEquals(await catalogueOf(key), before, why);
    return;
  }
  const { data: products } = JSON.parse(await catalogueOf(key));
  const [first] = products.filter(({ sku }: { sku: string }) => sku !== WITNESS.sku);
  for (const [field, value] of Object.entries(expected.first ?? {})) {
    assertEquals(first?.[field], value, `${why}: ${field}`);
  }
}

async function judgeAll(
  data: SampleData,
  isAsked: (expected: Expectation) => boolean,
  read: (file: string) => Uint8Array<ArrayBuffer>,
): Promise<void> {
  await using app = await startTestApp();
  const newKey = () => app.strangerKey(["products:write"]);
  // Files that leave nothing behind share one workspace, in sequence.
  const refusing = await withWitness(await newKey());
  for (const expected of expectationsOf(data).filter(isAsked)) {
    const { expect, alsoRight, file } = expected;
    const key = alsoRight !== undefined
      ? await withWitness(await newKey())
      : expect === "rejected"
      ? refusing
      : await newKey();
    await judge(key, expected, read(file));
  }
}

async function withWitness(key: Caller): Promise<Caller> {
  await bodyOf(sendXml(key, itemsXml([WITNESS])), 200);
  return key;
}

dataTest("every hostile file has the expected result over HTTP", EXPECTATIONS, async (data) => {
  await judgeAll(data, ({ committed }) => committed, (file) => data.bytes(`xml/hostile/${file}`));
});

bigFilesTest(
  "hostile files of megabytes have the expected result over HTTP",
  EXPECTATIONS,
  async (data, read) => {
    await judgeAll(data, ({ committed }) => !committed, read);
  },
);
