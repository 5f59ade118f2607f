/**
 * Raises alerts and queues mails that no event causes, for example when an import is missing. A
 * timer calls these functions, in several processes at the same time. The commit that raises an
 * alert or queues a mail also stores a mark, so no alert or mail is sent twice.
 */
import { findLastSeal } from "../../accounts/audit/audit_seal_store.ts";
import { countInWorkspaces, requireWorkspace } from "../../accounts/workspace_store.ts";
import { languageOf } from "../../base/language.ts";
import { HOUR_MS } from "../../base/time.ts";
import { alertWordsOf } from "../../engine/wording/alert_text.ts";
import { findLastImport, importedAt } from "../../imports/jobs/import_document.ts";
import { missedTime } from "../../imports/state/import_source.ts";
import {
  findLastImportOf,
  findSource,
  listStoredSources,
  silentMarks,
} from "../../imports/state/sources.ts";
import { roomLog } from "../../platform/log.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { type AlertSetup, raiseAlert, systemAlert } from "./alert.ts";
import { mailQueue } from "./mail_store.ts";

export async function raiseSilentSources(setup: AlertSetup): Promise<number> {
  return await countInWorkspaces(setup.store, "silent sources", async (workspace) => {
    let count = 0;
    for (const source of await listStoredSources(workspace)) {
      if (source.expected) count += await judgeSource(setup, workspace, source.id);
    }
    return count;
  });
}

async function judgeSource(
  { clock, deps }: AlertSetup,
  workspace: WorkspaceStore,
  sourceId: string,
): Promise<number> {
  const ctx = { ...clock, ...workspace };
  return await transact(ctx, async (write) => {
    const { timeZone } = await requireWorkspace(ctx);
    const mark = await silentMarks.find(ctx, { sourceId });
    const source = (await findSource(ctx, sourceId))?.source;
    const lastAt = (await findLastImportOf(ctx, sourceId))?.succeededAt ?? null;
    const expectedAt = source && missedTime(source, lastAt, ctx.now(), timeZone);
    if (!source || !expectedAt) return 0;
    // The time of the last successful import is saved, so that a missing import gets only one
    // alert.
    const countedAt = lastAt ?? source.createdAt ?? "";
    if (mark?.row.countedAt === countedAt) return 0;
    silentMarks.save(write, ctx, mark, { sourceId, countedAt });
    const facts = { sourceId, name: source.name, expectedAt, lastAt };
    raiseAlert(write, ctx, deps, systemAlert({ code: "source_silent", ...facts }));
    return 1;
  });
}

export const overdueMarks = defineTable<{ readonly importId: string }>({
  prefix: "alo",
  about: "the last import for which people were told that the next one is overdue",
  key: {},
  value: "importId",
});

export async function raiseOverdueImports({ store, clock, deps }: AlertSetup): Promise<number> {
  return await countInWorkspaces(store, "overdue imports", async (place) => {
    const ctx = { ...clock, ...place };
    return await transact(ctx, async (write) => {
      const workspace = await requireWorkspace(ctx);
      const { importExpectedHours: hours } = workspace;
      if (hours === null) return 0;
      const mark = await overdueMarks.find(ctx, {});
      const last = await findLastImport(ctx);
      const [importId, lastAt] = [last?.jobId ?? "none", importedAt(last, workspace)];
      const ageMs = ctx.now().getTime() - Date.parse(lastAt);
      if (ageMs < hours * HOUR_MS || importId === mark?.row.importId) return 0;
      overdueMarks.save(write, ctx, mark, { importId });
      raiseAlert(write, ctx, deps, systemAlert({ code: "import_overdue", hours, lastAt }));
      return 1;
    });
  });
}

export const holdMarks = defineTable<object>({
  prefix: "alh",
  about: "empty; exists once people were told that an upgrade has switched the hold on",
  key: {},
  codec: { encode: () => new Uint8Array() },
});

export async function publishHolds({ store, clock, deps }: AlertSetup): Promise<number> {
  return await countInWorkspaces(store, "holds", async (place) => {
    const ctx = { ...clock, ...place };
    const hold = await transact(ctx, async (write) => {
      const { importHold, importHoldUnconfirmed } = await requireWorkspace(ctx);
      if (importHold === null || !importHoldUnconfirmed) return null;
      if (await holdMarks.find(ctx, {}) !== null) return null;
      holdMarks.save(write, ctx, null, {});
      raiseAlert(write, ctx, deps, systemAlert({ code: "hold_switched_on", ...importHold }));
      return importHold;
    });
    if (hold === null) return 0;
    const words = "the hold of imports is on now, where nobody had ever set it: a job may be held";
    roomLog("care").warning(words, { workspace: ctx.workspaceId, ...hold });
    return 1;
  });
}

export const headMails = defineTable<{ readonly day: string }>({
  prefix: "amd",
  about: "the last day in UTC on which the newest seal of the audit log was mailed",
  key: {},
});

/**
 * Queues at most one mail per workspace and day, with the newest hash of the audit log. A person
 * with access to the store can change the stored hash, but not the mailed hash.
 */
export async function queueHeadMails(
  { store, clock, to }: Pick<AlertSetup, "store" | "clock"> & { readonly to: readonly string[] },
): Promise<number> {
  return await countInWorkspaces(store, "mails of seals", async (place) => {
    return await transact(place, async (write) => {
      const now = clock.now();
      const day = now.toISOString().slice(0, 10);
      const found = await headMails.find(place, {});
      const seal = found?.row.day === day ? null : await findLastSeal(place);
      if (seal === null) return 0;
      const { id, name, locale } = await requireWorkspace(place);
      const words = alertWordsOf(languageOf(locale));
      const worded = {
        subject: words.sealSubject(name, seal.number),
        text: `${words.seal(name, seal.number, seal.at)}\n\n${seal.hash}\n\n${words.sealUse}\n`,
      };
      headMails.save(write, place, found, { day });
      mailQueue.add(write, {
        partition: [id],
        id: clock.newId(),
        dueMs: now.getTime(),
        value: { alertIds: [], to, failures: 0, worded },
      });
      return 1;
    });
  });
}
