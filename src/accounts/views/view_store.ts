/**
 * Keys: `vw W id` → a view of the list of products; `vwv W` → empty, set when one is added or
 * changed: who counts them, or looks for those of a person, checks it.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { View } from "./view.ts";

const EMPTY = new Uint8Array();

const rowKey = (workspaceId: string, id: string) => ["vw", idBytes(workspaceId), idBytes(id)];
const setKey = (workspaceId: string) => ["vwv", idBytes(workspaceId)];

/** A view with the version that writes check. */
export interface FoundView {
  readonly view: View;
  readonly versionstamp: string;
}

/** Null for an unknown id and for another workspace's alike. */
export async function findView(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<FoundView | null> {
  const { value, versionstamp } = await store.kv.get<View>(rowKey(workspaceId, id));
  return value === null ? null : { view: value, versionstamp };
}

/** All of the workspace, in the order in which they were made; there are few. */
export async function listViews({ store, workspaceId }: WorkspaceStore): Promise<FoundView[]> {
  const rows = store.kv.list<View>({ prefix: ["vw", idBytes(workspaceId)] });
  return (await Array.fromAsync(rows)).map(({ value, versionstamp }) => ({
    view: value,
    versionstamp,
  }));
}

/** The version of the set, read before its views are counted or looked through. */
export async function findViewsVersion(
  { store, workspaceId }: WorkspaceStore,
): Promise<string | null> {
  return (await store.kv.get(setKey(workspaceId))).versionstamp;
}

/** The commit fails when a view was added or changed since the version was read. */
export function checkViewSet(write: Write, workspaceId: string, version: string | null): void {
  write.check(setKey(workspaceId), version);
}

/** A new one; who adds it has checked the set. */
export function putView(write: Write, workspaceId: string, view: View): void {
  write.set(setKey(workspaceId), EMPTY);
  write.set(rowKey(workspaceId, view.id), view);
}

/** The commit fails when the view was changed or deleted since it was read. */
export function saveView(write: Write, workspaceId: string, before: FoundView, after: View): void {
  write.check(rowKey(workspaceId, after.id), before.versionstamp);
  putView(write, workspaceId, after);
}

/** The commit fails when the view was changed or deleted since it was read. */
export function removeView(write: Write, workspaceId: string, { view, versionstamp }: FoundView) {
  write.check(rowKey(workspaceId, view.id), versionstamp);
  dropView(write, workspaceId, view.id);
}

/** Whatever it says by now. */
export function dropView(write: Write, workspaceId: string, id: string): void {
  write.delete(rowKey(workspaceId, id));
}
