/** `workspace set`: how a workspace keeps its prices, before the first file comes; on a running server too. */
import { Failure, refuseFields } from "../../base/failure.ts";
import { changeSettings } from "../../accounts/change_settings.ts";
import { provideWorkspace } from "../../accounts/choose_workspace.ts";
import { WorkspaceSettings } from "../../accounts/workspace.ts";
import { refusedFieldsOf } from "../../platform/http/refused_fields.ts";
import { withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

export interface WorkspaceSetOptions {
  /** In percent, as it is written on the command line. */
  readonly vat?: string;
  readonly gross?: boolean;
  readonly net?: boolean;
  readonly workspace?: string;
}

/** Refuses with `validation_failed` what is no rate, and a call that sets nothing or both sides. */
export async function workspaceSet(
  { vat, gross = false, net = false, workspace: name }: WorkspaceSetOptions,
): Promise<void> {
  if (gross && net) throw new Failure("validation_failed", "Prices are --gross or --net, not both");
  const given = {
    ...(vat === undefined ? {} : { vatRatePct: Number(vat.replace(",", ".")) }),
    ...(gross || net ? { pricesIncludeVat: gross } : {}),
  };
  if (Object.keys(given).length === 0) {
    throw new Failure("validation_failed", "Say what to set: --vat, and --gross or --net");
  }
  const parsed = WorkspaceSettings.safeParse(given);
  if (!parsed.success) throw refuseFields(parsed.error.issues.flatMap(refusedFieldsOf));
  const settings = await withTools(async (tools) =>
    await changeSettings(await provideWorkspace(tools, name), parsed.data)
  );
  const { name: called, pricesIncludeVat, vatRatePct } = settings;
  const rate = vatRatePct === null ? "without a rate of VAT" : `VAT ${vatRatePct} %`;
  print(`Workspace "${called}": prices are ${pricesIncludeVat ? "gross" : "net"}, ${rate}`);
}
