/**
 * The check is the first pass of an import. It reads and checks the whole upload, and stores the
 * records by the shard of their SKU.
 */
import { DEFAULT_HOLD } from "../../accounts/workspace.ts";
import { Failure } from "../../base/failure.ts";
import { isGtin } from "../../base/gtin.ts";
import { listIndexRows } from "../../catalogue/products/index_row_store.ts";
import { numbersOf, parseProduct, SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { openBlob } from "../../platform/store/spool_store.ts";
import { fileFinding, type Finding, type FindingCode, findingOf } from "../files/finding.ts";
import { profilesFor } from "../profiles/import_profiles.ts";
import { createAddressCheck } from "../records/raw_record.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import { clearImport } from "../state/clear_import.ts";
import { findExcluded, importFiles, saveFinding } from "../state/import_row_store.ts";
import {
  type ImportJob,
  type ImportSetting,
  NO_STATS,
  NO_UNDO_ROWS,
  type PriceUnits,
} from "../state/import_job.ts";
import { holdTermsOf } from "../state/source_store.ts";
import type { KnownTable, UploadSetting } from "../upload/file_event.ts";
import { readUpload, type UploadPart } from "../upload/read_upload.ts";
import { readParts } from "../upload/receive_upload.ts";
import { columnsOf } from "../upload/table_columns.ts";
import type { ImportDeps } from "./batch.ts";
import { Partitioner } from "./partitioner.ts";
import { emptyPlan } from "./apply_step.ts";

/** EANs are padded to GTIN-14 before they are compared, so that leading zeros do not matter. */
const DIGITS = 14;

export function createEanFinder(workspace: WorkspaceStore) {
  let idsByEan: ReadonlyMap<string, readonly string[]> | null = null;

  async function skusOf(eans: readonly string[]): Promise<Map<string, string[]>> {
    const ids = idsByEan ??= await idsByNumber(workspace);
    const asked = [...new Set(eans.flatMap((ean) => ids.get(comparedEan(ean)) ?? []))];
    const skus = new Map<string, string[]>();
    for (const { bytes } of await findDocuments(workspace, asked)) {
      const { sku, ean } = parseProduct(bytes);
      if (ean === null) continue;
      const key = comparedEan(ean);
      skus.set(key, [...skus.get(key) ?? [], sku]);
    }
    return skus;
  }

  return async (records: readonly EvaluatedRecord[], file: string) => {
    const eans = records.flatMap(({ byEan }) => byEan ?? []);
    if (eans.length === 0) return records;
    const skus = await skusOf(eans);
    return records.map((record) =>
      record.byEan === undefined
        ? record
        : named(record, record.byEan, skus.get(comparedEan(record.byEan)) ?? [], file)
    );
  };
}

function comparedEan(ean: string): string {
  return ean.padStart(DIGITS, "0");
}

async function idsByNumber(workspace: WorkspaceStore): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  const slice = new TimeSlice();
  for (const shard of SHARD_NUMBERS) {
    for await (const { indexRow } of listIndexRows(workspace, shard)) {
      if (indexRow.isDeleted) continue;
      for (const number of numbersOf(indexRow.text)) {
        if (!isGtin(number)) continue;
        const key = comparedEan(number);
        const known = ids.get(key);
        if (known) known.push(indexRow.id);
        else ids.set(key, [indexRow.id]);
      }
    }
    await slice.yield();
  }
  return ids;
}

function named(
  { byEan: _key, ...record }: EvaluatedRecord,
  ean: string,
  skus: readonly string[],
  file: string,
): EvaluatedRecord {
  const [sku, ...others] = skus;
  const { index, line, patch } = record;
  const refused = (severity: Finding["severity"], code: FindingCode, message: string) => ({
    ...record,
    patch: null,
    findings: [
      ...record.findings,
      findingOf(severity, code, message, { index, file, line, value: ean }),
    ],
  });
  if (sku === undefined || patch === null) {
    const message = `No product has the EAN "${ean}": the row is skipped`;
    return { ...refused("warning", "unknown_ean", message), isPassedOver: true };
  }
  if (others.length > 0) {
    const message = `${skus.length} products have the EAN "${ean}": send the SKU instead`;
    return refused("error", "ambiguous_ean", message);
  }
  return {
    ...record,
    sku,
    patch: { ...patch, sku, isFound: true },
    findings: record.findings.map((finding) => ({ ...finding, sku })),
  };
}

