import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  codeCell,
  codesCell,
  momentCell,
  type OutgoingTable,
  type Said,
  storedCodeCell,
} from "../../platform/tables/cell.ts";
import { importStateCell } from "../files/state_cell.ts";
import type { ImportSource } from "./import_source.ts";
import { pageOfSources } from "./read_sources.ts";

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

/** Every source by its id. */
export async function openSourceTable(ctx: Context): Promise<OutgoingTable> {
  return await openListTable("import-sources", COLUMNS, (page) => pageOfSources(ctx, page));
}
