import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import { momentCell, type OutgoingTable } from "../../platform/tables/cell.ts";
import type { ImportSource } from "./import_source.ts";
import { pageOfSources } from "./read_sources.ts";

const COLUMNS: Columns<ImportSource> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  kind: ({ kind }) => kind,
  profile: ({ profile }) => profile,
  mode: ({ mode }) => mode,
  tier: ({ tier }) => tier,
  strict: ({ options }) => options.strict,
  hold: ({ hold }) => hold === null ? null : JSON.stringify(hold),
  expectedBy: ({ expected }) => expected?.by ?? null,
  expectedDays: ({ expected }) => expected?.days.join(" ") ?? null,
  pausedAt: ({ pausedAt }) => momentCell(pausedAt),
  pullUrl: ({ pull }) => pull?.url ?? null,
  pullSchedule: ({ pull }) => scheduleText(pull?.schedule ?? null),
  pullAuth: ({ pull }) => pull?.auth?.kind ?? null,
  lastImport: ({ lastImport }) => lastImport?.status ?? null,
  lastImportError: ({ lastImport }) => lastImport?.errorCode ?? null,
  lastImportAt: ({ lastImport }) => momentCell(lastImport?.finishedAt ?? null),
  lastSuccessAt: ({ lastImport }) => momentCell(lastImport?.succeededAt ?? null),
  lastPull: ({ lastPull }) => lastPull?.outcome ?? null,
  lastPullError: ({ lastPull }) => lastPull?.errorCode ?? null,
  lastPullAt: ({ lastPull }) => momentCell(lastPull?.at ?? null),
  nextTryAt: ({ lastPull }) => momentCell(lastPull?.nextTryAt ?? null),
  createdAt: ({ createdAt }) => momentCell(createdAt),
  updatedAt: ({ updatedAt }) => momentCell(updatedAt),
};

function scheduleText(schedule: NonNullable<ImportSource["pull"]>["schedule"]): string | null {
  if (schedule === null) return null;
  return "every" in schedule ? schedule.every : `${schedule.at} ${schedule.days.join(" ")}`;
}

/** Every source by its id. */
export async function openSourceTable(ctx: Context): Promise<OutgoingTable> {
  return await openListTable("import-sources", COLUMNS, (page) => pageOfSources(ctx, page));
}
