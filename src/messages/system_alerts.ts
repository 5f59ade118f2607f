/**
 * Raises the alerts that come from no price rule. Events raise alerts, for example about a failed
 * import. A timer raises alerts about missing imports, and mails the newest hash of the audit log.
 * Alerts are marked as read when their proposal is decided or their shop answers again. Several
 * processes may do the same work. To report nothing twice, each commit also deletes the row that
 * caused the alert or mail, or stores a mark.
 */
import { findLastSeal } from "../accounts/audit/audit_seal_store.ts";
import { countInWorkspaces, requireWorkspace } from "../accounts/workspace.ts";
import { HOUR_MS } from "../base/time.ts";
import { findProduct } from "../catalogue/products/product_store.ts";
import { alertSentence } from "../engine/wording/alert_text.ts";
import { audienceOf } from "../engine/wording/show.ts";
import { isHoldCode } from "../imports/choices.ts";
import { arrivedAt, findLastImport } from "../imports/jobs/import_document.ts";
import { missedTime } from "../imports/state/import_source.ts";
import {
  findLastImportOf,
  findSource,
  listStoredSources,
  silentMarks,
} from "../imports/state/sources.ts";
import type { OutboxEvent } from "../platform/events/event.ts";
import type { OutboxListener } from "../platform/events/outbox_store.ts";
import type { ClockAndIds, Tools, WorkspaceStore } from "../platform/store/context.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import { defineTable } from "../platform/store/table.ts";
import {
  type AlertDeps,
  alerts,
  type AlertSetup,
  mailQueue,
  markRead,
  type NewAlert,
  raiseAlerts,
  type StoredAlert,
  systemAlert,
} from "./alert_store.ts";

/** Calls `work` once per workspace, each time in a commit of its own, and adds up the results. */
async function commitInEach(
  { store, clock }: Tools,
  name: string,
  work: (write: Write, ctx: WorkspaceStore & ClockAndIds) => Promise<number>,
): Promise<number> {
  return await countInWorkspaces(store, name, (workspace) => {
    const ctx = { ...clock, ...workspace };
    return transact(ctx, (write) => work(write, ctx));
  });
}

type Mismatch = Extract<OutboxEvent, { type: "match.mismatch" }>["data"];

export function createAlertListener(deps: AlertDeps): OutboxListener {
  return {
    async handle(write, ctx, { eventId, stamp, event }) {
      if (event.type === "proposal.decided") {
        const { productId, ruleId } = event.data;
        decisions.put(write, ctx, { id: eventId, productId, ruleId, stamp });
      } else if (event.type === "domain.answering") {
        recoveries.put(write, ctx, { ...event.data, id: eventId });
      } else {
        const alert = event.type === "match.mismatch"
          ? await mismatchAlert(ctx, event.data)
          : systemAlertOf(event);
        const batch = OFTEN.includes(event.type) ? event.type : null;
        if (alert) raiseAlerts(write, ctx, deps, [alert], batch);
      }
    },
  };
}

/** These events are frequent, so many of their alerts share a mail. */
const OFTEN: readonly string[] = ["match.mismatch", "price.out_of_bounds"];

async function mismatchAlert(workspace: WorkspaceStore, mismatch: Mismatch): Promise<NewAlert> {
  const { productId, sku, competitor, competitorProductId, competitorId, url } = mismatch;
  const product = (await findProduct(workspace, productId))?.product;
  const [reason] = mismatch.reasons;
  return systemAlert({
    code: "other_product",
    competitorProductId,
    competitorId,
    competitor,
    url,
    sku,
    productTitle: product?.title ?? "",
    reason: reason ? { code: reason.code, ours: reason.ours, theirs: reason.theirs } : null,
  }, productId);
}

function systemAlertOf(event: OutboxEvent): NewAlert | null {
  switch (event.type) {
    case "domain.failing":
      return systemAlert({ code: "domain_failing", ...event.data });
    case "recipe.drifting":
      return systemAlert({ code: "recipe_drifting", ...event.data });
    case "discovery.fell_back":
      return systemAlert({ code: "discovery_fell_back", ...event.data });
    case "shop.held":
      return systemAlert({ code: "shop_held", ...event.data });
    case "price.out_of_bounds": {
      const { productId, title, ...facts } = event.data;
      return systemAlert({ code: "price_out_of_bounds", productTitle: title, ...facts }, productId);
    }
    case "source.not_fetched":
      return systemAlert({ code: "not_fetched", ...event.data });
    case "import.finished": {
      const { label, jobId, errorCode, status, stats: { beyondBounds: count = 0 } } = event.data;
      if (status === "failed") {
        const code = isHoldCode(errorCode) ? "import_held" : "import_failed";
        return systemAlert({ code, label, jobId, errorCode });
      }
      return count === 0
        ? null
        : systemAlert({ code: "import_out_of_bounds", label, jobId, count });
    }
    default:
      return null;
  }
}

interface Decided {
  readonly id: string;
  readonly productId: string;
  readonly ruleId: string;
  /** The versionstamp of the decision's commit; earlier versions of Kurant did not store it. */
  readonly stamp?: string;
}

const decisions = defineTable<Decided, "id">({
  prefix: "ald",
  about: "a decided proposal whose alerts are not yet marked as read",
  key: { id: "id" },
});

