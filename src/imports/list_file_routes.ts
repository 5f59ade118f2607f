/** The lists of imports and of their sources as files. */

import { viewer } from "../accounts/route_access.ts";
import { type Columns, openListTable } from "../platform/http/list_file.ts";
import { resource } from "../platform/http/resource.ts";
import type { JobStatus } from "../platform/jobs/job.ts";
import type { Context } from "../platform/store/context.ts";
import {
  codeCell,
  codesCell,
  momentCell,
  type OutgoingTable,
  type Said,
  storedCodeCell,
} from "../platform/tables/cell.ts";
import { isHoldCode } from "./files/hold_codes.ts";
import { ImportFilter } from "./import_answer.ts";
import { type ImportSummary, pageOfImports } from "./jobs/import_document.ts";
import { pageOfSources } from "./state/change_sources.ts";
import type { ImportSource } from "./state/import_source.ts";

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

async function openImportTable(
  ctx: Context,
  source: string | null,
): Promise<OutgoingTable> {
  return await openListTable(
    "imports",
    IMPORT_COLUMNS,
    (page) => pageOfImports(ctx, { ...page, source }),
  );
}

const COLUMNS: Columns<ImportSource> = {
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

function scheduleCell(schedule: NonNullable<ImportSource["pull"]>["schedule"]): Said | null {
  if (schedule === null) return null;
  if ("every" in schedule) return codeCell("pullPeriods", schedule.every);
  const { at } = schedule;
  const days = codesCell("days", schedule.days);
  return { plain: `${at} ${days.plain}`, said: (language) => `${at} ${days.said(language)}` };
}

async function openSourceTable(ctx: Context): Promise<OutgoingTable> {
  return await openListTable("import-sources", COLUMNS, (page) => pageOfSources(ctx, page));
}

export function importFileRoutes() {
  const tags = ["Imports"];
  return resource("", { look: { people: viewer } })
    .files("/imports", {
      tags,
      query: ImportFilter,
      words: "Every import that fits, newest first",
      open: (ctx, { source }) => openImportTable(ctx, source),
    })
    .files("/import-sources", {
      tags,
      words: "Every source by its id, without its credentials",
      open: openSourceTable,
    }).routes;
}

/** How an import stands: one that is held waits for a person, though its job has failed. */
function importStateCell(status: JobStatus, errorCode: string | null): Said {
  const shown = isHoldCode(errorCode)
    ? codeCell("importHolds", "held")
    : codeCell("jobStates", status);
  return { ...shown, plain: status };
}
