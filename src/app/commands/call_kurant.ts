/** The commands `pull` and `push` call a running service, and retry after temporary failures. */
import { z } from "@hono/zod-openapi";
import { Failure } from "../../base/failure.ts";
import type { CsvDialect } from "../../platform/tables/table_answer.ts";
import { sizeOf } from "../../platform/store/store_file.ts";
import { ConfigError, readConfig } from "../composition/config.ts";
import { writeDurably } from "./part_file.ts";
import { print, printError, writeOut } from "./terminal.ts";
import type { ImportMode } from "../../imports/choices.ts";
import { parseRetryAfter } from "../../platform/fetch/safe_fetch_answer.ts";
import { createHash } from "node:crypto";
import { basename } from "node:path";

/** Time limit of one attempt: 15 minutes suffice for a million products over a slow line. */
const TRY_MS = 900_000;
const TRIES = 8;
const WAIT_MS_MAX = 60_000;
/** A request is repeated after these HTTP statuses, and also after 409 with `Retry-After`. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

interface ServiceRequest<T> {
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Record<string, string>;
  body?(): Promise<ReadableStream<Uint8Array>>;
  read(answer: Response): Promise<T>;
}

/** Throws `unavailable` if the service refuses or all attempts fail. */
async function callKurant<T>(request: ServiceRequest<T>): Promise<T> {
  const { KURANT_URL: url, KURANT_KEY: key } = readConfig();
  if (url === null || key === null) {
    throw new ConfigError(["KURANT_URL and KURANT_KEY must be set: which service, with which key"]);
  }
  const { path, method = "GET", headers, body, read } = request;
  for (let attempt = 1;; attempt++) {
    let waitMs = 1_000 * 2 ** attempt;
    let trouble: unknown;
    try {
      const answer = await fetch(new URL(path, url), {
        method,
        headers: { ...headers, Authorization: `Bearer ${key}` },
        body: await body?.(),
        redirect: "error",
        signal: AbortSignal.timeout(TRY_MS),
      });
      if (answer.ok) return await read(answer);
      const after = answer.headers.get("Retry-After");
      trouble = `${answer.status} ${refusalOf(await answer.text())}`;
      if (!PASSING.has(answer.status) && !(answer.status === 409 && after)) attempt = TRIES;
      // `parseRetryAfter` returns 0 for a date in the past: then keep the default delay.
      waitMs = parseRetryAfter(after, Date.now()) || waitMs;
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      trouble = error.message;
    }
    if (attempt >= TRIES) throw new Failure("unavailable", `${method} ${url}: ${trouble}`);
    await new Promise((wake) => setTimeout(wake, Math.min(waitMs, WAIT_MS_MAX)));
  }
}

const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

function refusalOf(text: string): string {
  try {
    const { error } = Refusal.parse(JSON.parse(text));
    return `${error.code}: ${error.message}`;
  } catch {
    return text.slice(0, 200);
  }
}

/** With `to`, each price change is written to exactly one file, even if a `pull` is interrupted. */
interface PullOptions {
  readonly sinceFile: string;
  readonly format: "csv" | "xml" | "xlsx";
  readonly dialect: CsvDialect;
  /**
   * Path of the file for the price changes. Without a path, `pull` prints the changes, and may
   * print some lines again after a crash.
   */
  readonly to?: string;
}

const Next = z.object({ since: z.string(), part: z.string() });

export async function pullPrices({ sinceFile, format, dialect, to }: PullOptions): Promise<void> {
  using alone = await Deno.open(`${sinceFile}.lock`, { create: true, write: true });
  await alone.lock(true);
  await settle(sinceFile);
  if (to !== undefined && await sizeOf(to) !== null) {
    const message = `"${to}" is still there: take its prices and remove it, then pull the next`;
    throw new Failure("conflict", message);
  }
  const since = await sizeOf(sinceFile) !== null ? (await Deno.readTextFile(sinceFile)).trim() : "";
  const part = `${to ?? sinceFile}.part`;
  const query = new URLSearchParams({ format, dialect, ...(since === "" ? {} : { since }) });
  const next = await fetchChanges(part, query);
  if (to === undefined) {
    for await (const bytes of (await Deno.open(part)).readable) writeOut(bytes);
  }
  if (to === undefined || next === since) await Deno.remove(part);
  if (next === since) return printError("No price has changed");
  await replace(`${sinceFile}.next`, JSON.stringify({ since: next, part }));
  if (to !== undefined) await Deno.rename(part, to);
  await settle(sinceFile);
}

