/**
 * Keys (`W`: id of the workspace): `lc W jobId "part" n` → part n of the new lines, as JSON bytes,
 * until they are processed; `lc W jobId "wait" competitorId n` → line n, which waits for its page;
 * `lc W jobId "left" competitorId` → u64, number of the shop's waiting lines;
 * `lc W jobId outcome n` → line n after the check, as JSON bytes;
 * `lc W jobId "sum" outcome status` → u64, number of checked lines with this outcome and status.
 *
 * A commit that changes the row of a waiting or checked line also changes the counts.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { cutBySize } from "../../base/collections.ts";
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import {
  firstRow,
  getRows,
  idIn,
  idKey,
  removeInBatches,
  selectorAfter,
} from "../../platform/store/rows.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { ReadPage } from "../teaching/preview_page.ts";
import {
  CHECK_OUTCOMES,
  type CheckOutcome,
  LINE_STATUSES,
  type LineStatus,
} from "./check_codes.ts";
import type { RawLine, StoredCheckLine, WaitingLine } from "./link_check.ts";

export const PAGE_KEPT_MS = 7 * 86_400_000;
const PART_KEPT_MS = 31 * 86_400_000;
const PART_BYTES_MAX = 60_000;
const LINES_PER_READ = 200;
const SHOP_AT = 4;

const encode = (value: unknown) => encoder.encode(JSON.stringify(value));

/** Each line counts as at least this many bytes, so that a part has at most 300 lines. */
const LINE_SHARE = PART_BYTES_MAX / 300;

export function packLines(lines: readonly RawLine[]): Uint8Array<ArrayBuffer>[] {
  const texts = lines.map((line) => JSON.stringify(line));
  const parts = cutBySize(texts, PART_BYTES_MAX, ({ length }) => {
    return Math.max(3 * length + 1, LINE_SHARE);
  });
  return parts.map((part) => encoder.encode(`[${part.join()}]`));
}

export interface FoundLine {
  readonly line: StoredCheckLine;
  readonly versionstamp: string;
}

export class CheckRows {
  readonly #store: Store;
  readonly #prefix: readonly (string | Uint8Array)[];

  constructor({ store, workspaceId }: WorkspaceStore, checkId: string) {
    this.#store = store;
    this.#prefix = idKey("lc", workspaceId, checkId);
  }

