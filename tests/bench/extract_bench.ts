/**
 * Measures price extraction: right, wrong and missing prices, and processor time. The time is
 * relative to `parseDocument` of htmlparser2, because such a ratio is valid on any machine. `deno
 * task bench:extract`
 */

import {
  germanPages,
  judged,
  judgedBy,
  judgedWhenTaught,
  type QualityOutcome,
  type QualityPage,
  realPages,
  summary,
  withoutMarkup,
} from "../engine/extraction/page_quality.ts";
import { madeShops, visit } from "../engine/extraction/recipe/made_shops.ts";
import { costMs } from "../processor_time.ts";
import { COLLECTION } from "../sample_data.ts";
import { parseDocument } from "htmlparser2";
import { median, say } from "./slices.ts";

const ROUNDS = 7;

const real = realPages(COLLECTION);
const german = germanPages(COLLECTION);
if (real.length === 0) say("No saved shop pages: set TEST_DATA_DIR");
else {
  sayQuality("shop pages", real.map(judged));
  sayQuality("shop pages, markup off", real.map(withoutMarkup).map(judged));
  sayQuality("invented German pages", german.map(judged));
  sayQuality("invented German pages, markup off", german.map(withoutMarkup).map(judged));
  sayQuality("shop pages, one other page of the shop taught", judgedWhenTaught(real));
  const plain = real.filter((page) => (judged(page).confidence ?? 0) >= 1);
  sayRatio("confidence 1", plain, 1.5);
  sayRatio("all others", real.filter((page) => !plain.includes(page)), 3);
  sayRatio("markup off", real.map(withoutMarkup), 3);
}

sayMade();

/** The first five pages of each shop are left out, because recipes are learned from them. */
function sayMade(): void {
  const shops = [1, 2, 3, 4, 5].flatMap((seed) => madeShops(seed));
  const of = (learns: boolean) => {
    const pages = shops.flatMap((shop) => visit(shop, learns).slice(5));
    const count = (verdict: string) => pages.filter((page) => page.verdict === verdict).length;
    const sure = pages.filter(({ confidence }) => confidence >= 0.9);
    const wrong = sure.filter(({ verdict }) => verdict === "wrong").length;
    return `${count("right")} right, ${count("wrong")} wrong, ${count("none")} none of ` +
      `${pages.length}, ${sure.length} at ≥ 0.9 with ${wrong} wrong`;
  };
  say(`invented shops: ${of(true)}; without recipes ${of(false)}`);
}

function sayQuality(name: string, outcomes: readonly QualityOutcome[]): void {
  say(`${name}: ${summary(outcomes)}`);
  const misses = outcomes.filter(({ verdict }) => verdict !== "right");
  for (const [site, own] of Map.groupBy(misses, ({ page }) => page.site)) {
    const told = own.map(({ verdict, found, confidence, page }) =>
      `${verdict} ${found} ${confidence ?? ""} for ${page.price?.[0] ?? "none"}`
    );
    say(`  ${site}: ${told.join("; ")}`);
  }
}

/** Times all pages at once, because on some systems the clock is too coarse for one page. */
function sayRatio(name: string, pages: readonly QualityPage[], budget: number): void {
  const rounds = Array.from({ length: ROUNDS }, () => ({
    parse: costMs(() => pages.forEach(({ html }) => parseDocument(html))),
    extract: costMs(() => pages.forEach((page) => judgedBy(page, null))),
  }));
  const parse = median(rounds.map((round) => round.parse)) / pages.length;
  const extract = median(rounds.map((round) => round.extract)) / pages.length;
  const times = `parse ${parse.toFixed(2)} ms, extract ${extract.toFixed(2)} ms a page`;
  const ratio = `ratio ${(extract / parse).toFixed(2)}, budget ${budget}`;
  say(`${name}, ${pages.length} pages: ${times}, ${ratio}`);
}
