/** Import profiles on the external interface: those of the app, for keys that may import (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
import {
  answerVersioned,
  dataPageOf,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  RemovedData,
  room,
  route,
} from "../platform/http/http.ts";
import type { ImportDeps } from "./apply/import_deps.ts";
import { pageOfProfiles, previewOf, PreviewQuery } from "./import_profile_routes.ts";
import { ListQuery } from "./import_query.ts";
import { Preview } from "./preview_upload.ts";
import { AnyProfile } from "./profiles/any_profile.ts";
import { changeProfile, createProfile, deleteProfile } from "./profiles/change_import_profiles.ts";
import {
  documentOfProfile,
  PROFILE_READ_ONLY,
  ProfileDocument,
} from "./profiles/import_profile_document.ts";
import { findProfile, noSuchProfile } from "./profiles/import_profiles.ts";
import { UPLOAD_BODY } from "./receive/upload_body.ts";

const access = { by: "key", scopes: ["products:write"] } as const;
const tags = ["Imports"];
const params = z.object({ id: z.string() });
const Data = z.object({ data: ProfileDocument }).meta({ id: "ImportProfileData" });

const list = route({
  method: "get",
  path: "/api/public/v1/import-profiles",
  access,
  tags,
  request: { query: ListQuery },
  responses: {
    200: jsonAnswer(dataPageOf(ProfileDocument), "The built-in ones and those of the workspace"),
  },
});

const create = route({
  method: "post",
  path: "/api/public/v1/import-profiles",
  access,
  tags,
  request: { body: jsonBody(ignoring(PROFILE_READ_ONLY, AnyProfile)) },
  responses: { 201: jsonAnswer(Data, "The new profile") },
});

const preview = route({
  method: "post",
  path: "/api/public/v1/import-profiles/preview",
  access,
  readsJson: false,
  tags,
  request: { query: PreviewQuery, body: UPLOAD_BODY },
  responses: {
    200: jsonAnswer(
      z.object({ data: Preview }),
      "What the profile makes of the file; nothing is stored",
    ),
  },
});

const read = route({
  method: "get",
  path: "/api/public/v1/import-profiles/{id}",
  access,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(Data, "The profile") },
});

const change = route({
  method: "patch",
  path: "/api/public/v1/import-profiles/{id}",
  access,
  versioned: true,
  tags,
  request: {
    params,
    body: jsonBody(ignoring(PROFILE_READ_ONLY, z.record(z.string(), z.unknown()))),
  },
  responses: { 200: jsonAnswer(Data, "The profile with the fields that were given") },
});

const remove = route({
  method: "delete",
  path: "/api/public/v1/import-profiles/{id}",
  access,
  versioned: true,
  tags,
  request: { params },
  responses: {
    200: jsonAnswer(RemovedData, "The profile is gone"),
  },
});

/** For keys that may import. */
export function publicProfileRoutes(deps: ImportDeps) {
  return room()
    .openapi(list, async (c) => {
      const { items, ...page } = await pageOfProfiles(c.var.ctx, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(create, async (c) => {
      const profile = await createProfile(c.var.ctx, c.req.valid("json"));
      const headers = { Location: `/api/public/v1/import-profiles/${profile.id}` };
      const document = documentOfProfile(profile);
      return answerVersioned(c, document, PROFILE_READ_ONLY, 201, headers, true);
    })
    .openapi(preview, async (c) => {
      const data = await previewOf(c, deps, c.req.valid("query").profile || null);
      return c.json({ data }, 200);
    })
    .openapi(read, async (c) => {
      const { id } = c.req.valid("param");
      const profile = await findProfile(c.var.ctx, id);
      if (!profile) throw noSuchProfile(id);
      return answerVersioned(c, documentOfProfile(profile), PROFILE_READ_ONLY, 200, {}, true);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const profile = await changeProfile(
        c.var.ctx,
        id,
        c.req.valid("json"),
        expectedVersions(c),
      );
      return answerVersioned(c, documentOfProfile(profile), PROFILE_READ_ONLY, 200, {}, true);
    })
    .openapi(remove, async (c) => {
      const { id } = c.req.valid("param");
      await deleteProfile(c.var.ctx, id, expectedVersions(c));
      return c.json({ data: { id } }, 200);
    });
}