async function fetchChanges(part: string, query: URLSearchParams): Promise<string> {
  return await callKurant({
    path: `/api/public/v1/price-changes?${query}`,
    async read({ body, headers }) {
      await writeDurably(part, body ?? new Blob([]).stream());
      const next = headers.get("X-Next-Since");
      if (next === null) throw new Failure("unavailable", "The answer has no X-Next-Since");
      return next;
    },
  });
}

async function settle(sinceFile: string): Promise<void> {
  if (await sizeOf(`${sinceFile}.next`) === null) return;
  const { since, part } = Next.parse(JSON.parse(await Deno.readTextFile(`${sinceFile}.next`)));
  if (await sizeOf(part) === null) await replace(sinceFile, since);
  await Deno.remove(`${sinceFile}.next`);
}

async function replace(path: string, text: string): Promise<void> {
  await writeDurably(`${path}.new`, new Blob([text]).stream());
  await Deno.rename(`${path}.new`, path);
}

interface PushOptions {
  readonly source: string;
  readonly mode?: ImportMode;
  readonly profile?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly allowNoPrices?: boolean;
  /** Part of the idempotency key: to import an unchanged file again, pass another number. */
  readonly attempt: number;
}

const IMPORTS = "/api/public/v1/products/import";

const Job = z.object({
  data: z.object({
    jobId: z.string(),
    status: z.string(),
    stats: z.object({ inserted: z.int(), updated: z.int(), skipped: z.int() }),
    removed: z.int(),
    errorCount: z.int(),
    warningCount: z.int(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  }),
});

/** Returns the exit code: 0 if all records were accepted, 3 if some were refused, otherwise 1. */
export async function pushCatalogue(path: string, options: PushOptions): Promise<number> {
  const { source, mode, profile, attempt } = options;
  const flags = ["dryRun", "force", "allowNoPrices"] as const;
  const query = new URLSearchParams({
    source,
    ...(mode && { mode }),
    ...(profile && { profile }),
    ...Object.fromEntries(flags.filter((flag) => options[flag]).map((flag) => [flag, "true"])),
  });
  const { mtime } = await Deno.stat(path);
  const content = createHash("sha256").update(`${query} ${attempt} ${mtime?.getTime()} `);
  for await (const bytes of (await Deno.open(path)).readable) content.update(bytes);
  let { data: job } = await callKurant({
    path: `${IMPORTS}?${query}`,
    method: "POST",
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(basename(path))}`,
      "Idempotency-Key": content.digest("hex").slice(0, 40),
      "Prefer": "respond-async",
    },
    body: async () => (await Deno.open(path)).readable,
    read: async (answer) => Job.parse(await answer.json()),
  });
  while (job.status === "queued" || job.status === "running") {
    await new Promise((wake) => setTimeout(wake, 1_000));
    const read = async (answer: Response) => Job.parse(await answer.json());
    ({ data: job } = await callKurant({ path: `${IMPORTS}/${job.jobId}`, read }));
  }
  const { inserted, updated, skipped } = job.stats;
  print(
    `${job.jobId} ${job.status}: ${inserted} new, ${updated} changed, ${skipped} as they were, ` +
      `${job.removed} deleted, ${job.errorCount} refused, ${job.warningCount} warnings`,
  );
  if (job.status !== "succeeded") {
    const held = "The import waits for a person, who applies or discards it under Importe";
    printError(job.error ? `${job.error.code}: ${job.error.message}` : held);
    return 1;
  }
  if (job.errorCount === 0) return 0;
  const refused = `${path}.refused.csv`;
  await callKurant({
    path: `${IMPORTS}/${job.jobId}/errors?format=rows`,
    read: async ({ body }) => await Deno.writeFile(refused, body ?? new Uint8Array()),
  });
  printError(`Some records were refused: see ${refused}`);
  return 3;
}
