/** Figures of what waits for time or a person: brakes that are closed, prices that look wrong. */
import { walkHeld } from "../../shops/offers/held_offer_store.ts";
import { listWorkspaces } from "../../accounts/workspace_store.ts";
import type { Store } from "../../platform/store/kv.ts";
import { walkBrakes } from "./brake_store.ts";

/** Of a workspace; beyond it there are simply many. */
const COUNTED_MAX = 10_000;

/** How many of each: `closed_brake`, and the codes of what speaks against prices. */
export async function countResting(store: Store, now: Date): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    const workspace = { store, workspaceId };
    let counted = 0;
    for await (const _ of walkBrakes(workspace, { after: now.getTime() })) {
      count("closed_brake");
      if (++counted === COUNTED_MAX) break;
    }
    counted = 0;
    for await (const { code } of walkHeld(workspace)) {
      count(code);
      if (++counted === COUNTED_MAX) break;
    }
  }
  return counts;
}
