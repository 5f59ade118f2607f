/**
 * Tables of competitors, and of marks for competitors that are being deleted, enabled or disabled.
 *
 * A commit that creates one match checks its competitor. A commit that creates many matches checks
 * the set of competitors (`checkCompetitorSet`). So no match is created for a competitor that is
 * being deleted. A commit that adds a competitor also checks the set, so that domains and colours
 * are unique.
 */
import { keepNewest } from "../base/collections.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { handleOf, type Write } from "../platform/store/kv.ts";
import { defineTable } from "../platform/store/table.ts";
import { type Competitor, NO_TERMS } from "./competitor.ts";

const withTerms = {
  /** Rows of older versions lack some fields. */
  decode: (stored: unknown): Competitor => ({ ...NO_TERMS, ...Object(stored) }),
};

export const competitors = defineTable<Competitor, "id", "domain">({
  prefix: "c",
  about: "a shop whose prices are compared with ours",
  key: { id: "id" },
  valueHasKey: true,
  version: "cv",
  codec: withTerms,
  indexes: { domain: { prefix: "cd", key: { domain: "text" }, unique: true } },
});

/**
 * Competitors whose matches are still being deleted. Lookups do not find these competitors, and
 * their domains can be used again.
 */
export const leavingCompetitors = defineTable<Competitor, "id">({
  prefix: "cx",
  about: "a competitor that is being deleted and still has matches",
  key: { id: "id" },
  valueHasKey: true,
  codec: withTerms,
});

export const switchedCompetitors = defineTable<{ readonly id: string }, "id">({
  prefix: "cs",
  about:
    "a competitor that was enabled or disabled, so that the schedule of its products must be updated",
  key: { id: "id" },
});

/** A cached part of the set at one version; null for an id that does not exist. */
interface KnownSet {
  readonly version: string;
  readonly byId: Map<string, Competitor | null>;
}

const known = new WeakMap<Deno.Kv, Map<string, KnownSet>>();

/** From a cache that every change of a competitor invalidates. Do not modify the results. */
export async function findCompetitors(
  workspace: WorkspaceStore,
  ids: Iterable<string>,
): Promise<Map<string, Competitor>> {
  const wanted = [...new Set(ids)];
  // The version is read first, so that rows cached for it are never older.
  const byId = knownOf(workspace, await competitors.version(workspace));
  const missing = wanted.filter((id) => !byId.has(id));
  const rows = await competitors.getMany(workspace, missing.map((id) => ({ id })));
  const read = new Map(missing.map((id, at) => [id, rows[at]?.row ?? null]));
  if (byId.size + read.size <= 1_000) {
    for (const [id, competitor] of read) byId.set(id, competitor);
  }
  return new Map(wanted.flatMap((id) => {
    const competitor = byId.get(id) ?? read.get(id);
    return competitor ? [[id, competitor]] : [];
  }));
}

function knownOf({ store, workspaceId }: WorkspaceStore, version: string | null) {
  if (version === null) return new Map<string, Competitor | null>();
  const sets = known.getOrInsertComputed(handleOf(store), () => new Map<string, KnownSet>());
  const before = sets.get(workspaceId);
  const set: KnownSet = before?.version === version ? before : { version, byId: new Map() };
  keepNewest(sets, workspaceId, set, 16);
  return set.byId;
}

/** By id; `after` is exclusive. A null `limit` returns all. */
export async function listCompetitors(
  workspace: WorkspaceStore,
  after: string | null,
  limit: number | null,
): Promise<Competitor[]> {
  const found = await competitors.list(workspace, {
    after: after === null ? null : { id: after },
    limit,
  });
  return found.map(({ row }) => row);
}

/** A commit that relies on the set checks it with `checkCompetitorSet`. */
export interface CompetitorSet {
  readonly version: string | null;
  readonly byId: ReadonlyMap<string, Competitor>;
  readonly byDomain: ReadonlyMap<string, Competitor>;
}

/** Reads the version first: if it is still the same at the commit, the competitors are current. */
export async function readCompetitorSet(workspace: WorkspaceStore): Promise<CompetitorSet> {
  const version = await competitors.version(workspace);
  const all = await listCompetitors(workspace, null, null);
  return {
    version,
    byId: new Map(all.map((competitor) => [competitor.id, competitor])),
    byDomain: new Map(all.map((competitor) => [competitor.domain, competitor])),
  };
}

/** The commit fails if any competitor was added, changed or deleted after the set was read. */
export function checkCompetitorSet(write: Write, workspaceId: string, set: CompetitorSet): void {
  competitors.checkVersion(write, { workspaceId }, set.version);
}

export async function findLeaving(
  workspace: WorkspaceStore,
  id: string,
): Promise<Competitor | null> {
  return (await leavingCompetitors.find(workspace, { id }))?.row ?? null;
}

export function belongsToShop(what: string) {
  return async (
    { competitorId: id }: { readonly competitorId: string },
    workspace: WorkspaceStore,
  ): Promise<string | null> => {
    const isKnown = await competitors.find(workspace, { id }) ?? await findLeaving(workspace, id);
    return isKnown ? null : `${what} belongs to the unknown competitor ${id}`;
  };
}
