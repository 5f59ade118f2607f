/** `export`: prints price changes for the ERP, like the external interface. */

import { commandContext } from "../../accounts/anonymous.ts";
import { type ExportFormat, exportPrices } from "../../market/export/export_prices.ts";
import { withTools } from "./store_access.ts";
import { printError, writeOut } from "./terminal.ts";
import { requireNamedWorkspace } from "./workspace_commands.ts";

interface ExportOptions {
  readonly since?: string;
  readonly format: ExportFormat;
  readonly workspace?: string;
}

/** Prints the changes to standard output, and the `since` for the next export to standard error. */
export async function exportPriceChanges(options: ExportOptions): Promise<void> {
  const { since, format, workspace } = options;
  await withTools(async (tools) => {
    const dialect = "rfc4180";
    const ctx = commandContext(tools, (await requireNamedWorkspace(tools, workspace)).id);
    const { nextSince, chunks } = await exportPrices(ctx, {
      since,
      cursor: undefined,
      format,
      dialect,
    });
    for await (const chunk of chunks) writeOut(chunk);
    printError(`next-since: ${nextSince}`);
  });
}
