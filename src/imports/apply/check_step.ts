/**
 * The check is the first pass of an import: it reads the whole upload before any product changes.
 * Valid records are stored in one partition per shard (part of the catalogue).
 */
import { TABLE_LIMITS } from "../files/table_row.ts";
import { DEFAULT_HOLD } from "../../accounts/workspace.ts";
import { Failure } from "../../base/failure.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { openBlob } from "../../platform/store/spool_store.ts";
import { fileFinding, type Finding, type FindingCode, findingOf } from "../files/source_file.ts";
import { profilesFor } from "../profiles/import_profiles.ts";
import { createAddressCheck } from "../records/raw_record.ts";
import {
  clearImport,
  excludedMark,
  findExcluded,
  importFiles,
  lineOf,
  PARTITION_BYTES_MAX,
  partitions,
  refusedRecords,
  saveFinding,
  seenLine,
  tableTexts,
} from "../state/import_row_store.ts";
import { type ImportJob, type ImportSetting, NO_STATS, NO_UNDO_ROWS } from "../state/import_job.ts";
import { holdTermsOf } from "../state/sources.ts";
import type { UploadSetting } from "../upload/read_xml_file.ts";
import { createEanFinder, readUpload, type UploadPart } from "../upload/read_upload.ts";
import { readParts } from "../upload/receive_upload.ts";
import { columnsOf } from "../upload/read_table.ts";
import type { ImportDeps } from "./span.ts";
import { emptyPlan } from "./plan_step.ts";
import { shard, SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { EvaluatedRecord, RecordPatch } from "../records/record_patch.ts";
import { addPair, addWritten, createPriceUnits } from "./hold.ts";

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
  const excluded = job.args.excluded ? await findExcluded(tools, job.jobId) : null;
  let files = 0;
  let fileWarnings = 0;
  const findByEan = createEanFinder(tools);
  const slice = new TimeSlice();
  for await (const event of readUpload(parts, setting)) {
    if (tools.stopping.aborted) throw new Error("The check was interrupted and starts again");
    if (event.kind === "refused") return event.finding;
    if (event.kind === "warning") partitioner.note(event.finding, fileWarnings++);
    if (event.kind === "table") {
      partitioner.keepHead(files, event.table.layout.header.cells);
      partitioner.units.column ??= columnsOf(event.table, setting.vat.side)
        .find(({ field, isGuess }) => field === "price" && !isGuess)?.column ?? null;
    }
    if (event.kind === "file") {
      importFiles.put(tools.write, tools, { jobId: job.jobId, n: files++, file: event.info });
    }
    if (event.kind === "records") {
      const records = await findByEan(event.records, event.file);
      for (const record of records) partitioner.add(record, files, excluded);
    }
    await partitioner.flush();
    await slice.yield();
    await partitioner.beat();
  }
  return null;
}

