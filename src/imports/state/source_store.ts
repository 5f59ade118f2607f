/** Import sources, their last imports and pulls, and the last reports of missing files. */
import type { ImportHold } from "../../accounts/workspace.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { DEFAULT_SOURCE_HOLD } from "../source_choices.ts";
import type { SourceHold } from "./import_figures.ts";
import {
  BLANK_DEFAULT,
  DEFAULT_SOURCE,
  type ImportSource,
  type LastImport,
  NewImportSource,
  serialiseSource,
  SourceId,
  type StoredSource,
} from "./import_source.ts";

export const sources = defineTable<StoredSource, "id">({
  prefix: "isr",
  about: "an import source, with sealed credentials",
  key: { id: "text" },
  valueHasKey: true,
  sealed: ["pull.auth"],
  version: "isv",
  check(source) {
    const { isDefault: _, createdAt: _created, updatedAt: _updated, ...shown } = serialiseSource(
      source,
    );
    const { error } = NewImportSource.safeParse(shown);
    const message = `Import source ${source.id} cannot be read: ${error?.issues[0]?.message}`;
    return Promise.resolve(error ? message : null);
  },
});

interface OfSource {
  readonly sourceId: string;
}

const besideSource = {
  key: { sourceId: "text" },
  async check({ sourceId }: OfSource, workspace: WorkspaceStore) {
    if (await findSource(workspace, sourceId)) return null;
    return `Import source ${sourceId} is gone, but the result of its last import is not`;
  },
} as const;

/** Commits do not check the earlier row, because a workspace's imports run one after the other. */
export const lastImports = defineTable<LastImport & OfSource, "sourceId">({
  prefix: "isi",
  ...besideSource,
  about: "the last import of a source",
});

interface SourcePull
  extends OfSource, Readonly<Omit<NonNullable<ImportSource["lastPull"]>, "jobId">> {
  readonly pullJobId: string;
  readonly importId: string | null;
  readonly isTold: boolean;
  /** The last imported file. If null, the next file is always imported. */
  readonly known: KnownFile | null;
}

export interface KnownFile {
  /** Hash of URL, profile, mode and tier of the source. If it changes, every file counts as new. */
  readonly asked: string;
  readonly sha256: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export const pulls = defineTable<SourcePull, "sourceId">({
  prefix: "isp",
  ...besideSource,
  about: "the last pull of a source",
  figure: {
    name: "kurant_import_pulls",
    help: "Import sources that are fetched, by what came of the last time",
    label: "outcome",
    by: ({ outcome }) => outcome,
  },
});

export type PullState = Omit<SourcePull, "sourceId">;

interface SilentMark extends OfSource {
  readonly countedAt: string;
}

export const silentMarks = defineTable<SilentMark, "sourceId">({
  prefix: "iss",
  ...besideSource,
  about: "the import after which the silence of a source was last reported",
  value: "countedAt",
});

export const BESIDE_SOURCE = [lastImports, pulls, silentMarks];

/** `stored` is null for the default source while it is unchanged. */
export interface FoundSource {
  readonly source: StoredSource;
  readonly stored: Found<StoredSource> | null;
}

export async function findSource(
  workspace: WorkspaceStore,
  id: string,
): Promise<FoundSource | null> {
  if (!SourceId.safeParse(id).success) return null;
  const stored = await sources.find(workspace, { id });
  if (stored !== null) return { source: stored.row, stored };
  return id === DEFAULT_SOURCE ? { source: BLANK_DEFAULT, stored } : null;
}

export async function listStoredSources(workspace: WorkspaceStore): Promise<StoredSource[]> {
  return (await sources.list(workspace)).map(({ row }) => row);
}

export async function listSources(workspace: WorkspaceStore): Promise<StoredSource[]> {
  const stored = await listStoredSources(workspace);
  const isThere = stored.some(({ id }) => id === DEFAULT_SOURCE);
  return (isThere ? stored : [...stored, BLANK_DEFAULT])
    .sort((one, other) => one.id < other.id ? -1 : 1);
}

export async function findLastImportOf(
  workspace: WorkspaceStore,
  sourceId: string,
): Promise<LastImport | null> {
  const found = await lastImports.find(workspace, { sourceId });
  if (found === null) return null;
  const { sourceId: _, ...last } = found.row;
  return last;
}

export interface HoldTerms {
  readonly bounds: ImportHold | SourceHold | null;
  /** True if no import of the source succeeded yet; null for files without a named source. */
  readonly isFirst: boolean | null;
}

/** If the source was deleted while its import waited, the default limits apply. */
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
