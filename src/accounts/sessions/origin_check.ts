/** Refuses requests that another site causes in a browser (docs/decisions/identity.md, CSRF). */
import { Failure } from "../../base/failure.ts";
import type { AppContext } from "../../platform/http/app_context.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Throws `csrf_refused` for an unsafe request that a browser sent from another origin. The origin
 * is compared with `publicUrl`, else with `Host`. A request with neither `Origin` nor
 * `Sec-Fetch-Site` does not come from a browser. Only called for requests with a cookie.
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

/** Without `PUBLIC_URL`, the scheme behind a proxy is unknown, so only the host is compared. */
function isOwnOrigin(c: AppContext, origin: string, publicUrl: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, origin: normalised } = new URL(origin);
  if (publicUrl !== null) return normalised === new URL(publicUrl).origin;
  return host === (c.req.header("Host") ?? new URL(c.req.url).host).toLowerCase();
}