async function passed(
  { args }: ImportJob,
  tools: StepTools<ImportJob>,
  partitioner: Partitioner,
): Promise<StepResult<ImportJob>> {
  const { records, refused, passedOver, bringsPrices, turnsOn, lines, findings } = partitioner;
  const checked = { ...NO_STATS, skipped: passedOver, errors: refused, ...findings };
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
      bringsPrices,
      turnsOn,
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

const ROW_BYTES_PER_COMMIT = 500_000;
const FINDING_BYTES_MAX = 2_000;

interface Page {
  readonly bytes: Uint8Array;
  filled: number;
}

interface Row {
  readonly put: (write: Write) => void;
  readonly severity: Finding["severity"] | null;
}

/**
 * Stores the rows of a check in several commits; a repeated check first deletes the rows of the
 * earlier check.
 */
class Partitioner {
  readonly lines: number[] = SHARD_NUMBERS.map(() => 0);
  records = 0;
  refused = 0;
  passedOver = 0;
  bringsPrices = false;
  turnsOn: string | null = null;
  /** Counts only stored findings, so that counts and list agree even after a cancelled check. */
  readonly findings = { errorCount: 0, warningCount: 0 };
  readonly units = createPriceUnits();
  readonly #tools: StepTools<ImportJob>;
  readonly #jobId: string;
  readonly #args: ImportJob["args"];
  readonly #encoder = new TextEncoder();
  readonly #pages: (Page | null)[] = SHARD_NUMBERS.map(() => null);
  readonly #counts: number[] = SHARD_NUMBERS.map(() => 0);
  readonly #full: Row[][] = [];
  #filling: Row[] = [];
  #bytes = 0;
  #commits = 0;
  #inFlight: Promise<void> = Promise.resolve();
  #isCommitting = false;

  constructor(tools: StepTools<ImportJob>, { jobId, args }: ImportJob) {
    this.#tools = tools;
    this.#jobId = jobId;
    this.#args = args;
  }

  add(record: EvaluatedRecord, file: number, excluded: ReadonlySet<string> | null): void {
    const { index, line, sku, patch, findings, refusedXml, isPassedOver, turnsOn = null } = record;
    this.records++;
    if (turnsOn !== null && turnsOn < (this.turnsOn ?? "9")) this.turnsOn = turnsOn;
    if (sku !== null && excluded?.has(excludedMark(sku))) {
      const message = `"${sku}" was excluded when the import was applied`;
      this.note(findingOf("warning", "excluded", message, { index, line, sku }), 0);
      this.passedOver++;
      return this.#mention(sku, index);
    }
    for (const [n, finding] of findings.entries()) this.note(finding, n);
    const rows = rowsText(record);
    if (patch !== null) {
      this.bringsPrices ||= patch.ourPriceCents !== undefined;
      addPair(this.units, patch);
      addWritten(this.units, record);
      const { sold = [], written } = record;
      const kept = mayBeRefused(patch) ? rows : "";
      return this.#deal(patch.sku, lineOf(patch, { index, line, file, rows: kept, sold, written }));
    }
    this[isPassedOver ? "passedOver" : "refused"]++;
    if (refusedXml !== null) {
      const row = { jobId: this.#jobId, index, xml: refusedXml };
      this.#keep(refusedXml, (write) => refusedRecords.put(write, this.#tools, row));
    }
    if (!isPassedOver && rows !== "") {
      const text = [file, JSON.parse(rows)] as const;
      const row = { jobId: this.#jobId, kind: "row", n: index, text } as const;
      this.#keep(rows, (write) => tableTexts.put(write, this.#tools, row));
    }
    const { spared = sku === null ? [] : [sku] } = record;
    for (const one of spared) this.#mention(one, index);
  }

  note(finding: Finding, n: number): void {
    const put = (write: Write) => saveFinding(write, this.#tools, this.#jobId, finding, n);
    this.#add(FINDING_BYTES_MAX, put, finding.severity);
  }

  keepHead(file: number, columns: readonly (string | null)[]): void {
    const row = { jobId: this.#jobId, kind: "head", n: file, text: columns } as const;
    this.#keep(JSON.stringify(columns), (write) => tableTexts.put(write, this.#tools, row));
  }

  async flush(): Promise<void> {
    for (const rows of this.#full.splice(0)) {
      await this.drain();
      this.#inFlight = this.#commit(rows);
      // `drain` throws this error later; the empty handler only prevents an unhandled rejection.
      this.#inFlight.catch(() => {});
    }
  }

  async beat(): Promise<void> {
    const progress = { processed: this.records, total: null };
    if (!this.#isCommitting) await this.#tools.beat({ progress });
  }

  async drain(): Promise<void> {
    await this.#inFlight;
  }

  async finish(write: Write): Promise<void> {
    for (const number of SHARD_NUMBERS) this.#closePage(number);
    await this.flush();
    await this.drain();
    this.#count(this.#filling);
    for (const { put } of this.#filling) put(write);
  }

  /** Notes the SKU even of a refused record, so that the mode `replace` keeps its product. */
  #mention(sku: string, index: number): void {
    if (this.#args.mode === "replace") this.#deal(sku, seenLine(sku, index));
  }

  #deal(sku: string, line: string): void {
    const number = shard(sku);
    this.lines[number] = (this.lines[number] ?? 0) + 1;
    for (let rest = line; rest !== "";) {
      const page = this.#pages[number] ??= {
        bytes: new Uint8Array(PARTITION_BYTES_MAX),
        filled: 0,
      };
      const { read, written } = this.#encoder.encodeInto(rest, page.bytes.subarray(page.filled));
      page.filled += written;
      if (read < rest.length) this.#closePage(number);
      rest = rest.slice(read);
    }
  }

  #closePage(number: number): void {
    const page = this.#pages[number];
    if (!page) return;
    this.#pages[number] = null;
    const n = this.#counts[number] ?? 0;
    this.#counts[number] = n + 1;
    const bytes = page.bytes.subarray(0, page.filled);
    const chunk = { jobId: this.#jobId, shard: number, n, bytes };
    this.#add(page.filled + 100, (write) => partitions.put(write, this.#tools, chunk));
  }

  #keep({ length }: string, put: Row["put"]): void {
    this.#add(length * 2 + 100, put);
  }

  #add(bytes: number, put: Row["put"], severity: Row["severity"] = null): void {
    this.#bytes += bytes;
    if (this.#bytes > ROW_BYTES_PER_COMMIT) {
      this.#full.push(this.#filling);
      this.#filling = [];
      this.#bytes = bytes;
    }
    this.#filling.push({ put, severity });
  }

  async #commit(rows: readonly Row[]): Promise<void> {
    this.#isCommitting = true;
    this.#commits++;
    const progress = { processed: this.records, total: null };
    this.#count(rows);
    const stats = { ...NO_STATS, ...this.findings };
    await this.#tools.checkpoint({ place: this.#commits, progress, stats }, (write) => {
      for (const { put } of rows) put(write);
    });
    this.#isCommitting = false;
  }

  #count(rows: readonly Row[]): void {
    for (const { severity } of rows) if (severity) this.findings[`${severity}Count`]++;
  }
}

/** A later step refuses new products without a title, and currency changes without all prices. */
function mayBeRefused({ title, currency }: RecordPatch): boolean {
  return title === undefined || currency !== undefined;
}

/** Rows that are too long to be stored lose their longest cells. */
function rowsText({ rows = [] }: EvaluatedRecord): string {
  if (rows.length === 0) return "";
  for (let max: number = TABLE_LIMITS.cellChars; max >= 1; max /= 2) {
    const shown = rows.map((cells) => cells.map((cell) => cell && cell.length > max ? null : cell));
    const text = JSON.stringify(shown);
    if (text.length <= TABLE_LIMITS.storedChars) return text;
  }
  return "";
}
