/** How foreign files are read, as data of the workspace (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
import {
  answerVersioned,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  room,
  route,
} from "../platform/http/http.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import type { Context } from "../platform/store/context.ts";
import { changeProfile, createProfile, deleteProfile } from "./profiles/change_import_profiles.ts";
import type { ImportDeps } from "./apply/import_deps.ts";
import {
  documentOfProfile,
  PROFILE_READ_ONLY,
  ProfileDocument,
} from "./profiles/import_profile_document.ts";
import { profileSchema } from "./profiles/profile_schema.ts";
import { findProfile, listProfiles, noSuchProfile } from "./profiles/import_profiles.ts";
import { ListQuery } from "./import_query.ts";
import { Preview, previewUpload } from "./preview_upload.ts";
import { NewProfile } from "./profiles/any_profile.ts";
import { discardBlob } from "../platform/spool/spool.ts";
import { receiveUpload } from "./receive/receive_upload.ts";
import { requireKnownProfile } from "./jobs/start_import.ts";
import { UPLOAD_BODY } from "./receive/upload_body.ts";
import { manager, viewer } from "../identity/route_access.ts";

const BASE = "/api/import-profiles";
const tags = ["Imports"];
const params = z.object({ id: z.string() });

/** What a file is looked at with. */
export const PreviewQuery = z.strictObject({
  profile: z.string().optional().meta({ description: "A profile that is stored" }),
});

const schema = route({
  method: "get",
  path: "/api/import-profile-schema",
  access: viewer,
  tags,
  responses: {
    200: jsonAnswer(
      z.record(z.string(), z.unknown()),
      "The language of profiles as a JSON Schema (2020-12), with descriptions and examples",
    ),
  },
});

const list = route({
  method: "get",
  path: BASE,
  access: viewer,
  tags,
  request: { query: ListQuery },
  responses: {
    200: jsonAnswer(
      pageOf(ProfileDocument).meta({ id: "ImportProfilePage" }),
      "The built-in ones and those of the workspace",
    ),
  },
});

const create = route({
  method: "post",
  path: BASE,
  access: manager,
  tags,
  request: { body: jsonBody(ignoring(PROFILE_READ_ONLY, NewProfile)) },
  responses: { 201: jsonAnswer(ProfileDocument, "The new profile") },
});

const preview = route({
  method: "post",
  path: `${BASE}/preview`,
  access: viewer,
  readsJson: false,
  tags,
  request: {
    query: PreviewQuery,
    body: UPLOAD_BODY,
  },
  responses: { 200: jsonAnswer(Preview, "What the profile makes of the file; nothing is stored") },
});

const read = route({
  method: "get",
  path: `${BASE}/{id}`,
  access: viewer,
  tags,
  request: {
    params,
    query: z.strictObject({
      format: z.enum(["xml", "table"]).optional().meta({
        description: "Which one, where two built-in profiles share an id; else the one of XML",
      }),
    }),
  },
  responses: { 200: jsonAnswer(ProfileDocument, "The profile") },
});

const change = route({
  method: "patch",
  path: `${BASE}/{id}`,
  access: manager,
  versioned: true,
  tags,
  request: {
    params,
    body: jsonBody(ignoring(PROFILE_READ_ONLY, z.record(z.string(), z.unknown()))),
  },
  responses: { 200: jsonAnswer(ProfileDocument, "The profile with the fields that were given") },
});

const remove = route({
  method: "delete",
  path: `${BASE}/{id}`,
  access: manager,
  versioned: true,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(Ok, "The profile is gone") },
});

export function importProfileRoutes(deps: ImportDeps) {
  return room()
    .openapi(schema, (c) => c.json(profileSchema(), 200))
    .openapi(list, async (c) => c.json(await pageOfProfiles(c.var.ctx, c.req.valid("query")), 200))
    .openapi(create, async (c) => {
      const profile = await createProfile(c.var.ctx, c.req.valid("json"));
      const headers = { Location: `${BASE}/${profile.id}` };
      return answerVersioned(c, documentOfProfile(profile), PROFILE_READ_ONLY, 201, headers);
    })
    .openapi(preview, async (c) => {
      return c.json(await previewOf(c, deps, c.req.valid("query").profile || null), 200);
    })
    .openapi(read, async (c) => {
      const { id } = c.req.valid("param");
      const profile = await findProfile(c.var.ctx, id, c.req.valid("query").format);
      if (!profile) throw noSuchProfile(id);
      return answerVersioned(c, documentOfProfile(profile), PROFILE_READ_ONLY);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const expected = expectedVersions(c);
      const profile = await changeProfile(c.var.ctx, id, c.req.valid("json"), expected);
      return answerVersioned(c, documentOfProfile(profile), PROFILE_READ_ONLY);
    })
    .openapi(remove, async (c) => {
      await deleteProfile(c.var.ctx, c.req.valid("param").id, expectedVersions(c));
      return c.json({ ok: true as const }, 200);
    });
}

/** What a profile, null for the one that fits, makes of the file that is sent; keeps nothing of it. */
export async function previewOf(c: AppContext, deps: ImportDeps, named: string | null) {
  await requireKnownProfile(c.var.ctx, named);
  const upload = await receiveUpload(c.var.ctx, {
    request: c.req.raw,
    limits: deps.limits,
    gate: c.var.gate,
    fieldNames: ["profile"],
  });
  try {
    return await previewUpload(c.var.ctx, deps, upload, named);
  } finally {
    await discardBlob(c.var.ctx, upload.blobId);
  }
}

/** By id and format over all: they are few. */
export async function pageOfProfiles(
  ctx: Context,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const list = "import profiles";
  const after = openCursor(ctx, list, cursor);
  // Two profiles of one id are of two formats; a space sorts before all that an id may hold.
  const positionOf = ({ id, format = "xml" }: ProfileDocument) => `${id} ${format}`;
  const all = (await listProfiles(ctx)).map(documentOfProfile)
    .sort((one, other) => positionOf(one) < positionOf(other) ? -1 : 1);
  const rows = all.filter((one) => typeof after !== "string" || positionOf(one) > after);
  return toPage(ctx, { list, rows, limit, positionOf });
}
