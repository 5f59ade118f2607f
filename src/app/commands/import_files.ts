/** `import FILE…`: does the job itself, or hands it to the server that holds the store and watches. */
import { basename } from "node:path";
import type { Tools } from "../../accounts/anonymous.ts";
import { provideWorkspace } from "../../accounts/choose_workspace.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { Rewrites } from "../../catalogue/lists/rewrites.ts";
import { requireImport } from "../../imports/jobs/apply_import.ts";
import { createImportKind } from "../../imports/jobs/import_kind.ts";
import { settledOptions, startImport } from "../../imports/jobs/start_import.ts";
import { createClearingKind } from "../../imports/state/clear_import.ts";
import { countOf, type ImportMode, type QueuedImport } from "../../imports/state/import_job.ts";
import { type LocalFile, receiveFiles } from "../../imports/upload/receive_upload.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { JobRunner } from "../../platform/jobs/job_runner.ts";
import { waitForJob } from "../../platform/jobs/wait_for_job.ts";
import type { Context } from "../../platform/store/context.ts";
import { storeFile } from "../../platform/store/open_store.ts";
import { lockStore, type StoreLock } from "../../platform/store/store_lock.ts";
import { type Config, readConfig } from "../composition/config.ts";
import { importDeps } from "../composition/import_deps.ts";
import { showProgress } from "./import_progress.ts";
import { importExitCode, importReport } from "./import_report.ts";
import { storeLocation, withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

export interface ImportFilesOptions {
  readonly source?: string;
  readonly mode?: ImportMode;
  readonly profile?: string;
  readonly tier?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly allowNoPrices?: boolean;
  readonly workspace?: string;
}

const WATCH_MS = 300;

/** Answers the exit code: 0 done, 1 failed, 3 done with refused records. */
export async function importFiles(
  paths: readonly string[],
  options: ImportFilesOptions,
): Promise<number> {
  const config = readConfig();
  const files = paths.map(openFile);
  return await withTools(async (tools) => {
    using lock = await holdStore(config);
    const ctx = await provideWorkspace(tools, options.workspace);
    const settled = await settledOptions(ctx, {
      source: options.source ?? null,
      mode: options.mode ?? null,
      profile: options.profile ?? null,
      tier: options.tier ?? null,
      isDryRun: options.dryRun ?? false,
      isForced: options.force ?? false,
      allowsNoPrices: options.allowNoPrices ?? false,
      // The exit code says it of every import.
      isStrict: false,
    });
    const upload = await receiveFiles(ctx, files);
    const jobId = await startImport(ctx, upload, settled.options, () => "");
    const worker = lock === null ? null : startWorker(tools, config);
    const job = await watch(ctx, jobId);
    await worker?.end();
    for (const line of await importReport(ctx, job)) print(line);
    return importExitCode(job);
  });
}

/** Null when a server holds the store and will do the work. A remote store is held by nobody. */
async function holdStore(config: Config): Promise<StoreLock | { [Symbol.dispose](): void } | null> {
  const { dataDir } = storeLocation(config);
  if (dataDir === null) return { [Symbol.dispose]() {} };
  await Deno.mkdir(dataDir, { recursive: true });
  try {
    return lockStore(storeFile(dataDir).lockPath);
  } catch (error) {
    // Another process has it: that is the server, which finds the job by itself.
    if (error instanceof Failure && error.code === "unavailable") return null;
    throw error;
  }
}

function openFile(path: string): LocalFile {
  try {
    const isFile = Deno.statSync(path).isFile;
    if (!isFile) throw refuseFields([{ path, message: "Is no file" }]);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure("not_found", `"${path}" cannot be read: ${reason}`, undefined, { cause });
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const file = await Deno.open(path);
    yield* file.readable;
  }
  return { name: basename(path), chunks: chunks() };
}

interface Worker {
  /** Resolves when nothing is left to do. */
  end(): Promise<void>;
}

/** Works on the jobs of the store as a server would. */
function startWorker({ store, clockwork }: Tools, config: Config): Worker {
  const deps = importDeps(config, () => {});
  const kinds = [createImportKind(deps, new Rewrites()), createClearingKind()];
  const runner = new JobRunner({ store, clockwork, kinds });
  const started = runner.start();
  return {
    async end() {
      await started;
      await runner.drain();
      await runner.stop();
    },
  };
}

async function watch(ctx: Context, jobId: string): Promise<QueuedImport> {
  const progress = showProgress();
  try {
    for (;;) {
      const job = await waitForJob<QueuedImport>(ctx, "import", jobId, WATCH_MS) ??
        await requireImport(ctx, jobId);
      progress.update(job, countOf(job.stats));
      if (hasEnded(job)) return job;
    }
  } finally {
    progress.end();
  }
}
