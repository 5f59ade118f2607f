import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { NearSkus, WANTED_SKUS_MAX } from "../../src/catalogue/lists/find_product.ts";
import { costMs, leastCostMs } from "../processor_time.ts";

function nearTo(sku: string, catalogue: readonly string[]): readonly string[] {
  const near = new NearSkus([sku]);
  for (const one of catalogue) near.pass(one);
  return near.of(sku);
}

const CASES: readonly (readonly [sku: string, catalogue: string[], offered: string[]])[] = [
  // SKUs that differ only in case, punctuation or look-alike characters are found at any length.
  ["KT-1O011", ["KT-10011", "KT-10012"], ["KT-10011"]],
  ["kt 10011", ["KT-10011", "KT-10021"], ["KT-10011"]],
  ["a.l", ["A1"], ["A1"]],
  ["ＫＴ１００１１", ["KT-10011"], ["KT-10011"]],
  // One character is added, removed or replaced, or two neighbours are swapped.
  ["KT-100111", ["KT-10011", "XX-10011"], ["KT-10011"]],
  ["KT-1001", ["KT-10011"], ["KT-10011"]],
  ["XKT-10011", ["KT-10011"], ["KT-10011"]],
  ["KT-10101", ["KT-11001", "KT-10011"], ["KT-10011", "KT-11001"]],
  ["KT-10911", ["KT-10011", "KT-20011"], ["KT-10011"]],
  ["TK-10011", ["KT-10011"], ["KT-10011"]],
  ["KT-10911", ["KT-10011", "KT-10912"], ["KT-10011", "KT-10912"]],
  // A SKU that differs only in punctuation is preferred to a SKU with another character.
  ["KT10011", ["KT-10011", "KT-10012"], ["KT-10011"]],
  // SKUs with two different characters and SKUs that are too short are not found.
  ["KT-10099", ["KT-10011"], []],
  ["AB1", ["AB2"], []],
  ["---", ["...", "-"], []],
  // With four similar SKUs, none is suggested.
  ["10019", ["10011", "10012", "10013", "10014"], []],
  ["10019", ["10011", "10012", "10013"], ["10011", "10012", "10013"]],
  ["ab-1", ["AB1", "A-B1", "AB-1", "AB.1"], []],
];

Deno.test("an unknown SKU gets similar SKUs as suggestions, and none when there are too many", () => {
  for (const [sku, catalogue, offered] of CASES) assertEquals(nearTo(sku, catalogue), offered, sku);
});

Deno.test("NearSkus passes a catalogue in bounded time, whatever and however many the unknown SKUs", () => {
  const catalogue = Array.from({ length: 20_000 }, (_, n) => `KT-${100_000 + n}`);
  const passAll = (wanted: readonly string[]) => () => {
    const near = new NearSkus(wanted);
    for (const sku of catalogue) near.pass(sku);
  };
  const one = leastCostMs(passAll(["KT-1O0011"]));
  const isBounded = (ms: number) => ms < 20 * one + 1_500;
  const many = Array.from({ length: 5 * WANTED_SKUS_MAX }, (_, n) => n);
  const hostile = {
    "one letter apart of each other": many.map((n) => `KT-1000${String.fromCodePoint(0x4e00 + n)}`),
    "one letter apart of all": many.map((n) => `KT-1${String(n).padStart(5, "0")}X`),
    "as long as can be": many.map((n) => `${n}`.padEnd(128, "K")),
    "as long as is looked at": many.map((n) => `${n}`.padEnd(40, "K")),
  };
  for (const [name, wanted] of Object.entries(hostile)) {
    const first = costMs(passAll(wanted));
    const ms = isBounded(first) ? first : leastCostMs(passAll(wanted));
    ok(isBounded(ms), `${name}: ${Math.round(ms)} ms, one: ${Math.round(one)} ms`);
  }
  const near = new NearSkus(many.map((n) => `KT-9${n}-0`));
  assertEquals(near.of("KT-1"), []);
});
