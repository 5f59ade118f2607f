import type { StepTools } from "../../platform/job.ts";
import type { Write } from "../../platform/kv.ts";
import { shard } from "../../catalogue/product.ts";
import type { Finding } from "../finding.ts";
import type { ImportJob } from "../import_job.ts";
import { saveFinding } from "../jobs/finding_store.ts";
import { saveRefusedRecord } from "../jobs/import_row_store.ts";
import { saveChunk } from "../jobs/partition_store.ts";

const SHARDS = 64;
const BUFFER_CHARS = 32_000;
const CHUNK_BYTES = 60_000;
/** A commit takes 750,000 bytes, of which the last one needs some for its files; a finding and its key are counted as this many. */
const COMMIT_BYTES = 500_000;
const FINDING_BYTES = 2_000;

interface Row {
  readonly bytes: number;
  readonly row: (write: Write) => void;
}

/**
 * Deals checked records out to the shards of their SKUs, in memory until a commit is full. Chunks
 * and findings lie at places that follow from the upload alone, so a check that begins again writes
 * over what an earlier one left.
 */
export class Dealer {
  /** Lines per shard. */
  readonly lines = new Array<number>(SHARDS).fill(0);
  errorCount = 0;
  warningCount = 0;
  /** Records, refused ones included. */
  records = 0;
  refused = 0;
  readonly #tools: StepTools<ImportJob>;
  readonly #jobId: string;
  readonly #encoder = new TextEncoder();
  readonly #buffers: string[] = new Array<string>(SHARDS).fill("");
  readonly #counts = new Array<number>(SHARDS).fill(0);
  readonly #rows: Row[] = [];
  #bytes = 0;
  #commits = 0;

  constructor(tools: StepTools<ImportJob>, jobId: string) {
    this.#tools = tools;
    this.#jobId = jobId;
  }

  /** In memory only: after a piece of the upload `drain` commits what has become too much. */
  deal(sku: string, line: string): void {
    const number = shard(sku);
    this.lines[number] = (this.lines[number] ?? 0) + 1;
    const text = (this.#buffers[number] ?? "") + line;
    this.#buffers[number] = text;
    if (text.length >= BUFFER_CHARS) this.#emptyBuffer(number);
  }

  /** `n` counts the findings of one record. */
  note(finding: Finding, n: number): void {
    if (finding.severity === "error") this.errorCount++;
    else this.warningCount++;
    const { workspaceId } = this.#tools;
    this.#add(
      FINDING_BYTES,
      (write) => saveFinding(write, workspaceId, this.#jobId, finding, n),
    );
  }

  keepRefused(index: number, xml: string): void {
    const { workspaceId } = this.#tools;
    this.#add(
      xml.length * 2 + 100,
      (write) => saveRefusedRecord(write, workspaceId, this.#jobId, index, xml),
    );
  }

  /** Commits full commits' worth of rows; what is left waits for more. */
  async drain(): Promise<void> {
    while (this.#bytes > COMMIT_BYTES) await this.#commit();
  }

  /** Puts what is left into `write`, the commit that ends the check; what does not fit goes before it. */
  async finish(write: Write): Promise<void> {
    for (let number = 0; number < SHARDS; number++) this.#emptyBuffer(number);
    await this.drain();
    for (const { row } of this.#rows) row(write);
  }

  #emptyBuffer(number: number): void {
    const text = this.#buffers[number] ?? "";
    if (text === "") return;
    this.#buffers[number] = "";
    const { workspaceId } = this.#tools;
    const bytes = this.#encoder.encode(text);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      const n = this.#counts[number] ?? 0;
      this.#counts[number] = n + 1;
      const chunk = { shard: number, n, bytes: bytes.slice(at, at + CHUNK_BYTES) };
      this.#add(
        chunk.bytes.length + 100,
        (write) => saveChunk(write, workspaceId, this.#jobId, chunk),
      );
    }
  }

  #add(bytes: number, row: (write: Write) => void): void {
    this.#bytes += bytes;
    this.#rows.push({ bytes, row });
  }

  async #commit(): Promise<void> {
    let taken = 0;
    let bytes = 0;
    for (const row of this.#rows) {
      if (bytes + row.bytes > COMMIT_BYTES) break;
      bytes += row.bytes;
      taken++;
    }
    const rows = this.#rows.splice(0, taken);
    this.#bytes -= bytes;
    this.#commits++;
    const progress = { processed: this.records, total: null };
    await this.#tools.checkpoint({ place: this.#commits, progress }, (write) => {
      for (const { row } of rows) row(write);
    });
  }
}
