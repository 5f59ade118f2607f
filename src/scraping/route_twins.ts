/** Routes about links to shops that are alike in the app and by key. */
import { z } from "@hono/zod-openapi";
import { manager, viewer } from "../identity/route_access.ts";
import type { Access, AppContext } from "../platform/http/app_context.ts";
import {
  dataPageOf,
  jsonAnswer,
  pageOf,
  route,
  type RouteDefinition,
} from "../platform/http/http.ts";
import type { Page } from "../platform/http/page.ts";

/** In the app, and by key. */
export const FACES = ["inApp", "byKey"] as const;

export type Face = (typeof FACES)[number];

type Callers = Readonly<Record<Face, Access>>;

/** Whoever reads links. */
export const READERS: Callers = { inApp: viewer, byKey: { by: "key", scopes: [] } };
/** Whoever changes them. */
export const WRITERS: Callers = { inApp: manager, byKey: { by: "key", scopes: ["matches:write"] } };

/** What a route answers in the app, and by key. */
interface Answers extends Readonly<Record<Face, z.ZodType>> {
  readonly words: string;
}

/** Declares a route and its twin; `path` is what both paths end in. */
export function twinRoutes<
  Path extends string,
  Shared extends Omit<RouteDefinition, "path" | "access" | "responses">,
>(callers: Callers, path: Path, shared: Shared, answers: Answers) {
  return {
    inApp: route({
      ...shared,
      path: `/api${path}`,
      access: callers.inApp,
      responses: { 200: jsonAnswer(answers.inApp, answers.words) },
    }),
    byKey: route({
      ...shared,
      path: `/api/public/v1${path}`,
      access: callers.byKey,
      responses: { 200: jsonAnswer(answers.byKey, answers.words) },
    }),
  };
}

/** One thing, which is the `data` of the answer by key. */
export function oneAnswer<T extends z.ZodType>(schema: T, words: string) {
  return { inApp: schema, byKey: z.object({ data: schema }), words };
}

/** One page of a list. */
export function pageAnswer<T extends z.ZodType>(item: T, words: string) {
  return { inApp: pageOf(item), byKey: dataPageOf(item), words };
}

/** How a handler answers what `oneAnswer` and `pageAnswer` declare. */
export function tellingOn(face: Face) {
  return {
    tellOne: (c: AppContext, one: object): Response =>
      c.json(face === "inApp" ? one : { data: one }, 200),
    tellPage: (c: AppContext, page: Page<object>): Response => {
      const { items, ...rest } = page;
      return c.json(face === "inApp" ? page : { data: items, ...rest }, 200);
    },
  };
}
