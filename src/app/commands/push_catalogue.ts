/**
 * `push catalogue FILE`: sends a file to a running service and waits for its import. The same file
 * with the same options is one import; written again it is another, even if it is equal.
 */
import type { ImportMode } from "../../imports/state/import_job.ts";
import { callKurant } from "./call_kurant.ts";
import { print, printError } from "./terminal.ts";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { z } from "@hono/zod-openapi";

export interface PushOptions {
  readonly source: string;
  readonly mode?: ImportMode;
  readonly profile?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly allowNoPrices?: boolean;
  /** A new one is a new import of the same file. */
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

/** Returns the exit code: 0 done, 1 nothing changed, 3 done with refused records. */
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
    const held = "it waits for a person, who applies or discards it under Importe";
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
