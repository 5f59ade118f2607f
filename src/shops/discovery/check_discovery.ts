import type { WorkspaceStore } from "../../platform/store/context.ts";
import { walkAutomaticShops } from "./automatic_store.ts";
import { walkDiscoveries } from "./discovery_store.ts";
import { walkPageNumbers, walkPages } from "./page_store.ts";
import { findSuggestion, walkSuggestionRows, walkSuggestions } from "./suggestion_store.ts";
import { walkUrlShops } from "./url_store.ts";

/** One sentence for each disagreement between what discovery keeps and the competitors of a workspace. */
export async function* checkDiscovery(
  workspace: WorkspaceStore,
  competitorIds: ReadonlySet<string>,
): AsyncGenerator<string> {
  for await (const { competitorId } of walkDiscoveries(workspace)) {
    if (competitorIds.has(competitorId)) continue;
    yield `Discovery belongs to the unknown competitor ${competitorId}`;
  }
  for await (const { table, competitorId } of walkAutomaticShops(workspace)) {
    if (competitorIds.has(competitorId)) continue;
    yield `Automatic links (${table}) belong to the unknown competitor ${competitorId}`;
  }
  for await (const { table, competitorId } of walkUrlShops(workspace)) {
    if (competitorIds.has(competitorId)) continue;
    yield `Pages (${table}) belong to the unknown competitor ${competitorId}`;
  }
  let numbers = 0;
  for await (const { competitorId, urlHash, numbers: own } of walkPages(workspace)) {
    numbers += own;
    if (competitorIds.has(competitorId)) continue;
    yield `The page ${urlHash} belongs to the unknown competitor ${competitorId}`;
  }
  for await (const { competitorId, urlHash, number, isTrue } of walkPageNumbers(workspace)) {
    numbers -= 1;
    if (!isTrue) {
      yield `The page ${urlHash} of competitor ${competitorId} is found by ${number}, which it lacks`;
    }
  }
  if (numbers > 0) yield `${numbers} numbers of pages are not found`;
  let rows = 0;
  for await (const _ of walkSuggestions(workspace)) rows += 2;
  for await (const { table, id, of } of walkSuggestionRows(workspace)) {
    rows -= 1;
    const one = await findSuggestion(workspace, id);
    const own = table === "sgs" ? one?.status : one && `${one.productId} ${one.urlHash}`;
    if (own !== of) {
      yield `The suggestion ${id} is listed at "${of}" (${table}), where it does not belong`;
    }
  }
  if (rows > 0) yield `${rows} rows of suggestions are missing`;
}
