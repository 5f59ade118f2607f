/** Serves the built files of `dist/`. */
import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import type { AppContext } from "../../platform/http/http.ts";
import { etagOf, isKnown, takesCoding } from "../../platform/http/answer.ts";

const BUILT = new URL("../../../dist/", import.meta.url);

const FileTable = z.record(
  z.string(),
  z.object({
    file: z.string(),
    type: z.string(),
    /** True if the name changes with the content, so that browsers may keep the file for ever. */
    isLasting: z.boolean(),
    isPacked: z.boolean(),
    hasBrotli: z.boolean(),
  }),
);

type Entry = z.infer<typeof FileTable>[string];

interface PackedFile extends Pick<Entry, "type" | "isLasting"> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: Uint8Array<ArrayBuffer> | null;
  readonly brotli?: Uint8Array<ArrayBuffer> | null;
  readonly etag: string;
}

interface StaticFiles {
  /** Throws `not_found` for a path that is not in the list of built files. */
  answer(c: AppContext, path: string, options?: AnswerOptions): Promise<Response>;
}

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

export function createStaticFiles(folder: URL = BUILT): StaticFiles {
  const kept = new Map<string, Promise<PackedFile>>();
  const table = keeping(() => readTable(folder));
  const find = async (path: string) => {
    const entry = (await table()).get(path);
    if (!entry) throw new Failure("not_found", `There is nothing at "${path}"`);
    const file = kept.get(entry.file) ?? readBuilt(folder, entry);
    kept.set(entry.file, file);
    try {
      return await file;
    } catch (error) {
      if (kept.get(entry.file) === file) kept.delete(entry.file);
      throw error;
    }
  };
  return { answer: async (c, path, options = {}) => answerFile(c, await find(path), options) };
}

function keeping<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null;
  return async () => {
    const reading = kept ??= read();
    try {
      return await reading;
    } catch (error) {
      if (kept === reading) kept = null;
      throw error;
    }
  };
}

async function readTable(folder: URL): Promise<ReadonlyMap<string, Entry>> {
  try {
    const text = await Deno.readTextFile(new URL("files.json", folder));
    return new Map(Object.entries(FileTable.parse(JSON.parse(text))));
  } catch (cause) {
    throw notBuilt(cause);
  }
}

async function readBuilt(folder: URL, entry: Entry): Promise<PackedFile> {
  try {
    const read = (ending: string) => Deno.readFile(new URL(entry.file + ending, folder));
    const bytes = await read("");
    const packed = entry.isPacked ? await read(".gz") : null;
    const brotli = entry.hasBrotli ? await read(".br") : null;
    return { ...entry, bytes, packed, brotli, etag: etagOf(bytes) };
  } catch (cause) {
    throw notBuilt(cause);
  }
}

function notBuilt(cause: unknown): Failure {
  const message = 'The pages are not built: run "deno task build"';
  return new Failure("not_found", message, undefined, { cause });
}

const FOR_EVER = "public, max-age=31536000, immutable";

/** Browsers must revalidate a file that can change without a new name. */
export function answerFile(c: AppContext, file: PackedFile, options: AnswerOptions = {}): Response {
  const { bytes, packed, brotli, etag } = file;
  const headers = new Headers({
    ...options.headers,
    "Content-Type": file.type,
    "Cache-Control": file.isLasting ? FOR_EVER : "no-cache",
    ETag: etag,
  });
  if (isKnown(c, etag)) return new Response(null, { status: 304, headers });
  const { status = 200 } = options;
  if (packed === null) return new Response(bytes, { status, headers });
  headers.set("Vary", "Accept-Encoding");
  const isBrotli = brotli && takesCoding(c, "br");
  if (!isBrotli && !takesCoding(c, "gzip")) return new Response(bytes, { status, headers });
  headers.set("Content-Encoding", isBrotli ? "br" : "gzip");
  headers.set("ETag", `W/${etag}`);
  return new Response(isBrotli ? brotli : packed, { status, headers });
}
