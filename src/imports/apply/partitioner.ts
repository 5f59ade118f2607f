/** Stores the checked records in partitions by the shard of their SKU, and counts them. */
import { exponentOf } from "../../base/money.ts";
import { shard, SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import type { JobProgress, StepTools } from "../../platform/jobs/job.ts";
import type { Write } from "../../platform/store/kv.ts";
import { type Finding, findingOf } from "../files/finding.ts";
import {
  type EvaluatedRecord,
  lineOf,
  type RecordPatch,
  seenLine,
} from "../records/record_patch.ts";
import { type ImportJob, NO_STATS, type PriceUnits } from "../state/import_job.ts";
import {
  excludedMark,
  PARTITION_BYTES_MAX,
  refusedRecords,
  saveChunk,
  saveFinding,
  TABLE_TEXT_CHARS_MAX,
  tableTexts,
} from "../state/import_row_store.ts";
import { BEYOND_COST, NO_UNITS } from "./guards.ts";

/** Leaves space in the last commit for the list of the upload's files. */
const COMMIT_BYTES = 500_000;
const FINDING_BYTES = 2_000;

interface Page {
  readonly bytes: Uint8Array;
  filled: number;
}

interface Row {
  readonly bytes: number;
  readonly put: (write: Write) => void;
  readonly severity: Finding["severity"] | null;
}

/**
 * Keys depend only on the upload, so checking the upload again overwrites the same rows. Each line
 * is encoded immediately, because strings would take hundreds of megabytes.
 */
export class Partitioner {
  readonly lines: number[] = SHARD_NUMBERS.map(() => 0);
  errorCount = 0;
  warningCount = 0;
  records = 0;
  refused = 0;
  units = NO_UNITS;
  bringsPrices = false;
  passedOver = 0;
  readonly #tools: StepTools<ImportJob>;
  readonly #jobId: string;
  readonly #args: ImportJob["args"];
  readonly #encoder = new TextEncoder();
  readonly #pages: (Page | null)[] = SHARD_NUMBERS.map(() => null);
  readonly #counts: number[] = SHARD_NUMBERS.map(() => 0);
  readonly #rows: Row[] = [];
  readonly #stored = { errorCount: 0, warningCount: 0 };
  #bytes = 0;
  #commits = 0;
  /** Rejects if the running commit fails. */
  #inFlight: Promise<void> = Promise.resolve();
  #isCommitting = false;

  constructor(tools: StepTools<ImportJob>, { jobId, args }: ImportJob) {
    this.#tools = tools;
    this.#jobId = jobId;
    this.#args = args;
  }

  /** `excluded` contains hashes of SKUs to skip. */
  add(record: EvaluatedRecord, file: number, excluded: ReadonlySet<string> | null): void {
    const { index, line, sku, patch, findings, refusedXml, isPassedOver } = record;
    this.records++;
    if (sku !== null && excluded?.has(excludedMark(sku))) {
      const message = `"${sku}" was excluded when the import was applied`;
      this.note(findingOf("warning", "excluded", message, { index, line, sku }), 0);
      this.passedOver++;
      return this.#mention(sku, index);
    }
    for (const [n, finding] of findings.entries()) this.note(finding, n);
    const rows = rowsText(record);
    if (patch !== null) {
      this.bringsPrices ||= patch.ourPriceCents !== undefined;
      this.units = addWritten(addPair(this.units, patch), record);
      const { sold = [], written } = record;
      const kept = this.#mayBeRefused(patch) ? rows : "";
      return this.#deal(patch.sku, lineOf(patch, { index, line, file, rows: kept, sold, written }));
    }
    if (isPassedOver) this.passedOver++;
    else this.refused++;
    if (refusedXml !== null) {
      const row = { jobId: this.#jobId, index, xml: refusedXml };
      this.#keep(refusedXml.length, (write) => refusedRecords.put(write, this.#tools, row));
    }
    if (!isPassedOver && rows !== "") {
      const text = [file, JSON.parse(rows)] as const;
      const row = { jobId: this.#jobId, kind: "row", n: index, text } as const;
      this.#keep(rows.length, (write) => tableTexts.put(write, this.#tools, row));
    }
    if (sku !== null) this.#mention(sku, index);
  }

  note(finding: Finding, n: number): void {
    if (finding.severity === "error") this.errorCount++;
    else this.warningCount++;
    const put = (write: Write) => saveFinding(write, this.#tools, this.#jobId, finding, n);
    this.#add({ bytes: FINDING_BYTES, put, severity: finding.severity });
  }

  keepHead(file: number, columns: readonly (string | null)[]): void {
    const { length } = JSON.stringify(columns);
    if (length > TABLE_TEXT_CHARS_MAX) return;
    const row = { jobId: this.#jobId, kind: "head", n: file, text: columns } as const;
    this.#keep(length, (write) => tableTexts.put(write, this.#tools, row));
  }

  /** The rows of the last, incomplete commit stay in memory. */
  async flush(): Promise<void> {
    while (this.#bytes > COMMIT_BYTES) {
      await this.drain();
      this.#inFlight = this.#commit(this.#takeRows());
      // Prevents an unhandled rejection. `drain` throws the error.
      this.#inFlight.catch(() => {});
    }
  }

  async beat(): Promise<void> {
    if (!this.#isCommitting) await this.#tools.beat({ progress: this.#progress });
  }

  /** Waits for the running commit and throws its error. */
  async drain(): Promise<void> {
    await this.#inFlight;
  }

  /** `write` is the last commit. Rows that do not fit are committed first. */
  async finish(write: Write): Promise<void> {
    for (const number of SHARD_NUMBERS) this.#closePage(number);
    await this.flush();
    await this.drain();
    for (const { put } of this.#rows) put(write);
  }

  /** With `replace`, stores that the upload has this SKU, so that its product is not deleted. */
  #mention(sku: string, index: number): void {
    if (this.#args.mode === "replace") this.#deal(sku, seenLine(sku, index));
  }

  #mayBeRefused({ title, currency }: RecordPatch): boolean {
    return title === undefined ||
      (currency !== undefined && currency !== this.#args.setting.currency);
  }

  #deal(sku: string, line: string): void {
    const number = shard(sku);
    this.lines[number] = (this.lines[number] ?? 0) + 1;
    for (let rest = line; rest !== "";) {
      const page = this.#pageOf(number);
      const { read, written } = this.#encoder.encodeInto(rest, page.bytes.subarray(page.filled));
      page.filled += written;
      if (read < rest.length) this.#closePage(number);
      rest = rest.slice(read);
    }
  }

  #keep(characters: number, put: Row["put"]): void {
    this.#add({ bytes: characters * 2 + 100, put, severity: null });
  }

  get #progress(): JobProgress {
    return { processed: this.records, total: null };
  }

  #pageOf(number: number): Page {
    return this.#pages[number] ??= { bytes: new Uint8Array(PARTITION_BYTES_MAX), filled: 0 };
  }

  #closePage(number: number): void {
    const page = this.#pages[number];
    if (!page) return;
    this.#pages[number] = null;
    const n = this.#counts[number] ?? 0;
    this.#counts[number] = n + 1;
    const chunk = { shard: number, n, bytes: page.bytes.subarray(0, page.filled) };
    const put = (write: Write) => saveChunk(write, this.#tools, this.#jobId, chunk);
    this.#add({ bytes: page.filled + 100, put, severity: null });
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
    this.#isCommitting = false;
  }
}

/** Empty without rows, or if the JSON is too long. */
function rowsText({ rows }: EvaluatedRecord): string {
  const text = rows === undefined ? "" : JSON.stringify(rows);
  return text.length <= TABLE_TEXT_CHARS_MAX ? text : "";
}

/** Frequent decimals of prices in European shops. */
const ENDINGS: readonly string[] = ["99", "98", "95", "90", "50", "49", "00"];

type Amounts = Pick<RecordPatch, "ourPriceCents" | "costPriceCents">;

export function addPair(units: PriceUnits, { ourPriceCents, costPriceCents }: Amounts): PriceUnits {
  if (!ourPriceCents || !costPriceCents) return units;
  const isBeyond = ourPriceCents >= BEYOND_COST * costPriceCents;
  return { ...units, pairs: units.pairs + 1, beyondCost: units.beyondCost + (isBeyond ? 1 : 0) };
}

function addWritten(
  units: PriceUnits,
  { wholePrice, patch }: Pick<EvaluatedRecord, "wholePrice" | "patch">,
): PriceUnits {
  const { wholes = { prices: 0, endings: 0 } } = units;
  if (wholePrice === undefined || wholes === null) return units;
  const hasCents = exponentOf(patch?.amountsIn ?? patch?.currency ?? "") === 2;
  if (wholePrice === null || !hasCents) return { ...units, wholes: null };
  const endings = wholes.endings + (ENDINGS.includes(wholePrice.slice(-2)) ? 1 : 0);
  return { ...units, wholes: { prices: wholes.prices + 1, endings } };
}
