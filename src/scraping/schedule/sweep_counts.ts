import { findWorkspace } from "../../accounts/workspace_store.ts";
import { dateIn } from "../../base/time.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { findCompetitor } from "../../shops/competitor_store.ts";
import {
  type CountedHour,
  deleteDay,
  deleteHour,
  deleteLastError,
  findDay,
  listHours,
  listOldDays,
  listShopsWithErrors,
  listShopsWithHours,
  saveDay,
  type ShopPlace,
} from "./health_store.ts";

const ROWS_PER_COMMIT = 500;
const DAY_MS = 86_400_000;

/**
 * The counts of fetches in hours before then become those of their day, on the calendar of the
 * workspace; of shops that are gone they just go, and their last errors with them. Answers how many
 * rows that were.
 */
export async function sweepCounts(store: Store, countedBefore: Date): Promise<number> {
  const beforeMs = countedBefore.getTime();
  let count = 0;
  for await (const place of listShopsWithHours(store, beforeMs)) {
    const { competitorId } = place;
    const shop = { store, ...place };
    const workspace = await findWorkspace(store, place.workspaceId);
    const isKept = workspace !== null && await findCompetitor(shop, competitorId) !== null;
    count += isKept
      ? await foldHours(shop, workspace.timeZone, beforeMs)
      : await removeInBatches(store, listHours(shop, competitorId), ROWS_PER_COMMIT, deleteHour);
  }
  return count + await removeInBatches(store, lostErrors(store), ROWS_PER_COMMIT, deleteLastError);
}

/** Shops that are gone, of which an error is left; nobody makes one of them again. */
async function* lostErrors(store: Store): AsyncGenerator<ShopPlace> {
  for await (const shop of listShopsWithErrors(store)) {
    if (await findCompetitor({ store, ...shop }, shop.competitorId) === null) yield shop;
  }
}

type Shop = WorkspaceStore & { readonly competitorId: string };

/** A day a commit: after a crash what has gone into its day is in no row of hours any more. */
async function foldHours(shop: Shop, timeZone: string, beforeMs: number): Promise<number> {
  const { competitorId } = shop;
  const old = await Array.fromAsync(listHours(shop, competitorId, { beforeMs }));
  const dates = new Set(old.map(({ startMs }) => dateIn(new Date(startMs), timeZone)));
  let count = 0;
  for (const date of dates) {
    count += await transact(shop, async (write) => {
      // Before its hours: whoever has folded some of them since has written the day.
      const day = await findDay(shop, competitorId, date);
      const hours = await hoursOf(shop, date, timeZone, beforeMs);
      if (hours.length === 0) return 0;
      const counts = hours.reduce((sum, hour) => ({
        ok: sum.ok + hour.ok,
        failed: sum.failed + hour.failed,
      }), day.counts);
      for (const hour of hours) deleteHour(write, hour);
      saveDay(write, { ...shop, date }, day, counts);
      return hours.length;
    });
  }
  return count;
}

async function hoursOf(
  shop: Shop,
  date: string,
  timeZone: string,
  beforeMs: number,
): Promise<CountedHour[]> {
  const noonMs = Date.parse(`${date}T12:00:00Z`);
  // Whatever the zone, its day is in there.
  const around = { fromMs: noonMs - 2 * DAY_MS, beforeMs: Math.min(beforeMs, noonMs + 2 * DAY_MS) };
  const hours = await Array.fromAsync(listHours(shop, shop.competitorId, around));
  return hours.filter(({ startMs }) => dateIn(new Date(startMs), timeZone) === date);
}

/** Forgets the days before then; answers how many. */
export async function sweepDays(store: Store, countedBefore: Date): Promise<number> {
  const old = listOldDays(store, countedBefore.toISOString().slice(0, 10));
  return await removeInBatches(store, old, ROWS_PER_COMMIT, deleteDay);
}