  putPart(write: Write, part: number, bytes: Uint8Array<ArrayBuffer>): void {
    write.set([...this.#prefix, "part", part], bytes, PART_KEPT_MS);
  }

  async findPart(part: number): Promise<readonly RawLine[]> {
    const { value } = await this.#store.kv.get<Uint8Array>([...this.#prefix, "part", part]);
    return value ? JSON.parse(decoder.decode(value)) : [];
  }

  dropPart(write: Write, part: number): void {
    write.delete([...this.#prefix, "part", part]);
  }

  addWaiting(write: Write, competitorId: string, line: WaitingLine): void {
    write.set([...this.#waiting(competitorId), line.line], encode(line));
    write.sum([...this.#prefix, "left", idBytes(competitorId)], 1);
  }

  async listWaiting(competitorId: string, limit: number): Promise<WaitingLine[]> {
    const prefix = this.#waiting(competitorId);
    const rows = await Array.fromAsync(this.#store.kv.list<Uint8Array>({ prefix }, { limit }));
    return rows.map(({ value }) => JSON.parse(decoder.decode(value)));
  }

  async findWaitingShop(after: string | null): Promise<string | null> {
    const row = await firstRow(this.#store, selectorAfter([...this.#prefix, "wait"], after));
    return row && idIn(row.key, SHOP_AT);
  }

  /** `waited` is the id of the shop if the line waited for a visit; null for other lines. */
  putChecked(write: Write, line: StoredCheckLine, waited: string | null): void {
    if (waited !== null) {
      write.delete([...this.#waiting(waited), line.line]);
      write.sum([...this.#prefix, "left", idBytes(waited)], -1);
    }
    write.set([...this.#prefix, line.outcome, line.line], encode(line));
    write.sum([...this.#prefix, "sum", line.outcome, line.status], 1);
  }

  async findLines(numbers: readonly number[]): Promise<FoundLine[]> {
    const keys = numbers.flatMap((number) =>
      CHECK_OUTCOMES.map((outcome) => [...this.#prefix, outcome, number])
    );
    const rows = await getRows<Uint8Array>(this.#store, keys);
    return rows.flatMap(({ value, versionstamp }) =>
      value === null ? [] : [{ line: JSON.parse(decoder.decode(value)), versionstamp }]
    );
  }

  async *walkLines(outcome: CheckOutcome, after = 0): AsyncGenerator<FoundLine> {
    const prefix = [...this.#prefix, outcome];
    const range = { prefix, start: [...prefix, after + 1] };
    const rows = this.#store.kv.list<Uint8Array>(range, { batchSize: LINES_PER_READ });
    for await (const { value, versionstamp } of rows) {
      yield { line: JSON.parse(decoder.decode(value)), versionstamp };
    }
  }

  async *walkOutcomes(outcomes: readonly CheckOutcome[], after: number): AsyncGenerator<FoundLine> {
    for (const [n, outcome] of outcomes.entries()) {
      yield* this.walkLines(outcome, n === 0 ? after : 0);
    }
  }

  /** The commit fails if the line was changed after it was read. */
  moveLine(
    write: Write,
    { line, versionstamp }: FoundLine,
    after: Pick<StoredCheckLine, "status" | "competitorProductId">,
  ): void {
    const key = [...this.#prefix, line.outcome, line.line];
    write.check(key, versionstamp);
    write.set(key, encode({ ...line, ...after }));
    write.sum([...this.#prefix, "sum", line.outcome, line.status], -1);
    write.sum([...this.#prefix, "sum", line.outcome, after.status], 1);
  }

  async readSums(): Promise<ReadonlyMap<`${CheckOutcome} ${LineStatus}`, number>> {
    const places = CHECK_OUTCOMES.flatMap((outcome) =>
      LINE_STATUSES.map((status) => [outcome, status] as const)
    );
    const keys = places.map((place) => [...this.#prefix, "sum", ...place]);
    const rows = await getRows<Deno.KvU64>(this.#store, keys);
    return new Map(
      places.map(([outcome, status], at) =>
        [`${outcome} ${status}`, Number(rows[at]?.value?.value ?? 0n)] as const
      ),
    );
  }

  async readMostLeft(): Promise<number> {
    const prefix = [...this.#prefix, "left"];
    const rows = this.#store.kv.list<Deno.KvU64>({ prefix }, { batchSize: 500 });
    return Math.max(0, ...(await Array.fromAsync(rows)).map(({ value }) => Number(value.value)));
  }

  async clear(): Promise<void> {
    const rows = this.#store.kv.list({ prefix: [...this.#prefix] }, { batchSize: 500 });
    await removeInBatches(this.#store, rows, 500, (write, { key }) => write.delete(key));
  }

  #waiting(competitorId: string): (string | Uint8Array)[] {
    return [...this.#prefix, "wait", idBytes(competitorId)];
  }
}

export interface SeenPage {
  readonly urlHash: string;
  readonly productId: string;
  readonly read: ReadPage;
  readonly atMs: number;
}

export const seenPages = defineTable<SeenPage, "urlHash" | "productId">({
  prefix: "lcp",
  about: "the result of a link check's visit to a page; kept for a week",
  key: { urlHash: "hex", productId: "id" },
  codec: {
    encode: ({ read, atMs }) => encode({ read, atMs }),
    decode: (bytes: Uint8Array) => JSON.parse(decoder.decode(bytes)),
  },
  expireInMs: PAGE_KEPT_MS,
});
