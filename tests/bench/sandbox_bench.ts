/**
 * Cost of reading pages in a Worker, compared with reading them in process, in alternating rounds
 * with 70 KB of saved shop pages. Also prints the time of the page that takes longest, which the
 * time limit must allow. Processor time of all threads decides, because other work affects elapsed
 * time. `deno task bench sandbox`
 */
import { NOT_LEARNING, type ShopAnswer } from "../../src/scraping/page/answer_verdict.ts";
import { createForeignReader } from "../../src/app/composition/foreign_reader.ts";
import { judgeAnswer } from "../../src/scraping/page/judge_answer.ts";
import { type QualityPage, realPages } from "../engine/extraction/page_quality.ts";
import { COLLECTION } from "../sample_data.ts";
import { processMs } from "../processor_time.ts";
import { median, say } from "./slices.ts";

const ROUNDS = 19;
const WARM_UP = 4;
const KB = 1_000;

interface Cost {
  readonly processorMs: number;
  readonly tookMs: number;
}

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
  await reader.warm();
  const usual = all.filter(({ bytes }) => bytes.length >= 70 * KB)
    .map(({ url, bytes }) => ({ url, bytes: bytes.slice(0, 70 * KB) }));
  say(`${usual.length} pages of 70 KB`);
  const ratios: Record<keyof Cost, number[]> = { processorMs: [], tookMs: [] };
  for (let round = 1; round <= ROUNDS; round++) {
    const alone = await costOf(usual, (answer) => Promise.resolve(judgeAnswer(answer)));
    const there = await costOf(
      usual,
      (answer) => reader.page(answer, { partition: "bench", transfer: [answer.body.buffer] }),
    );
    const each = ({ processorMs, tookMs }: Cost) =>
      `${(processorMs / usual.length).toFixed(2)} (${(tookMs / usual.length).toFixed(2)})`;
    say(`processor (time) a page in ms: in process ${each(alone)} | in the Worker ${each(there)}`);
    // The first rounds are a warm-up.
    if (round <= WARM_UP) continue;
    for (const kind of ["processorMs", "tookMs"] as const) {
      ratios[kind].push(there[kind] / alone[kind]);
    }
  }
  say(`median ratio of the processor ${median(ratios.processorMs).toFixed(2)}, budget 1.30`);
  say(`median ratio of the time ${median(ratios.tookMs).toFixed(2)}`);
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

async function costOf(
  samples: readonly Sample[],
  read: (answer: ShopAnswer) => Promise<unknown>,
): Promise<Cost> {
  const answers = samples.map(answerOf);
  const before = processMs();
  const startedAt = performance.now();
  for (const answer of answers) await read(answer);
  const tookMs = performance.now() - startedAt;
  return { processorMs: processMs() - before, tookMs };
}
