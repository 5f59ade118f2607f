/** Stores import sources, and the last import, fetch and missing-import alert of each source. */
import { requireWorkspace } from "../../accounts/workspace.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";
import { DEFAULT_SOURCE_HOLD } from "../choices.ts";
import { IMPORT_KIND, type QueuedImport } from "./import_job.ts";
import {
  BLANK_DEFAULT,
  DEFAULT_SOURCE,
  type ImportSource,
  type ImportSourcePatch,
  type LastImport,
  missedTime,
  NewImportSource,
  PullAuth,
  type SealedAuth,
  serialiseSource,
  SOURCE_READ_ONLY,
  SourceId,
  type StoredSource,
} from "./import_source.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { pick, withPatch } from "../../base/collections.ts";
import { Failure, noSuch, refuseFields } from "../../base/failure.ts";
import { requireUrl, type UrlLimits } from "../../platform/fetch/fetch_limits.ts";
import { type Page, pageById, requireVersion, versionOf } from "../../platform/http/http.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { requireKnownProfile } from "../profiles/import_profiles.ts";
import { freeId } from "../profiles/xml_profile.ts";
import { auditOf } from "../../accounts/audit/audit.ts";

export const sources = defineTable<StoredSource, "id">({
  prefix: "isr",
  about: "an import source, with encrypted credentials",
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

/** Needs no version check, because a workspace runs only one import at a time. */
export const lastImports = defineTable<LastImport & OfSource, "sourceId">({
  prefix: "isi",
  ...besideSource,
  about: "the last import of a source",
});

export interface SourcePull
  extends OfSource, Readonly<Omit<NonNullable<ImportSource["lastPull"]>, "jobId">> {
  readonly pullJobId: string;
  readonly importId: string | null;
  readonly isTold: boolean;
  /** The last imported file; null to import the next file even if it has not changed. */
  readonly known: KnownFile | null;
}

export interface KnownFile {
  /**
   * Hash of the settings for an import, such as mode and currency. If it changes, even an unchanged
   * file is imported.
   */
  readonly asked: string;
  readonly sha256: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export const pulls = defineTable<SourcePull, "sourceId">({
  prefix: "isp",
  ...besideSource,
  about: "the last fetch of a source's file from its URL",
});

export const silentMarks = defineTable<OfSource & { readonly countedAt: string }, "sourceId">({
  prefix: "iss",
  ...besideSource,
  about: "the time of the last import before the newest alert about a source's missing import",
  value: "countedAt",
});

const BESIDE_SOURCE = [lastImports, pulls, silentMarks];

type FoundSource = NonNullable<Awaited<ReturnType<typeof findSource>>>;

export async function findSource(workspace: WorkspaceStore, id: string) {
  if (!SourceId.safeParse(id).success) return null;
  const stored = await sources.find(workspace, { id });
  if (stored !== null) return { source: stored.row, stored };
  return id === DEFAULT_SOURCE ? { source: BLANK_DEFAULT, stored } : null;
}

export async function listStoredSources(workspace: WorkspaceStore): Promise<StoredSource[]> {
  return (await sources.list(workspace)).map(({ row }) => row);
}

async function listSources(workspace: WorkspaceStore): Promise<StoredSource[]> {
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

export type HoldTerms = Awaited<ReturnType<typeof holdTermsOf>>;

/**
 * If the source was deleted while its import waited, `DEFAULT_SOURCE_HOLD` applies. `isFirst` is
 * true if no import of the source has succeeded yet; null for files without a source.
 */
export async function holdTermsOf(workspace: WorkspaceStore, source: string | undefined) {
  if (source === undefined) {
    return { bounds: (await requireWorkspace(workspace)).importHold, isFirst: null };
  }
  const found = await findSource(workspace, source);
  const last = await findLastImportOf(workspace, source);
  const bounds = found ? found.source.hold : DEFAULT_SOURCE_HOLD;
  return { bounds, isFirst: !last?.succeededAt };
}

const SOURCES_MAX = 100;
const AUTH = "pull.auth";

const sourceAudit = auditOf("import_source", ({ name }: StoredSource) => name, {
  shown: serialiseSource,
  hidden: ["createdAt", "updatedAt"],
});

/** Throws `conflict` if the id is taken or the workspace has 100 sources besides `default`. */
export async function createSource(
  ctx: Context,
  urls: UrlLimits,
  { id: named, pull, ...settings }: NewImportSource,
  pathOf: (id: string) => string,
): Promise<StoredSource> {
  const createdAt = ctx.now().toISOString();
  return await transact(ctx, async (write) => {
    const version = await sources.version(ctx);
    const ids = (await listSources(ctx)).map(({ id }) => id);
    if (named !== undefined && ids.includes(named)) {
      throw new Failure("conflict", `There is an import source "${named}" already`);
    }
    if (ids.length > SOURCES_MAX) {
      throw new Failure("conflict", `A workspace has at most ${SOURCES_MAX} import sources`);
    }
    const id = named ?? freeId(settings.name, "source", (id) => ids.includes(id));
    const auth = await sealedAuth(ctx, id, pull?.auth ?? null, null);
    const source: StoredSource = {
      ...settings,
      id,
      pull: pull && { ...pull, url: requireUrl("pull.url", pull.url, urls, URL_ERRORS), auth },
      createdAt,
      updatedAt: createdAt,
    };
    await requireSound(ctx, source);
    sources.checkVersion(write, ctx, version);
    sources.save(write, ctx, null, source);
    addAuditRow(write, ctx, sourceAudit("import_source.create", null, source));
    ctx.receipt?.put(write, pathOf(source.id));
    return source;
  });
}

export async function changeSource(
  ctx: Context,
  urls: UrlLimits,
  id: string,
  patch: ImportSourcePatch,
  expected: string | null = null,
): Promise<StoredSource> {
  return await transact(ctx, async (write) => {
    const found = await requireSource(ctx, id);
    const { source: before } = found;
    requireVersion(expected, versionOf(serialiseSource(before), SOURCE_READ_ONLY));
    const { pull: _, ...given } = patch;
    const changed = withPatch<StoredSource>(before, given, {
      kind: "api",
      mode: "upsert",
      options: { strict: false },
    });
    const merged = { ...changed, pull: await pullOf(ctx, urls, before, patch) };
    await requireSound(ctx, merged);
    const isSame = JSON.stringify(before) === JSON.stringify(merged);
    return isSame ? before : saveChanged(write, ctx, found, merged);
  });
}

function saveChanged(
  write: Write,
  ctx: Context,
  { source: before, stored }: FoundSource,
  changed: StoredSource,
): StoredSource {
  const updatedAt = ctx.now().toISOString();
  const after = { ...changed, createdAt: before.createdAt ?? updatedAt, updatedAt };
  sources.save(write, ctx, stored, after);
  addAuditRow(write, ctx, sourceAudit("import_source.update", before, after));
  return after;
}

/** Deletes a source, but not its products. Throws `forbidden` for the source `default`. */
export async function deleteSource(ctx: Context, id: string, expected: string | null = null) {
  await transact(ctx, async (write) => {
    const { source, stored } = await requireSource(ctx, id);
    if (stored === null || id === DEFAULT_SOURCE) {
      throw new Failure("forbidden", "The default source cannot be deleted");
    }
    requireVersion(expected, versionOf(serialiseSource(source), SOURCE_READ_ONLY));
    sources.remove(write, ctx, stored);
    for (const table of BESIDE_SOURCE) table.drop(write, ctx, { sourceId: id });
    addAuditRow(write, ctx, sourceAudit("import_source.delete", source, null));
  });
}

export async function pauseSource(write: Write, ctx: Context, id: string): Promise<void> {
  const found = await findSource(ctx, id);
  if (found === null || found.source.pausedAt !== null) return;
  saveChanged(write, ctx, found, { ...found.source, pausedAt: ctx.now().toISOString() });
}

export async function requireSource(workspace: WorkspaceStore, id: string): Promise<FoundSource> {
  const found = await findSource(workspace, id);
  if (found) return found;
  throw noSuch("import source", id);
}

async function pullOf(
  ctx: Context,
  urls: UrlLimits,
  before: StoredSource,
  { pull }: ImportSourcePatch,
): Promise<StoredSource["pull"]> {
  if (pull === undefined) return before.pull;
  if (pull === null) return null;
  const url = requireUrl("pull.url", pull.url, urls, URL_ERRORS);
  // Stored credentials are never sent to another server.
  const isSameServer = before.pull !== null &&
    new URL(before.pull.url).origin === new URL(url).origin;
  const stored: SealedAuth | null = isSameServer ? before.pull?.auth ?? null : null;
  return { ...pull, url, auth: await sealedAuth(ctx, before.id, pull.auth, stored) };
}

async function requireSound(ctx: Context, source: StoredSource): Promise<void> {
  const refuse = (path: string, message: string) => refuseFields([{ path, message }]);
  const { id, kind, profile, pull, hold } = source;
  await requireKnownProfile(ctx, profile);
  if ((kind === "pull") !== (pull !== null)) {
    throw refuse("pull", 'Is required for sources of the kind "pull", and not allowed for others');
  }
  if (id !== DEFAULT_SOURCE) return;
  if (pull !== null) throw refuse("pull", "Create another source to fetch files");
  if (hold !== null) throw refuse("hold", "Set importHold of the workspace instead");
}

const URL_ERRORS = {
  malformed: "Must be a URL such as https://erp.example/export.csv",
  scheme: "Must begin with https:// or http://",
  credentials: "Must not contain a user name or a password: send them in `auth`",
};

export async function documentOfSource(
  workspace: WorkspaceStore & Pick<Context, "now">,
  source: StoredSource,
): Promise<ImportSource> {
  const { timeZone } = await requireWorkspace(workspace);
  const last = await findLastImportOf(workspace, source.id);
  const job = last && await findJob<QueuedImport>(workspace, IMPORT_KIND, last.jobId);
  const lastImport = last && { ...last, label: job?.args.label ?? null };
  const pull = await pulls.find(workspace, { sourceId: source.id });
  const missedAt = missedTime(source, last?.succeededAt ?? null, workspace.now(), timeZone);
  return {
    ...serialiseSource(source),
    lastImport,
    lastPull: pull && { ...pick(pull.row, PULL_FIELDS), jobId: pull.row.importId },
    missedAt,
  };
}

const PULL_FIELDS = ["outcome", "at", "errorCode", "message", "failures", "nextTryAt"] as const;

export async function pageOfSources(
  ctx: Context,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<ImportSource>> {
  const page = await pageById(
    ctx,
    query,
    async ({ after }) => (await listSources(ctx)).filter(({ id }) => after === null || id > after),
  );
  const items = await Promise.all(page.items.map((source) => documentOfSource(ctx, source)));
  return { ...page, items };
}

async function sealedAuth(
  ctx: WorkspaceStore,
  id: string,
  auth: PullAuth | null,
  stored: SealedAuth | null,
): Promise<SealedAuth | null> {
  if (auth === null) return null;
  const { kind, ...rest } = auth;
  const given = Object.values(rest).filter((value) => value !== undefined).length;
  if (given === 0 && stored?.kind === kind) return stored;
  if (given < (kind === "bearer" ? 1 : 2)) {
    throw refuseFields([{
      path: "pull.auth",
      message: `Must contain all fields that "${kind}" requires`,
    }]);
  }
  return { kind, ...await sources.seal(ctx, { id }, AUTH, JSON.stringify(auth)) };
}

export async function headersOf(
  workspace: WorkspaceStore,
  source: StoredSource,
): Promise<Readonly<Record<string, string>>> {
  if (!source.pull?.auth) return {};
  const plain = PullAuth.parse(JSON.parse(await sources.open(workspace, source, AUTH)));
  switch (plain.kind) {
    case "basic": {
      const pair = new TextEncoder().encode(`${plain.user ?? ""}:${plain.password ?? ""}`);
      return { Authorization: `Basic ${pair.toBase64()}` };
    }
    case "bearer":
      return { Authorization: `Bearer ${plain.token ?? ""}` };
    case "header":
      return { [plain.name ?? ""]: plain.value ?? "" };
  }
}
