/**
 * Shop pages with labels (real ones in the collection, see its README), and small pages of each
 * vocabulary. Floors, so that a change which reads worse is seen.
 */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { extractPrice } from "../../src/extraction/extract_price.ts";
import { dataTest } from "../sample_data.ts";
import { LABELLED_PAGES, readLabelled, readLabelledPages, scoreOf } from "./page_score.ts";

dataTest(
  "extractPrice() reads the labelled price off 95 % of the shop pages whose markup has it",
  LABELLED_PAGES,
  (data) => {
    const score = scoreOf(readLabelledPages(data).map(readLabelled));
    const shares = JSON.stringify(score);
    assert(score.reachableRight >= 0.95 * score.reachable, shares);
    // On the small pages of our own nothing is hard.
    const floor = data.isOwn
      ? { right: score.pages, wrong: 0, high: 3 }
      : { right: 57, wrong: 3, high: 54 };
    assert(score.right >= floor.right, shares);
    assert(score.wrong <= floor.wrong, shares);
    assert(score.high >= floor.high, shares);
    assert(score.highWrong <= 0.01 * score.high, shares);
    assertEquals(score.currenciesRight, score.currencies, shares);
    assert(score.stocksRight >= 0.95 * score.stocks, shares);
  },
);

interface MarkupExample {
  readonly file: string;
  readonly price: readonly string[] | null;
  readonly currency_iso: string | null;
  readonly availability: string | null;
}

const EXAMPLES = "pages/markup_expected.json";

dataTest(
  "extractPrice() of the examples of the vocabularies is as expected",
  EXAMPLES,
  async (data, test) => {
    const examples = data.json<readonly MarkupExample[]>(EXAMPLES);
    assert(examples.length >= (data.isOwn ? 5 : 39));
    for (const example of examples) {
      await test.step(example.file, () => {
        const text = new TextDecoder().decode(data.bytes(`pages/${example.file}`));
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
  },
);
