import { markForSchedule } from "../../catalogue/products/schedule_mark_store.ts";
import { walkOffers } from "../../shops/offers/offer_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { findDue } from "./schedule_store.ts";

/**
 * Marks the products that have an enabled match and no place in the schedule: those that are not to
 * be fetched lose the mark again at the next look. Answers how many. For stores that were filled
 * before there was a schedule, and for what nobody thought of.
 */
export async function healSchedule(workspace: WorkspaceStore): Promise<number> {
  let count = 0;
  for await (const { productId, offers } of walkOffers(workspace)) {
    if (!offers.some(({ enabled }) => enabled)) continue;
    if ((await findDue(workspace, productId)).due) continue;
    await transact(workspace, (write) => {
      markForSchedule(write, workspace.workspaceId, productId);
    });
    count++;
  }
  return count;
}
