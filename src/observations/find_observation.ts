import type { WorkspaceStore } from "../platform/context.ts";
import type { Observation } from "./observation.ts";
import { type CompetitorEntry, findObservations } from "./observation_store.ts";

/** The observation of an entry; null when retention has left another one of its day. */
export async function findObservationAt(
  workspace: WorkspaceStore,
  entry: CompetitorEntry,
): Promise<Observation | null> {
  const [loose] = await findObservations(workspace, [entry]);
  return loose ?? null;
}
