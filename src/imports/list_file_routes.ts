/** The lists of imports and of their sources as files. */
import { z } from "@hono/zod-openapi";
import { listFiles } from "../accounts/list_files.ts";
import { viewer } from "../accounts/route_access.ts";
import { room } from "../platform/http/http.ts";
import { openSourceTable } from "./state/source_table.ts";
import { ImportFilter } from "./import_query.ts";
import { openImportTable } from "./jobs/import_table.ts";

const shared = { access: viewer, tags: ["Imports"] };

const imports = listFiles({
  ...shared,
  path: "/api/imports",
  query: ImportFilter,
  describes: "Every import that fits, newest first",
  open: (ctx, { source }) => openImportTable(ctx, source),
});

const sources = listFiles({
  ...shared,
  path: "/api/import-sources",
  query: z.strictObject({}),
  describes: "Every source by its id, without its credentials",
  open: openSourceTable,
});

export function importFileRoutes() {
  return room().route("/", imports).route("/", sources);
}
