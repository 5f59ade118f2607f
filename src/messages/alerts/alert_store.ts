/**
 * Keys: `al W id` → alert; `alu W id` → empty, unread; `aln W` → u64, unread ones; `alv W` → empty,
 * set by every commit that touches unread ones; `alr W ruleId id`, `alp W productId id` → empty;
 * `alo W` → the import after which a late one was last told of; `alh W` → empty, it was told that an
 * upgrade has switched the hold on.
 *
 * Who reads one alert checks its `alu` row, who reads many checks `alv`: so nothing is counted twice.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { lastIdOf, selectorAfter } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { GET_MANY_MAX, getRows } from "../../platform/store/rows.ts";
import type { StoredAlert } from "./alert.ts";

const EMPTY = new Uint8Array();

const rowKey = (workspaceId: string, id: string) => ["al", idBytes(workspaceId), idBytes(id)];
const unreadKey = (workspaceId: string, id: string) => ["alu", idBytes(workspaceId), idBytes(id)];
const countKey = (workspaceId: string) => ["aln", idBytes(workspaceId)];
const versionKey = (workspaceId: string) => ["alv", idBytes(workspaceId)];
const overdueKey = (workspaceId: string) => ["alo", idBytes(workspaceId)];
const holdKey = (workspaceId: string) => ["alh", idBytes(workspaceId)];

/** Index rows of alerts; the first given field leads. */
export type AlertIndex =
  | { readonly by: "all" }
  | { readonly by: "unread" }
  | { readonly by: "product" | "rule"; readonly id: string };

function indexPrefix(workspaceId: string, index: AlertIndex): Deno.KvKey {
  const owner = idBytes(workspaceId);
  switch (index.by) {
    case "all":
      return ["al", owner];
    case "unread":
      return ["alu", owner];
    case "product":
      return ["alp", owner, idBytes(index.id)];
    case "rule":
      return ["alr", owner, idBytes(index.id)];
  }
}

/** New alerts of one commit, read or not: up to 4 mutations each and 2 for all of them. */
export function putAlerts(write: Write, workspaceId: string, alerts: readonly StoredAlert[]): void {
  for (const alert of alerts) {
    write.set(rowKey(workspaceId, alert.id), alert);
    if (alert.readAt === null) write.set(unreadKey(workspaceId, alert.id), EMPTY);
    for (const key of referenceKeys(workspaceId, alert)) write.set(key, EMPTY);
  }
  countUnread(write, workspaceId, alerts.filter(({ readAt }) => readAt === null).length);
}

function referenceKeys(
  workspaceId: string,
  { id, ruleId, productId }: Pick<StoredAlert, "id" | "ruleId" | "productId">,
): Deno.KvKey[] {
  const byRule = ruleId === null ? [] : [indexPrefix(workspaceId, { by: "rule", id: ruleId })];
  const byProduct = productId === null
    ? []
    : [indexPrefix(workspaceId, { by: "product", id: productId })];
  return [...byRule, ...byProduct].map((prefix) => [...prefix, idBytes(id)]);
}

function countUnread(write: Write, workspaceId: string, more: number): void {
  write.sum(countKey(workspaceId), more);
  write.set(versionKey(workspaceId), EMPTY);
}

/** Null for an unknown id and for another workspace's alike. */
export async function findAlert(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<StoredAlert | null> {
  return (await store.kv.get<StoredAlert>(rowKey(workspaceId, id))).value;
}

/** The alerts among `ids` that there are, in their order. */
export async function findAlerts(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<StoredAlert[]> {
  const rows = await getRows<StoredAlert>(store, ids.map((id) => rowKey(workspaceId, id)));
  return rows.flatMap(({ value }) => value === null ? [] : [value]);
}

/** The version that `readAlerts` checks while the alert is unread; `null` when it was read. */
export async function findUnread({ store, workspaceId }: WorkspaceStore, id: string) {
  return (await store.kv.get(unreadKey(workspaceId, id))).versionstamp;
}

/** The commit fails when another session has read the alert meanwhile. */
export function checkUnread(
  write: Write,
  workspaceId: string,
  id: string,
  versionstamp: string,
): void {
  write.check(unreadKey(workspaceId, id), versionstamp);
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
  alerts: readonly StoredAlert[],
  readAt: string,
): void {
  for (const alert of alerts) {
    write.set(rowKey(workspaceId, alert.id), { ...alert, readAt });
    write.delete(unreadKey(workspaceId, alert.id));
  }
  if (alerts.length > 0) countUnread(write, workspaceId, -alerts.length);
}

/** Takes alerts away for good; the caller has checked the version of what is unread. */
export function removeAlerts(
  write: Write,
  workspaceId: string,
  alerts: readonly StoredAlert[],
): void {
  for (const alert of alerts) {
    write.delete(rowKey(workspaceId, alert.id));
    write.delete(unreadKey(workspaceId, alert.id));
    for (const key of referenceKeys(workspaceId, alert)) write.delete(key);
  }
  const unread = alerts.filter(({ readAt }) => readAt === null).length;
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
  const { store, workspaceId } = workspace;
  const prefix = indexPrefix(workspaceId, index);
  const selector = selectorAfter(prefix, after, order);
  const rows = store.kv.list<StoredAlert | Uint8Array>(selector, { reverse: order === "desc" });
  let ids: string[] = [];
  for await (const { key, value } of rows) {
    if (!(value instanceof Uint8Array)) yield value;
    else if (ids.push(lastIdOf(key)) === GET_MANY_MAX) {
      yield* await findAlerts(workspace, ids);
      ids = [];
    }
  }
  yield* await findAlerts(workspace, ids);
}

/** The import after which it was last told that the next one is late; null before the first time. */
export async function findOverdueMark({ store, workspaceId }: WorkspaceStore) {
  const { value, versionstamp } = await store.kv.get<string>(overdueKey(workspaceId));
  return { mark: value, versionstamp };
}

/** The commit fails when another process has told of it meanwhile. */
export function saveOverdueMark(
  write: Write,
  workspaceId: string,
  mark: string,
  versionstamp: string | null,
): void {
  write.check(overdueKey(workspaceId), versionstamp);
  write.set(overdueKey(workspaceId), mark);
}

/**
 * Tells whether people were informed that an upgrade has switched the hold on; a commit checks the
 * version.
 */
export async function findHoldMark({ store, workspaceId }: WorkspaceStore) {
  return (await store.kv.get(holdKey(workspaceId))).versionstamp;
}

/** The commit fails when another process has told of it meanwhile. */
export function saveHoldMark(write: Write, workspaceId: string): void {
  write.check(holdKey(workspaceId), null);
  write.set(holdKey(workspaceId), EMPTY);
}
