/** The queries of the import routes (docs/decisions/imports.md, "mode", "Options"). */
import { z } from "@hono/zod-openapi";
import { flagQuery } from "../platform/http/flag_query.ts";
import { pageQuery } from "../platform/http/http.ts";
import { IMPORT_MODES } from "./state/import_job.ts";
import type { ImportOptions } from "./jobs/start_import.ts";

const flag = (description: string) => flagQuery.meta({ type: "boolean", description });
const optionalText = (charactersMax: number) =>
  z.string().trim().max(charactersMax).optional().transform((text) => text || null);

export const ImportQuery = z.strictObject({
  mode: z.enum(IMPORT_MODES).default("upsert").meta({
    description:
      "`insert` leaves existing SKUs alone, `update` unknown ones; `replace` is a full " +
      "load that also deletes what earlier imports made and this one lacks",
  }),
  profile: optionalText(64).meta({ description: "How the file is read; else its root decides" }),
  tier: optionalText(64).meta({ description: "The price tier that `ourPrice` comes from" }),
  dryRun: flag("Check and count, write nothing"),
  force: flag("Pass the guard of `replace` and the hold of the workspace"),
});

export function optionsOf(query: z.output<typeof ImportQuery>): ImportOptions {
  const { mode, profile, tier, dryRun, force } = query;
  return { mode, profile, tier, isDryRun: dryRun, isForced: force };
}

export const ApplyQuery = z.strictObject({ force: flag("Let a held import through") });

export const ListQuery = z.strictObject(pageQuery(50, 200));

export const FindingQuery = z.strictObject({
  ...pageQuery(100, 1_000),
  severity: z.enum(["error", "warning"]).optional(),
  format: z.enum(["json", "csv", "xml"]).default("json").meta({
    description: "`csv` has all findings; `xml` the refused records, to be mended and sent again",
  }),
});