type Recovery = Readonly<Record<"id" | "domain", string>>;

const recoveries = defineTable<Recovery, "id">({
  prefix: "alw",
  about: "a shop that answers again, whose alerts were not marked as read yet",
  key: { id: "id" },
});

const ROWS_PER_COMMIT = 50;
const NEWEST = 20;

export async function closeDecided(tools: Tools): Promise<number> {
  return await commitInEach(tools, "alerts of decided proposals", async (write, ctx) => {
    const version = await alerts.version(ctx);
    const rows = (await decisions.list(ctx, { limit: ROWS_PER_COMMIT })).map(({ row }) => row);
    const back = (await recoveries.list(ctx, { limit: ROWS_PER_COMMIT })).map(({ row }) => row);
    const closed = new Map<string, StoredAlert>();
    for (const { productId, ruleId, stamp } of rows) {
      const range = { limit: NEWEST, order: "desc" } as const;
      const newest = await alerts.listBy(ctx, "product", { productId }, range);
      for (const { row, versionstamp } of newest) {
        const isProposal = row.facts?.code === "rule_fired" && row.facts.outcome === "propose";
        // Alerts since the decision's commit (`stamp`) are about a new proposal and stay unread.
        const isBefore = stamp === undefined || versionstamp < stamp;
        const isOwn = row.ruleId === ruleId && isProposal && isBefore;
        if (row.readAt === null && isOwn) closed.set(row.id, row);
      }
    }
    for (const row of await aboutShops(ctx, back)) closed.set(row.id, row);
    markRead(write, ctx, version, [...closed.values()], ctx.now());
    for (const { id } of rows) decisions.drop(write, ctx, { id });
    for (const { id } of back) recoveries.drop(write, ctx, { id });
    return rows.length + back.length;
  });
}

async function aboutShops(
  place: WorkspaceStore,
  shops: readonly Recovery[],
): Promise<readonly StoredAlert[]> {
  if (shops.length === 0) return [];
  const domains = new Set(shops.map(({ domain }) => domain));
  const unread = await Array.fromAsync(alerts.walkBy(place, "unread", {}), ({ row }) => row);
  return unread.filter(({ facts }) =>
    facts?.code === "domain_failing" && domains.has(facts.domain)
  );
}

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
    // This mark prevents a second alert about the same missing import.
    const countedAt = lastAt ?? source.createdAt ?? "";
    if (mark?.row.countedAt === countedAt) return 0;
    silentMarks.save(write, ctx, mark, { sourceId, countedAt });
    const facts = { sourceId, name: source.name, expectedAt, lastAt };
    raiseAlerts(write, ctx, deps, [systemAlert({ code: "source_silent", ...facts })]);
    return 1;
  });
}

const overdueMarks = defineTable<{ readonly lastAt: string }>({
  prefix: "alo",
  about: "the time of the last file before the newest alert about an overdue file",
  key: {},
  value: "lastAt",
});

export async function raiseOverdueImports({ deps, ...tools }: AlertSetup): Promise<number> {
  return await commitInEach(tools, "overdue imports", async (write, ctx) => {
    const workspace = await requireWorkspace(ctx);
    const { importExpectedHours: hours } = workspace;
    if (hours === null) return 0;
    const mark = await overdueMarks.find(ctx, {});
    const lastAt = await arrivedAt(ctx, await findLastImport(ctx), workspace);
    const ageMs = ctx.now().getTime() - Date.parse(lastAt);
    if (ageMs < hours * HOUR_MS || lastAt === mark?.row.lastAt) return 0;
    overdueMarks.save(write, ctx, mark, { lastAt });
    raiseAlerts(write, ctx, deps, [systemAlert({ code: "import_overdue", hours, lastAt })]);
    return 1;
  });
}

const headMails = defineTable<{ readonly day: string }>({
  prefix: "amd",
  about: "the last day in UTC on which the newest seal of the audit log was mailed",
  key: {},
});

/**
 * Queues at most one mail per workspace and day, with the newest hash of the audit log. A person
 * with access to the store can change the stored hash, but not the mailed hash.
 */
export async function queueHeadMails(
  { to, ...tools }: Tools & { readonly to: readonly string[] },
): Promise<number> {
  return await commitInEach(tools, "mails of seals", async (write, ctx) => {
    const now = ctx.now();
    const day = now.toISOString().slice(0, 10);
    const found = await headMails.find(ctx, {});
    const seal = found?.row.day === day ? null : await findLastSeal(ctx);
    if (seal === null) return 0;
    const workspace = await requireWorkspace(ctx);
    const reader = audienceOf(workspace);
    const facts = { workspace: workspace.name, number: String(seal.number), time: seal.at };
    const parts = [
      alertSentence(reader, "seal", facts),
      seal.hash,
      alertSentence(reader, "sealUse"),
    ];
    const subject = alertSentence(reader, "sealSubject", facts);
    const worded = { subject, text: `${parts.join("\n\n")}\n` };
    headMails.save(write, ctx, found, { day });
    const value = { alertIds: [], to, failures: 0, worded };
    mailQueue.add(write, {
      partition: [workspace.id],
      id: ctx.newId(),
      dueMs: now.getTime(),
      value,
    });
    return 1;
  });
}
