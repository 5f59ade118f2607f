/** Routes of import profiles and of the preview, on both interfaces (docs/decisions/imports.md). */

import { keyWith, manager, viewer } from "../accounts/route_access.ts";
import { one, page, removed, versioned } from "../platform/http/answer.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import { resource } from "../platform/http/resource.ts";
import type { Context } from "../platform/store/context.ts";
import { discardBlob } from "../platform/store/spool.ts";
import type { ImportDeps } from "./apply/batch.ts";
import { ListQuery, UPLOAD_BODY } from "./import_answer.ts";
import { requireKnownProfile } from "./jobs/start_import.ts";
import { Preview, previewUpload } from "./preview_upload.ts";
import {
  changeProfile,
  createProfile,
  deleteProfile,
  documentOfProfile,
  findProfile,
  listProfiles,
  noSuchProfile,
  PROFILE_READ_ONLY,
  ProfileDocument,
  profileSchema,
} from "./profiles/import_profiles.ts";
import { AnyProfile, NewProfile } from "./profiles/profile.ts";
import { receiveUpload } from "./upload/receive_upload.ts";
import { z } from "@hono/zod-openapi";

const keys = keyWith("products:write");
const profile = (words: string) =>
  versioned(ProfileDocument, words, { external: "ImportProfileData" });

const ReadQuery = z.strictObject({
  format: z.enum(["xml", "table"]).optional().meta({
    description: "Which of two built-in profiles with the same id; default: `xml`",
  }),
});

const PreviewQuery = z.strictObject({
  profile: z.string().optional().meta({ description: "Id of a stored profile" }),
});

export function importProfileRoutes(deps: ImportDeps) {
  const shared = { tags: ["Imports"], readOnly: PROFILE_READ_ONLY };
  const schema = resource("/import-profile-schema", { look: { people: viewer }, ...shared })
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
  const look = { people: viewer, keys };
  const profiles = resource("/import-profiles", {
    look,
    change: { people: manager, keys },
    ...shared,
  })
    .list({
      query: ListQuery,
      answer: page(ProfileDocument, "The built-in profiles and those of the workspace", {
        inApp: "ImportProfilePage",
      }),
    }, ({ ctx, query }) => pageOfProfiles(ctx, query))
    .create({
      callers: { people: manager },
      body: NewProfile,
      answer: made,
    }, ({ ctx, body }) => create(ctx, body))
    .create({
      callers: { keys },
      body: AnyProfile,
      answer: made,
    }, ({ ctx, body }) => create(ctx, body))
    .post("/preview", {
      callers: look,
      upload: UPLOAD_BODY,
      query: PreviewQuery,
      answer: one(Preview, "How the profile reads the file; nothing is stored"),
    }, ({ c, query }) => previewOf(c, deps, query.profile || null))
    .read({
      callers: { people: viewer },
      query: ReadQuery,
      answer: found,
    }, ({ ctx, id, query }) => readProfile(ctx, id, query.format))
    .read({ callers: { keys }, answer: found }, ({ ctx, id }) => readProfile(ctx, id))
    .change({
      body: z.record(z.string(), z.unknown()),
      answer: profile("The profile with the fields that were given"),
    }, async ({ ctx, id, body, expected }) => {
      return documentOfProfile(await changeProfile(ctx, id, body, expected));
    })
    .remove({
      answer: removed("The profile is gone"),
    }, async ({ ctx, id, expected }) => {
      await deleteProfile(ctx, id, expected);
    });
  return [...schema.routes, ...profiles.routes];
}

async function readProfile(ctx: Context, id: string, format?: "xml" | "table") {
  const found = await findProfile(ctx, id, format);
  if (!found) throw noSuchProfile(id);
  return documentOfProfile(found);
}

/** Reads the uploaded file with a profile, or (null) with a matching one; stores nothing. */
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

/** Pages are cut from a list of all profiles by id and format, because there are few. */
async function pageOfProfiles(
  ctx: Context,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const list = "import profiles";
  const after = openCursor(ctx, list, cursor);
  // Two profiles with the same id have different formats. A space sorts before all characters of
  // ids.
  const positionOf = ({ id, format = "xml" }: ProfileDocument) => `${id} ${format}`;
  const all = (await listProfiles(ctx)).map(documentOfProfile)
    .sort((one, other) => positionOf(one) < positionOf(other) ? -1 : 1);
  const rows = all.filter((one) => typeof after !== "string" || positionOf(one) > after);
  return toPage(ctx, { list, rows, limit, positionOf });
}
