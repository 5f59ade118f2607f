/** A table as a workbook (XLSX): a stream, a batch of its rows in memory at a time. */
import { ZipWriter } from "@zip.js/zip.js";
import "../zip.ts";
import { TimeSlice } from "../event_loop.ts";
import type { Cell, OutgoingTable } from "./cell.ts";
import { partsOf, SHEET_HEAD, SHEET_TAIL, sheetPath, STYLES } from "./workbook_parts.ts";
import { rowXml } from "./workbook_rows.ts";

/** A sheet has no more rows; what is behind them goes to another sheet, below the same header. */
const SHEET_ROWS_MAX = 1_048_576;
/** Of each part, the first time that an archive can tell: the same table is the same bytes. */
const PART_TIME = new Date(1980, 0, 1);

interface WorkbookSetting {
  /** Moments are on this clock. */
  readonly timeZone: string;
  /** For tests. */
  readonly sheetRowsMax?: number;
}

type Rows = OutgoingTable["batches"];

/** Reads on only as fast as the stream is taken. */
export function workbookStream(
  table: Pick<OutgoingTable, "columns" | "batches">,
  setting: WorkbookSetting,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  writeWorkbook(writable, table, setting).catch((error: unknown) =>
    // Where nobody reads any more, nobody is left to be told.
    writable.abort(error).catch(() => {})
  );
  return readable;
}

async function writeWorkbook(
  writable: WritableStream<Uint8Array>,
  { columns, batches }: Pick<OutgoingTable, "columns" | "batches">,
  { timeZone, sheetRowsMax = SHEET_ROWS_MAX }: WorkbookSetting,
): Promise<void> {
  const zip = new ZipWriter(writable, {
    useWebWorkers: false,
    extendedTimestamp: false,
    lastModDate: PART_TIME,
  });
  const source = new BatchSource(batches);
  let sheets = 0;
  try {
    do {
      const chunks = sheetChunks(source, columns, { timeZone, rowsMax: sheetRowsMax });
      const sheet = ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
      await zip.add(sheetPath(++sheets), sheet);
    } while (!await source.isAtEnd());
    for (const [path, xml] of [["xl/styles.xml", STYLES] as const, ...partsOf(sheets)]) {
      await zip.add(path, new Blob([xml]).stream());
    }
    await zip.close();
  } finally {
    await source.close();
  }
}

async function* sheetChunks(
  source: BatchSource,
  columns: readonly string[],
  { timeZone, rowsMax }: { readonly timeZone: string; readonly rowsMax: number },
): AsyncGenerator<string> {
  const slice = new TimeSlice();
  yield SHEET_HEAD + rowXml(columns, 1, { timeZone, isHead: true });
  for (let line = 1; line < rowsMax;) {
    const rows = await source.take(rowsMax - line);
    if (rows.length === 0) break;
    let xml = "";
    for (const row of rows) xml += rowXml(row, ++line, { timeZone });
    yield xml;
    await slice.yield();
  }
  yield SHEET_TAIL;
}

/** Rows, as many as there is room for at a time. */
class BatchSource {
  readonly #batches: AsyncIterator<readonly (readonly Cell[])[]>;
  #rest: readonly (readonly Cell[])[] = [];

  constructor(batches: Rows) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** None: there are no more. */
  async take(max: number): Promise<readonly (readonly Cell[])[]> {
    if (await this.isAtEnd()) return [];
    const rows = this.#rest.slice(0, max);
    this.#rest = this.#rest.slice(max);
    return rows;
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#batches.next();
      if (next.done === true) return true;
      this.#rest = next.value;
    }
    return false;
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}
