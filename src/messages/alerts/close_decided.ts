/** Alerts about a proposed price are read once their proposal is decided: they need nobody. */
import { countInWorkspaces } from "../../accounts/each_workspace.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { StoredAlert } from "./alert.ts";
import { alerts } from "./alert_store.ts";
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
      const closed = new Map<string, StoredAlert>();
      for (const { productId, ruleId } of rows) {
        const range = { limit: NEWEST, order: "desc" } as const;
        for (const { row } of await alerts.listBy(place, "product", { productId }, range)) {
          const isProposal = row.facts?.code === "rule_fired" && row.facts.outcome === "propose";
          if (row.readAt === null && row.ruleId === ruleId && isProposal) closed.set(row.id, row);
        }
      }
      if (closed.size > 0) alerts.checkVersion(write, place, version);
      const readAt = clock.now().toISOString();
      for (const row of closed.values()) alerts.put(write, place, { ...row, readAt }, row);
      for (const { id } of rows) decisions.drop(write, place, { id });
      return rows.length;
    });
  });
}