export async function checkStep(
  deps: ImportDeps,
  job: ImportJob,
  tools: StepTools<ImportJob>,
): Promise<StepResult<ImportJob>> {
  await clearCheck(job, tools);
  const { args } = job;
  const parts = await unlessGone(async () =>
    await readParts(await openBlob(tools, args.blobId), args.manifestAt)
  );
  const refuseFor = (code: FindingCode, message: string) =>
    refuse(job, tools, fileFinding("error", null, { code, line: null, message }));
  if (parts === null) {
    return await refuseFor("upload_incomplete", "The upload is no longer complete: send it again");
  }
  const known = await unlessGone(() => profilesFor(tools, args.profile));
  if (known === null) {
    const message = `The import profile "${args.profile}" was deleted: choose another one`;
    return await refuseFor("unexpected_root", message);
  }
  const partitioner = new Partitioner(tools, job);
  const asked = {
    ...known,
    tier: args.tier,
    keepsWritten: args.isDryRun,
    allowsNoPrices: args.allowsNoPrices,
  };
  const setting = uploadSetting(deps, args.setting, asked);
  const refusal = await partitionRecords(job, tools, partitioner, parts, setting)
    .finally(() => partitioner.drain());
  if (refusal) return await refuse(job, tools, refusal);
  await partitioner.finish(tools.write);
  return await passed(job, tools, partitioner);
}

async function unlessGone<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return null;
    throw error;
  }
}

export function uploadSetting(
  { limits, allowed }: Pick<ImportDeps, "limits" | "allowed">,
  { currency, timeZone, today, vat }: ImportSetting,
  asked: Pick<UploadSetting, "profile" | "profiles" | "tier" | "keepsWritten" | "allowsNoPrices">,
): UploadSetting {
  const acceptsAddress = createAddressCheck(allowed);
  return { ...limits, ...asked, workspaceCurrency: currency, vat, timeZone, today, acceptsAddress };
}

async function partitionRecords(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  partitioner: Partitioner,
  parts: readonly UploadPart[],
  setting: UploadSetting,
): Promise<Finding | null> {
  const findByEan = createEanFinder(tools);
  const excluded = job.args.excluded ? await findExcluded(tools, job.jobId) : null;
  let files = 0;
  let fileWarnings = 0;
  let isByEan = false;
  const slice = new TimeSlice();
  for await (const event of readUpload(parts, setting)) {
    if (tools.stopping.aborted) throw new Error("The check was interrupted and starts again");
    if (event.kind === "refused") return event.finding;
    if (event.kind === "warning") partitioner.note(event.finding, fileWarnings++);
    if (event.kind === "xml") isByEan = false;
    if (event.kind === "table") {
      partitioner.keepHead(files, event.table.layout.header.cells);
      partitioner.units = withColumn(partitioner.units, event.table, setting);
      isByEan = event.table.profile.matchBy === "ean";
    }
    if (event.kind === "file") {
      importFiles.put(tools.write, tools, { jobId: job.jobId, n: files++, file: event.info });
    }
    if (event.kind === "records") {
      const { records: read, file } = event;
      const records = isByEan ? await findByEan(read, file) : read;
      for (const record of records) partitioner.add(record, files, excluded);
    }
    await partitioner.flush();
    await slice.yield();
    await partitioner.beat();
  }
  return null;
}

function withColumn(units: PriceUnits, table: KnownTable, { vat }: UploadSetting): PriceUnits {
  if (units.column !== null) return units;
  const own = columnsOf(table, vat.side).find(({ field, isGuess }) =>
    field === "price" && !isGuess
  );
  return { ...units, column: own?.column ?? null };
}

async function passed(
  { args }: ImportJob,
  tools: StepTools<ImportJob>,
  partitioner: Partitioner,
): Promise<StepResult<ImportJob>> {
  const { records, refused, passedOver, errorCount, warningCount, lines } = partitioner;
  const checked = { ...NO_STATS, skipped: passedOver, errors: refused, errorCount, warningCount };
  const terms = await holdTermsOf(tools, args.source);
  const isGuarded = !args.isForced && (terms.bounds !== null || args.mode === "replace");
  const needsPlan = args.isDryRun || isGuarded;
  const isSmall = records <= 10_000;
  return {
    phase: needsPlan ? "plan" : "apply",
    cursor: {
      shard: 0,
      position: 0,
      isCounted: false,
      removedUpTo: null,
      lines,
      records,
      bringsPrices: partitioner.bringsPrices,
      checked,
      idSeconds: isSmall ? Math.floor(tools.now().getTime() / 1_000) : null,
      plan: needsPlan ? emptyPlan(checked, terms, partitioner.units) : null,
      warnsBeyondPct: terms.bounds === null ? DEFAULT_HOLD.movePct : null,
      undo: NO_UNDO_ROWS,
    },
    stats: checked,
    progress: { processed: refused + passedOver, total: records },
    ...(refused > 0 ? { hasErrors: true } : {}),
  };
}

async function refuse(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  finding: Finding,
): Promise<StepResult<ImportJob>> {
  await clearCheck(job, tools);
  saveFinding(tools.write, tools, job.jobId, finding, 0);
  const { code, message, file, line } = finding;
  return {
    stats: { ...NO_STATS, errorCount: 1 },
    progress: { processed: 0, total: 0 },
    end: { status: "failed", error: { code, message, details: { file, line } } },
  };
}

async function clearCheck({ jobId }: ImportJob, tools: StepTools<ImportJob>): Promise<void> {
  const stats = NO_STATS;
  await clearImport(tools, jobId, "check", (effects) => tools.checkpoint({ stats }, effects));
}
