/** The queries of the import routes (docs/decisions/imports.md, "mode", "Options"). */
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../accounts/audit/audit.ts";
import { flagQuery } from "../platform/http/flag_query.ts";
import { pageQuery } from "../platform/http/http.ts";
import { HeadingQuery } from "../platform/http/list_file.ts";
import { EXCLUDED_MAX } from "./jobs/apply_import.ts";
import type { ImportRequest } from "./jobs/start_import.ts";
import { IMPORT_MODES } from "./state/import_job.ts";

/** A schema of the document alone: one of zod would make the framework parse the form in memory. */
const binary = { type: "string", format: "binary" } as const;

/** The bodies of an upload, for the document; the handler reads them as a stream. */
export const UPLOAD_BODY = {
  required: true,
  description:
    "XML, CSV, XLSX, JSON or NDJSON, any of them in gzip or ZIP, or a form with any number of " +
    "files (`multipart/form-data`). What a file is decides its content, not its name; what is sent " +
    "as XML (`application/xml`, `text/xml`) must be XML. A body that is the file itself is called as " +
    '`Content-Disposition` says (`attachment; filename="products.csv"`)',
  // Generated clients know one type of body per operation; the others are named in the description.
  content: { "application/octet-stream": { schema: binary } },
} as const;

const flag = (description: string) => flagQuery.meta({ type: "boolean", description });
const optionalText = (charactersMax: number) =>
  z.string().trim().max(charactersMax).optional().transform((text) => text || null);

export const ImportQuery = z.strictObject({
  source: optionalText(64).meta({
    description: "The import source whose file it is, by id; else `default`",
  }),
  mode: z.enum(IMPORT_MODES).optional().meta({
    description:
      "Else that of the source, which is `upsert` unless it was set. `insert` leaves existing SKUs alone, `update` unknown ones; `replace` is a full " +
      "load that also deletes what earlier imports of the source made and this one lacks",
  }),
  profile: optionalText(64).meta({ description: "How the file is read; else its root decides" }),
  tier: optionalText(64).meta({ description: "The price tier that `ourPrice` comes from" }),
  dryRun: flag("Check and count, write nothing"),
  force: flag("Pass the guard of `replace` and the hold of the workspace or source"),
  allowNoPrices: flag(
    "Import the rest of a file of which a whole column of prices cannot be used; else it fails",
  ),
  strict: z.enum(["true", "false"]).optional().transform((text) =>
    text === undefined ? undefined : text === "true"
  ).meta({
    type: "boolean",
    description:
      "Wait for the end, for 60 s at most, and answer 422 `import_refused` when the import " +
      "failed or was held. Else as the source says, which is `false` unless it was set",
  }),
});

export function requestOf(query: z.output<typeof ImportQuery>): ImportRequest {
  const { source, mode = null, profile, tier, dryRun, force, allowNoPrices, strict = null } = query;
  const asked = { isDryRun: dryRun, isForced: force, allowsNoPrices: allowNoPrices };
  return { source, mode, profile, tier, ...asked, isStrict: strict };
}

export const ApplyQuery = z.strictObject({
  force: flag("Let a held import through"),
  allowNoPrices: flag("Import all but the prices that cannot be used"),
});

/** Whatever a SKU is: what no record has leaves nothing out. */
const SKU_CHARACTERS_MAX = 1_000;

export const ApplyBody = z.strictObject({
  force: z.boolean().default(false).meta({ description: "As in the query" }),
  allowNoPrices: z.boolean().default(false).meta({ description: "As in the query" }),
  exclude: z.array(z.string().max(SKU_CHARACTERS_MAX)).max(EXCLUDED_MAX).default([]).meta({
    description: "SKUs whose records are left out, with a warning `excluded` each",
  }),
  reason: AuditReason.optional(),
}).meta({ id: "ImportApplication" });

export const UndoQuery = z.strictObject({
  dryRun: flag("Count what would go back and list what would stay, change nothing"),
  reason: AuditReason.optional().meta({
    pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$",
    description:
      "Why, for the audit log: with one, a person also sets prices back that are beyond " +
      "the bounds of their products, below cost, locked or held",
  }),
  pause: z.enum(["true", "false"]).optional().transform((text) =>
    text === undefined ? null : text === "true"
  ).meta({
    type: "boolean",
    description: "Whether the source of the import takes nothing from then on. Else it goes on, " +
      "unless the import came from a program, whose next file would bring the same again",
  }),
});

export const ImportFilter = z.strictObject({
  source: optionalText(64).meta({
    description: "Imports of this source alone, by id, and what took them back; all without it",
  }),
});

export const ListQuery = z.strictObject({ ...pageQuery(50, 200), ...ImportFilter.shape });

export const FindingQuery = z.strictObject({
  ...pageQuery(100, 1_000),
  severity: z.enum(["error", "warning"]).optional(),
  format: z.enum(["json", "csv", "xlsx", "xml", "rows"]).default("json").meta({
    description:
      "`csv` and `xlsx` have all findings. `rows` is a CSV of the refused records as they came, " +
      "with the line in `Fehler in Zeile` and what is wrong in `Fehler`: rows of tables, to be " +
      "mended and sent again, or the elements of XML. `xml` has the records of any file, to be " +
      "mended and sent again",
  }),
  lang: HeadingQuery,
});
