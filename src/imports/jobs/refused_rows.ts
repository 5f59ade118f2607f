/** The refused rows of tables as they came, with what is wrong with each: to be mended and sent again. */
import type { Context } from "../../platform/store/context.ts";
import type { Cell, OutgoingTable } from "../../platform/tables/cell.ts";
import { type FindingPlace, listFindings } from "../findings/finding_store.ts";
import { listTableHeads, type TextRow, walkRefusedRows } from "../state/import_row_store.ts";

const ROWS_PER_CHUNK = 200;
const FINDINGS_AT_ONCE = 500;

/** The column of what is wrong; one that a file brings of an earlier round gives way to it. */
const FAULT_COLUMN = "Fehler";

/** Null for an upload without tables. Several files have the columns of all of them. */
export async function refusedRowTable(ctx: Context, jobId: string): Promise<OutgoingTable | null> {
  const heads = await listTableHeads(ctx, jobId);
  if (heads.size === 0) return null;
  const columns = columnsOf([...heads.values()]);
  const names = [...columns.keys()].map((key) => JSON.parse(key)[0]);
  const batches = rowBatches(ctx, jobId, heads, columns);
  return { name: `refused-${jobId}`, columns: [...names, FAULT_COLUMN], batches };
}

/** Places of columns by their keys: files may share a name, and one may have it twice. */
function columnsOf(heads: readonly TextRow[]): Map<string, number> {
  const columns = new Map<string, number>();
  for (const head of heads) {
    for (const key of keysOf(head)) {
      if (key !== null && !columns.has(key)) columns.set(key, columns.size);
    }
  }
  return columns;
}

/** `["Preis",2]` is the second column of that name; null for a column that is left out. */
function keysOf(head: TextRow): (string | null)[] {
  const counts = new Map<string, number>();
  return head.map((cell) => {
    const name = cell?.trim() ?? "";
    if (name === FAULT_COLUMN) return null;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return JSON.stringify([name, count]);
  });
}

async function* rowBatches(
  ctx: Context,
  jobId: string,
  heads: ReadonlyMap<number, TextRow>,
  columns: ReadonlyMap<string, number>,
): AsyncGenerator<Cell[][]> {
  const faults = new Faults(ctx, jobId);
  const placesOf = new Map(
    [...heads].map(([file, head]) =>
      [file, keysOf(head).map((key) => key === null ? undefined : columns.get(key))] as const
    ),
  );
  let batch: Cell[][] = [];
  for await (const { index, file, rows } of walkRefusedRows(ctx, jobId)) {
    const places = placesOf.get(file);
    if (places === undefined) continue;
    const fault = await faults.of(index);
    for (const row of rows) {
      const cells: Cell[] = new Array<Cell>(columns.size).fill(null);
      for (const [at, place] of places.entries()) {
        if (place !== undefined) cells[place] = row[at] ?? null;
      }
      batch.push([...cells, fault]);
    }
    if (batch.length < ROWS_PER_CHUNK) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** What is wrong with records that are asked for in their order. */
class Faults {
  readonly #ctx: Context;
  readonly #jobId: string;
  #found: { readonly index: number; readonly text: string }[] = [];
  #after: FindingPlace | null = null;
  #isAtEnd = false;

  constructor(ctx: Context, jobId: string) {
    this.#ctx = ctx;
    this.#jobId = jobId;
  }

  async of(index: number): Promise<string> {
    // Those of the record are all there once one of a later record is.
    while (!this.#isAtEnd && (this.#found.at(-1)?.index ?? -1) <= index) await this.#readOn();
    const texts = this.#found.filter((one) => one.index === index).map(({ text }) => text);
    this.#found = this.#found.filter((one) => one.index > index);
    return [...new Set(texts)].join("; ");
  }

  async #readOn(): Promise<void> {
    const page = { severity: "error", after: this.#after, limit: FINDINGS_AT_ONCE } as const;
    const rows = await listFindings(this.#ctx, this.#jobId, page);
    this.#found.push(...rows.map(({ finding: { index, field, message } }) => ({
      index: index ?? -1,
      text: field === null ? message : `${field}: ${message}`,
    })));
    this.#after = rows.at(-1)?.place ?? this.#after;
    this.#isAtEnd = rows.length < FINDINGS_AT_ONCE;
  }
}
