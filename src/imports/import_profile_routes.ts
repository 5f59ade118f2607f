/** How foreign files are read, as data of the workspace, on both interfaces (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
import { keyWith, manager, viewer } from "../accounts/route_access.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { bothFaces, type Face, told, toldPage } from "../platform/http/face.ts";
import {
  answerVersioned,
  dataPageOf,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  RemovedData,
  room,
  route,
} from "../platform/http/http.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import type { Context } from "../platform/store/context.ts";
import { discardBlob } from "../platform/store/spool.ts";
import type { ImportDeps } from "./apply/import_deps.ts";
import { ListQuery, UPLOAD_BODY } from "./import_query.ts";
import { requireKnownProfile } from "./jobs/start_import.ts";
import { Preview, previewUpload } from "./preview_upload.ts";
import { changeProfile, createProfile, deleteProfile } from "./profiles/change_import_profiles.ts";
import {
  documentOfProfile,
  PROFILE_READ_ONLY,
  ProfileDocument,
  profileSchema,
} from "./profiles/import_profile_document.ts";
import { findProfile, listProfiles, noSuchProfile } from "./profiles/import_profile_store.ts";
import { AnyProfile, NewProfile } from "./profiles/profile.ts";
import { receiveUpload } from "./upload/receive_upload.ts";

const tags = ["Imports"];
const params = z.object({ id: z.string() });
const key = keyWith("products:write");
const ProfileData = z.object({ data: ProfileDocument }).meta({ id: "ImportProfileData" });

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

const read = route({
  method: "get",
  path: "/api/import-profiles/{id}",
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

const publicRead = route({
  method: "get",
  path: "/api/public/v1/import-profiles/{id}",
  access: key,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(ProfileData, "The profile") },
});

const FACES = bothFaces({
  look: viewer,
  change: manager,
  made: NewProfile,
  list: pageOf(ProfileDocument).meta({ id: "ImportProfilePage" }),
  profile: ProfileDocument,
  preview: Preview,
  removed: Ok,
}, {
  look: key,
  change: key,
  made: AnyProfile,
  list: dataPageOf(ProfileDocument),
  profile: ProfileData,
  preview: z.object({ data: Preview }),
  removed: RemovedData,
});

type ProfileFace = (typeof FACES)[number];

function declared({ base, look, change, ...schemas }: ProfileFace) {
  const path = `${base}/import-profiles` as const;
  return {
    list: route({
      method: "get",
      path,
      access: look,
      tags,
      request: { query: ListQuery },
      responses: {
        200: jsonAnswer(schemas.list, "The built-in ones and those of the workspace"),
      },
    }),
    create: route({
      method: "post",
      path,
      access: change,
      tags,
      request: { body: jsonBody(ignoring(PROFILE_READ_ONLY, schemas.made)) },
      responses: { 201: jsonAnswer(schemas.profile, "The new profile") },
    }),
    preview: route({
      method: "post",
      path: `${path}/preview`,
      access: look,
      readsJson: false,
      tags,
      request: {
        query: z.strictObject({
          profile: z.string().optional().meta({ description: "A profile that is stored" }),
        }),
        body: UPLOAD_BODY,
      },
      responses: {
        200: jsonAnswer(schemas.preview, "What the profile makes of the file; nothing is stored"),
      },
    }),
    change: route({
      method: "patch",
      path: `${path}/{id}`,
      access: change,
      versioned: true,
      tags,
      request: {
        params,
        body: jsonBody(ignoring(PROFILE_READ_ONLY, z.record(z.string(), z.unknown()))),
      },
      responses: {
        200: jsonAnswer(schemas.profile, "The profile with the fields that were given"),
      },
    }),
    remove: route({
      method: "delete",
      path: `${path}/{id}`,
      access: change,
      versioned: true,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(schemas.removed, "The profile is gone") },
    }),
  };
}

export function importProfileRoutes(deps: ImportDeps) {
  const language = room().openapi(schema, (c) => c.json(profileSchema(), 200));
  return [language, ...FACES.map((face) => routesOf(face, deps))];
}

function routesOf(face: ProfileFace, deps: ImportDeps) {
  const { list, create, preview, change, remove } = declared(face);
  return room()
    .openapi(list, async (c) => {
      return c.json(toldPage(face, await pageOfProfiles(c.var.ctx, c.req.valid("query"))), 200);
    })
    .openapi(create, async (c) => {
      const profile = await createProfile(c.var.ctx, c.req.valid("json"));
      const headers = { Location: `${face.base}/import-profiles/${profile.id}` };
      return answer(c, face, profile, 201, headers);
    })
    .openapi(preview, async (c) => {
      const named = c.req.valid("query").profile || null;
      return c.json(told(face, await previewOf(c, deps, named)), 200);
    })
    .route("/", reading(face))
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const expected = expectedVersions(c);
      return answer(c, face, await changeProfile(c.var.ctx, id, c.req.valid("json"), expected));
    })
    .openapi(remove, async (c) => {
      const { id } = c.req.valid("param");
      await deleteProfile(c.var.ctx, id, expectedVersions(c));
      return c.json(face.isEnveloped ? { data: { id } } : { ok: true as const }, 200);
    });
}

/** By key there is no question of which one. */
function reading(face: ProfileFace) {
  const found = async (c: AppContext, id: string, format?: "xml" | "table") => {
    const profile = await findProfile(c.var.ctx, id, format);
    if (!profile) throw noSuchProfile(id);
    return answer(c, face, profile);
  };
  if (face.isEnveloped) {
    return room().openapi(publicRead, (c) => found(c, c.req.valid("param").id));
  }
  return room().openapi(
    read,
    (c) => found(c, c.req.valid("param").id, c.req.valid("query").format),
  );
}

function answer(
  c: AppContext,
  { isEnveloped }: Face,
  profile: AnyProfile,
  status: 200 | 201 = 200,
  headers: Record<string, string> = {},
): Response {
  const document = documentOfProfile(profile);
  return answerVersioned(c, document, PROFILE_READ_ONLY, status, headers, isEnveloped);
}

/** Reads the file that is sent by a profile, or (null) by the one that fits; keeps nothing of it. */
async function previewOf(c: AppContext, deps: ImportDeps, named: string | null) {
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
async function pageOfProfiles(
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
