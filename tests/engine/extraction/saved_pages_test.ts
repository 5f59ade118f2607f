/** Tests labelled pages of real shops, and small example pages of each markup vocabulary. */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { env } from "node:process";
import { CALIBRATION } from "../../../src/engine/extraction/page_status.ts";
import { IS_LONG } from "../../proof.ts";
import { testNeeding } from "../../needing.ts";
import { COLLECTION, dataTest, missingInCollection } from "../../sample_data.ts";
import {
  germanPages,
  inventedPages,
  judged,
  judgedWhenTaught,
  LABELLED_PAGES,
  type QualityOutcome,
  realPages,
  score,
  summary,
  withMadeUpClasses,
  withoutMarkup,
  withoutPlace,
} from "./page_quality.ts";
import { extract } from "./reading_pages.ts";

dataTest(
  "extractPrice() reads the labelled price of 95 % of the shop pages with markup",
  LABELLED_PAGES,
  (data) => {
    const outcomes = realPages(data).map(judged);
    const shares = summary(outcomes);
    const right = outcomes.filter(({ verdict }) => verdict === "right");
    assert(right.length >= outcomes.length - (data.isOwn ? 0 : 1), shares);
    assert(outcomes.every(({ verdict }) => verdict !== "wrong"), shares);
    const high = outcomes.filter(({ confidence }) => (confidence ?? 0) >= 0.9);
    // Auctions, private adverts and pages with only a lowest price may have a lower confidence.
    assert(high.length >= (data.isOwn ? 3 : 48), shares);
    let [stocks, stocksRight] = [0, 0];
    for (const { page: { name, currencies, inStock }, result } of right) {
      if (!("price" in result)) continue;
      assert(currencies?.includes(result.currency) ?? true, `${name}: ${result.currency}`);
      if (result.inStock === null) continue;
      stocks += 1;
      if (result.inStock === inStock) stocksRight += 1;
    }
    assert(stocksRight >= 0.95 * stocks, `${stocksRight} of ${stocks} stocks`);
  },
);

/** No price may be wrong, and at least `rightMin` prices must be right. */
function requireRight(outcomes: readonly QualityOutcome[], rightMin: number): void {
  const message = summary(outcomes);
  const wrong = outcomes.filter(({ verdict }) => verdict === "wrong");
  assertEquals(wrong.map(({ page, found }) => `${page.name}: ${found}`), [], message);
  assert(outcomes.filter(({ verdict }) => verdict === "right").length >= rightMin, message);
}

const pages = realPages(COLLECTION);
const unmarked = pages.map(withoutMarkup);
const german = germanPages(COLLECTION);
testNeeding(german.length > 0 ? null : "TEST_DATA_DIR has no pages/synthetic-german", {
  name: "extractPrice() reads every invented German page right or refuses it",
  fn: () => requireRight(german.map(judged), 30),
});

const missing = missingInCollection(LABELLED_PAGES);

testNeeding(missing, {
  name: "extractPrice() without markup reads shop pages right or refuses them",
  fn: () => requireRight(unmarked.map(judged), 60),
});

testNeeding(missing, {
  name: "extractPrice() reads shop pages right or refuses them after another page was taught",
  fn: () => requireRight(judgedWhenTaught(pages), 68),
});

testNeeding(missing, {
  name: "all but 3 shop pages can be taught, all but 4 with generated class names",
  fn() {
    const made = pages.map(withMadeUpClasses);
    const both = made.map(withoutMarkup);
    const kinds = [[pages, 3], [unmarked, 3], [made, 4]] as const;
    for (const [some, most] of IS_LONG ? kinds : kinds.slice(0, 1)) {
      const unplaced = withoutPlace(some);
      assert(unplaced.length <= most, unplaced.join(", "));
    }
    const taught = [both, ...(IS_LONG ? [made] : [])].map(judgedWhenTaught);
    for (const outcomes of taught) {
      const wrong = outcomes.filter(({ verdict, confidence }) =>
        verdict === "wrong" && (confidence ?? 0) >= 0.9
      );
      assertEquals(wrong.map(({ page, found }) => `${page.name}: ${found}`), [], summary(outcomes));
    }
    const [outcomes = []] = taught;
    const right = outcomes.filter(({ verdict }) => verdict === "right").length;
    assert(right >= 60, summary(outcomes));
  },
});

const CALIBRATION_FILE = new URL("../../../src/engine/extraction/page_status.ts", import.meta.url);
const CALIBRATION_ROWS = /^ {2}\{ from: .*\},\n/gm;

function readings() {
  const labelled = [...pages, ...unmarked, ...german].map(judged);
  return [
    ...labelled.map(({ confidence, verdict }) => ({ confidence, isRight: verdict !== "wrong" })),
    ...["made", "second_half"].flatMap(inventedPages).map((page) => score(page, "product")),
  ];
}

/** With `UPDATE_DOCS=1`, the test updates the table `CALIBRATION` in `page_status.ts`. */
testNeeding(missing, {
  name: "the calibration table has the counts of all labelled pages",
  async fn() {
    const read = readings();
    const counted = CALIBRATION.map(({ from }, at) => {
      const below = CALIBRATION[at - 1]?.from ?? Infinity;
      const own = read.filter(({ confidence }) =>
        confidence !== null && confidence >= from && confidence < below
      );
      return { from, right: own.filter(({ isRight }) => isRight).length, of: own.length };
    });
    if (env.UPDATE_DOCS) {
      const text = await Deno.readTextFile(CALIBRATION_FILE);
      const rows = counted.map(({ from, right, of }) =>
        `  { from: ${from}, right: ${right}, of: ${of} },\n`
      );
      const former = text.match(CALIBRATION_ROWS)?.join("") ?? "";
      return await Deno.writeTextFile(CALIBRATION_FILE, text.replace(former, rows.join("")));
    }
    assertEquals(counted, CALIBRATION, "UPDATE_DOCS=1 updates the table");
  },
});

interface MarkupExample {
  readonly file: string;
  readonly price: readonly string[] | null;
  readonly currency_iso: string | null;
  readonly availability: string | null;
}

const EXAMPLES = "pages/markup_expected.json";

dataTest(
  "extractPrice() reads the example pages of the vocabularies as expected",
  EXAMPLES,
  async (data, test) => {
    const examples = data.json<readonly MarkupExample[]>(EXAMPLES);
    assert(examples.length >= (data.isOwn ? 5 : 39));
    for (const example of examples) {
      await test.step(example.file, () => {
        const text = new TextDecoder().decode(data.bytes(`pages/${example.file}`));
        const { result } = extract(text);
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
