/**
 * Commands that examine the installation and search the store for rows that contradict each other
 * (docs/decisions/keys.md). `auditVerify` compares the audit log with its seals, which are stored
 * hashes (docs/operations.md#audit-log).
 *
 * `tick` starts the scrape runs that are due, and waits until they have ended.
 */
import { findWorkspaceOf } from "../../accounts/set_up.ts";
import { type AuditVerdict, verifyAudit } from "../../accounts/audit/seal_audit.ts";
import { apiKeys } from "../../accounts/keys/api_key.ts";
import { users } from "../../accounts/users/user.ts";
import { findWorkspace, listWorkspaces } from "../../accounts/workspace.ts";
import { Failure } from "../../base/failure.ts";
import { VERSION } from "../../base/version.ts";
import { checkCatalogue } from "../../catalogue/check_catalogue.ts";
import { NO_WORKSPACE } from "../../platform/jobs/job.ts";
import { findStrayRows, jobs } from "../../platform/jobs/job_store.ts";
import type { Store } from "../../platform/store/kv.ts";
import { findLayout } from "../../platform/store/open_store.ts";
import { checkSpool } from "../../platform/store/spool_store.ts";
import { StoreTrouble } from "../../platform/store/store_trouble.ts";
import { checkRuleStates } from "../../rules/evaluation/rule_state_store.ts";
import { checkSchedules } from "../../scraping/schedule/schedule.ts";
import { checkCompetitors, checkObservations } from "../../shops/check_shops.ts";
import { readConfig } from "../composition/config.ts";
import { diagnose } from "../composition/diagnosis.ts";
import { checkTables, findSecretTroubles } from "../composition/tables.ts";
import { storeLocation, withTools } from "./store_access.ts";
import { print, printError } from "./terminal.ts";
import { setTimeout as pause } from "node:timers/promises";
import type { Tools } from "../../platform/store/context.ts";
import { JobRunner } from "../../platform/jobs/job_runner.ts";
import { createForeignReader, createScraper } from "../composition/room_deps.ts";
import { createRunKind } from "../../scraping/runs/run_kind.ts";
import { enqueueDue } from "../../scraping/runs/scrape_runs.ts";
import { hasRunsInFlight } from "../../scraping/runs/run.ts";
import type { ScrapeDeps } from "../../scraping/page/visit_tools.ts";

const CHECKS: readonly ((store: Store, workspaceId: string) => AsyncIterable<string>)[] = [
  checkAudit,
  checkCatalogue,
  checkCompetitors,
  checkObservations,
  checkSchedules,
  (store, workspaceId) => checkRuleStates({ store, workspaceId }),
  (store, workspaceId) => checkTables({ store, workspaceId }),
  (store, workspaceId) => checkSpool({ store, workspaceId }),
];

const SHOWN_MAX = 100;

export async function checkStore(): Promise<boolean> {
  return await withTools(async ({ store }) => {
    const workspaces = await listWorkspaces(store);
    let findings = 0;
    for await (const finding of findDisagreements(store)) {
      findings++;
      if (findings <= SHOWN_MAX) print(finding);
    }
    if (findings > SHOWN_MAX) print(`… and ${findings - SHOWN_MAX} more`);
    const summary = `${workspaces.length} workspaces checked, ${findings} disagreements`;
    if (findings === 0) print(summary);
    else printError(`error: ${summary}`);
    return findings === 0;
  });
}

export async function* findDisagreements(store: Store): AsyncGenerator<string> {
  const names = new Map([[NO_WORKSPACE, "The whole store"]]);
  for (const { id, name } of await listWorkspaces(store)) {
    names.set(id, name);
    for (const check of CHECKS) {
      for await (const finding of completed(check(store, id))) yield `${name}: ${finding}`;
    }
  }
  const wholeStore = { store, workspaceId: NO_WORKSPACE };
  const checks = [checkTables(wholeStore), jobs.inconsistencies(wholeStore), checkOwners(store)];
  for (const check of checks) {
    for await (const finding of check) yield `The whole store: ${finding}`;
  }
  for await (const finding of findSecretTroubles(store)) yield `The whole store: ${finding}`;
  for await (const { key, workspaceId, jobId } of findStrayRows(store)) {
    const whose = names.get(workspaceId) ?? `No workspace (${workspaceId})`;
    yield `${whose}: Job ${jobId} has a stray row "${String(key[0])}"`;
  }
}

