import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable, type Found, type ListOptions } from "../../platform/store/table.ts";
import type { StoredAlert } from "./alert.ts";

/**
 * A commit that marks one alert as read checks its row. A commit that marks many checks the
 * version.
 */
export const alerts = defineTable<StoredAlert, "id", "unread" | "rule" | "product">({
  prefix: "al",
  about: "alert",
  key: { id: "id" },
  version: "alv",
  indexes: {
    unread: {
      prefix: "alu",
      key: {},
      of: ({ readAt }) => readAt === null ? [{}] : [],
      count: "aln",
    },
    rule: { prefix: "alr", key: { ruleId: "id" } },
    product: { prefix: "alp", key: { productId: "id" } },
  },
  keep: {
    what: "alerts",
    days: 400,
    isOld: ({ createdAt }, before) => createdAt < before.toISOString(),
    isInOrder: true,
  },
});

/** The index rows to read. The first given field determines the index. */
export type AlertIndex =
  | { readonly by: "all" }
  | { readonly by: "unread" }
  | { readonly by: "product" | "rule"; readonly id: string };

/** A range of alerts in an index, after `after`, in the order `order`. */
export interface AlertWalk {
  readonly index: AlertIndex;
  readonly after: string | null;
  readonly order: "asc" | "desc";
}

/** Alerts in the order of their ids, read as far as the caller iterates. */
export async function* walkAlerts(
  workspace: WorkspaceStore,
  { index, after, order }: AlertWalk,
): AsyncGenerator<StoredAlert> {
  const range = { after: after === null ? null : { id: after }, order };
  for await (const { row } of rowsOf(workspace, index, range)) yield row;
}

function rowsOf(
  workspace: WorkspaceStore,
  index: AlertIndex,
  range: ListOptions<Pick<StoredAlert, "id">>,
): AsyncGenerator<Found<StoredAlert>> {
  switch (index.by) {
    case "all":
      return alerts.walk(workspace, range);
    case "unread":
      return alerts.walkBy(workspace, "unread", {}, range);
    case "product":
      return alerts.walkBy(workspace, "product", { productId: index.id }, range);
    case "rule":
      return alerts.walkBy(workspace, "rule", { ruleId: index.id }, range);
  }
}
