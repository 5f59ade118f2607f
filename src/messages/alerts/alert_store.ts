/**
 * Keys: `aln W` → u64, unread alerts; `alv W` → empty, set by every commit that touches unread ones.
 *
 * A commit that marks one alert as read checks its row, one that marks many checks `alv`: so no alert is
 * counted twice.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found, type ListOptions } from "../../platform/store/table.ts";
import type { StoredAlert } from "./alert.ts";

const EMPTY = new Uint8Array();

const countKey = (workspaceId: string) => ["aln", idBytes(workspaceId)];
const versionKey = (workspaceId: string) => ["alv", idBytes(workspaceId)];

export const alerts = defineTable<StoredAlert, "id", "unread" | "rule" | "product">({
  prefix: "al",
  about: "alert",
  key: { id: "id" },
  indexes: {
    unread: { prefix: "alu", key: {}, of: ({ readAt }) => readAt === null ? [{}] : [] },
    rule: { prefix: "alr", key: { ruleId: "id" } },
    product: { prefix: "alp", key: { productId: "id" } },
  },
});

/** Index rows of alerts; the first given field leads. */
export type AlertIndex =
  | { readonly by: "all" }
  | { readonly by: "unread" }
  | { readonly by: "product" | "rule"; readonly id: string };

/** New alerts of one commit, read or not: up to 4 mutations each and 2 for all of them. */
export function putAlerts(write: Write, workspaceId: string, added: readonly StoredAlert[]): void {
  for (const alert of added) alerts.put(write, { workspaceId }, alert);
  countUnread(write, workspaceId, added.filter(({ readAt }) => readAt === null).length);
}

function countUnread(write: Write, workspaceId: string, more: number): void {
  write.sum(countKey(workspaceId), more);
  write.set(versionKey(workspaceId), EMPTY);
}

/** The version of all that is unread; read before a list of it, and checked by `checkUnreadVersion`. */
export async function findUnreadVersion({ store, workspaceId }: WorkspaceStore) {
  return (await store.kv.get(versionKey(workspaceId))).versionstamp;
}

/** The commit fails when anything unread came or went since the version was read. */
export function checkUnreadVersion(
  write: Write,
  workspaceId: string,
  versionstamp: string | null,
): void {
  write.check(versionKey(workspaceId), versionstamp);
}

/** Unread alerts become read; the caller has checked that they are unread. */
export function markRead(
  write: Write,
  workspaceId: string,
  unread: readonly StoredAlert[],
  readAt: string,
): void {
  for (const alert of unread) alerts.put(write, { workspaceId }, { ...alert, readAt }, alert);
  if (unread.length > 0) countUnread(write, workspaceId, -unread.length);
}

/** Takes alerts away for good; the caller has checked the version of what is unread. */
export function removeAlerts(write: Write, workspaceId: string, old: readonly StoredAlert[]): void {
  for (const alert of old) alerts.drop(write, { workspaceId }, alert);
  const unread = old.filter(({ readAt }) => readAt === null).length;
  if (unread > 0) countUnread(write, workspaceId, -unread);
}

export async function countUnreadAlerts({ store, workspaceId }: WorkspaceStore): Promise<number> {
  const { value } = await store.kv.get<Deno.KvU64>(countKey(workspaceId));
  return Number(value?.value ?? 0n);
}

/** A way through the alerts of an index: exclusive of `after`, in the direction of `order`. */
export interface AlertWalk {
  readonly index: AlertIndex;
  readonly after: string | null;
  readonly order: "asc" | "desc";
}

/** Alerts in the order of their ids, read as far as the caller walks. */
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
