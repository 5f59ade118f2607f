/**
 * Keys: `isr W id` → import source, its credentials sealed; `isv W` → empty, set when one is added;
 * `isi W id` → its last import; `isp W id` → its last pull; `iss W id` → the import after which it was
 * last told that it is silent.
 */
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { DEFAULT_SOURCE_HOLD } from "../source_choices.ts";
import type { HoldTally } from "./import_job.ts";
import {
  BLANK_DEFAULT,
  DEFAULT_SOURCE,
  type ImportSource,
  type LastImport,
  SourceId,
  type StoredSource,
} from "./import_source.ts";

const EMPTY = new Uint8Array();
const BESIDE = ["isi", "isp", "iss"] as const;

const key = (table: "isr" | (typeof BESIDE)[number], workspaceId: string, id: string) => [
  table,
  idBytes(workspaceId),
  id,
];
const versionKey = (workspaceId: string) => ["isv", idBytes(workspaceId)];

/** A source as it was read; no version where it is the unchanged default one. */
export interface FoundSource {
  readonly source: StoredSource;
  readonly versionstamp: string | null;
}

/** Null for an unknown id, and for what cannot be one: a key of the store is not to be made of it. */
export async function findSource(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<FoundSource | null> {
  if (!SourceId.safeParse(id).success) return null;
  const { value, versionstamp } = await store.kv.get<StoredSource>(key("isr", workspaceId, id));
  if (value !== null) return { source: value, versionstamp };
  return id === DEFAULT_SOURCE ? { source: BLANK_DEFAULT, versionstamp: null } : null;
}

/** Those that are stored, by id; a workspace has a handful. */
export async function listStoredSources(
  { store, workspaceId }: WorkspaceStore,
): Promise<StoredSource[]> {
  const prefix = ["isr", idBytes(workspaceId)];
  return await Array.fromAsync(store.kv.list<StoredSource>({ prefix }), ({ value }) => value);
}

/** All of them by id, the default one too. */
export async function listSources(workspace: WorkspaceStore): Promise<StoredSource[]> {
  const stored = await listStoredSources(workspace);
  const isThere = stored.some(({ id }) => id === DEFAULT_SOURCE);
  return (isThere ? stored : [...stored, BLANK_DEFAULT])
    .sort((one, other) => one.id < other.id ? -1 : 1);
}

/** Guards against two that are added at once. */
export async function findSourcesVersion({ store, workspaceId }: WorkspaceStore) {
  return (await store.kv.get(versionKey(workspaceId))).versionstamp;
}

/** The commit fails when another one was added since `version` was read, or has the id. */
export function addSource(
  write: Write,
  workspaceId: string,
  source: StoredSource,
  version: string | null,
): void {
  write.check(versionKey(workspaceId), version);
  write.set(versionKey(workspaceId), EMPTY);
  saveSource(write, workspaceId, { source, versionstamp: null }, source);
}

/** A source of another workspace; the commit fails when there is one of its id. */
export function putSource(write: Write, workspaceId: string, source: StoredSource): void {
  saveSource(write, workspaceId, { source, versionstamp: null }, source);
}

/** The commit fails when the source was changed or deleted since it was read. */
export function saveSource(
  write: Write,
  workspaceId: string,
  { versionstamp }: FoundSource,
  source: StoredSource,
): void {
  write.check(key("isr", workspaceId, source.id), versionstamp);
  write.set(key("isr", workspaceId, source.id), source);
}

/** With what its rows say. The commit fails when the source was changed since it was read. */
export function removeSource(
  write: Write,
  workspaceId: string,
  { source: { id }, versionstamp }: FoundSource,
): void {
  write.check(key("isr", workspaceId, id), versionstamp);
  for (const table of ["isr", ...BESIDE] as const) write.delete(key(table, workspaceId, id));
}

/** Ids of sources that have further rows; each as often as it has such rows. */
export async function listIdsBeside({ store, workspaceId }: WorkspaceStore): Promise<string[]> {
  const ids: string[] = [];
  for (const table of BESIDE) {
    for await (const { key } of store.kv.list({ prefix: [table, idBytes(workspaceId)] })) {
      ids.push(String(key.at(-1)));
    }
  }
  return ids;
}

/** After which import its silence was told of last; the version is what a commit checks. */
export async function findSilentMark({ store, workspaceId }: WorkspaceStore, id: string) {
  const { value, versionstamp } = await store.kv.get<string>(key("iss", workspaceId, id));
  return { mark: value, versionstamp };
}

/** The commit fails when another process has told of it meanwhile. */
export function saveSilentMark(
  write: Write,
  workspaceId: string,
  id: string,
  mark: string,
  versionstamp: string | null,
): void {
  write.check(key("iss", workspaceId, id), versionstamp);
  write.set(key("iss", workspaceId, id), mark);
}

export async function findLastImportOf(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<LastImport | null> {
  return (await store.kv.get<LastImport>(key("isi", workspaceId, id))).value;
}

/** Checks nothing: imports of a workspace end one after the other. */
export function saveLastImport(
  write: Write,
  workspaceId: string,
  id: string,
  last: LastImport,
): void {
  write.set(key("isi", workspaceId, id), last);
}

export interface PullState extends Readonly<Omit<NonNullable<ImportSource["lastPull"]>, "jobId">> {
  /** The job that fetches, or was the last to. */
  readonly pullJobId: string;
  /** The import that the file last became. */
  readonly importId: string | null;
  /** An alert tells of the failures. */
  readonly isTold: boolean;
  /** Of the last file that was taken in; null: the next one is. */
  readonly known: KnownFile | null;
}

/** Of all workspaces, by what came of the last time. */
export async function countPulls({ kv }: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { value } of kv.list<PullState>({ prefix: ["isp"] })) {
    counts.set(value.outcome, (counts.get(value.outcome) ?? 0) + 1);
  }
  return counts;
}

export interface KnownFile {
  /** Of all that decides what becomes of the file: with other settings it is another file. */
  readonly asked: string;
  readonly sha256: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export async function findPull(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<{ readonly state: PullState | null; readonly versionstamp: string | null }> {
  const { value, versionstamp } = await store.kv.get<PullState>(key("isp", workspaceId, id));
  return { state: value, versionstamp };
}

/** The commit fails when another writer began or ended a pull since `versionstamp` was read. */
export function savePull(
  write: Write,
  workspaceId: string,
  id: string,
  state: PullState,
  versionstamp: string | null,
): void {
  write.check(key("isp", workspaceId, id), versionstamp);
  write.set(key("isp", workspaceId, id), state);
}

export interface HoldTerms {
  /** Null while the hold is off. */
  readonly bounds: HoldTally["bounds"] | null;
  /** Whether the source has never had an import that succeeded; null where it has no name. */
  readonly isFirst: boolean | null;
}

/** A source that was deleted while its import waited is judged as a new one. */
export async function holdTermsOf(
  workspace: WorkspaceStore,
  source: string | undefined,
): Promise<HoldTerms> {
  if (source === undefined) {
    return { bounds: (await requireWorkspace(workspace)).importHold, isFirst: null };
  }
  const found = await findSource(workspace, source);
  const last = await findLastImportOf(workspace, source);
  const bounds = found ? found.source.hold : DEFAULT_SOURCE_HOLD;
  return { bounds, isFirst: !last?.succeededAt };
}
