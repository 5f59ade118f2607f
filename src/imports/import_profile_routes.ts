/**
 * Declares the routes of import profiles, import sources and the preview of a file
 * (docs/decisions/imports.md).
 */
import { keyWith, manager, viewer } from "../accounts/roles.ts";
import {
  answerVersioned,
  custom,
  done,
  one,
  page,
  removed,
  versioned,
} from "../platform/http/answer.ts";
import {
  type AppContext,
  ignoring,
  jsonAnswer,
  openCursor,
  toPage,
} from "../platform/http/http.ts";
import { type Columns, fields, moments, openListTable } from "../catalogue/lists/list_file.ts";
import { resource } from "../platform/http/resource.ts";
import type { JobStatus } from "../platform/jobs/job.ts";
import { codeCell, codesCell, storedCodeCell } from "../engine/wording/code_words.ts";
import type { LocalisedText } from "../base/codes.ts";
import { momentCell } from "../platform/tables/cell.ts";
import type { ImportDeps } from "./apply/span.ts";
import { isHoldCode } from "./choices.ts";
import { ImportFilter, ListQuery, tags, UPLOAD_BODY } from "./import_routes.ts";
import { ImportSummary, pageOfImports } from "./jobs/import_document.ts";
import {
  changeSource,
  createSource,
  deleteSource,
  documentOfSource,
  pageOfSources,
  requireSource,
} from "./state/sources.ts";
import {
  ImportSource,
  ImportSourcePatch,
  NewImportSource,
  SOURCE_READ_ONLY,
} from "./state/import_source.ts";
import { z } from "@hono/zod-openapi";
import type { UrlLimits } from "../platform/fetch/fetch_limits.ts";
import type { Context } from "../platform/store/context.ts";
import { discardBlob } from "../platform/store/spool.ts";
import { beginPull, PULL_KIND, waitForPull } from "./jobs/pull_kind.ts";
import { Preview, previewUpload } from "./preview_upload.ts";
import {
  changeProfile,
  createProfile,
  deleteProfile,
  documentOfProfile,
  findProfile,
  listProfiles,
  PROFILE_READ_ONLY,
  ProfileDocument,
  profileSchema,
  requireKnownProfile,
} from "./profiles/import_profiles.ts";
import { AnyProfile, NewProfile } from "./profiles/table_profile.ts";
import { receiveUpload } from "./upload/receive_upload.ts";
import { noSuch } from "../base/failure.ts";

const keys = keyWith("products:write");
const profile = (words: string) =>
  versioned(ProfileDocument, words, { external: "ImportProfileData" });

const ReadQuery = z.strictObject({
  format: z.enum(["xml", "table"]).optional()
    .describe("Which of two built-in profiles with the same id; default: `xml`"),
});

const PreviewQuery = z.strictObject({
  profile: z.string().optional().describe("Id of a stored profile"),
});

export function importProfileRoutes(deps: ImportDeps) {
  const shared = { tags: ["Imports"], readOnly: PROFILE_READ_ONLY };
  const schema = resource("/import-profile-schema", { read: { people: viewer }, ...shared })
    .get("", {
      answer: one(
        z.record(z.string(), z.unknown()),
        "JSON Schema (2020-12) of profiles, with descriptions and examples",
      ),
    }, () => profileSchema());
  const made = profile("The new profile");
  const found = profile("The profile");
  const create = async (ctx: Context, body: z.output<typeof NewProfile>) =>
    documentOfProfile(await createProfile(ctx, body));
  const read = { people: viewer, keys };
  const profiles = resource("/import-profiles", {
    read,
    change: { people: manager, keys },
    ...shared,
  })
    .list({
      query: ListQuery,
      answer: page(ProfileDocument, "The built-in profiles and those of the workspace", {
        inApp: "ImportProfilePage",
      }),
    }, ({ ctx, query }) => pageOfProfiles(ctx, query))
    .create(
      { callers: { people: manager }, body: NewProfile, answer: made },
      ({ ctx, body }) => create(ctx, body),
    )
    .create(
      { callers: { keys }, body: AnyProfile, answer: made },
      ({ ctx, body }) => create(ctx, body),
    )
    .post("/preview", {
      callers: read,
      upload: UPLOAD_BODY,
      query: PreviewQuery,
      answer: one(Preview, "How the profile reads the file; nothing is stored"),
    }, ({ c, query }) => previewOf(c, deps, query.profile || null))
    .read(
      { callers: { people: viewer }, query: ReadQuery, answer: found },
      ({ ctx, id, query }) => readProfile(ctx, id, query.format),
    )
    .read({ callers: { keys }, answer: found }, ({ ctx, id }) => readProfile(ctx, id))
    .change({
      body: z.record(z.string(), z.unknown()),
      answer: profile("The profile with the fields that were given"),
    }, async ({ ctx, id, body, expected }) => {
      return documentOfProfile(await changeProfile(ctx, id, body, expected));
    })
    .remove(
      { answer: removed("The profile is gone") },
      ({ ctx, id, expected }) => deleteProfile(ctx, id, expected),
    );
  return [...schema.routes, ...profiles.routes];
}

