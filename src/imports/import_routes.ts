/**
 * Routes of imports and their files. Externally, all paths begin with `/products/import`.
 */
import { keyWith, manager, viewer } from "../accounts/roles.ts";
import { custom, page, type Surface } from "../platform/http/answer.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { dataPageOf, jsonAnswer, pageOf } from "../platform/http/http.ts";
import { type Columns, openListTable } from "../catalogue/lists/list_file.ts";
import { type Callers, resource } from "../platform/http/resource.ts";
import type { JobKind, JobStatus } from "../platform/jobs/job.ts";
import { codeCell, codesCell, storedCodeCell } from "../engine/wording/code_words.ts";
import { type LocalisedText } from "../base/language.ts";
import { momentCell } from "../platform/tables/cell.ts";
import { CSV_CONTENT, XLSX_CONTENT } from "../platform/tables/table_answer.ts";
import type { ImportDeps } from "./apply/batch.ts";
import { Finding } from "./files/finding.ts";
import { isHoldCode } from "./files/hold_codes.ts";
import {
  answerFindings,
  answerImport,
  answerJob,
  answerUpload,
  ApplyBody,
  applyOptionsOf,
  ApplyQuery,
  FindingQuery,
  ImportFilter,
  importPathOn,
  ImportQuery,
  ListQuery,
  requestOf,
  UndoQuery,
  UPLOAD_BODY,
} from "./import_answer.ts";
import { ImportDocument, ImportSummary, pageOfImports } from "./jobs/import_document.ts";
import { applyImport, cancelImport, discardUpload, undoImport } from "./jobs/start_import.ts";
import { pageOfSources } from "./state/change_sources.ts";
import type { QueuedImport } from "./state/import_job.ts";
import type { ImportSource } from "./state/import_source.ts";
import { z } from "@hono/zod-openapi";

const ImportData = z.object({ data: ImportDocument, count: z.int() }).meta({ id: "ImportData" });
const FindingPage = pageOf(Finding).meta({ id: "ImportFindingPage" });
const FindingData = dataPageOf(Finding).meta({ id: "ImportFindingData" });

const document = (words: string, later?: string) =>
  custom(({ isEnveloped }) => {
    const schema = isEnveloped ? ImportData : ImportDocument;
    return { 200: jsonAnswer(schema, words), ...(later && { 202: jsonAnswer(schema, later) }) };
  });

const findings = custom(({ isEnveloped }) => ({
  200: {
    description: "Findings about records and files, errors first",
    content: {
      "application/json": { schema: isEnveloped ? FindingData : FindingPage },
      ...CSV_CONTENT,
      ...XLSX_CONTENT,
      "application/xml": { schema: z.string() },
    },
  },
}));

const keys = keyWith("products:write");
const tags = ["Imports"];
const waiting = { waitsForOthers: true, takesHeaders: ["Prefer"] } as const;

export function importRoutes(deps: ImportDeps, kind: JobKind<QueuedImport>) {
  const list = resource("/imports", { read: { people: viewer, keys }, tags })
    .list({
      query: ListQuery,
      answer: page(ImportSummary, "Imports, newest first", {
        inApp: "ImportPage",
        external: "ImportPageData",
      }),
    }, ({ ctx, query }) => pageOfImports(ctx, query));
  const people = { read: { people: viewer }, change: { people: manager } };
  const [inAppList, externalList] = list.routes;
  return [
    ...jobRoutes("/imports", people, deps, kind),
    inAppList,
    ...jobRoutes("/products/import", { read: { keys }, change: { keys } }, deps, kind),
    externalList,
  ];
}

function jobRoutes(
  path: "/imports" | "/products/import",
  callers: { readonly read: Callers; readonly change: Callers },
  deps: ImportDeps,
  kind: JobKind<QueuedImport>,
) {
  return resource(path, { ...callers, tags })
    .post("", {
      upload: UPLOAD_BODY,
      takesHeaders: ["Idempotency-Key", "Prefer"],
      query: ImportQuery,
      answer: document(
        "The import has ended; see its status",
        "The import is still running; see `Location`",
      ),
    }, ({ c, surface, query }) => answerUpload(c, deps, surface, requestOf(query)))
    .get("/{jobId}", {
      answer: document("The current state of the import"),
    }, ({ c, surface, jobId }) => answerImport(c, surface, jobId))
    .get("/{jobId}/errors", {
      query: FindingQuery,
      answer: findings,
    }, ({ c, surface, jobId, query }) => answerFindings(c, surface, jobId, query))
    .post("/{jobId}/apply", {
      ...waiting,
      query: ApplyQuery,
      optionalBody: ApplyBody,
      answer: document(
        "The new import has ended",
        "The new import is still running; see `Location`",
      ),
    }, async ({ c, ctx, surface, jobId, query, body }) => {
      const options = applyOptionsOf(query, body);
      const applied = await applyImport(ctx, jobId, options, importPathOn(surface));
      return await answerJob(c, { ctx, deps, surface }, applied);
    })
    .post("/{jobId}/cancel", {
      answer: document("The import; its committed changes stay"),
    }, ({ c, surface, jobId }) => cancel(c, surface, jobId, kind))
    .post("/{jobId}/undo", {
      ...waiting,
      query: UndoQuery,
      answer: document(
        "The undo of the import has ended",
        "The undo of the import is still running; see `Location`",
      ),
    }, async ({ c, ctx, surface, jobId, query }) => {
      const { dryRun: isDryRun, reason = null, pause } = query;
      const asked = { isDryRun, pause, reason };
      const undoer = await undoImport(ctx, jobId, asked, importPathOn(surface));
      return await answerJob(c, { ctx, deps, surface }, undoer);
    })
    .post("/{jobId}/discard", {
      answer: document("The held import or dry run, which can no longer be applied"),
    }, ({ c, surface, jobId }) => discard(c, surface, jobId))
    .delete("/{jobId}/upload", {
      answer: document("The import; its stored file is deleted"),
    }, ({ c, surface, jobId }) => discard(c, surface, jobId)).routes;
}

