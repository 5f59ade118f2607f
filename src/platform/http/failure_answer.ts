import type { Failure } from "../../base/failure.ts";
import type { AppContext } from "./app_context.ts";

export const EXTERNAL = "/api/public/v1/";

/** Unlike a `Failure`, a refusal has no stack trace. */
export type Refusal = Pick<Failure, "code" | "message" | "details" | "status">;

export function answerFailure(c: AppContext, failure: Refusal): Response {
  const { details, status } = failure;
  const answer = wantsProblem(c) ? problemOf(c, failure) : plainError(c, failure);
  const { headers } = answer;
  const retryAfter = details?.retryAfterSeconds;
  if (typeof retryAfter === "number") headers.set("Retry-After", String(retryAfter));
  else if (status === 503) headers.set("Retry-After", "5");
  if (status === 401 && c.req.path.startsWith(EXTERNAL)) {
    headers.set("WWW-Authenticate", 'Bearer realm="Kurant"');
  }
  if (status === 405 && Array.isArray(details?.allow)) {
    headers.set("Allow", details.allow.join(", "));
  }
  // Close the connection, because the client may still be sending the rest of the refused body.
  if (status === 408 || status === 413) headers.set("Connection", "close");
  return answer;
}

function plainError(c: AppContext, { code, message, details, status }: Refusal): Response {
  const error = { code, message, requestId: c.get("requestId"), ...(details && { details }) };
  return new Response(JSON.stringify({ error }), {
    status,
    headers: { "Content-Type": "application/json" },
  });
}

const PROBLEM_TYPE = "application/problem+json";

function wantsProblem(c: AppContext): boolean {
  return c.req.header("Accept")?.toLowerCase().includes(PROBLEM_TYPE) ?? false;
}

/** The error as a problem document (RFC 9457), with `code`, `requestId` and `details`. */
function problemOf(c: AppContext, { code, message, details, status }: Refusal): Response {
  const problem = {
    type: `urn:kurant:error:${code}`,
    title: code.charAt(0).toUpperCase() + code.slice(1).replaceAll("_", " "),
    status,
    detail: message,
    code,
    requestId: c.get("requestId"),
    ...(details && { details }),
  };
  return new Response(JSON.stringify(problem), {
    status,
    headers: { "Content-Type": PROBLEM_TYPE, "Vary": "Accept" },
  });
}
