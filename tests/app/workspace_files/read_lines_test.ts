import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { blankProduct } from "../../../src/catalogue/products/product.ts";
import { readLines } from "../../../src/app/workspace_files/import_workspace.ts";

const WORKSPACE = {
  type: "workspace",
  format: 1,
  exportedAt: "2026-03-02T09:00:00.000Z",
  id: "64f0c2a1e4b0a1b2c3d4e5f6",
  name: "Muster GmbH",
  currency: "EUR",
  timeZone: "Europe/Berlin",
  locale: "de-DE",
  pricesIncludeVat: false,
  vatRatePct: null,
  autoApply: false,
  importHold: null,
  importExpectedHours: null,
  createdAt: "2026-03-02T09:00:00.000Z",
};
const USER = {
  type: "user",
  id: "64f0c2a1e4b0a1b2c3d4e5f7",
  email: "eva@example.com",
  role: "owner",
  createdAt: "2026-03-02T09:00:00.000Z",
};
const END = { type: "end", lines: 2 };

function read(text: string, pieceBytes = 1_000_000) {
  const bytes = new TextEncoder().encode(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
  return Array.fromAsync(readLines(pieces()));
}

const fileOf = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

Deno.test("readLines() reads a file cut at any byte, also within a character", async () => {
  const file = fileOf({ ...WORKSPACE, name: "Müßter" }, USER, END);
  const whole = await read(file);
  assertEquals(whole.map(({ type }) => type), ["workspace", "user", "end"]);
  for (const pieceBytes of [1, 2, 7, 100]) assertEquals(await read(file, pieceBytes), whole);
});

const REFUSED: readonly (readonly [what: string, file: string, message: RegExp])[] = [
  ["an empty file", "", /^Line 1 .* is missing: the file was cut$/],
  ["a truncated file", fileOf(WORKSPACE, USER), /^Line 3 .* is missing: the file was cut$/],
  ["a lost line", fileOf(WORKSPACE, END), /^Line 2 .* says that 2 lines are before it/],
  ["invalid JSON", `${fileOf(WORKSPACE)}{"type":`, /^Line 2 .* is no JSON$/],
  ["another first line", fileOf(USER, END), /^Line 1 .* must begin with its only "workspace" line/],
  ["two workspaces", fileOf(WORKSPACE, WORKSPACE, END), /^Line 2 .* with its only "workspace"/],
  ["lines after the end", fileOf(WORKSPACE, USER, END, USER), /^Line 4 .* after the end/],
  ["an unknown type", fileOf(WORKSPACE, { type: "secret" }), /^Line 2 .* is wrong: .*type/],
  ["an unknown field", fileOf(WORKSPACE, { ...USER, passwordHash: "x" }), /passwordHash/],
  ["a malformed id", fileOf(WORKSPACE, { ...USER, id: "1" }), /Must be an id .*at id/],
  ["a later format", fileOf({ ...WORKSPACE, format: 2 }), /use the version that wrote the file/],
];

for (const [what, file, message] of REFUSED) {
  Deno.test(`readLines() refuses ${what} and names the line`, async () => {
    await rejects(read(file), { code: "validation_failed", message });
  });
}

Deno.test("readLines() reads a product of an older file: newer fields have their defaults", async () => {
  const createdAt = "2026-03-02T09:00:00.000Z";
  const given = { id: USER.id, sku: "A", title: "A", currency: "EUR", createdAt };
  const line = { type: "product", ...given, updatedAt: createdAt };
  const marks = { importHash: null, isFromImport: false, importSource: null };
  const [, product] = await read(fileOf(WORKSPACE, { ...line, ...marks }, END));
  assertEquals(product, { type: "product", ...blankProduct(given), ...marks });
  for (const name of Object.keys(line)) {
    const kept = Object.entries({ ...line, ...marks }).filter(([other]) => other !== name);
    const lacking = Object.fromEntries(kept);
    await rejects(read(fileOf(WORKSPACE, lacking, END)), /^Failure: Line 2 /, name);
  }
});

Deno.test("readLines() refuses bytes that are not UTF-8", async () => {
  const bytes = async function* () {
    yield new Uint8Array([0x7b, 0xff, 0xfe]);
  };
  await rejects(Array.fromAsync(readLines(bytes())), { code: "validation_failed" });
});
