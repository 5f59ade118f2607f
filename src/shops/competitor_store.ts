/**
 * Keys: `c W id` → competitor; `cd W domain` → its id; `cv W` → empty, its versionstamp is the
 * version of the set: every commit that adds, changes or removes a competitor sets it;
 * `cx W id` → a competitor that is being deleted, while matches of it are left;
 * `cs W id` → empty: it was switched on or off, so the schedule of its products is to be looked at;
 * `ct W id` → u64, products with an enabled match there (written by `offer_store.ts`).
 *
 * Who makes a match checks the competitor (`checkCompetitor`), who makes many checks the set
 * (`checkCompetitorSet`): so none is made for a competitor that is going. Who adds a competitor checks
 * the set, too: no two get the same colour.
 */
import { idBytes } from "../base/id.ts";
import { idIn, lastIdOf, selectorAfter } from "../platform/store/id_keys.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { handleOf, type Store, type Write } from "../platform/store/kv.ts";
import { type Competitor, NO_TERMS } from "./competitor.ts";
import { getBytesAt, getRows } from "../platform/store/rows.ts";

const EMPTY = new Uint8Array();

const rowKey = (workspaceId: string, id: string) => ["c", idBytes(workspaceId), idBytes(id)];
const domainKey = (workspaceId: string, domain: string) => ["cd", idBytes(workspaceId), domain];
const setKey = (workspaceId: string) => ["cv", idBytes(workspaceId)];
const leavingKey = (workspaceId: string, id: string) => ["cx", idBytes(workspaceId), idBytes(id)];
const switchedKey = (workspaceId: string, id: string) => ["cs", idBytes(workspaceId), idBytes(id)];
const trackedKey = (workspaceId: string, id: string) => ["ct", idBytes(workspaceId), idBytes(id)];

/** Older rows lack later fields. */
type CompetitorRow = Omit<Competitor, keyof typeof NO_TERMS> & Partial<Competitor>;

function competitorOf(row: CompetitorRow): Competitor {
  return { ...NO_TERMS, ...row };
}

export interface StoredCompetitor {
  readonly competitor: Competitor;
  readonly versionstamp: string;
}

