import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { COLLECTION, missingInCollection } from "../sample_data.ts";
import { testNeeding } from "../needing.ts";
import { partOf, readWhole, type WholeUpload } from "./upload_reading.ts";

interface Expected {
  readonly records?: number;
  readonly refused?: number;
  readonly lines?: readonly number[];
  readonly encoding?: string;
  readonly template?: string;
  readonly profile?: string;
  readonly products?: readonly Readonly<Record<string, unknown>>[];
  readonly findings?: readonly {
    readonly line: number | null;
    readonly code: string;
    readonly severity?: string;
  }[];
  readonly fault?: string | readonly string[];
  readonly line?: number;
  readonly messageNames?: string;
  readonly inside?: string;
  readonly grouped?: boolean;
}

const FOLDER = "tabular";
const EXPECTED = `${FOLDER}/expected.json`;
/** Findings that need the catalogue. Reading a file does not give them. */
const OF_THE_PLAN = ["missing_title", "duplicate_sku"];

testNeeding(missingInCollection(EXPECTED), {
  name: "every table of the sample data is read as expected",
  async fn(test) {
    const { files } = COLLECTION.json<{ files: Record<string, Expected> }>(EXPECTED);
    for (const [name, expected] of Object.entries(files)) {
      await test.step(name, async () => {
        const bytes = COLLECTION.bytes(`${FOLDER}/${name}`);
        judge(await readWhole([partOf(name, bytes)]), expected);
      });
    }
  },
});

function judge(upload: WholeUpload, expected: Expected): void {
  const { refused } = upload;
  if (expected.fault !== undefined) {
    const codes = [expected.fault].flat();
    ok(refused && codes.includes(refused.code), `${refused?.code}: ${refused?.message}`);
    if (expected.line !== undefined) assertEquals(refused.line, expected.line);
    if (expected.messageNames) ok(refused.message.includes(expected.messageNames), refused.message);
    return;
  }
  assertEquals(refused, null);
  judgeRecords(upload, expected);
  judgeFindings(upload, expected);
  const [info] = upload.files;
  if (expected.encoding) assertEquals(info?.encoding, expected.encoding);
  const profile = expected.template ?? expected.profile;
  if (profile) assertEquals(info?.profile, profile);
}

function judgeRecords({ records }: WholeUpload, expected: Expected): void {
  if (expected.records !== undefined) assertEquals(records.length, expected.records);
  if (expected.lines) assertEquals(records.map(({ line }) => line), expected.lines);
  const isOfThePlan = (expected.findings ?? []).some(({ code }) => code === "missing_title");
  if (expected.refused !== undefined && !isOfThePlan) {
    const refused = records.filter(({ patch, isPassedOver }) => patch === null && !isPassedOver);
    assertEquals(refused.length, expected.refused, JSON.stringify(refused));
  }
  for (const product of expected.products ?? []) {
    const last = records.findLast(({ sku }) => sku === product.sku);
    ok(last, `no record of ${product.sku}: ${records.map(({ sku }) => sku)}`);
    judgeProduct(last, product);
  }
}

function judgeProduct(
  { patch, isPassedOver, sku }: WholeUpload["records"][number],
  product: Readonly<Record<string, unknown>>,
): void {
  const { active, ...values } = product;
  if (active === false) return assertEquals(isPassedOver, true, `${sku} is not passed over`);
  const fields: Record<string, unknown> = { ...patch };
  for (const [name, value] of Object.entries(values)) {
    const found = fields[name];
    const where = `${sku}: ${name} of ${JSON.stringify(patch)}`;
    if (value === "ABSENT") assertEquals(found, undefined, where);
    else if (name === "links") assertEquals(patch?.links?.length ?? 0, value, where);
    else if (name === "prices") judgePrices(patch?.prices?.rows ?? [], value, where);
    // A null price: the record keeps the stored price, and a new product has no price.
    else if (value === null) assertEquals(found ?? null, null, where);
    else if (name === "currency") assertEquals(found ?? "EUR", value, where);
    else assertEquals(found, value, where);
  }
}

function judgePrices(
  rows: readonly { tier: string | null; minQty: number | null; amountCents: number }[],
  expected: unknown,
  where: string,
): void {
  const found = rows.map((row) => JSON.stringify([row.tier, row.minQty ?? 1, row.amountCents]));
  ok(Array.isArray(expected));
  for (const row of expected) ok(found.includes(JSON.stringify(row)), `${where}: ${found}`);
}

function judgeFindings({ records, warnings }: WholeUpload, expected: Expected): void {
  const found = [...warnings, ...records.flatMap(({ findings }) => findings)];
  for (const { line, code, severity } of expected.findings ?? []) {
    if (OF_THE_PLAN.includes(code)) continue;
    const fits = found.some((one) =>
      one.code === code && one.line === line && (severity ?? one.severity) === one.severity
    );
    ok(fits, `${code} in ${line} is not among ${JSON.stringify(found)}`);
  }
}
