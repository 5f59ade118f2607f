/** Reads the files of a ZIP archive, and limits their number, size and compression ratio. */
import { type FileEntry, Reader, ZipReader } from "@zip.js/zip.js";
import "../../platform/zip.ts";
import { type ByteSource, type FileBytes, FileError } from "./source_file.ts";

export interface ArchiveLimits {
  readonly filesMax: number;
  readonly ratioMax: number;
  readonly unpackedBytesMax: number;
}

export class ArchiveError extends FileError {}

/** `isShadow` marks symbolic links, and hidden files of macOS (`__MACOSX/`, `._name`). */
export interface ArchiveFile extends FileBytes {
  readonly isShadow: boolean;
}

const ENTRIES_MAX = 10_000;
const DIRECTORY_BYTES_MAX = 16 * 1_048_576;
const SHOWN_NAME_CHARS_MAX = 255;
const STORED = 0;
const DEFLATED = 8;

interface PackedBounds {
  readonly name: string;
  readonly bytesMax: number;
  readonly ratioMax: number;
}

export type UnpackedCounter = ReturnType<typeof createUnpackedCounter>;

/** Limits the unpacked bytes per file and in total; reading a file again counts only once. */
export function createUnpackedCounter(max: number) {
  let total = 0;
  return ({ name, bytesMax, ratioMax }: PackedBounds) => {
    let countedBytes = 0;
    return async function* (chunks: AsyncIterable<Uint8Array>) {
      let bytes = 0;
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > bytesMax) {
          const message = `"${name}" unpacks to more than ${ratioMax} times its size`;
          throw new ArchiveError("too_large", message);
        }
        total += Math.max(0, bytes - countedBytes);
        countedBytes = Math.max(countedBytes, bytes);
        if (total > max) {
          throw new ArchiveError("too_large", `The archive unpacks to more than ${max} bytes`);
        }
        yield chunk;
      }
    };
  };
}

/**
 * Callers must not use file names as paths. Throws if the archive has too many files, if an entry
 * is encrypted or has an unsupported compression, or if a name is repeated or has control
 * characters. Reading a file throws if its entry overlaps another, or unpacks to too many bytes.
 */
export async function openArchive(
  source: ByteSource,
  limits: ArchiveLimits,
  unpacked: UnpackedCounter,
): Promise<ArchiveFile[]> {
  const sourceReader = new SourceReader(source);
  const reader = new ZipReader(sourceReader, {
    useWebWorkers: false,
    checkCrc32: true,
    checkOverlappingEntry: true,
    filenameValidation: "tolerant",
  });
  const files: ArchiveFile[] = [];
  const names = new Set<string>();
  try {
    let records = 0;
    for await (const entry of reader.getEntriesGenerator()) {
      records += 1;
      if (records > ENTRIES_MAX) {
        throw new ArchiveError("bad_zip", "The archive has too many entries");
      }
      if (entry.directory) continue;
      checkEntry(entry, names);
      files.push(fileOf(entry, sourceReader, limits, unpacked));
      if (files.length > limits.filesMax) {
        throw new ArchiveError("too_large", `The archive holds more than ${limits.filesMax} files`);
      }
    }
  } catch (error) {
    throw archiveError(error, sourceReader);
  }
  return files;
}

class SourceReader extends Reader<ByteSource> {
  failure: { readonly error: unknown } | null = null;
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    super(source);
    this.#source = source;
    this.size = source.size;
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    if (length > DIRECTORY_BYTES_MAX) {
      throw new ArchiveError("bad_zip", "The directory of the archive is too large");
    }
    const end = Math.min(offset + length, this.#source.size);
    try {
      return await this.#source.read(offset, Math.max(0, end - offset));
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

function checkEntry(entry: FileEntry, names: Set<string>): void {
  const shown = serialiseName(entry.filename);
  if (/\p{Cc}/u.test(entry.filename)) {
    throw new ArchiveError("bad_zip", `The name "${shown}" holds a control character`);
  }
  if (names.has(entry.filename)) {
    throw new ArchiveError("bad_zip", `The archive holds "${shown}" twice`);
  }
  names.add(entry.filename);
  if (entry.encrypted) throw new ArchiveError("bad_zip", `"${shown}" is encrypted`);
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new ArchiveError("bad_zip", `"${shown}" is packed by another method than deflate`);
  }
}

function fileOf(
  entry: FileEntry,
  sourceReader: SourceReader,
  { ratioMax }: ArchiveLimits,
  unpacked: UnpackedCounter,
): ArchiveFile {
  const name = serialiseName(entry.filename);
  const bytesMax = Math.max(1, entry.compressedSize) * ratioMax;
  const count = unpacked({ name, bytesMax, ratioMax });
  const chunks = () => count(inflated(entry, sourceReader));
  const last = entry.filename.split("/").at(-1) ?? "";
  const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000;
  const isShadow = entry.filename.startsWith("__MACOSX/") || last.startsWith("._") || isLink;
  return { name, charset: null, chunks, isShadow };
}

async function* inflated(entry: FileEntry, sourceReader: SourceReader): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stop = new AbortController();
  let fault: unknown = null;
  const done = entry.getData(writable, { signal: stop.signal }).catch(async (error: unknown) => {
    fault = error ?? new Error("Unknown fault");
    // If `getData` fails before it locks `writable`, only this abort ends the loop over `readable`.
    if (!writable.locked) await writable.abort(fault);
  });
  try {
    yield* readable;
  } catch (error) {
    throw archiveError(error, sourceReader);
  } finally {
    stop.abort();
    await done;
  }
  if (fault !== null) throw archiveError(fault, sourceReader);
}

function archiveError(error: unknown, { failure }: SourceReader): unknown {
  if (failure) return failure.error;
  if (error instanceof ArchiveError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ArchiveError("bad_zip", `The archive cannot be read: ${message}`, {}, {
    cause: error,
  });
}

function serialiseName(name: string): string {
  const clean = name.replace(/\p{Cc}/gu, "\ufffd").toWellFormed();
  return clean.length <= SHOWN_NAME_CHARS_MAX ? clean : `${clean.slice(0, SHOWN_NAME_CHARS_MAX)}…`;
}
