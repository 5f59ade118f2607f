import type { z } from "@hono/zod-openapi";
import type { AppContext } from "../platform/http/app_context.ts";
import { requireImport } from "./jobs/apply_import.ts";
import { streamFindingsCsv, streamRefusedXml } from "./jobs/export_findings.ts";
import type { ImportFace } from "./import_answer.ts";
import type { FindingQuery } from "./import_query.ts";
import { pageOfFindings } from "./jobs/read_imports.ts";

/** The findings as a page, as a table of all of them, or the refused records as XML. */
export async function answerFindings(
  c: AppContext,
  face: ImportFace,
  jobId: string,
  query: z.output<typeof FindingQuery>,
): Promise<Response> {
  const { ctx } = c.var;
  const { format, severity = null, ...page } = query;
  if (format === "json") {
    const { items, ...rest } = await pageOfFindings(ctx, jobId, { ...page, severity });
    return c.json(face.isEnveloped ? { data: items, ...rest } : { items, ...rest }, 200);
  }
  await requireImport(ctx, jobId);
  const isCsv = format === "csv";
  const body = isCsv ? streamFindingsCsv(ctx, jobId, severity) : streamRefusedXml(ctx, jobId);
  const type = isCsv ? "text/csv; charset=utf-8" : "application/xml; charset=utf-8";
  const name = isCsv ? `findings-${jobId}.csv` : `refused-${jobId}.xml`;
  const headers = { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` };
  return new Response(body, { headers });
}
