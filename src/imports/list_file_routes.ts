/** The lists of imports and of their sources as files. */
import { z } from "@hono/zod-openapi";
import { answerCsv, answerWorkbook } from "../identity/answer_table.ts";
import { viewer } from "../identity/route_access.ts";
import { room } from "../platform/http/http.ts";
import { fileRoutes } from "../platform/http/list_file.ts";
import { openSourceTable } from "./import_sources/source_table.ts";
import { ImportFilter } from "./import_query.ts";
import { openImportTable } from "./jobs/import_table.ts";

const shared = { access: viewer, tags: ["Imports"] };

const imports = fileRoutes({
  ...shared,
  path: "/api/imports",
  query: ImportFilter,
  describes: "Every import that fits, newest first",
});

const sources = fileRoutes({
  ...shared,
  path: "/api/import-sources",
  query: z.strictObject({}),
  describes: "Every source by its id, without its credentials",
});

export function importFileRoutes() {
  return room()
    .openapi(imports.csv, async (c) => {
      const { dialect, lang, source } = c.req.valid("query");
      return answerCsv(await openImportTable(c.var.ctx, source), { dialect, lang });
    })
    .openapi(imports.xlsx, async (c) => {
      const { lang, source } = c.req.valid("query");
      return await answerWorkbook(c.var.ctx, await openImportTable(c.var.ctx, source), lang);
    })
    .openapi(sources.csv, async (c) => {
      return answerCsv(await openSourceTable(c.var.ctx), c.req.valid("query"));
    })
    .openapi(sources.xlsx, async (c) => {
      const { lang } = c.req.valid("query");
      return await answerWorkbook(c.var.ctx, await openSourceTable(c.var.ctx), lang);
    });
}
