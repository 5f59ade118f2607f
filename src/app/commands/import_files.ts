/**
 * Imports files in this process. If a server has locked the store, that server imports the files.
 *
 * The command `extract` prints the prices on a shop's page, and why one price was chosen.
 */
import { provideWorkspace } from "../../accounts/set_up.ts";
import { Failure, refuseFields, TooComplex } from "../../base/failure.ts";
import { summaryOf } from "../../imports/jobs/import_document.ts";
import { createClearingKind, createImportKind } from "../../imports/jobs/import_kind.ts";
import {
  type ImportRequest,
  requireImport,
  settledOptions,
  startImport,
} from "../../imports/jobs/start_import.ts";
import { listFindings } from "../../imports/state/import_row_store.ts";
import { countOf, type QueuedImport } from "../../imports/state/import_job.ts";
import { type LocalFile, receiveFiles } from "../../imports/upload/receive_upload.ts";
import { waitForJob } from "../../platform/jobs/job_store.ts";
import { hasEnded, NO_WORKSPACE } from "../../platform/jobs/job.ts";
import { JobRunner } from "../../platform/jobs/job_runner.ts";
import {
  type Actor,
  type Context,
  contextFor,
  createClock,
  type Tools,
} from "../../platform/store/context.ts";
import { openStore, storeFile } from "../../platform/store/open_store.ts";
import { lockStore } from "../../platform/store/store_file.ts";
import { type Config, readConfig } from "../composition/config.ts";
import { createForeignReader, createScraper, importDeps } from "../composition/room_deps.ts";
import { storeLocation, withTools } from "./store_access.ts";
import { print, printError, unreadable } from "./terminal.ts";
import { basename } from "node:path";
import { exponentOf, formatMajor } from "../../base/money.ts";
import { decodePage } from "../../engine/extraction/page/extraction_page.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import { judgeAnswer } from "../../scraping/page/read_answer.ts";
import { NOT_LEARNING } from "../../scraping/page/visit_tools.ts";
import {
  type ExtractReport,
  NOWHERE,
  reportOf,
  sentPage,
  visit,
} from "../../scraping/teaching/preview_page.ts";

/** Returns the exit code: 0 if all was imported, 1 after a failure, 3 if records were refused. */
export async function importFiles(
  paths: readonly string[],
  options: ImportRequest & { readonly workspace?: string },
): Promise<number> {
  const config = readConfig();
  const files = paths.map(openFile);
  return await withTools(async (tools) => {
    using lock = await holdStore(config);
    const ctx = await provideWorkspace(tools, options.workspace);
    const settled = await settledOptions(ctx, options);
    const upload = await receiveFiles(ctx, files);
    const jobId = await startImport(ctx, upload, settled.options, () => "");
    const worker = lock === null ? null : startWorker(tools, config);
    const job = await untilEnded(ctx, jobId);
    await worker?.end();
    for (const line of await importReport(ctx, job)) print(line);
    return importExitCode(job);
  });
}

/** Locks the store file; returns null if a server has locked it. A remote store needs no lock. */
async function holdStore(config: Config): Promise<Disposable | null> {
  const { dataDir } = storeLocation(config);
  if (dataDir === null) return new DisposableStack();
  await Deno.mkdir(dataDir, { recursive: true });
  try {
    return lockStore(storeFile(dataDir).lockPath);
  } catch (error) {
    if (error instanceof Failure && error.code === "unavailable") return null;
    throw error;
  }
}

function openFile(path: string): LocalFile {
  try {
    const isFile = Deno.statSync(path).isFile;
    if (!isFile) throw refuseFields([{ path, message: "Is not a file" }]);
  } catch (cause) {
    throw unreadable(`"${path}"`, cause, "not_found");
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const file = await Deno.open(path);
    yield* file.readable;
  }
  return { name: basename(path), chunks: chunks() };
}

function startWorker({ store, clock }: Tools, config: Config): { end(): Promise<void> } {
  const deps = importDeps(config, () => {});
  const kinds = [createImportKind(deps), createClearingKind()];
  const runner = new JobRunner({ store, clock, kinds });
  const started = runner.start();
  return {
    async end() {
      await started;
      await runner.drain();
      await runner.stop();
    },
  };
}

const REPORT_MS = 5_000;

async function untilEnded(ctx: Context, jobId: string): Promise<QueuedImport> {
  for (;;) {
    const job = await waitForJob<QueuedImport>(ctx, "import", jobId, REPORT_MS) ??
      await requireImport(ctx, jobId);
    if (hasEnded(job)) return job;
    const { processed, total } = job.progress;
    printError(total === null ? `${processed} records read` : `${countOf(job.stats)} of ${total}`);
  }
}

const FINDINGS_SHOWN = 10;

function importExitCode({ status, stats }: QueuedImport): number {
  if (status !== "succeeded") return 1;
  return stats.errors > 0 ? 3 : 0;
}

async function importReport(ctx: Context, job: QueuedImport): Promise<string[]> {
  const { stats, args, error } = job;
  const { files } = await summaryOf(ctx, job);
  const rows: readonly (readonly [name: string, value: string | number | undefined])[] = [
    ["job", job.jobId],
    ["source", args.source],
    ["status", args.isDryRun ? `${job.status} (dry run)` : job.status],
    ...files.map(({ name, items, encoding, profile }) =>
      ["file", `${name}: ${items} items, ${encoding}, profile ${profile}`] as const
    ),
    ["records", countOf(stats)],
    ["inserted", stats.inserted],
    ["updated", stats.updated],
    ["skipped", stats.skipped],
    ["refused", stats.errors],
    ["competitors linked", stats.competitorsLinked],
    ["removed", args.mode === "replace" ? stats.removed : undefined],
    ["prices set back", stats.reverted],
    ["days of sales", stats.soldDays || undefined],
    ["warnings", stats.warningCount],
  ];
  const known = rows.filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  const table = known.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [...table, ...(error ? [`error: ${error.message}`] : []), ...await firstErrors(ctx, job)];
}

async function firstErrors(ctx: Context, { jobId, stats }: QueuedImport): Promise<string[]> {
  const found = await listFindings(ctx, jobId, "error", { limit: FINDINGS_SHOWN });
  const lines = found.map(({ finding: { file, line, sku, code, message } }) =>
    `${file ?? "upload"}:${line ?? "?"} ${sku ?? ""} ${code}: ${message}`
  );
  const more = stats.errorCount - lines.length;
  return more > 0 ? [...lines, `… and ${more} more errors`] : lines;
}

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
