/** Prints the prices on a shop's page, and why one price was chosen. */
import { exponentOf, formatMajor } from "../../base/money.ts";
import { Failure, TooComplex } from "../../base/failure.ts";
import { decodePage } from "../../engine/extraction/page/extraction_page.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import { judgeAnswer } from "../../scraping/page/judge_answer.ts";
import { NOT_LEARNING } from "../../scraping/page/visit_tools.ts";
import { NO_WORKSPACE } from "../../platform/jobs/job.ts";
import { type Actor, contextFor, createClock } from "../../platform/store/context.ts";
import { openStore } from "../../platform/store/open_store.ts";
import {
  type ExtractReport,
  NOWHERE,
  reportOf,
  sentPage,
  visit,
} from "../../scraping/teaching/preview_page.ts";
import { readConfig } from "../composition/config.ts";
import { createForeignReader, createScraper } from "../composition/scraper.ts";
import { print, unreadable } from "./terminal.ts";

interface ExtractPageOptions {
  readonly url?: string;
  readonly currency?: string;
  readonly ean?: string;
  readonly title?: string;
}

const COMMAND: Actor = { type: "system", id: "command", name: "Command" };

export async function extractPage(place: string, options: ExtractPageOptions): Promise<boolean> {
  const { ean, title, currency } = options;
  const product = { ean: ean ?? null, title: title ?? null, currency: currency ?? null };
  const report = /^https?:\/\//i.test(place)
    ? await lookedUp(place, product)
    : readFile(place, options.url ?? NOWHERE, product);
  print(verdictOf(report));
  for (const line of factsOf(report)) print(`  ${line}`);
  for (const line of report.trace) print(`  ${line}`);
  return report.price !== null;
}

async function lookedUp(url: string, product: WantedProduct): Promise<ExtractReport> {
  using reader = createForeignReader();
  const scraper = { ...createScraper(readConfig(), reader), delayMs: 0 };
  const store = await openStore({ kvUrl: ":memory:", dataDir: null }, 5_000);
  const clock = await createClock(store, () => new Date());
  const asker = { store, clock, requestId: clock.newId() };
  const ctx = contextFor(asker, NO_WORKSPACE, COMMAND);
  const asked = { url, extractor: null, product, learning: NOT_LEARNING };
  try {
    return reportOf(await visit(ctx, scraper, asked, performance.now() + scraper.timeoutMs));
  } finally {
    store.kv.close();
  }
}

function readFile(path: string, url: string, product: WantedProduct): ExtractReport {
  if (!URL.canParse(url)) throw new Failure("validation_failed", `"${url}" is not a URL`);
  const text = decodePage(readPageFile(path), null);
  const answer = { ...sentPage(url, text), contentType: null };
  try {
    return reportOf(judgeAnswer({ ...answer, extractor: null, product }));
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    throw new Failure("validation_failed", error.message, undefined, { cause: error });
  }
}

function readPageFile(path: string): Uint8Array<ArrayBuffer> {
  try {
    const { size } = Deno.statSync(path);
    if (size > 16 * 1024 * 1024) {
      throw new Failure("validation_failed", `${path} is larger than 16 MiB`);
    }
    return Deno.readFileSync(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function verdictOf({ price, currency, ...report }: ExtractReport): string {
  const { method, confidence, availability, pageStatus, errorCode, message } = report;
  if (price === null || currency === null) return `no price: ${errorCode}, ${message}`;
  const summary = `${money(price, currency)}, ${method}, confidence ${confidence}, ${availability}`;
  return pageStatus === "priced" ? summary : `${summary}, ${pageStatus}`;
}

function factsOf({ page, candidates, currency: own }: ExtractReport): string[] {
  const { unitPrice, isThirdParty, ...texts } = page ?? { unitPrice: null, isThirdParty: false };
  return [
    ...Object.entries(texts).flatMap(([name, text]) => text === null ? [] : [`${name}: ${text}`]),
    ...(isThirdParty ? ["sold by a third party"] : []),
    ...(unitPrice && own
      ? [`unit price: ${money(unitPrice.amount, own)} per ${unitPrice.per}`]
      : []),
    ...candidates.map(({ id, amount, currency, source, text }) =>
      `candidate ${id}: ${currency === null ? amount : money(amount, currency)}, ${source}` +
      (text === null ? "" : `, "${text}"`)
    ),
  ];
}

function money(amount: number, currency: string): string {
  return `${formatMajor(amount, exponentOf(currency))} ${currency}`;
}
