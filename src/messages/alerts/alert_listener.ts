/**
 * Turns events into alerts, and marks alerts as read when their proposal is decided or their shop
 * answers again. Up to 20 links per hour whose pages show other products get their own alerts.
 * Further links, and older links that are compared for the first time, share an alert (a digest).
 * The commit that reports a link deletes its row in `mismatches`, so it is reported once.
 */
import { countInWorkspaces } from "../../accounts/workspace_store.ts";
import { isHoldCode } from "../../imports/choices.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import type { OutboxListener } from "../../platform/events/outbox_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import {
  type AlertDeps,
  alerts,
  type AlertSetup,
  markRead,
  type NewAlert,
  raiseAlerts,
  type StoredAlert,
  systemAlert,
  walkAlerts,
} from "./alert.ts";
import { HOUR_MS } from "../../base/time.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { z } from "zod";

type Mismatch = Extract<OutboxEvent, { type: "match.mismatch" }>["data"];

const MismatchRow = z.object({
  toldMs: z.array(z.number()),
  waiting: z.object({
    count: z.number(),
    firstMs: z.number(),
    lastMs: z.number(),
    shops: z.array(z.string()),
  }).nullable(),
});

type MismatchState = Readonly<z.infer<typeof MismatchRow>>;

export const mismatches = defineTable<Mismatch & { readonly id: string }, "id">({
  prefix: "alm",
  about: "a link whose page shows another product, before an alert reports the link",
  key: { id: "id" },
});

export const mismatchStates = defineTable<MismatchState>({
  prefix: "almt",
  about:
    "times of recent alerts about single links, and the links that wait for the next collective alert",
  key: {},
  codec: { decode: (value) => MismatchRow.parse(value) },
});

const SINGLE_PER_HOUR_MAX = 20;
/** The digest (one alert about many links) is raised after this time without a further link. */
const QUIET_MS = HOUR_MS;
const WAIT_MS_MAX = 24 * HOUR_MS;
const MISMATCHES_PER_COMMIT = 300;

export async function raiseMismatches(setup: AlertSetup): Promise<number> {
  return await countInWorkspaces(setup.store, "pages of other products", (workspace) => {
    return raiseIn(setup, workspace);
  });
}

async function raiseIn({ clock, deps }: AlertSetup, workspace: WorkspaceStore): Promise<number> {
  const ctx = { ...clock, ...workspace };
  return await transact(ctx, async (write) => {
    const stored = await mismatchStates.find(ctx, {});
    const state = stored?.row ?? { toldMs: [], waiting: null };
    const found = await mismatches.list(ctx, { limit: MISMATCHES_PER_COMMIT });
    const rows = found.map(({ row }) => row);
    const nowMs = ctx.now().getTime();
    const { singles, after } = dealOut(state, rows, nowMs);
    const isDue = isDigestDue(after, nowMs);
    if (rows.length === 0 && !isDue) return 0;
    const alerts = await Promise.all(singles.map((one) => alertOf(ctx, one)));
    if (isDue && after.waiting) alerts.push(digestOf(after.waiting));
    raiseAlerts(write, ctx, deps, alerts);
    for (const { id } of rows) mismatches.drop(write, ctx, { id });
    mismatchStates.save(write, ctx, stored, isDue ? { ...after, waiting: null } : after);
    return alerts.length;
  });
}

function dealOut(
  { toldMs, waiting }: MismatchState,
  found: readonly Mismatch[],
  nowMs: number,
): { readonly singles: readonly Mismatch[]; readonly after: MismatchState } {
  // Times in the future are ignored: they were stored before the clock was set back.
  const lately = toldMs.filter((atMs) => atMs > nowMs - HOUR_MS && atMs <= nowMs);
  const fresh = found.filter(({ isFirstCheck }) => !isFirstCheck);
  const singles = fresh.length <= SINGLE_PER_HOUR_MAX - lately.length ? fresh : [];
  const reported = new Set(singles);
  const others = found.filter((one) => !reported.has(one));
  return {
    singles,
    after: {
      toldMs: [...lately, ...singles.map(() => nowMs)],
      waiting: others.length === 0 ? waiting : {
        count: (waiting?.count ?? 0) + others.length,
        firstMs: waiting?.firstMs ?? nowMs,
        lastMs: nowMs,
        shops: [...new Set([...waiting?.shops ?? [], ...others.map((one) => one.competitorId)])]
          .slice(0, 1_000),
      },
    },
  };
}