async function readProfile(ctx: Context, id: string, format?: "xml" | "table") {
  const found = await findProfile(ctx, id, format);
  if (!found) throw noSuch("import profile", id);
  return documentOfProfile(found);
}

async function previewOf(c: AppContext, deps: ImportDeps, named: string | null) {
  await requireKnownProfile(c.var.ctx, named);
  const upload = await receiveUpload(c, deps.limits, ["profile"]);
  try {
    return await previewUpload(c.var.ctx, deps, upload, named);
  } finally {
    await discardBlob(c.var.ctx, upload.blobId);
  }
}

async function pageOfProfiles(
  ctx: Context,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const after = openCursor(ctx, cursor, z.string());
  // The cursor contains the format, because XML and table profiles may have the same id.
  const positionOf = ({ id, format = "xml" }: ProfileDocument) => `${id} ${format}`;
  const all = (await listProfiles(ctx)).map(documentOfProfile)
    .sort((one, other) => positionOf(one) < positionOf(other) ? -1 : 1);
  const rows = all.filter((one) => after === null || positionOf(one) > after);
  return toPage(ctx, { rows, limit, positionOf });
}

const SourceData = z.object({ data: ImportSource }).meta({ id: "ImportSourceData" });

export function importSourceRoutes(
  deps: Pick<ImportDeps, "answerMs" | "wake"> & { readonly urls: UrlLimits },
) {
  const answer = (words: string) =>
    versioned(ImportSource, words, { external: "ImportSourceData" });
  return resource("/import-sources", {
    read: { people: viewer, keys },
    change: { people: manager, keys },
    tags: ["Imports"],
    readOnly: SOURCE_READ_ONLY,
  })
    .list({
      query: ListQuery,
      answer: page(ImportSource, "Sources by id; `default` always exists", {
        inApp: "ImportSourcePage",
        external: "ImportSourcePageData",
      }),
    }, ({ ctx, query }) => pageOfSources(ctx, query))
    .create({
      body: NewImportSource,
      answer: answer("The new source"),
    }, async ({ ctx, surface, body }) => {
      const pathOf = (id: string) => `${surface.base}/import-sources/${id}`;
      return await documentOfSource(ctx, await createSource(ctx, deps.urls, body, pathOf));
    })
    .read({
      answer: answer("The source, with its last import and pull"),
    }, async ({ ctx, id }) => await documentOfSource(ctx, (await requireSource(ctx, id)).source))
    .patch("/{id}", {
      body: ignoring([...SOURCE_READ_ONLY, "id"], ImportSourcePatch),
      answer: answer("The source as it is now"),
    }, async ({ ctx, id, body, expected }) => {
      return await documentOfSource(ctx, await changeSource(ctx, deps.urls, id, body, expected));
    })
    .post("/{id}/pull", {
      waitsForOthers: true,
      answer: custom(({ isEnveloped }) => {
        const schema = isEnveloped ? SourceData : ImportSource;
        return {
          200: jsonAnswer(schema, "The file was fetched; `lastPull` says what came of it"),
          202: jsonAnswer(schema, "The fetch goes on; see `lastPull` of the source"),
        };
      }),
    }, async ({ c, ctx, surface, id }) => {
      await beginPull(ctx, id);
      deps.wake(PULL_KIND);
      const isOver = await waitForPull(ctx, id, deps.answerMs);
      const document = await documentOfSource(ctx, (await requireSource(ctx, id)).source);
      const headers: Record<string, string> = isOver
        ? {}
        : { Location: `${surface.base}/import-sources/${id}` };
      const status = isOver ? 200 : 202;
      return answerVersioned(document, { c, surface, status, headers, readOnly: SOURCE_READ_ONLY });
    })
    .remove({
      answer: done("The source is deleted; its products stay"),
    }, ({ ctx, id, expected }) => deleteSource(ctx, id, expected)).routes;
}

