/** A workspace as lines, in an order in which they can be taken in one by one. */
import { walkAlerts } from "../alerts/alert_store.ts";
import { type AuditPlace, listAuditRows } from "../audit/audit_store.ts";
import { listCompetitors } from "../competitors/competitor_store.ts";
import { findRuleStates, listRuleStates } from "../evaluation/rule_state_store.ts";
import { listUsers } from "../identity/users/user_store.ts";
import { requireWorkspace } from "../identity/workspace_store.ts";
import { listOwnProfiles } from "../imports/profiles/import_profile_store.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { findTraces, listProposals } from "../proposals/proposal_store.ts";
import type { StoredRule } from "../rules/rule.ts";
import { readFires } from "../rules/rule_stats_store.ts";
import { listRules, walkDeletedRules } from "../rules/rule_store.ts";
import { catalogueLines, instant, skuOf } from "./catalogue_lines.ts";
import { idOf, pagesOf, ROWS_PER_READ } from "./pages_of.ts";
import { FILE_FORMAT, type LineOf, type WorkspaceLine } from "./workspace_line.ts";

const DAY_MS = 24 * 3_600_000;

type Lines<T extends WorkspaceLine> = AsyncGenerator<T>;

/**
 * All of the workspace but jobs, runs, webhooks, keys and what else opens something. Memory is a
 * read of each kind. What others write meanwhile may be in it by half: read a copy, or a store at rest.
 */
export async function* exportWorkspace(
  ctx: WorkspaceStore & Pick<Context, "now">,
): Lines<WorkspaceLine> {
  let lines = 0;
  const sections = [
    settingsLine(ctx),
    userLines(ctx),
    profileLines(ctx),
    competitorLines(ctx),
    catalogueLines(ctx),
    stateLines(ctx),
    proposalLines(ctx),
    alertLines(ctx),
    auditLines(ctx),
    ruleLines(ctx),
  ];
  for (const section of sections) {
    for await (const line of section) {
      lines++;
      yield line;
    }
  }
  yield { type: "end", lines };
}

async function* settingsLine(
  ctx: WorkspaceStore & Pick<Context, "now">,
): Lines<LineOf<"workspace">> {
  const workspace = await requireWorkspace(ctx);
  const exportedAt = ctx.now().toISOString();
  yield { type: "workspace", format: FILE_FORMAT, exportedAt, ...workspace };
}

async function* userLines(workspace: WorkspaceStore): Lines<LineOf<"user">> {
  for (const user of await listUsers(workspace, { after: null, limit: null })) {
    const { id, email, role, createdAt } = user;
    yield { type: "user", id, email, role, createdAt };
  }
}

async function* profileLines(workspace: WorkspaceStore): Lines<LineOf<"importProfile">> {
  for (const profile of await listOwnProfiles(workspace)) yield { type: "importProfile", profile };
}

async function* competitorLines(workspace: WorkspaceStore): Lines<LineOf<"competitor">> {
  for (const competitor of await listCompetitors(workspace, null, null)) {
    yield { type: "competitor", ...competitor };
  }
}

async function* stateLines(workspace: WorkspaceStore): Lines<LineOf<"ruleState">> {
  const pages = pagesOf((after) => listRuleStates(workspace, after, ROWS_PER_READ), idOf);
  for await (const page of pages) {
    for (const [productId, state] of await findRuleStates(workspace, page.map(idOf))) {
      const rules = Object.fromEntries(
        Object.entries(state).map(([ruleId, { lastFiredAtMs, rank }]) => [
          ruleId,
          { lastFiredAt: instant(lastFiredAtMs), rank },
        ]),
      );
      yield { type: "ruleState", productId, sku: await skuOf(workspace, productId), rules };
    }
  }
}

async function* proposalLines(workspace: WorkspaceStore): Lines<LineOf<"proposal">> {
  const index = { by: "all" } as const;
  const pages = pagesOf((after) => listProposals(workspace, index, after, ROWS_PER_READ), idOf);
  for await (const page of pages) {
    const traces = await findTraces(workspace, page.map(({ id }) => id));
    for (const proposal of page) {
      yield { type: "proposal", ...proposal, trace: traces.get(proposal.id) ?? null };
    }
  }
}

async function* alertLines(workspace: WorkspaceStore): Lines<LineOf<"alert">> {
  const walk = walkAlerts(workspace, { index: { by: "all" }, after: null, order: "asc" });
  for await (const { mailId: _mail, isMailOff: _off, ...alert } of walk) {
    yield { type: "alert", ...alert };
  }
}

async function* auditLines(workspace: WorkspaceStore): Lines<LineOf<"audit">> {
  const filter = {
    ...{ action: null, resource: null, actor: null, fromMs: null, toMs: null },
    order: "asc" as const,
  };
  const pages = pagesOf(
    (after: AuditPlace | null) => listAuditRows(workspace, { filter, after, limit: ROWS_PER_READ }),
    ({ at, id }) => ({ atMs: Date.parse(at), id }),
  );
  for await (const page of pages) {
    for (const row of page) yield { type: "audit", ...row };
  }
}

async function* ruleLines(workspace: WorkspaceStore): Lines<LineOf<"rule">> {
  for (const { rule } of await listRules(workspace)) yield await ruleLine(workspace, rule);
  for await (const rule of walkDeletedRules(workspace)) yield await ruleLine(workspace, rule);
}

async function ruleLine(workspace: WorkspaceStore, rule: StoredRule): Promise<LineOf<"rule">> {
  const { days, lastFiredAtMs } = await readFires(workspace, rule.id);
  const fires = days.filter(({ count }) => count > 0).map(({ day, count }) => ({
    day: new Date(day * DAY_MS).toISOString().slice(0, 10),
    count,
  }));
  return { type: "rule", ...rule, fires, lastFiredAt: instant(lastFiredAtMs) };
}