function isDigestDue({ waiting }: MismatchState, nowMs: number): boolean {
  if (waiting === null) return false;
  return nowMs - waiting.lastMs >= QUIET_MS || nowMs - waiting.firstMs >= WAIT_MS_MAX;
}

async function alertOf(workspace: WorkspaceStore, mismatch: Mismatch): Promise<NewAlert> {
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

function digestOf({ count, shops, firstMs }: NonNullable<MismatchState["waiting"]>): NewAlert {
  const since = new Date(firstMs).toISOString();
  return systemAlert({ code: "other_products", count, shops: shops.length, since });
}

export function createAlertListener(deps: AlertDeps): OutboxListener {
  return {
    handle(write, ctx, { eventId, event }) {
      if (event.type === "match.mismatch") {
        mismatches.put(write, ctx, { ...event.data, id: eventId });
      } else if (event.type === "proposal.decided") {
        const { productId, ruleId } = event.data;
        decisions.put(write, ctx, { id: eventId, productId, ruleId });
      } else if (event.type === "domain.answering") {
        recoveries.put(write, ctx, { ...event.data, id: eventId });
      } else {
        const alert = systemAlertOf(event);
        const batch = event.type === "price.out_of_bounds" ? event.type : null;
        if (alert) raiseAlerts(write, ctx, deps, [alert], batch);
      }
      return Promise.resolve();
    },
  };
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

export const decisions = defineTable<
  { readonly id: string; readonly productId: string; readonly ruleId: string },
  "id"
>({
  prefix: "ald",
  about: "a decided proposal whose alerts are not yet marked as read",
  key: { id: "id" },
});

interface Recovery {
  readonly id: string;
  readonly domain: string;
}

export const recoveries = defineTable<Recovery, "id">({
  prefix: "alw",
  about: "a shop that answers again, whose alerts were not marked as read yet",
  key: { id: "id" },
});

const ROWS_PER_COMMIT = 50;
const NEWEST = 20;

export async function closeDecided({ store, clock }: AlertSetup): Promise<number> {
  return await countInWorkspaces(store, "alerts of decided proposals", async (place) => {
    return await transact(place, async (write) => {
      const version = await alerts.version(place);
      const rows = (await decisions.list(place, { limit: ROWS_PER_COMMIT })).map(({ row }) => row);
      const back = (await recoveries.list(place, { limit: ROWS_PER_COMMIT })).map(({ row }) => row);
      const closed = new Map<string, StoredAlert>();
      for (const { productId, ruleId } of rows) {
        const range = { limit: NEWEST, order: "desc" } as const;
        for (const { row } of await alerts.listBy(place, "product", { productId }, range)) {
          const isProposal = row.facts?.code === "rule_fired" && row.facts.outcome === "propose";
          if (row.readAt === null && row.ruleId === ruleId && isProposal) closed.set(row.id, row);
        }
      }
      for (const row of await aboutShops(place, back)) closed.set(row.id, row);
      markRead(write, place, version, [...closed.values()], clock.now());
      for (const { id } of rows) decisions.drop(write, place, { id });
      for (const { id } of back) recoveries.drop(write, place, { id });
      return rows.length + back.length;
    });
  });
}

async function aboutShops(
  place: WorkspaceStore,
  shops: readonly Recovery[],
): Promise<readonly StoredAlert[]> {
  if (shops.length === 0) return [];
  const domains = new Set(shops.map(({ domain }) => domain));
  const unread = walkAlerts(place, { index: { by: "unread" }, after: null, order: "asc" });
  return (await Array.fromAsync(unread)).filter(({ facts }) =>
    facts?.code === "domain_failing" && domains.has(facts.domain)
  );
}
