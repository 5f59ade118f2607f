/**
 * What extraction adds to parsing the same page, and what hostile pages cost. Budget: on the saved
 * shop pages at most 1.5 times the time of htmlparser2's `parseDocument` alone, measured in the same
 * run, so that the ratio holds on any machine; on hostile pages 500 ms per MiB. Prints the score of
 * the saved pages too. `deno task bench:extract`
 */
import { stdout } from "node:process";
import { parseDocument } from "htmlparser2";
import { TooComplex } from "../../src/base/too_complex.ts";
import { extractPrice } from "../../src/extraction/extract_price.ts";
import type { PageAnswer } from "../../src/extraction/page/extraction_page.ts";
import { hostilePages } from "../extraction/hostile_pages.ts";
import {
  LABELLED_PAGES,
  readLabelled,
  readLabelledPages,
  scoreOf,
} from "../extraction/page_score.ts";
import { COLLECTION } from "../sample_data.ts";

const ROUNDS = 7;
const MIB = 1024 * 1024;

const pages = COLLECTION.has(LABELLED_PAGES) ? readLabelledPages(COLLECTION) : [];
if (pages.length === 0) say("No saved shop pages: set TEST_DATA_DIR");
else {
  const characters = pages.reduce((sum, { html }) => sum + html.length, 0);
  say(`${pages.length} pages, ${Math.round(characters / pages.length / 1024)} Ki characters each`);
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const parseMs = timed(() => pages.forEach(({ html }) => parseDocument(html)));
    const extractMs = timed(() => pages.forEach(readLabelled));
    ratios.push(extractMs / parseMs);
    const each = (ms: number) => `${(ms / pages.length).toFixed(2)} ms a page`;
    say(`parse ${each(parseMs)} | extract ${each(extractMs)} | ratio ${ratios.at(-1)?.toFixed(2)}`);
  }
  say(`median ratio ${ratios.toSorted((a, b) => a - b)[ROUNDS >> 1]?.toFixed(2)}, budget 1.50`);
  say(JSON.stringify(scoreOf(pages.map(readLabelled)), null, 2));
}

for (const { name, html } of hostilePages(2 ** 20)) {
  const answer = { url: "https://shop.example/p/1", contentType: "text/html", text: html };
  const ms = timed(() => extractOrGiveUp(answer));
  say(
    `${name}: ${Math.round(ms)} ms, ${Math.round(ms * MIB / html.length)} ms per MiB, budget 500`,
  );
}

/** What means too much work is given up: that is what it costs. */
function extractOrGiveUp(answer: PageAnswer): void {
  try {
    extractPrice(answer);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
  }
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function say(line: string): void {
  stdout.write(`${line}\n`);
}
