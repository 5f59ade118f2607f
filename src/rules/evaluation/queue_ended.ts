/** Products of which a time has come to its end: the rules are asked again, although nothing else has happened. */

import { commitInWorkspaces, countInWorkspaces } from "../../accounts/each_workspace.ts";
import { firstOf } from "../../base/collections.ts";
import { findHoldPass, saveHoldPass, walkHolds } from "../../catalogue/products/hold_store.ts";
import { type TouchedProducts, touchedQueue } from "../../platform/events/outbox_store.ts";
import type { Clockwork, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { findBrakePass, saveBrakePass, walkBrakes } from "./brake_store.ts";
import { removeSpent, walkSpent } from "./budget_store.ts";

/** Each may be forgotten by a mutation of its own. */
const PER_COMMIT = 900;
const PER_ROW = 100;
/** A clock that is slightly behind must still find the time over. */
const GRACE_MS = 5_000;

export interface EndedSetup {
  readonly store: Store;
  readonly clockwork: Clockwork;
}

interface Pass<T> {
  readonly last: T | null;
  readonly versionstamp: string | null;
}

/** Times of one kind by when they end, and how far those that have ended were put before the rules. */
export interface EndingTimes<T> {
  /** As log lines name them. */
  readonly name: string;
  findPass(workspace: WorkspaceStore): Promise<Pass<T>>;
  /** Up to and with `toMs`; behind the last one, or that end after a time. */
  walk(
    workspace: WorkspaceStore,
    range: { readonly after: T | number; readonly toMs: number },
  ): AsyncGenerator<T>;
  savePass(write: Write, workspaceId: string, pass: Pass<T>, last: T): void;
  /** Absent for times that are a part of something else. */
  forget?(write: Write, workspaceId: string, time: T): void;
}

/** The pass of every minute; each time once, however many processes ask. Answers how many have ended. */
export async function queueEnded<T extends { readonly productId: string }>(
  { store, clockwork }: EndedSetup,
  times: EndingTimes<T>,
): Promise<number> {
  const toMs = clockwork.now().getTime() - GRACE_MS;
  return await commitInWorkspaces(store, times.name, PER_COMMIT, (write, workspace) => {
    return queueSome(write, workspace, { clockwork, toMs, times });
  });
}

/** Moves the pass on behind the last one that it queues. */
async function queueSome<T extends { readonly productId: string }>(
  write: Write,
  workspace: WorkspaceStore,
  { clockwork, toMs, times }: {
    readonly clockwork: Clockwork;
    readonly toMs: number;
    readonly times: EndingTimes<T>;
  },
): Promise<number> {
  const pass = await times.findPass(workspace);
  const ended = await firstOf(times.walk(workspace, { after: pass.last ?? 0, toMs }), PER_COMMIT);
  const last = ended.at(-1);
  if (last === undefined) return 0;
  for (let from = 0; from < ended.length; from += PER_ROW) {
    const part = ended.slice(from, from + PER_ROW).map(({ productId }) => productId);
    queueTouched(write, workspace.workspaceId, clockwork, [...new Set(part)]);
  }
  for (const time of ended) times.forget?.(write, workspace.workspaceId, time);
  times.savePass(write, workspace.workspaceId, pass, last);
  return ended.length;
}

/** Puts up to 100 products before the rules; one mutation. */
export function queueTouched(
  write: Write,
  workspaceId: string,
  clockwork: Pick<Clockwork, "now" | "newId">,
  productIds: readonly string[],
): void {
  const value: TouchedProducts = { cause: "lapse", ref: null, productIds, from: 0 };
  const [id, dueMs] = [clockwork.newId(), clockwork.now().getTime()];
  touchedQueue.add(write, { lane: [workspaceId], id, dueMs, value });
}

/** The pass of every minute; each hold once, however many processes ask. Answers how many have ended. */
export async function queueEndedHolds(setup: EndedSetup): Promise<number> {
  return await queueEnded(setup, {
    name: "ended holds",
    findPass: findHoldPass,
    walk: walkHolds,
    savePass: saveHoldPass,
  });
}

/** The pass of every minute; each brake once, however many processes ask. Answers how many have opened. */
export async function queueOpenedBrakes(setup: EndedSetup): Promise<number> {
  return await queueEnded(setup, {
    name: "opened brakes",
    findPass: findBrakePass,
    walk: walkBrakes,
    savePass: saveBrakePass,
  });
}

/** Forgets what was counted on the days before then; answers how many days. */
export async function sweepBudgets(store: Store, before: Date): Promise<number> {
  const beforeDate = before.toISOString().slice(0, 10);
  return await countInWorkspaces(store, "old budgets", async (workspace) => {
    const days = await Array.fromAsync(walkSpent(workspace, beforeDate));
    await transact(workspace, (write) => {
      for (const { date } of days) removeSpent(write, workspace.workspaceId, date);
    });
    return days.length;
  });
}
