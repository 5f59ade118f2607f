/**
 * Real shop pages with labels, the open half (see the README of the test data), and small pages of
 * the vocabularies' own examples. Floors, so that a change which reads worse is seen.
 */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { extractPrice } from "../../src/extraction/extract_price.ts";
import { dataFolder, readLabelled, readLabelledPages, scoreOf } from "./page_score.ts";

const pages = readLabelledPages();

Deno.test({
  name: "extractPrice() reads the labelled price off 95 % of the shop pages whose markup has it",
  ignore: pages === null,
  fn() {
    const score = scoreOf((pages ?? []).map(readLabelled));
    const shares = JSON.stringify(score);
    assert(score.reachableRight >= 0.95 * score.reachable, shares);
    assert(score.right >= 57, shares);
    assert(score.wrong <= 3, shares);
    assert(score.high >= 54, shares);
    assert(score.highWrong <= 0.01 * score.high, shares);
    assertEquals(score.currenciesRight, score.currencies, shares);
    assert(score.stocksRight >= 0.95 * score.stocks, shares);
  },
});

interface MarkupExample {
  readonly file: string;
  readonly price: readonly string[] | null;
  readonly currency_iso: string | null;
  readonly availability: string | null;
}

for (const example of readExamples()) {
  Deno.test(`extractPrice() of ${example.file} is as expected`, () => {
    const text = Deno.readTextFileSync(`${dataFolder()}/pages/${example.file}`);
    const answer = { url: "https://shop.example/p/1", contentType: "text/html", text };
    const { result } = extractPrice(answer);
    if ("errorCode" in result) {
      assertEquals([result.errorCode, example.price], ["no_price", null]);
      return;
    }
    const expected = example.price?.map((price) => Math.round(Number(price) * 100)) ?? [];
    assert(expected.includes(result.price), `${result.price} is none of ${expected}`);
    assertEquals(result.currency, example.currency_iso);
    const stock = example.availability?.toLowerCase() ?? "unknown";
    assertEquals(result.availability.replaceAll("_", ""), stock);
  });
}

function readExamples(): readonly MarkupExample[] {
  try {
    return JSON.parse(Deno.readTextFileSync(`${dataFolder()}/pages/markup_expected.json`));
  } catch {
    Deno.test.ignore("extractPrice() of the examples of the vocabularies is as expected", () => {});
    return [];
  }
}
