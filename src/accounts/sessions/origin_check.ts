/** Refuses requests that another site makes a browser send (docs/decisions/identity.md, CSRF). */
import { Failure } from "../../base/failure.ts";
import type { AppContext } from "../../platform/http/app_context.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses with `csrf_refused` an unsafe request that a browser sent for another origin: judged
 * against `publicUrl`, else against `Host`. A request with neither `Origin` nor `Sec-Fetch-Site`
 * does not come from a browser. The caller decides that a cookie is in play.
 */
export function refuseForeignOrigin(c: AppContext, publicUrl: string | null): void {
  if (SAFE_METHODS.has(c.req.method)) return;
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  const isForeign = (site !== undefined && site !== "same-origin") ||
    (origin !== undefined && !isOwnOrigin(c, origin, publicUrl));
  if (!isForeign) return;
  throw new Failure(
    "csrf_refused",
    "The request comes from another site: only pages of this service may change something here",
  );
}

/** Without `PUBLIC_URL` the scheme is unknown behind a proxy, so only the host is compared. */
function isOwnOrigin(c: AppContext, origin: string, publicUrl: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, origin: normalised } = new URL(origin);
  if (publicUrl !== null) return normalised === new URL(publicUrl).origin;
  return host === (c.req.header("Host") ?? new URL(c.req.url).host).toLowerCase();
}
