/** How foreign files are read, as data of the workspace, on both interfaces (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
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
import { AnyProfile, NewProfile } from "./profiles/any_profile.ts";
import { discardBlob } from "../platform/spool/spool.ts";
import { receiveUpload } from "./receive/receive_upload.ts";
import { requireKnownProfile } from "./jobs/start_import.ts";
import { UPLOAD_BODY } from "./receive/upload_body.ts";
import { viewer } from "../identity/route_access.ts";
import { answerPage, EXTERNAL, type Face, IN_APP } from "./import_face.ts";

const FormatQuery = z.strictObject({
  format: z.enum(["xml", "table"]).optional().meta({
    description: "Which one, where two built-in profiles share an id; else the one of XML",
  }),
});

/** What the declarations of an interface differ in. */
interface ProfileInterface extends Face {
  readonly base: string;
  /** What a new profile is made of: on the external interface it has its id. */
  readonly made: z.ZodType<NewProfile>;
  /** Takes a format, or nothing. */
  readonly query: z.ZodObject;
  readonly document: z.ZodType;
  readonly list: z.ZodType;
  readonly preview: z.ZodType;
  readonly removed: z.ZodType;
}

const IN_APP_PROFILES: ProfileInterface = {
  ...IN_APP,
  base: "/api/import-profiles",
  made: NewProfile,
  query: FormatQuery,
  document: ProfileDocument,
  list: pageOf(ProfileDocument).meta({ id: "ImportProfilePage" }),
  preview: Preview,
  removed: Ok,
};

const EXTERNAL_PROFILES: ProfileInterface = {
  ...EXTERNAL,
  base: "/api/public/v1/import-profiles",
  made: AnyProfile,
  query: z.strictObject({}),
  document: z.object({ data: ProfileDocument }).meta({ id: "ImportProfileData" }),
  list: dataPageOf(ProfileDocument),
  preview: z.object({ data: Preview }),
  removed: RemovedData,
};

const tags = ["Imports"];
const params = z.object({ id: z.string() });

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

function declared({ base, change, look, ...face }: ProfileInterface) {
  return {
    list: route({
      method: "get",
      path: base,
      access: look,
      tags,
      request: { query: ListQuery },
      responses: { 200: jsonAnswer(face.list, "The built-in ones and those of the workspace") },
    }),
    create: route({
      method: "post",
      path: base,
      access: change,
      tags,
      request: { body: jsonBody(ignoring(PROFILE_READ_ONLY, face.made)) },
      responses: { 201: jsonAnswer(face.document, "The new profile") },
    }),
    preview: route({
      method: "post",
      path: `${base}/preview`,
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
        200: jsonAnswer(face.preview, "What the profile makes of the file; nothing is stored"),
      },
    }),
    read: route({
      method: "get",
      path: `${base}/{id}`,
      access: look,
      tags,
      request: { params, query: face.query },
      responses: { 200: jsonAnswer(face.document, "The profile") },
    }),
    change: route({
      method: "patch",
      path: `${base}/{id}`,
      access: change,
      versioned: true,
      tags,
      request: {
        params,
        body: jsonBody(ignoring(PROFILE_READ_ONLY, z.record(z.string(), z.unknown()))),
      },
      responses: {
        200: jsonAnswer(face.document, "The profile with the fields that were given"),
      },
    }),
    remove: route({
      method: "delete",
      path: `${base}/{id}`,
      access: change,
      versioned: true,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(face.removed, "The profile is gone") },
    }),
  };
}

function routesOf(face: ProfileInterface, deps: ImportDeps) {
  const { list, create, preview, read, change, remove } = declared(face);
  const answer = (
    c: AppContext,
    profile: AnyProfile,
    status: 200 | 201 = 200,
    headers: Record<string, string> = {},
  ) => {
    const document = documentOfProfile(profile);
    return answerVersioned(c, document, PROFILE_READ_ONLY, status, headers, face.isEnveloped);
  };
  return room()
    .openapi(list, async (c) => {
      return answerPage(c, face, await pageOfProfiles(c.var.ctx, c.req.valid("query")));
    })
    .openapi(create, async (c) => {
      const profile = await createProfile(c.var.ctx, c.req.valid("json"));
      return answer(c, profile, 201, { Location: `${face.base}/${profile.id}` });
    })
    .openapi(preview, async (c) => {
      const data = await previewOf(c, deps, c.req.valid("query").profile || null);
      return c.json(face.isEnveloped ? { data } : data, 200);
    })
    .openapi(read, async (c) => {
      const { id } = c.req.valid("param");
      const { format } = FormatQuery.parse(c.req.valid("query"));
      const profile = await findProfile(c.var.ctx, id, format);
      if (!profile) throw noSuchProfile(id);
      return answer(c, profile);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const patch = c.req.valid("json");
      return answer(c, await changeProfile(c.var.ctx, id, patch, expectedVersions(c)));
    })
    .openapi(remove, async (c) => {
      const { id } = c.req.valid("param");
      await deleteProfile(c.var.ctx, id, expectedVersions(c));
      return c.json(face.isEnveloped ? { data: { id } } : { ok: true }, 200);
    });
}

/** The language of profiles in the app, and the routes of both interfaces. */
export function importProfileRoutes(deps: ImportDeps) {
  return [
    room().openapi(schema, (c) => c.json(profileSchema(), 200)),
    ...[IN_APP_PROFILES, EXTERNAL_PROFILES].map((face) => routesOf(face, deps)),
  ];
}

/** What a profile, null for the one that fits, makes of the file that is sent; keeps nothing of it. */
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