const IMPORT_COLUMNS: Columns<ImportSummary> = {
  createdAt: ({ createdAt }) => momentCell(createdAt),
  files: ({ files, label }) => files.map(({ name }) => name).join(", ") || label,
  source: ({ source }) => source,
  status: ({ status, error }) => importStateCell(status, error?.code ?? null),
  error: ({ error }) => error && storedCodeCell("findings", error.code, error.message),
  mode: ({ mode }) => codeCell("importModes", mode),
  ...fields("dryRun", "force", "reason"),
  records: ({ count }) => count,
  inserted: ({ stats }) => stats.inserted,
  updated: ({ stats }) => stats.updated,
  skipped: ({ stats }) => stats.skipped,
  errors: ({ errorCount }) => errorCount,
  warnings: ({ warningCount }) => warningCount,
  ...fields("excluded", "removed"),
  competitorsLinked: ({ stats }) => stats.competitorsLinked,
  ...fields("soldDays", "reverted"),
  createdBy: ({ createdBy }) => createdBy.name,
  ...moments("startedAt", "finishedAt", "undoableUntil"),
  ...fields("undoes", "undoneBy", "jobId"),
};

const SOURCE_COLUMNS: Columns<ImportSource> = {
  ...fields("id", "name"),
  kind: ({ kind }) => codeCell("sourceKinds", kind),
  profile: ({ profile }) => profile,
  mode: ({ mode }) => codeCell("importModes", mode),
  tier: ({ tier }) => tier,
  strict: ({ options }) => options.strict,
  hold: ({ hold }) => hold === null ? null : JSON.stringify(hold),
  expectedBy: ({ expected }) => expected?.by ?? null,
  expectedDays: ({ expected }) => expected && codesCell("days", expected.days),
  pausedAt: ({ pausedAt }) => momentCell(pausedAt),
  pullUrl: ({ pull }) => pull?.url ?? null,
  pullSchedule: ({ pull }) => scheduleCell(pull?.schedule ?? null),
  pullAuth: ({ pull }) => codeCell("auths", pull?.auth?.kind ?? null),
  lastImport: ({ lastImport }) =>
    lastImport && importStateCell(lastImport.status, lastImport.errorCode),
  lastImportError: ({ lastImport }) => storedCodeCell("findings", lastImport?.errorCode ?? null),
  lastImportAt: ({ lastImport }) => momentCell(lastImport?.finishedAt ?? null),
  lastSuccessAt: ({ lastImport }) => momentCell(lastImport?.succeededAt ?? null),
  lastPull: ({ lastPull }) => codeCell("pullOutcomes", lastPull?.outcome ?? null),
  lastPullError: ({ lastPull }) =>
    lastPull && storedCodeCell("pullErrors", lastPull.errorCode, lastPull.message),
  lastPullAt: ({ lastPull }) => momentCell(lastPull?.at ?? null),
  nextTryAt: ({ lastPull }) => momentCell(lastPull?.nextTryAt ?? null),
  ...moments("createdAt", "updatedAt"),
};

function scheduleCell(
  schedule: NonNullable<ImportSource["pull"]>["schedule"],
): LocalisedText | null {
  if (schedule === null) return null;
  if ("every" in schedule) return codeCell("pullPeriods", schedule.every);
  const { at } = schedule;
  const days = codesCell("days", schedule.days);
  return { plain: `${at} ${days.plain}`, textIn: (language) => `${at} ${days.textIn(language)}` };
}

export function importFileRoutes() {
  return resource("", { read: { people: viewer } })
    .files("/imports", {
      tags,
      query: ImportFilter,
      words: "Every import that fits, newest first",
      open: (ctx, { source }) =>
        openListTable("imports", IMPORT_COLUMNS, (page) => pageOfImports(ctx, { ...page, source })),
    })
    .files("/import-sources", {
      tags,
      words: "Every source by its id, without its credentials",
      open: (ctx) =>
        openListTable("import-sources", SOURCE_COLUMNS, (page) => pageOfSources(ctx, page)),
    }).routes;
}

function importStateCell(status: JobStatus, errorCode: string | null): LocalisedText {
  const shown = isHoldCode(errorCode)
    ? codesCell("importHolds", ["held"])
    : codesCell("jobStates", [status]);
  return { ...shown, plain: status };
}
