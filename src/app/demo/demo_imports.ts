/** The ERP's files of the last 90 days, each imported as a person or the night job would. */
import { receiveFiles } from "../../imports/upload/receive_upload.ts";
import { startImport } from "../../imports/jobs/start_import.ts";
import { IMPORT_KIND, type ImportJob } from "../../imports/state/import_job.ts";
import type { Context } from "../../platform/store/context.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { waitForJob } from "../../platform/jobs/wait_for_job.ts";
import { contextOf, type DemoStage, untilIdle } from "./demo_stage.ts";

const LOOK_MS = 500;

/** Resolves when the job has ended, however, and what it touched is judged. */
export async function importFile(
  stage: DemoStage,
  name: string,
  text: string,
  { isDryRun = false } = {},
): Promise<void> {
  const ctx = contextOf(stage, stage.erp);
  const upload = await receiveFiles(ctx, [{ name, chunks: chunksOf(text) }]);
  const options = {
    mode: "upsert",
    profile: null,
    tier: null,
    isDryRun,
    isForced: false,
    allowsNoPrices: false,
  } as const;
  const jobId = await startImport(ctx, upload, options, () => "");
  while (!await hasEndedBy(ctx, jobId, LOOK_MS));
  await untilIdle(stage);
}

async function hasEndedBy(ctx: Context, jobId: string, waitMs: number): Promise<boolean> {
  const job = await waitForJob<ImportJob>(ctx, IMPORT_KIND, jobId, waitMs);
  return job !== null && hasEnded(job);
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
