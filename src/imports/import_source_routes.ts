/** Routes of import sources, the same on both interfaces (docs/decisions/imports.md, "Sources"). */

import { keyWith, manager, viewer } from "../accounts/route_access.ts";
import { custom, done, page, versioned } from "../platform/http/answer.ts";
import { answerVersioned, ignoring, jsonAnswer } from "../platform/http/http.ts";
import { resource } from "../platform/http/resource.ts";
import { ListQuery } from "./import_answer.ts";
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
} from "./state/import_source.ts";
import { z } from "@hono/zod-openapi";

const SourceData = z.object({ data: ImportSource }).meta({ id: "ImportSourceData" });

interface SourceRouteDeps extends SourceDeps {
  /** A fetch that ends within this time is answered with its result. */
  readonly answerMs: number;
  wake(kind: string): void;
}

export function importSourceRoutes(deps: SourceRouteDeps) {
  const keys = keyWith("products:write");
  const answer = (words: string) =>
    versioned(ImportSource, words, { external: "ImportSourceData" });
  return resource("/import-sources", {
    look: { people: viewer, keys },
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
      return await documentOfSource(ctx, await createSource(ctx, deps, body, pathOf));
    })
    .read({
      answer: answer("The source, with its last import and pull"),
    }, async ({ ctx, id }) => await documentOfSource(ctx, (await requireSource(ctx, id)).source))
    .patch("/{id}", {
      body: ignoring([...SOURCE_READ_ONLY, "id"], ImportSourcePatch),
      answer: answer("The source as it is now"),
    }, async ({ ctx, id, body, expected }) => {
      return await documentOfSource(ctx, await changeSource(ctx, deps, id, body, expected));
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
    }, async ({ c, ctx, surface: { base, isEnveloped }, id }) => {
      await beginPull(ctx, id);
      deps.wake(PULL_KIND);
      const isOver = await waitForPull(ctx, id, deps.answerMs);
      const document = await documentOfSource(ctx, (await requireSource(ctx, id)).source);
      const headers: Record<string, string> = isOver
        ? {}
        : { Location: `${base}/import-sources/${id}` };
      const status = isOver ? 200 : 202;
      return answerVersioned(c, document, SOURCE_READ_ONLY, status, headers, isEnveloped);
    })
    .remove({
      answer: done("The source is deleted; its products stay"),
    }, async ({ ctx, id, expected }) => {
      await deleteSource(ctx, id, expected);
    }).routes;
}
