/** Errors as problem documents (RFC 9457) for callers that accept them, and hints for misspelled names. */
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { withApp } from "../harness.ts";

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
    const { error } = await plain.json();
    assertEquals(
      [plain.status, plain.headers.get("Content-Type"), error.code],
      [status, "application/json", code],
    );
    const { requestId, ...told } = await problem.json();
    match(requestId, /^req_/);
    assertEquals([problem.status, problem.headers.get("Content-Type")], [
      status,
      "application/problem+json",
    ]);
    assertEquals(told, {
      type: `urn:kurant:error:${code}`,
      title: told.title,
      status,
      detail: error.message,
      code,
      ...(error.details && { details: error.details }),
    });
  }
  const strange = await app.anyone.get("/api/public/v1/products", ACCEPT);
  assertEquals([strange.status, (await strange.json()).title], [401, "Missing credentials"]);
});

withApp.test("the refusal of an unknown query parameter names the likely one", async (app) => {
  const key = await app.key(["products:write"]);
  const messageOf = async (query: string) => {
    const { error } = await (await key.get(`/api/public/v1/products?${query}`)).json();
    return error.details.fields[0].message;
  };
  assertEquals(await messageOf("limt=5"), 'Unknown field: did you mean "limit"?');
  assertEquals(await messageOf("Brand=Sony"), 'Unknown field: did you mean "brand"?');
  assertEquals(await messageOf("cusror=5"), 'Unknown field: did you mean "cursor"?');
  assertEquals(await messageOf("cursors=5"), 'Unknown field: did you mean "cursor"?');
  for (const name of ["nonsense", "curxyz", "x", "l".repeat(1_000)]) {
    assertEquals(await messageOf(`${name}=1`), "Unknown field", name);
  }
});
