/** Gives every stored competitor its colour, as a step of a migration. */
import { findWorkspaceBehind } from "../accounts/workspace_store.ts";
import { shareOfCommit, type Store, type Write } from "../platform/store/kv.ts";
import { type Competitor, freeColours } from "./competitor.ts";
import { listCompetitors, rewriteCompetitor } from "./competitor_store.ts";

/** The workspace whose competitors have colours. */
interface Place {
  readonly workspaceId: string;
}

const COMPETITORS_PER_COMMIT = 100;
/** An extractor of the largest size. */
const NEXT_ROW = shareOfCommit(0.1);

type StoredCompetitor = Omit<Competitor, "colour"> & Partial<Pick<Competitor, "colour">>;

/**
 * The `advance` of the migration after which competitors have colours: by their ids, which is the order
 * in which they were made. A commit gives some of one workspace theirs; those that have one keep it.
 */
export async function giveColours(
  store: Store,
  write: Write,
  place: unknown,
): Promise<Place | null> {
  const at = isPlace(place) ? place : await placeBehind(store, null);
  if (at === null) return null;
  const { workspaceId } = at;
  const all: readonly StoredCompetitor[] = await listCompetitors(
    { store, workspaceId },
    null,
    null,
  );
  const [given, missing] = partition(all);
  const colours = freeColours(given);
  for (const competitor of missing.slice(0, COMPETITORS_PER_COMMIT)) {
    if (!write.fits(NEXT_ROW)) return at;
    rewriteCompetitor(write, workspaceId, { ...competitor, colour: colours.next().value });
  }
  const isDone = missing.length <= COMPETITORS_PER_COMMIT;
  return isDone ? await placeBehind(store, workspaceId) : at;
}

function partition(
  all: readonly StoredCompetitor[],
): readonly [readonly Competitor[], readonly StoredCompetitor[]] {
  const given: Competitor[] = [];
  const missing: StoredCompetitor[] = [];
  for (const { colour, ...rest } of all) {
    if (colour === undefined) missing.push(rest);
    else given.push({ ...rest, colour });
  }
  return [given, missing];
}

async function placeBehind(store: Store, workspaceId: string | null): Promise<Place | null> {
  const found = await findWorkspaceBehind<{ readonly id: string }>(store, workspaceId);
  return found && { workspaceId: found.workspace.id };
}

function isPlace(place: unknown): place is Place {
  return typeof place === "object" && place !== null && "workspaceId" in place;
}
