/** How foreign files are read, as data of the workspace (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
import { ignoring, jsonAnswer, jsonBody, Ok, pageOf, room, route } from "../platform/http/http.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import type { Context } from "../platform/store/context.ts";
import { changeProfile, createProfile, deleteProfile } from "./profiles/change_import_profiles.ts";
import type { ImportDeps } from "./apply/import_deps.ts";
import {
  documentOfProfile,
  PROFILE_READ_ONLY,
  ProfileDocument,
} from "./profiles/import_profile_document.ts";
import { findProfile, listProfiles, noSuchProfile } from "./profiles/import_profiles.ts";
import { ListQuery } from "./import_query.ts";
import { Preview, previewUpload } from "./preview_upload.ts";
import { ImportProfile } from "./profiles/profile.ts";
import { discardBlob } from "../platform/spool/spool.ts";
import { receiveUpload } from "./receive/receive_upload.ts";
import { requireKnownProfile } from "./jobs/start_import.ts";
import { UPLOAD_BODY } from "./receive/upload_body.ts";
import { manager, viewer } from "../identity/route_access.ts";

const BASE = "/api/import-profiles";
const tags = ["Imports"];
const params = z.object({ id: z.string() });

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
  request: { body: jsonBody(ignoring(PROFILE_READ_ONLY, ImportProfile)) },
  responses: { 201: jsonAnswer(ProfileDocument, "The new profile") },
});

const preview = route({
  method: "post",
  path: `${BASE}/preview`,
  access: viewer,
  readsJson: false,
  tags,
  request: {
    query: z.strictObject({
      profile: z.string().optional().meta({ description: "A profile that is stored" }),
    }),
    body: UPLOAD_BODY,
  },
  responses: { 200: jsonAnswer(Preview, "What the profile makes of the file; nothing is stored") },
});

const read = route({
  method: "get",
  path: `${BASE}/{id}`,
  access: viewer,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(ProfileDocument, "The profile") },
});

const change = route({
  method: "patch",
  path: `${BASE}/{id}`,
  access: manager,
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
  tags,
  request: { params },
  responses: { 200: jsonAnswer(Ok, "The profile is gone") },
});

export function importProfileRoutes(deps: ImportDeps) {
  return room()
    .openapi(list, async (c) => c.json(await pageOfProfiles(c.var.ctx, c.req.valid("query")), 200))
    .openapi(create, async (c) => {
      const profile = await createProfile(c.var.ctx, c.req.valid("json"));
      const headers = { Location: `${BASE}/${profile.id}` };
      return c.json(documentOfProfile(profile), 201, headers);
    })
    .openapi(preview, async (c) => {
      const named = c.req.valid("query").profile || null;
      await requireKnownProfile(c.var.ctx, named);
      const upload = await receiveUpload(c.var.ctx, {
        request: c.req.raw,
        limits: deps.limits,
        gate: c.var.gate,
        fieldNames: ["profile"],
      });
      try {
        return c.json(await previewUpload(c.var.ctx, deps, upload, named), 200);
      } finally {
        await discardBlob(c.var.ctx, upload.blobId);
      }
    })
    .openapi(read, async (c) => {
      const { id } = c.req.valid("param");
      const profile = await findProfile(c.var.ctx, id);
      if (!profile) throw noSuchProfile(id);
      return c.json(documentOfProfile(profile), 200);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(
        documentOfProfile(await changeProfile(c.var.ctx, id, c.req.valid("json"))),
        200,
      );
    })
    .openapi(remove, async (c) => {
      await deleteProfile(c.var.ctx, c.req.valid("param").id);
      return c.json({ ok: true as const }, 200);
    });
}

/** By id over both kinds: they are few. */
async function pageOfProfiles(
  ctx: Context,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const list = "import profiles";
  const after = openCursor(ctx, list, cursor);
  const all = (await listProfiles(ctx)).map(documentOfProfile)
    .sort((one, other) => one.id < other.id ? -1 : 1);
  const rows = all.filter(({ id }) => typeof after !== "string" || id > after);
  return toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
}
