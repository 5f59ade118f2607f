/** Stops all automatic prices at once, and says which ones that affects. */
import { DAY_MS } from "../../base/time.ts";
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../../accounts/audit/audit.ts";
import { Workspace } from "../../accounts/workspace.ts";
import { leastIdAt } from "../../base/id.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { countOpenProposals, listProposals } from "../proposals/proposal_store.ts";
import { listRules } from "../rule_store.ts";

const PER_READ = 1_000;

export const AutomationStopRequest = z.strictObject({
  reason: AuditReason.refine((reason) => reason !== null, "Must say why").meta({
    description: "Why, for everybody who sees that they are stopped",
  }),
}).meta({ id: "AutomationStopRequest" });

export const AutomationResumeRequest = z.strictObject({
  reason: AuditReason.optional(),
}).meta({ id: "AutomationResumeRequest" });

export const Automation = z.object({
  automationStop: Workspace.shape.automationStop,
  rules: z.int().meta({
    description: "Enabled rules that set prices by themselves; while stopped they propose them",
  }),
  waiting: z.int().meta({ description: "Open proposals, up to 100,000" }),
  applied24h: z.int().meta({
    description: "Prices that rules have set by themselves in the last 24 hours, up to 10,000",
  }),
}).meta({ id: "Automation" });

export type Automation = z.infer<typeof Automation>;

export async function automationOf(
  workspace: WorkspaceStore & Pick<Context, "now">,
  { automationStop }: Pick<Workspace, "automationStop">,
): Promise<Automation> {
  const [rules, waiting, applied24h] = await Promise.all([
    listRules(workspace),
    countOpenProposals(workspace, 100_000),
    countAppliedByRules(workspace, workspace.now().getTime() - DAY_MS, 10_000),
  ]);
  const automatic = rules.filter(({ rule: { enabled, actions } }) =>
    enabled && actions.some(({ type }) => type === "auto_apply_if_safe")
  );
  return { automationStop, rules: automatic.length, waiting, applied24h };
}

/** Counts proposals that rules applied by themselves, among the newest `max` applied ones. */
async function countAppliedByRules(
  workspace: WorkspaceStore,
  sinceMs: number,
  max: number,
): Promise<number> {
  const least = leastIdAt(sinceMs);
  let [counted, seen, before] = [0, 0, null as string | null];
  while (seen < max) {
    const index = { by: "status", status: "applied" } as const;
    const page = await listProposals(workspace, index, before, PER_READ, "desc");
    const young = page.filter(({ id }) => id >= least);
    counted += young.filter(({ decidedBy }) => decidedBy?.type === "system").length;
    seen += page.length;
    before = page.at(-1)?.id ?? null;
    if (young.length < PER_READ) break;
  }
  return counted;
}
