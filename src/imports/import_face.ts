/** The two interfaces on which imports, their profiles and their sources stand alike. */
import { manager, viewer } from "../identity/route_access.ts";
import type { Access, AppContext } from "../platform/http/app_context.ts";
import type { Page } from "../platform/http/page.ts";

/** How an interface answers, and who may do what there. */
export interface Face {
  /** Whether documents stand in an envelope. */
  readonly isEnveloped: boolean;
  /** Who may change things, and who may see them. */
  readonly change: Access;
  readonly look: Access;
}

export const IN_APP: Face = { isEnveloped: false, change: manager, look: viewer };

const key = { by: "key", scopes: ["products:write"] } as const;

export const EXTERNAL: Face = { isEnveloped: true, change: key, look: key };

/** A page of a list. */
export function answerPage(
  c: AppContext,
  { isEnveloped }: Pick<Face, "isEnveloped">,
  { items, ...page }: Page<unknown>,
): Response {
  return c.json(isEnveloped ? { data: items, ...page } : { items, ...page }, 200);
}