async function cancel(
  c: AppContext,
  surface: Surface,
  jobId: string,
  kind: JobKind<QueuedImport>,
): Promise<Response> {
  await cancelImport(c.var.ctx, kind, jobId);
  return await answerImport(c, surface, jobId);
}

async function discard(c: AppContext, surface: Surface, jobId: string): Promise<Response> {
  await discardUpload(c.var.ctx, jobId);
  return await answerImport(c, surface, jobId);
}

const IMPORT_COLUMNS: Columns<ImportSummary> = {
  createdAt: ({ createdAt }) => momentCell(createdAt),
  files: ({ files, label }) => files.map(({ name }) => name).join(", ") || label,
  source: ({ source }) => source,
  status: ({ status, error }) => importStateCell(status, error?.code ?? null),
  error: ({ error }) => error && storedCodeCell("findings", error.code, error.message),
  mode: ({ mode }) => codeCell("importModes", mode),
  dryRun: ({ dryRun }) => dryRun,
  force: ({ force }) => force,
  reason: ({ reason }) => reason,
  records: ({ count }) => count,
  inserted: ({ stats }) => stats.inserted,
  updated: ({ stats }) => stats.updated,
  skipped: ({ stats }) => stats.skipped,
  errors: ({ errorCount }) => errorCount,
  warnings: ({ warningCount }) => warningCount,
  excluded: ({ excluded }) => excluded,
  removed: ({ removed }) => removed,
  competitorsLinked: ({ stats }) => stats.competitorsLinked,
  soldDays: ({ soldDays }) => soldDays,
  reverted: ({ reverted }) => reverted,
  createdBy: ({ createdBy }) => createdBy.name,
  startedAt: ({ startedAt }) => momentCell(startedAt),
  finishedAt: ({ finishedAt }) => momentCell(finishedAt),
  undoableUntil: ({ undoableUntil }) => momentCell(undoableUntil),
  undoes: ({ undoes }) => undoes,
  undoneBy: ({ undoneBy }) => undoneBy,
  jobId: ({ jobId }) => jobId,
};

const SOURCE_COLUMNS: Columns<ImportSource> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  kind: ({ kind }) => codeCell("sourceKinds", kind),
  profile: ({ profile }) => profile,
  mode: ({ mode }) => codeCell("importModes", mode),
  tier: ({ tier }) => tier,
  strict: ({ options }) => options.strict,
  hold: ({ hold }) => hold === null ? null : JSON.stringify(hold),
  expectedBy: ({ expected }) => expected?.by ?? null,
  expectedDays: ({ expected }) => expected && codesCell("days", expected.days),
  pausedAt: ({ pausedAt }) => momentCell(pausedAt),
  pullUrl: ({ pull }) => pull?.url ?? null,
  pullSchedule: ({ pull }) => scheduleCell(pull?.schedule ?? null),
  pullAuth: ({ pull }) => codeCell("auths", pull?.auth?.kind ?? null),
  lastImport: ({ lastImport }) =>
    lastImport && importStateCell(lastImport.status, lastImport.errorCode),
  lastImportError: ({ lastImport }) => storedCodeCell("findings", lastImport?.errorCode ?? null),
  lastImportAt: ({ lastImport }) => momentCell(lastImport?.finishedAt ?? null),
  lastSuccessAt: ({ lastImport }) => momentCell(lastImport?.succeededAt ?? null),
  lastPull: ({ lastPull }) => codeCell("pullOutcomes", lastPull?.outcome ?? null),
  lastPullError: ({ lastPull }) =>
    lastPull && storedCodeCell("pullErrors", lastPull.errorCode, lastPull.message),
  lastPullAt: ({ lastPull }) => momentCell(lastPull?.at ?? null),
  nextTryAt: ({ lastPull }) => momentCell(lastPull?.nextTryAt ?? null),
  createdAt: ({ createdAt }) => momentCell(createdAt),
  updatedAt: ({ updatedAt }) => momentCell(updatedAt),
};

function scheduleCell(
  schedule: NonNullable<ImportSource["pull"]>["schedule"],
): LocalisedText | null {
  if (schedule === null) return null;
  if ("every" in schedule) return codeCell("pullPeriods", schedule.every);
  const { at } = schedule;
  const days = codesCell("days", schedule.days);
  return { plain: `${at} ${days.plain}`, textIn: (language) => `${at} ${days.textIn(language)}` };
}

export function importFileRoutes() {
  return resource("", { read: { people: viewer } })
    .files("/imports", {
      tags,
      query: ImportFilter,
      words: "Every import that fits, newest first",
      open: (ctx, { source }) =>
        openListTable("imports", IMPORT_COLUMNS, (page) => pageOfImports(ctx, { ...page, source })),
    })
    .files("/import-sources", {
      tags,
      words: "Every source by its id, without its credentials",
      open: (ctx) =>
        openListTable("import-sources", SOURCE_COLUMNS, (page) => pageOfSources(ctx, page)),
    }).routes;
}

/** The job of a held import has the status `failed`, but lists show the import as held. */
function importStateCell(status: JobStatus, errorCode: string | null): LocalisedText {
  const shown = isHoldCode(errorCode)
    ? codeCell("importHolds", "held")
    : codeCell("jobStates", status);
  return { ...shown, plain: status };
}
