/**
 * An endpoint that both interfaces have is declared and answered once, for a face: by what the two
 * differ in (docs/decisions/http.md).
 */
import { z } from "@hono/zod-openapi";
import { dataPageOf, pageOf } from "./http.ts";
import type { Page } from "./page.ts";

/** The in-app interface, or the external one for keys. */
export interface Face {
  /** What its addresses begin with. */
  readonly base: "/api" | "/api/public/v1";
  /** The external one has what it answers under `data`. */
  readonly isEnveloped: boolean;
}

const IN_APP: Face = { base: "/api", isEnveloped: false };
const EXTERNAL: Face = { base: "/api/public/v1", isEnveloped: true };

/** Both, with what else differs between them in a room: who may call, schemas with names. */
export function bothFaces<A, B>(inApp: A, external: B) {
  return [{ ...IN_APP, ...inApp }, { ...EXTERNAL, ...external }] as const;
}

/** What a route declares that answers one document; `words` describe it within the envelope. */
export function documentIn<T extends z.ZodType>({ isEnveloped }: Face, schema: T, words?: string) {
  if (!isEnveloped) return schema;
  return z.object({ data: words === undefined ? schema : schema.meta({ description: words }) });
}

/** What a route declares that answers a page of a list. */
export function pageIn<T extends z.ZodType>({ isEnveloped }: Face, item: T) {
  return isEnveloped ? dataPageOf(item) : pageOf(item);
}

/** One document as the interface answers it. */
export function told<T>({ isEnveloped }: Face, document: T) {
  return isEnveloped ? { data: document } : document;
}

/** A page of a list as the interface answers it. */
export function toldPage<T>({ isEnveloped }: Face, { items, ...page }: Page<T>) {
  return isEnveloped ? { data: items, ...page } : { items, ...page };
}
