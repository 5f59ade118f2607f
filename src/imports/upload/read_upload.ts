import { fileFinding, type Finding } from "../findings/finding.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import { ArchiveError, type ArchiveLimits, openArchive, UnpackedBytes } from "./archive.ts";
import { type ByteSource, chunksOf, type FileBytes, headOf } from "./byte_source.ts";
import { contentKind, KIND_HEAD_BYTES } from "./content_kind.ts";
import type { FileEvent, FileFault, FileInfo } from "./file_event.ts";
import { type FileSetting, readFile } from "./read_file.ts";

/** One file of an upload, as it came: a raw body is one part. */
export interface UploadPart {
  readonly name: string;
  /** Of its Content-Type; null when it names none. */
  readonly charset: string | null;
  readonly source: ByteSource;
}

/** What an upload is read with. */
export interface UploadSetting extends FileSetting, ArchiveLimits {}

/**
 * What happens while an upload is read, in order. Each event may be answered late: nothing is read
 * on before the next one is asked for. `refused` is the last event of a bad upload, of which nothing
 * may then be applied; a good one ends without it.
 */
export type UploadEvent =
  | { readonly kind: "progress"; readonly bytes: number }
  | {
    readonly kind: "records";
    readonly file: string;
    readonly bytes: number;
    readonly records: readonly EvaluatedRecord[];
  }
  | { readonly kind: "warning"; readonly finding: Finding }
  | { readonly kind: "file"; readonly info: FileInfo }
  | { readonly kind: "refused"; readonly finding: Finding };

/**
 * Pass 1 of an import: reads all parts, XML and archives of XML, into judged records. Stores nothing;
 * memory stays bounded by a chunk and its records, whatever the size of the upload.
 */
export async function* readUpload(
  parts: readonly UploadPart[],
  setting: UploadSetting,
): AsyncGenerator<UploadEvent> {
  const unpacked = new UnpackedBytes(setting.unpackedBytesMax);
  const run: Run = { setting, unpacked, files: 0, items: 0 };
  for (const part of parts) {
    const fault = yield* readPart(part, run);
    if (fault) {
      yield { kind: "refused", finding: fileFinding("error", fault.file, fault) };
      return;
    }
  }
  if (run.items === 0) {
    const fault = { code: "no_items", line: null, message: "The upload holds no item" } as const;
    yield { kind: "refused", finding: fileFinding("error", parts[0]?.name ?? null, fault) };
  }
}

interface Run {
  readonly setting: UploadSetting;
  readonly unpacked: UnpackedBytes;
  files: number;
  items: number;
}

type NamedFault = FileFault & { readonly file: string };

async function* readPart(
  { name, charset, source }: UploadPart,
  run: Run,
): AsyncGenerator<UploadEvent, NamedFault | null> {
  const file = { name, charset, chunks: () => chunksOf(source) };
  const kind = contentKind(await headOf(file, KIND_HEAD_BYTES));
  if (kind === "zip") return yield* readArchive(name, source, run);
  if (kind === "xml") return yield* readXml(file, run);
  return { file: name, ...notXml(kind) };
}

async function* readArchive(
  name: string,
  source: ByteSource,
  run: Run,
): AsyncGenerator<UploadEvent, NamedFault | null> {
  let reading = name;
  try {
    for (const file of await openArchive(source, run.setting, run.unpacked)) {
      reading = file.name;
      const kind = file.isShadow ? "other" : contentKind(await headOf(file, KIND_HEAD_BYTES));
      if (kind === "zip") {
        const message = "An archive within the archive is not opened";
        return { file: file.name, code: "bad_zip", line: null, message };
      }
      if (kind === "xml") {
        const fault = yield* readXml(file, run);
        if (fault) return fault;
      } else if (!file.isShadow && /\.xml$/i.test(file.name)) {
        return { file: file.name, ...notXml(kind) };
      } else {
        const fault = {
          code: "malformed_xml",
          line: null,
          message: "Not XML: passed over",
        } as const;
        yield { kind: "warning", finding: fileFinding("warning", file.name, fault) };
      }
    }
    return null;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { file: reading, code: error.code, line: null, message: error.message };
  }
}

async function* readXml(file: FileBytes, run: Run): AsyncGenerator<UploadEvent, NamedFault | null> {
  run.files += 1;
  const { filesMax } = run.setting;
  if (run.files > filesMax) {
    const message = `The upload holds more than ${filesMax} files`;
    return { file: file.name, code: "too_large", line: null, message };
  }
  for await (const event of readFile(file, run.setting, run.items)) {
    if (event.kind === "fault") return { file: file.name, ...event.fault };
    yield told(event, file.name, run);
  }
  return null;
}

function told(event: Exclude<FileEvent, { kind: "fault" }>, file: string, run: Run): UploadEvent {
  if (event.kind === "progress") return event;
  if (event.kind === "done") return { kind: "file", info: event.info };
  if (event.kind === "guess") {
    const fault = { code: "encoding_guessed", line: null, message: event.message } as const;
    return { kind: "warning", finding: fileFinding("warning", file, fault) };
  }
  run.items += event.records.length;
  return { ...event, file };
}

function notXml(kind: "empty" | "other" | "zip"): FileFault {
  const message = kind === "empty" ? "The file is empty" : "The file is not XML";
  return { code: "malformed_xml", line: 1, message };
}
