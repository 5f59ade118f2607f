/** Marks of shops that have observations, and of days whose observations are not thinned yet. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";

const EMPTY = new Uint8Array();

export const observedShops = defineTable<Pick<WholeDay, "competitorId">, "competitorId">({
  prefix: "ock",
  about: "a shop that has or had observations; kept when the shop is deleted",
  key: { competitorId: "id" },
  codec: { encode: () => EMPTY },
});

interface WholeDay {
  readonly competitorId: string;
  readonly dayMs: number;
}

export const wholeDays = defineTable<WholeDay, "competitorId" | "dayMs">({
  prefix: "oqd",
  about: "a day (its start in UTC) whose observations of the shop are packed but not thinned",
  key: { competitorId: "id", dayMs: "number" },
  codec: { encode: () => EMPTY },
});

/** Lists skip competitors that are not marked. Costs one mutation per competitor. */
export function markCompetitors(write: Write, workspaceId: string, ids: Iterable<string>): void {
  for (const competitorId of ids) observedShops.put(write, { workspaceId }, { competitorId });
}

export async function listObservedCompetitors(workspace: WorkspaceStore): Promise<string[]> {
  return (await observedShops.list(workspace)).map(({ row }) => row.competitorId);
}
