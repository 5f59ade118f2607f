import type { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../accounts/workspace_store.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { type Face, toldPage } from "../platform/http/face.ts";
import { headed, tableResponse, worded } from "../platform/tables/table_answer.ts";
import { requireImport } from "./jobs/apply_import.ts";
import { findingTable, streamRefusedXml } from "./jobs/export_findings.ts";
import type { FindingQuery } from "./import_query.ts";
import { pageOfFindings } from "./jobs/read_imports.ts";
import { refusedTable } from "./jobs/refused_rows.ts";

/** The findings as a page or a table of all of them, or the refused records to be sent again. */
export async function answerFindings(
  c: AppContext,
  face: Face,
  jobId: string,
  query: z.output<typeof FindingQuery>,
): Promise<Response> {
  const { ctx } = c.var;
  const { format, severity = null, lang, ...page } = query;
  if (format === "json") {
    return c.json(toldPage(face, await pageOfFindings(ctx, jobId, { ...page, severity })), 200);
  }
  await requireImport(ctx, jobId);
  const { timeZone } = await requireWorkspace(ctx);
  if (format === "csv" || format === "xlsx") {
    const form = { format, dialect: "excel", timeZone } as const;
    // Codes of files by key are what programs compare.
    const inLanguage = face.isEnveloped ? headed : worded;
    return tableResponse(inLanguage(findingTable(ctx, jobId, severity), lang), form);
  }
  if (format === "rows") {
    return tableResponse(await refusedTable(ctx, jobId), { format: "csv", dialect: "excel" });
  }
  return new Response(streamRefusedXml(ctx, jobId), {
    headers: {
      "Content-Type": "application/xml; charset=utf-8",
      "Content-Disposition": `attachment; filename="refused-${jobId}.xml"`,
    },
  });
}
