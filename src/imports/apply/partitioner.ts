/** Stores checked records in partitions by the shard of their SKU. */

import { shard, SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import type { JobProgress, StepTools } from "../../platform/jobs/job.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { Finding } from "../files/finding.ts";
import { type ImportJob, NO_STATS } from "../state/import_job.ts";
import {
  PARTITION_BYTES_MAX,
  refusedRecords,
  saveChunk,
  saveFinding,
  saveRefusedRows,
  saveTableHead,
  TABLE_TEXT_CHARS_MAX,
} from "../state/import_row_store.ts";
import { NO_UNITS } from "./guards.ts";

/**
 * A commit takes 750,000 bytes, of which the last one needs some for its files; a finding and its
 * key are counted as this many.
 */
const COMMIT_BYTES = 500_000;
const FINDING_BYTES = 2_000;

/** Bytes of lines that are not stored yet. */
interface Page {
  readonly bytes: Uint8Array;
  filled: number;
}

interface Row {
  readonly bytes: number;
  readonly put: (write: Write) => void;
  readonly severity: Finding["severity"] | null;
  /** To be used again when the row is stored. */
  readonly page: Page | null;
}

/**
 * Deals checked records out to the shards of their SKUs, in memory until a commit is full. Chunks
 * and findings lie at places that follow from the upload alone, so a check that begins again writes
 * over what an earlier one left. Lines become bytes at once: as strings they would outlive the young
 * generation of the heap and fill it by hundreds of megabytes.
 */
export class Partitioner {
  readonly lines: number[] = SHARD_NUMBERS.map(() => 0);
  errorCount = 0;
  warningCount = 0;
  /** Records, refused ones included. */
  records = 0;
  refused = 0;
  units = NO_UNITS;
  /** True once a record has our price. */
  bringsPrices = false;
  /** Records of products that the file says are not sold. */
  passedOver = 0;
  readonly #tools: StepTools<ImportJob>;
  readonly #jobId: string;
  readonly #encoder = new TextEncoder();
  readonly #pages: (Page | null)[] = SHARD_NUMBERS.map(() => null);
  readonly #counts: number[] = SHARD_NUMBERS.map(() => 0);
  readonly #spare: Page[] = [];
  readonly #rows: Row[] = [];
  /** Findings that are stored: a job that is cancelled now has them, and so they count. */
  readonly #stored = { errorCount: 0, warningCount: 0 };
  #bytes = 0;
  #commits = 0;
  /** The commit on its way; the next wait for it reports a failure. */
  #inFlight: Promise<void> = Promise.resolve();
  #isCommitting = false;

  constructor(tools: StepTools<ImportJob>, jobId: string) {
    this.#tools = tools;
    this.#jobId = jobId;
  }

  /** In memory only: after a piece of the upload `flush` commits what has become too much. */
  deal(sku: string, line: string): void {
    const number = shard(sku);
    this.lines[number] = (this.lines[number] ?? 0) + 1;
    for (let rest = line; rest !== "";) {
      const page = this.#pageOf(number);
      const { read, written } = this.#encoder.encodeInto(rest, page.bytes.subarray(page.filled));
      page.filled += written;
      if (read < rest.length) this.#turnPage(number);
      rest = rest.slice(read);
    }
  }

  /** `n` counts the findings of one record. */
  note(finding: Finding, n: number): void {
    if (finding.severity === "error") this.errorCount++;
    else this.warningCount++;
    const put = (write: Write) => saveFinding(write, this.#tools, this.#jobId, finding, n);
    this.#add({ bytes: FINDING_BYTES, put, severity: finding.severity, page: null });
  }

  keepRefused(index: number, xml: string): void {
    const row = { jobId: this.#jobId, index, xml };
    const put = (write: Write) => refusedRecords.put(write, this.#tools, row);
    this.#add({ bytes: xml.length * 2 + 100, put, severity: null, page: null });
  }

  /** The columns of the table that file `file` is. */
  keepHead(file: number, columns: readonly (string | null)[]): void {
    const put = (write: Write) => saveTableHead(write, this.#tools, this.#jobId, file, columns);
    this.#add({ bytes: 3 * TABLE_TEXT_CHARS_MAX, put, severity: null, page: null });
  }

  /** `rows` are JSON of the rows of a refused record. */
  keepRows(index: number, file: number, rows: string): void {
    const put = (write: Write) =>
      saveRefusedRows(write, this.#tools, this.#jobId, { index, file, rows: JSON.parse(rows) });
    this.#add({ bytes: rows.length * 2 + 100, put, severity: null, page: null });
  }

  /** Commits full commits' worth of rows, one while the next is filled; what is left waits for more. */
  async flush(): Promise<void> {
    while (this.#bytes > COMMIT_BYTES) {
      await this.drain();
      this.#begin(this.#takeRows());
    }
  }

  /** Keeps the lease where nothing is stored for long. */
  async beat(): Promise<void> {
    if (!this.#isCommitting) await this.#tools.beat({ progress: this.#progress });
  }

  /** Resolves when no commit is on its way, or says how it failed: the job may be given to others then. */
  async drain(): Promise<void> {
    await this.#inFlight;
  }

  /** Puts what is left into `write`, the commit that ends the check; what does not fit goes before it. */
  async finish(write: Write): Promise<void> {
    for (const number of SHARD_NUMBERS) this.#turnPage(number);
    await this.flush();
    await this.drain();
    for (const { put } of this.#rows) put(write);
  }

  get #progress(): JobProgress {
    return { processed: this.records, total: null };
  }

  #pageOf(number: number): Page {
    const page = this.#pages[number] ?? this.#spare.pop() ??
      { bytes: new Uint8Array(PARTITION_BYTES_MAX), filled: 0 };
    this.#pages[number] = page;
    return page;
  }

  #turnPage(number: number): void {
    const page = this.#pages[number];
    if (!page) return;
    this.#pages[number] = null;
    const n = this.#counts[number] ?? 0;
    this.#counts[number] = n + 1;
    const chunk = { shard: number, n, bytes: page.bytes.subarray(0, page.filled) };
    const put = (write: Write) => saveChunk(write, this.#tools, this.#jobId, chunk);
    this.#add({ bytes: page.filled + 100, put, severity: null, page });
  }

  #add(row: Row): void {
    this.#bytes += row.bytes;
    this.#rows.push(row);
  }

  #takeRows(): Row[] {
    let taken = 0;
    let bytes = 0;
    for (const row of this.#rows) {
      if (bytes + row.bytes > COMMIT_BYTES) break;
      bytes += row.bytes;
      taken++;
    }
    const rows = this.#rows.splice(0, taken);
    this.#bytes -= bytes;
    return rows;
  }

  #begin(rows: readonly Row[]): void {
    this.#inFlight = this.#commit(rows);
    // It is heard later: until then it must not end the process.
    this.#inFlight.catch(() => {});
  }

  async #commit(rows: readonly Row[]): Promise<void> {
    this.#isCommitting = true;
    this.#commits++;
    for (const { severity } of rows) {
      if (severity === "error") this.#stored.errorCount++;
      if (severity === "warning") this.#stored.warningCount++;
    }
    const stats = { ...NO_STATS, ...this.#stored };
    const moved = { place: this.#commits, progress: this.#progress, stats };
    await this.#tools.checkpoint(moved, (write) => {
      for (const { put } of rows) put(write);
    });
    for (const { page } of rows) {
      if (page) this.#spare.push({ bytes: page.bytes, filled: 0 });
    }
    this.#isCommitting = false;
  }
}
