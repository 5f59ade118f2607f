/**
 * Alerts are read once they need nobody: those about a price when its proposal is decided, those
 * about a shop when it answers again.
 */
import { countInWorkspaces } from "../../accounts/each_workspace.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { StoredAlert } from "./alert.ts";
import { alerts, walkAlerts } from "./alert_store.ts";
import type { AlertSetup } from "./raise_alert.ts";

interface Decision {
  readonly id: string;
  readonly productId: string;
  readonly ruleId: string;
}

export const decisions = defineTable<Decision, "id">({
  prefix: "ald",
  about: "a decided proposal whose alerts were not marked as read yet",
  key: { id: "id" },
  keyOnly: ["id"],
});

interface Recovery {
  readonly id: string;
  readonly domain: string;
}

export const recoveries = defineTable<Recovery, "id">({
  prefix: "alw",
  about: "a shop that answers again, whose alerts were not marked as read yet",
  key: { id: "id" },
  keyOnly: ["id"],
});

const ROWS_PER_COMMIT = 50;
/** Number of a product's newest alerts among which those of its proposal are. */
const NEWEST = 20;

/** Safe to run repeatedly and in several processes. Returns the number of processed decisions. */
export async function closeDecided({ store, clock }: AlertSetup): Promise<number> {
  return await countInWorkspaces(store, "alerts of decided proposals", async ({ workspaceId }) => {
    const place = { store, workspaceId };
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
      if (closed.size > 0) alerts.checkVersion(write, place, version);
      const readAt = clock.now().toISOString();
      for (const row of closed.values()) alerts.put(write, place, { ...row, readAt }, row);
      for (const { id } of rows) decisions.drop(write, place, { id });
      for (const { id } of back) recoveries.drop(write, place, { id });
      return rows.length + back.length;
    });
  });
}

/** The unread alerts about the outages of shops; a commit takes those of a few. */
async function aboutShops(
  place: WorkspaceStore,
  shops: readonly Recovery[],
): Promise<readonly StoredAlert[]> {
  if (shops.length === 0) return [];
  const domains = new Set(shops.map(({ domain }) => domain));
  const found: StoredAlert[] = [];
  for await (
    const row of walkAlerts(place, { index: { by: "unread" }, after: null, order: "asc" })
  ) {
    const { facts } = row;
    if (facts?.code === "domain_failing" && domains.has(facts.domain)) found.push(row);
  }
  return found;
}
