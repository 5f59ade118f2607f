/**
 * Raises alerts for links whose pages show another product: an alert for each link, or a digest for
 * many. The commit of an alert also checks and saves the state, so each link is reported once.
 */
import { HOUR_MS } from "../../base/time.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { countInWorkspaces } from "../../accounts/each_workspace.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { type NewAlert, systemAlert } from "./alert.ts";
import { type AlertSetup, raiseAlerts } from "./raise_alert.ts";
import { z } from "zod";

type Mismatch = Extract<OutboxEvent, { type: "match.mismatch" }>["data"];

const Stand = z.object({
  toldMs: z.array(z.number()),
  waiting: z.object({
    count: z.number(),
    firstMs: z.number(),
    lastMs: z.number(),
    shops: z.array(z.string()),
  }).nullable(),
});

type MismatchStand = Readonly<z.infer<typeof Stand>>;

export const mismatches = defineTable<Mismatch & { readonly id: string }, "id">({
  prefix: "alm",
  about: "a link whose page shows another product and that was not reported yet",
  key: { id: "id" },
});

export const mismatchStands = defineTable<MismatchStand>({
  prefix: "almt",
  about:
    "times of recent alerts about single links, and the links that wait for the next collective alert",
  key: {},
  codec: { decode: (value) => Stand.parse(value) },
});

/** Maximum number of alerts about single links per hour. Further links go into the digest. */
const SINGLE_PER_HOUR_MAX = 20;
/** The digest is raised when no link was added for this long, after a day at the latest. */
const QUIET_MS = HOUR_MS;
const WAIT_MS_MAX = 24 * HOUR_MS;
const ROWS_PER_COMMIT = 300;

/**
 * Raises an alert for each unreported link, at most 20 an hour. The digest reports all other links, and
 * all links that were checked for the first time. Safe to run repeatedly and in several processes.
 * Returns the number of alerts.
 */
export async function raiseMismatches(setup: AlertSetup): Promise<number> {
  return await countInWorkspaces(setup.store, "pages of other products", ({ workspaceId }) => {
    return tellIn(setup, workspaceId);
  });
}

async function tellIn({ store, clock, deps }: AlertSetup, workspaceId: string): Promise<number> {
  const ctx = { store, workspaceId, now: () => clock.now(), newId: () => clock.newId() };
  return await transact(ctx, async (write) => {
    const found = await mismatchStands.find(ctx, {});
    const stand = found?.row ?? { toldMs: [], waiting: null };
    const rows = (await mismatches.list(ctx, { limit: ROWS_PER_COMMIT })).map(({ row }) => row);
    const nowMs = ctx.now().getTime();
    const { singles, after } = dealOut(stand, rows, nowMs);
    const isDue = isDigestDue(after, nowMs);
    if (rows.length === 0 && !isDue) return 0;
    const alerts = await Promise.all(singles.map((one) => alertOf(ctx, one)));
    if (isDue && after.waiting) alerts.push(digestOf(after.waiting));
    raiseAlerts(write, ctx, deps, alerts);
    for (const { id } of rows) mismatches.drop(write, ctx, { id });
    mismatchStands.save(write, ctx, found, isDue ? { ...after, waiting: null } : after);
    return alerts.length;
  });
}

/** A link gets its own alert unless this was its first check or the hourly maximum is exceeded. */
function dealOut(
  { toldMs, waiting }: MismatchStand,
  found: readonly Mismatch[],
  nowMs: number,
): { readonly singles: readonly Mismatch[]; readonly after: MismatchStand } {
  // A time in the future was stored before the clock was set back, so it does not count.
  const lately = toldMs.filter((atMs) => atMs > nowMs - HOUR_MS && atMs <= nowMs);
  const fresh = found.filter(({ isFirstCheck }) => !isFirstCheck);
  const singles = fresh.length <= SINGLE_PER_HOUR_MAX - lately.length ? fresh : [];
  const told = new Set(singles);
  const others = found.filter((one) => !told.has(one));
  return {
    singles,
    after: {
      toldMs: [...lately, ...singles.map(() => nowMs)],
      waiting: others.length === 0 ? waiting : {
        count: (waiting?.count ?? 0) + others.length,
        firstMs: waiting?.firstMs ?? nowMs,
        lastMs: nowMs,
        shops: [...new Set([...waiting?.shops ?? [], ...others.map((one) => one.competitorId)])]
          // Only this many shops are counted.
          .slice(0, 1_000),
      },
    },
  };
}

function isDigestDue({ waiting }: MismatchStand, nowMs: number): boolean {
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

function digestOf({ count, shops, firstMs }: NonNullable<MismatchStand["waiting"]>): NewAlert {
  const since = new Date(firstMs).toISOString();
  return systemAlert({ code: "other_products", count, shops: shops.length, since });
}
