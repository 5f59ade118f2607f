/** Named sources of imports, the same on both interfaces (docs/decisions/imports.md, "Sources"). */
import { z } from "@hono/zod-openapi";
import { keyWith, manager, viewer } from "../accounts/route_access.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { bothFaces, toldPage } from "../platform/http/face.ts";
import {
  answerVersioned,
  dataPageOf,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  room,
  route,
} from "../platform/http/http.ts";
import { ListQuery } from "./import_query.ts";
import { beginPull, PULL_KIND, waitForPull } from "./jobs/pull_kind.ts";
import {
  changeSource,
  createSource,
  deleteSource,
  documentOfSource,
  pageOfSources,
  requireSource,
  type SourceDeps,
} from "./state/change_sources.ts";
import {
  ImportSource,
  ImportSourcePatch,
  NewImportSource,
  SOURCE_READ_ONLY,
  type StoredSource,
} from "./state/import_source.ts";

const key = keyWith("products:write");

const FACES = bothFaces({
  look: viewer,
  change: manager,
  document: ImportSource,
  list: pageOf(ImportSource).meta({ id: "ImportSourcePage" }),
}, {
  look: key,
  change: key,
  document: z.object({ data: ImportSource }).meta({ id: "ImportSourceData" }),
  list: dataPageOf(ImportSource).meta({ id: "ImportSourcePageData" }),
});

type SourceFace = (typeof FACES)[number];

interface SourceRouteDeps extends SourceDeps {
  /** A fetch that ends within this time is answered with what came of it. */
  readonly answerMs: number;
  /** Looks for ready jobs of a kind at once. */
  wake(kind: string): void;
}

const tags = ["Imports"];
const params = z.object({ id: z.string() });

function declared({ base, change, look, document, list }: SourceFace) {
  const path = `${base}/import-sources` as const;
  return {
    list: route({
      method: "get",
      path,
      access: look,
      tags,
      request: { query: ListQuery },
      responses: { 200: jsonAnswer(list, "By id; `default` is always there") },
    }),
    create: route({
      method: "post",
      path,
      access: change,
      tags,
      request: { body: jsonBody(ignoring(SOURCE_READ_ONLY, NewImportSource)) },
      responses: { 201: jsonAnswer(document, "The new source") },
    }),
    read: route({
      method: "get",
      path: `${path}/{id}`,
      access: look,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(document, "The source, with its last import and pull") },
    }),
    change: route({
      method: "patch",
      path: `${path}/{id}`,
      access: change,
      tags,
      request: {
        params,
        body: jsonBody(ignoring([...SOURCE_READ_ONLY, "id"], ImportSourcePatch)),
      },
      responses: { 200: jsonAnswer(document, "The source as it is now") },
    }),
    pull: route({
      method: "post",
      path: `${path}/{id}/pull`,
      access: change,
      waitsForOthers: true,
      tags,
      request: { params },
      responses: {
        200: jsonAnswer(document, "The file was fetched; `lastPull` says what came of it"),
        202: jsonAnswer(document, "The fetch goes on; see `lastPull` of the source"),
      },
    }),
    remove: route({
      method: "delete",
      path: `${path}/{id}`,
      access: change,
      versioned: true,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(Ok, "The source is gone; its products stay") },
    }),
  };
}

function routesOf(face: SourceFace, deps: SourceRouteDeps) {
  const { list, create, read, change, pull, remove } = declared(face);
  const pathOf = (id: string) => `${face.base}/import-sources/${id}`;
  const answer = async (
    c: AppContext,
    source: StoredSource,
    status: 200 | 201 | 202 = 200,
    headers: Record<string, string> = {},
  ) => {
    const document = await documentOfSource(c.var.ctx, source);
    return answerVersioned(c, document, SOURCE_READ_ONLY, status, headers, face.isEnveloped);
  };
  return room()
    .openapi(list, async (c) => {
      return c.json(toldPage(face, await pageOfSources(c.var.ctx, c.req.valid("query"))), 200);
    })
    .openapi(create, async (c) => {
      const source = await createSource(c.var.ctx, deps, c.req.valid("json"), pathOf);
      return await answer(c, source, 201, { Location: pathOf(source.id) });
    })
    .openapi(read, async (c) => {
      const { source } = await requireSource(c.var.ctx, c.req.valid("param").id);
      return await answer(c, source);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const patch = c.req.valid("json");
      return await answer(c, await changeSource(c.var.ctx, deps, id, patch, expectedVersions(c)));
    })
    .openapi(pull, async (c) => {
      const { id } = c.req.valid("param");
      await beginPull(c.var.ctx, id);
      deps.wake(PULL_KIND);
      const isOver = await waitForPull(c.var.ctx, id, deps.answerMs);
      const { source } = await requireSource(c.var.ctx, id);
      return await (isOver ? answer(c, source) : answer(c, source, 202, { Location: pathOf(id) }));
    })
    .openapi(remove, async (c) => {
      await deleteSource(c.var.ctx, c.req.valid("param").id, expectedVersions(c));
      return c.json({ ok: true as const }, 200);
    });
}

/** The routes of both interfaces. */
export function importSourceRoutes(deps: SourceRouteDeps) {
  return FACES.map((face) => routesOf(face, deps));
}
