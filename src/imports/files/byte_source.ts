/** Byte access to a file, its text in chunks, and the errors that refuse a file. */
import { z } from "@hono/zod-openapi";
import { ChunkDecoder, type Encoding } from "../../engine/xml/encoding.ts";
import type { XmlFault, XmlReader } from "../../engine/xml/reader.ts";
import { type FileWarning, fileWarning, type FindingCode } from "./finding.ts";

export const ReadPlan = z.strictObject({
  delimiter: z.enum([";", "\t", ",", "|"]).nullable().default(null)
    .describe("Delimiter of the cells of a text table"),
  quote: z.enum(['"', "'"]).nullable().default(null)
    .describe("Quote character around cells"),
  encoding: z.string().max(40).nullable().default(null).meta({
    description: "Name of the encoding in the WHATWG Encoding Standard",
    examples: ["windows-1252"],
  }),
  headerRow: z.int().min(1).max(1_000).nullable().default(null)
    .describe("Line number of the row that names the columns"),
  sheet: z.string().max(200).nullable().default(null)
    .describe("Workbook: name of the sheet; else the first visible one"),
  list: z.string().max(500).nullable().default(null)
    .meta({
      description: "JSON: path of the list of records, as keys with dots between them",
      examples: ["data.items"],
    }),
  each: z.string().max(200).nullable().default(null)
    .describe("JSON: key of a list inside each record; each member becomes a row"),
});
export type ReadPlan = z.infer<typeof ReadPlan>;

/** Other requests can run between two steps. */
const STEP_BYTES = 16_384;

/** The last step has a null `chunk` and the text that the decoder still held. */
export async function* textSteps(
  file: FileBytes,
  encoding: Encoding,
): AsyncGenerator<{ readonly text: string; readonly chunk: Uint8Array | null }> {
  const decoder = new ChunkDecoder(encoding);
  for await (const whole of file.chunks()) {
    for (let at = 0; at < whole.length; at += STEP_BYTES) {
      const chunk = whole.subarray(at, at + STEP_BYTES);
      yield { text: decoder.text(chunk), chunk };
    }
  }
  yield { text: decoder.text(null), chunk: null };
}

export async function* parseChunks(
  file: FileBytes,
  encoding: Encoding,
  reader: XmlReader,
): AsyncGenerator<{ readonly chunk: Uint8Array } | { readonly fault: XmlFault }> {
  for await (const { text, chunk } of textSteps(file, encoding)) {
    const fault = reader.write(text) ?? (chunk === null ? reader.end() : null);
    if (fault) return yield { fault };
    if (chunk !== null) yield { chunk };
  }
}

export interface ByteSource {
  readonly size: number;
  /** Returns fewer than `length` bytes at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

export interface FileBytes {
  readonly name: string;
  readonly charset: string | null;
  chunks(): AsyncIterable<Uint8Array>;
}

export async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < source.size;) {
    const chunk = await source.read(offset, Math.min(262_144, source.size - offset));
    if (chunk.length === 0) throw new Error(`The source ends at ${offset} of ${source.size} bytes`);
    offset += chunk.length;
    yield chunk;
  }
}

export async function headOf(file: FileBytes, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of file.chunks()) {
    const part = chunk.subarray(0, length - filled);
    head.set(part, filled);
    filled += part.length;
    if (filled === length) break;
  }
  return head.subarray(0, filled);
}

export interface FileFault {
  readonly code: FindingCode;
  readonly line: number | null;
  readonly message: string;
  readonly value?: string;
  readonly field?: string;
}

export type ReadEvent = { readonly kind: "progress"; readonly bytes: number } | FileWarning;

export function encodingGuessed({ name }: FileBytes, message: string): FileWarning {
  return fileWarning(name, { code: "encoding_guessed", line: null, message });
}
