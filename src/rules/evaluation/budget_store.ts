/**
 * Keys: `bd W date` → how many prices rules have set by themselves on that day of the workspace's
 * calendar, as `{all, rules: {ruleId: count}}`; counted while a budget asks for it, in the commits
 * that set them.
 */

import { idBytes } from "../../base/id.ts";
import type { Spent } from "../../engine/pricing/brake.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";

const daysOf = (workspaceId: string) => ["bd", idBytes(workspaceId)];

/** The amount that a day has spent, with the version that `saveSpent` checks. */
export interface FoundSpent {
  readonly spent: Spent;
  readonly versionstamp: string | null;
}

const NOTHING: Spent = { all: 0, rules: {} };

/** `date` as `2026-11-21`. */
export async function findSpent(
  { store, workspaceId }: WorkspaceStore,
  date: string,
): Promise<FoundSpent> {
  const { value, versionstamp } = await store.kv.get<Spent>([...daysOf(workspaceId), date]);
  return { spent: value ?? NOTHING, versionstamp };
}

/** The commit fails when another one has counted since it was found. */
export function saveSpent(
  write: Write,
  workspaceId: string,
  date: string,
  { spent, versionstamp }: FoundSpent,
): void {
  const key = [...daysOf(workspaceId), date];
  write.check(key, versionstamp);
  write.set(key, spent);
}

/** A day of which something was counted. */
export interface SpentDay {
  readonly date: string;
  readonly spent: Spent;
}

/** The days by date. */
export async function* walkSpent(
  { store, workspaceId }: WorkspaceStore,
  beforeDate: string | null = null,
): AsyncGenerator<SpentDay> {
  const prefix = daysOf(workspaceId);
  const range = beforeDate === null ? { prefix } : { prefix, end: [...prefix, beforeDate] };
  for await (const { key, value } of store.kv.list<Spent>(range)) {
    yield { date: String(key[2]), spent: value };
  }
}

export function removeSpent(write: Write, workspaceId: string, date: string): void {
  write.delete([...daysOf(workspaceId), date]);
}