async function* checkOwners(store: Store): AsyncGenerator<string> {
  for (const table of [users, apiKeys]) {
    for await (const { row: { workspaceId } } of table.walk({ store })) {
      if (await findWorkspace(store, workspaceId)) continue;
      yield `The workspace ${workspaceId} of a person or an API key is missing`;
    }
  }
}

async function* checkAudit(store: Store, workspaceId: string): AsyncGenerator<string> {
  yield* (await verifyAudit({ store, workspaceId })).findings;
}

async function* completed(findings: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* findings;
  } catch (error) {
    if (error instanceof StoreTrouble || error instanceof Failure) throw error;
    yield `A check ended early, because a row cannot be read: ${error}`;
  }
}

/** Returns false if an examination finds a problem. */
export async function doctor({ json = false }: { readonly json?: boolean }): Promise<boolean> {
  const config = readConfig();
  const { dataDir } = storeLocation(config);
  return await withTools(async ({ store }) => {
    const points = await diagnose({ store, config, dataDir, now: () => new Date() });
    const { layout } = await findLayout(store);
    const problems = points.filter(({ level }) => level === "problem").length;
    if (json) print(JSON.stringify({ version: VERSION, layout, problems, points }));
    else {
      for (const { name, level, text, remedy } of points) {
        print(`${level.padEnd(7)} ${name}: ${text}${remedy === null ? "" : `; ${remedy}`}`);
      }
      print(`The store has layout ${layout}; ${problems} problems`);
    }
    return problems === 0;
  });
}

/** Returns false if the log contradicts its seals, or lacks the seal with the hash `head`. */
export async function auditVerify(
  { workspace, head }: { readonly workspace?: string; readonly head?: string },
): Promise<boolean> {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new Failure("validation_failed", "--head must be the 64 hex digits of a seal's hash");
  }
  return await withTools(async (tools) => {
    const chosen = workspace === undefined
      ? await listWorkspaces(tools.store)
      : [{ id: (await findWorkspaceOf(tools, workspace)).workspaceId, name: workspace }];
    let isSound = true;
    let hasHead = head === undefined;
    for (const { id, name } of chosen) {
      const verdict = await verifyAudit({ store: tools.store, workspaceId: id }, head ?? null);
      for (const finding of verdict.findings.slice(0, 20)) print(`${name}: ${finding}`);
      print(`${name}: ${summaryOf(verdict)}`);
      if (verdict.expectedAt !== null) {
        print(`${name}: the chain contains this head as seal ${verdict.expectedAt}`);
        hasHead = true;
      }
      isSound &&= verdict.findings.length === 0;
    }
    if (!hasHead) printError("error: No seal has this head: seals were removed or replaced");
    return isSound && hasHead;
  });
}

function summaryOf({ findings, seals, head, sealed, unsealed, expired }: AuditVerdict): string {
  const parts = [
    `${seals} seals of ${sealed} rows`,
    ...expired > 0 ? [`${expired} rows deleted by age`] : [],
    `${unsealed} rows not sealed yet`,
    `${findings.length} disagreements`,
    head === null ? "no head" : `head ${head.hash}`,
  ];
  return parts.join(", ");
}

/** A server that runs at the same time may carry out some of the scrape runs that `tick` starts. */
export async function tick(): Promise<void> {
  const config = readConfig();
  using reader = createForeignReader();
  const scraper = createScraper(config, reader);
  await withTools(async (tools) => {
    const made = await enqueueDue({ ...tools, delayMs: scraper.delayMs });
    print(`Runs made: ${made}`);
    await workOff(tools, scraper);
    print("Nothing is left to fetch");
  });
}

/** Do not call `runner.start`, because it would take over the jobs of a running server. */
async function workOff({ store, clock }: Tools, scraper: ScrapeDeps): Promise<void> {
  const runner = new JobRunner({ store, clock, kinds: [createRunKind(scraper)] });
  for (;;) {
    await runner.drain();
    if (!await hasRunsInFlight(store)) break;
    await pause(250);
  }
  await runner.stop();
}
