/** Errors as problem documents (RFC 9457) for callers that accept them, and hints for misspelled names. */
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { withApp } from "../harness.ts";
import { bodyOf, refusalOf } from "./answers.ts";

const ACCEPT = { Accept: "application/problem+json, application/json" };

withApp.test("an error is a problem document if the caller accepts it, with the same code and status", async (app) => {
  const key = await app.key(["products:write"]);
  for (
    const [path, status, code] of [
      ["/api/public/v1/products/none", 404, "not_found"],
      ["/api/public/v1/products?limit=x", 400, "validation_failed"],
      ["/api/public/v1/nothing", 404, "not_found"],
      ["/api/public/v1/audit-logs", 403, "insufficient_scope"],
    ] as const
  ) {
    const [plain, problem] = [await key.get(path), await key.get(path, ACCEPT)];
    const error = await refusalOf(plain);
    assertEquals([plain.status, error.code], [status, code]);
    assertEquals(plain.headers.get("Content-Type"), "application/json");
    assertEquals(problem.headers.get("Content-Type"), "application/problem+json");
    const { requestId, ...told } = await bodyOf(problem, status);
    match(requestId, /^req_/);
    assertEquals(told, {
      type: `urn:kurant:error:${code}`,
      title: told.title,
      status,
      detail: error.message,
      code,
      ...(error.details && { details: error.details }),
    });
  }
  const strange = await bodyOf(app.anyone.get("/api/public/v1/products", ACCEPT), 401);
  assertEquals(strange.title, "Missing credentials");
});

withApp.test("the refusal of an unknown query parameter names the likely one", async (app) => {
  const key = await app.key(["products:write"]);
  const likely = { limt: "limit", Brand: "brand", cusror: "cursor", cursors: "cursor" };
  const unlike = ["nonsense", "curxyz", "x", "l".repeat(1_000)].map((name) => [name, ""] as const);
  for (const [name, meant] of [...Object.entries(likely), ...unlike]) {
    const { details } = await refusalOf(key.get(`/api/public/v1/products?${name}=5`));
    const hint = meant === "" ? "" : `: did you mean "${meant}"?`;
    assertEquals(details.fields[0].message, `Unknown field${hint}`, name);
  }
});
