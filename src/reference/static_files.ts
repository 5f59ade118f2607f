/** What the build put into `dist/`: one table of every file, by the path that it is served at. */
import { z } from "zod";
import { Failure } from "../base/failure.ts";
import { sha256Hex } from "../base/sha256.ts";
import type { AppContext } from "../platform/http.ts";

const BUILT = new URL("../../dist/", import.meta.url);

/** `files.json` as the build writes it. */
const FileTable = z.record(
  z.string(),
  z.object({
    /** Where it lies below `dist/`. */
    file: z.string(),
    type: z.string(),
    /** The name changes with the content: browsers may keep it for ever. */
    isLasting: z.boolean(),
    /** There is a `….gz` beside it. */
    isPacked: z.boolean(),
  }),
);

type Entry = z.infer<typeof FileTable>[string];

interface BuiltFile extends Entry {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: Uint8Array<ArrayBuffer> | null;
  readonly etag: string;
}

export interface StaticFiles {
  /** Refuses with `not_found` what is not in the table; a path of a request never reaches the disk. */
  answer(c: AppContext, path: string, options?: AnswerOptions): Promise<Response>;
}

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** The table is read at the first request, a file at its own first one; both stay in memory. */
export function createStaticFiles(): StaticFiles {
  let table: Promise<z.infer<typeof FileTable>> | null = null;
  const files = new Map<string, Promise<BuiltFile>>();
  const find = async (path: string) => {
    table ??= readTable();
    const entry = Object.entries(await table).find(([served]) => served === path)?.[1];
    if (!entry) throw new Failure("not_found", `There is nothing at "${path}"`);
    const file = files.get(entry.file) ?? readBuilt(entry);
    files.set(entry.file, file);
    return await file;
  };
  return {
    async answer(c, path, options = {}) {
      try {
        return answerFile(c, await find(path), options);
      } catch (error) {
        // A build that comes later is found without a restart.
        table = null;
        files.clear();
        throw error;
      }
    },
  };
}

async function readTable() {
  try {
    return FileTable.parse(JSON.parse(await Deno.readTextFile(new URL("files.json", BUILT))));
  } catch (cause) {
    throw notBuilt(cause);
  }
}

async function readBuilt(entry: Entry): Promise<BuiltFile> {
  try {
    const bytes = await Deno.readFile(new URL(entry.file, BUILT));
    const packed = entry.isPacked ? await Deno.readFile(new URL(`${entry.file}.gz`, BUILT)) : null;
    return { ...entry, bytes, packed, etag: `"${sha256Hex(bytes).slice(0, 32)}"` };
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
function answerFile(c: AppContext, file: BuiltFile, options: AnswerOptions): Response {
  const { bytes, packed, etag } = file;
  const headers = new Headers({
    ...options.headers,
    "Content-Type": file.type,
    "Cache-Control": file.isLasting ? FOR_EVER : "no-cache",
    ETag: etag,
  });
  // The server compresses on its way out and marks the tag as weak then.
  const known = c.req.header("If-None-Match")?.replace(/^W\//, "");
  if (known === etag) return new Response(null, { status: 304, headers });
  const { status = 200 } = options;
  if (packed === null) return new Response(bytes, { status, headers });
  headers.set("Vary", "Accept-Encoding");
  if (!takesGzip(c)) return new Response(bytes, { status, headers });
  headers.set("Content-Encoding", "gzip");
  headers.set("ETag", `W/${etag}`);
  return new Response(packed, { status, headers });
}

function takesGzip(c: AppContext): boolean {
  const codings = (c.req.header("Accept-Encoding") ?? "").split(",").map((part) => part.trim());
  return codings.some((coding) => /^gzip(?!\s*;\s*q=0(?:\.0*)?$)/i.test(coding));
}
