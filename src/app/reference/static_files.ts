/** The built files of `dist/`: one table by the path that serves them. */
import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import type { AppContext } from "../../platform/http/app_context.ts";
import { etagOf, isKnown, takesGzip } from "../../platform/http/packed_answer.ts";

const BUILT = new URL("../../../dist/", import.meta.url);

/** `files.json` as the build writes it. */
const FileTable = z.record(
  z.string(),
  z.object({
    /** Where it lies below `dist/`. */
    file: z.string(),
    type: z.string(),
    /** The name changes with the content: browsers may keep it for ever. */
    isLasting: z.boolean(),
    /** True when a `….gz` exists. */
    isPacked: z.boolean(),
  }),
);

type Entry = z.infer<typeof FileTable>[string];

/** Frequently served files, in both forms. */
interface PackedFile extends Pick<Entry, "type" | "isLasting"> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null for what packing does not make smaller. */
  readonly packed: Uint8Array<ArrayBuffer> | null;
  readonly etag: string;
}

interface StaticFiles {
  /** Refuses with `not_found` what is not in the table; a path of a request never reaches the disk. */
  answer(c: AppContext, path: string, options?: AnswerOptions): Promise<Response>;
}

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/**
 * The table is read at the first request, a file at its own first one; both stay in memory, and no
 * request throws them away. A missing file is looked up again, because a build may come later.
 */
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
  return {
    answer: async (c, path, options = {}) => answerFile(c, await find(path), options),
  };
}

/** Reads once, and again only after a failure. */
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
    const bytes = await Deno.readFile(new URL(entry.file, folder));
    const packed = entry.isPacked ? await Deno.readFile(new URL(`${entry.file}.gz`, folder)) : null;
    return { ...entry, bytes, packed, etag: etagOf(bytes) };
  } catch (cause) {
    throw notBuilt(cause);
  }
}

function notBuilt(cause: unknown): Failure {
  const message = 'The pages are not built: run "deno task build"';
  return new Failure("not_found", message, undefined, { cause });
}

const FOR_EVER = "public, max-age=31536000, immutable";

/** Plain names are asked for each time: is the copy of the browser still the right one. */
export function answerFile(c: AppContext, file: PackedFile, options: AnswerOptions = {}): Response {
  const { bytes, packed, etag } = file;
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
  if (!takesGzip(c)) return new Response(bytes, { status, headers });
  headers.set("Content-Encoding", "gzip");
  headers.set("ETag", `W/${etag}`);
  return new Response(packed, { status, headers });
}