/** Null for an unknown id, a deleted competitor and another workspace's alike. */
export async function findCompetitor(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<StoredCompetitor | null> {
  const { value, versionstamp } = await store.kv.get<CompetitorRow>(rowKey(workspaceId, id));
  return value === null ? null : { competitor: competitorOf(value), versionstamp };
}

/** `domain` in its normalised form. */
export async function findCompetitorByDomain(
  workspace: WorkspaceStore,
  domain: string,
): Promise<StoredCompetitor | null> {
  const { value: id } = await workspace.store.kv.get<string>(
    domainKey(workspace.workspaceId, domain),
  );
  return id === null ? null : await findCompetitor(workspace, id);
}

/** Cache of a workspace's competitors for one version of the set; `null` when there is none. */
interface KnownSet {
  readonly version: string;
  readonly byId: Map<string, Competitor | null>;
}

/** Of each store by workspace, the ones that were asked for last. */
const known = new WeakMap<Deno.Kv, Map<string, KnownSet>>();
const KNOWN_SETS_MAX = 16;
const KNOWN_COMPETITORS_MAX = 1_000;

/**
 * The existing competitors among `ids`, by id. They are shared: callers must not change them. Read
 * again after a change of any competitor.
 */
export async function findCompetitors(
  workspace: WorkspaceStore,
  ids: Iterable<string>,
): Promise<Map<string, Competitor>> {
  const wanted = [...new Set(ids)];
  // The version is read first: what is kept under it is no older.
  const byId = knownOf(workspace, await findCompetitorSetVersion(workspace));
  const missing = wanted.filter((id) => !byId.has(id));
  const { store, workspaceId } = workspace;
  const rows = await getRows<CompetitorRow>(store, missing.map((id) => rowKey(workspaceId, id)));
  const read = new Map(missing.map((id, at) => {
    const value = rows[at]?.value ?? null;
    return [id, value === null ? null : competitorOf(value)];
  }));
  if (byId.size + read.size <= KNOWN_COMPETITORS_MAX) {
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
  sets.delete(workspaceId);
  sets.set(workspaceId, set);
  const [oldest] = sets.keys();
  if (sets.size > KNOWN_SETS_MAX && oldest !== undefined) sets.delete(oldest);
  return set.byId;
}

/** Up to `limit` competitors (null: all) by id, after the id `after`. */
export async function listCompetitors(
  { store, workspaceId }: WorkspaceStore,
  after: string | null,
  limit: number | null,
): Promise<Competitor[]> {
  const prefix = ["c", idBytes(workspaceId)];
  const selector = selectorAfter(prefix, after);
  const options = limit === null ? { batchSize: 1_000 } : { limit };
  const rows = await Array.fromAsync(store.kv.list<CompetitorRow>(selector, options));
  return rows.map(({ value }) => competitorOf(value));
}

/** All competitors at one version of the set; for a batch, which checks `version`. */
export interface CompetitorSet {
  readonly version: string | null;
  readonly byId: ReadonlyMap<string, Competitor>;
  readonly byDomain: ReadonlyMap<string, Competitor>;
}

/** The version is read first, so a commit that checks it knows that the rest is still true. */
export async function readCompetitorSet(workspace: WorkspaceStore): Promise<CompetitorSet> {
  const version = await findCompetitorSetVersion(workspace);
  const all = await listCompetitors(workspace, null, null);
  return {
    version,
    byId: new Map(all.map((competitor) => [competitor.id, competitor])),
    byDomain: new Map(all.map((competitor) => [competitor.domain, competitor])),
  };
}

/** Changes whenever a competitor is added, changed or removed. */
export async function findCompetitorSetVersion(
  { store, workspaceId }: WorkspaceStore,
): Promise<string | null> {
  const [row] = await getBytesAt(store, [setKey(workspaceId)]);
  return row?.versionstamp ?? null;
}

/** Products with an enabled match, per competitor; 0 for one without a count. */
export async function countTracked(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<number[]> {
  const keys = ids.map((id) => trackedKey(workspaceId, id));
  const rows = await getRows<Deno.KvU64>(store, keys);
  return rows.map(({ value }) => Number(value?.value ?? 0n));
}

/**
 * The commit fails when another competitor took the domain meanwhile; a caller that assigns a
 * colour checks the set.
 */
export function addCompetitor(write: Write, workspaceId: string, competitor: Competitor): void {
  write.check(domainKey(workspaceId, competitor.domain), null);
  write.set(domainKey(workspaceId, competitor.domain), competitor.id);
  write.set(rowKey(workspaceId, competitor.id), competitor);
  write.set(setKey(workspaceId), EMPTY);
}

/** The commit fails when the competitor was changed meanwhile, or its new domain was taken. */
export function saveCompetitor(
  write: Write,
  workspaceId: string,
  before: StoredCompetitor,
  after: Competitor,
): void {
  checkCompetitor(write, workspaceId, before);
  write.set(rowKey(workspaceId, after.id), after);
  write.set(setKey(workspaceId), EMPTY);
  if (before.competitor.enabled !== after.enabled) {
    write.set(switchedKey(workspaceId, after.id), EMPTY);
  }
  if (before.competitor.domain === after.domain) return;
  write.check(domainKey(workspaceId, after.domain), null);
  write.set(domainKey(workspaceId, after.domain), after.id);
  write.delete(domainKey(workspaceId, before.competitor.domain));
}

/** The commit fails when the competitor was changed or deleted since it was read. */
export function checkCompetitor(
  write: Write,
  workspaceId: string,
  { competitor, versionstamp }: StoredCompetitor,
): void {
  write.check(rowKey(workspaceId, competitor.id), versionstamp);
}

/** The commit fails when any competitor was added, changed or deleted since the set was read. */
export function checkCompetitorSet(write: Write, workspaceId: string, set: CompetitorSet): void {
  write.check(setKey(workspaceId), set.version);
}

/**
 * From this commit on the competitor cannot be found and its domain is free; its matches are
 * removed later.
 */
export function beginLeaving(write: Write, workspaceId: string, found: StoredCompetitor): void {
  const { competitor } = found;
  checkCompetitor(write, workspaceId, found);
  write.delete(rowKey(workspaceId, competitor.id));
  write.delete(domainKey(workspaceId, competitor.domain));
  write.set(setKey(workspaceId), EMPTY);
  write.set(leavingKey(workspaceId, competitor.id), competitor);
}

/** The last trace of a competitor without matches. */
export function endLeaving(write: Write, workspaceId: string, id: string): void {
  write.delete(leavingKey(workspaceId, id));
  write.delete(trackedKey(workspaceId, id));
}

/** A competitor whose deletion is not finished; null when there is none such. */
export async function findLeaving(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<Competitor | null> {
  const { value } = await store.kv.get<CompetitorRow>(leavingKey(workspaceId, id));
  return value && competitorOf(value);
}

/** The competitors whose deletion began and did not end: a process died over it. */
export async function listLeaving({ store, workspaceId }: WorkspaceStore): Promise<Competitor[]> {
  const prefix = ["cx", idBytes(workspaceId)];
  const rows = await Array.fromAsync(store.kv.list<CompetitorRow>({ prefix }));
  return rows.map(({ value }) => competitorOf(value));
}

/** A competitor that was switched on or off. */
export interface SwitchedCompetitor {
  readonly workspaceId: string;
  readonly id: string;
  readonly versionstamp: string;
}

/** Switched competitors of all workspaces whose products were not judged since. */
export async function listSwitched({ kv }: Store): Promise<SwitchedCompetitor[]> {
  const rows = await Array.fromAsync(kv.list({ prefix: ["cs"] }));
  return rows.map(({ key, versionstamp }) => ({
    workspaceId: idIn(key, 1),
    id: idIn(key, 2),
    versionstamp,
  }));
}

/** The commit fails when the competitor was switched again since. */
export function clearSwitched(write: Write, switched: SwitchedCompetitor): void {
  const key = switchedKey(switched.workspaceId, switched.id);
  write.check(key, switched.versionstamp);
  write.delete(key);
}

/** Every domain with the id that it leads to, for checks of the store. */
export async function* walkDomains({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["cd", idBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<string>({ prefix }, { batchSize: 1_000 })) {
    yield { domain: String(key[2]), competitorId: value };
  }
}

/** Every count of tracked products, for checks of the store. */
export async function* walkTracked({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["ct", idBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<Deno.KvU64>({ prefix }, { batchSize: 1_000 })) {
    yield { competitorId: lastIdOf(key), count: value.value };
  }
}
