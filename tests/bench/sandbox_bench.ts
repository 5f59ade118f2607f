/**
 * Cost of reading pages in a Worker, compared with reading them in process, in alternating rounds
 * with 70 KB of saved shop pages. Also prints the time of the page that takes longest, which the
 * time limit must allow. Processor time of all threads decides, because other work affects elapsed
 * time. `deno task bench sandbox`
 */
import { NOT_LEARNING, type ShopAnswer } from "../../src/scraping/page/scraper.ts";
import { createForeignReader } from "../../src/app/composition/foreign_reader.ts";
import { judgeAnswer } from "../../src/scraping/page/judge_answer.ts";
import { type QualityPage, realPages } from "../engine/extraction/page_quality.ts";
import { COLLECTION } from "../sample_data.ts";
import { alternately, median, say, timed } from "./slices.ts";

const ROUNDS = 19;
const WARM_UP = 4;
const KB = 1_000;

interface Sample {
  readonly url: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const samples = samplesOf(realPages(COLLECTION));
if (samples.length === 0) say("No saved shop pages: set TEST_DATA_DIR");
else await compare(samples);

function samplesOf(pages: readonly QualityPage[]): Sample[] {
  const encoder = new TextEncoder();
  return pages.map(({ url, html }) => ({ url, bytes: encoder.encode(html) }));
}

async function compare(all: readonly Sample[]): Promise<void> {
  using reader = createForeignReader();
  const usual = all.filter(({ bytes }) => bytes.length >= 70 * KB)
    .map(({ url, bytes }) => ({ url, bytes: bytes.slice(0, 70 * KB) }));
  say(`${usual.length} pages of 70 KB`);
  const readers = {
    alone: (answer: ShopAnswer) => Promise.resolve(judgeAnswer(answer)),
    there: (answer: ShopAnswer) =>
      reader.page(answer, { partition: "bench", transfer: [answer.body.buffer] }),
  };
  const costs = await alternately(["alone", "there"], { rounds: ROUNDS }, async (kind) => {
    const answers = usual.map(answerOf);
    return await timed(async () => {
      for (const answer of answers) await readers[kind](answer);
    });
  });
  for (const [round, alone] of costs.alone.entries()) {
    const each = (cost = alone) =>
      `${(cost.cpuMs / usual.length).toFixed(2)} (${(cost.ms / usual.length).toFixed(2)})`;
    say(
      `processor (time) a page in ms: in process ${each()} | in the Worker ${
        each(costs.there[round])
      }`,
    );
  }
  const ratios = (kind: "cpuMs" | "ms") =>
    costs.alone.map((alone, at) => (costs.there[at]?.[kind] ?? NaN) / alone[kind]);
  const ratio = (kind: "cpuMs" | "ms") => median(ratios(kind).slice(WARM_UP));
  say(`median ratio of the processor ${ratio("cpuMs").toFixed(2)}, budget 1.30`);
  say(`median ratio of the time ${ratio("ms").toFixed(2)}`);
  sayHeaviest(all);
}

function sayHeaviest(all: readonly Sample[]): void {
  const [heaviest] = all.map((sample) => {
    const answer = answerOf(sample);
    const startedAt = performance.now();
    judgeAnswer(answer);
    return { ms: performance.now() - startedAt, kb: sample.bytes.length / KB };
  }).toSorted((a, b) => b.ms - a.ms);
  if (!heaviest) return;
  say(
    `the heaviest of ${all.length} pages: ${Math.round(heaviest.kb)} KB in ${
      Math.round(heaviest.ms)
    } ms`,
  );
}

/** Copies the bytes, because the Worker takes ownership of them. */
function answerOf({ url, bytes }: Sample): ShopAnswer {
  return {
    url,
    askedUrl: url,
    status: 200,
    contentType: "text/html; charset=utf-8",
    isChallenge: false,
    body: bytes.slice(),
    extractor: null,
    product: null,
    learning: NOT_LEARNING,
    isThorough: false,
  };
}
