import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { OPERATION_WORDS } from "../../../src/app/reference/operation_words.ts";
import { errorsOf } from "../../api/contract/errors.ts";
import { withApp } from "../../harness.ts";

const MEDIA = "application/json";
const PACKED_BYTES_MAX = 90_000;

withApp.test("the most used operations have summaries and examples that fit their schemas", async (app) => {
  const { paths, components } = await (await app.anyone.get("/api/public/v1/openapi.json")).json();
  const operations = Object.values(paths).flatMap((item) => Object.values(Object(item)));
  const byId = new Map(operations.map((one) => [Object(one).operationId, Object(one)]));
  const errors: string[] = [];
  let examples = 0;
  for (const [id, { summary, ask, answer }] of Object.entries(OPERATION_WORDS)) {
    const operation = byId.get(id);
    assertEquals(operation?.summary, summary, id);
    const success = Object.entries(operation.responses).find(([status]) => status < "300")?.[1];
    for (const [body, example] of [[operation.requestBody, ask], [success, answer]] as const) {
      if (example === undefined) continue;
      const { schema, example: shown } = Object(body).content[MEDIA];
      assertEquals(within(shown, example), example, id);
      errors.push(
        ...errorsOf(schema, components.schemas, shown).map((error) => `${id} ${error}`),
      );
      examples++;
    }
  }
  assertEquals(errors, []);
  const count = Object.keys(OPERATION_WORDS).length;
  ok(count >= 40 && examples >= count, `${examples} examples of ${count} operations`);
});

/** Returns the fields of `shown` that are in `example`. The document has added the other fields. */
function within(shown: unknown, example: unknown): unknown {
  if (typeof example !== "object" || example === null) return shown;
  if (Array.isArray(example)) return example.map((one, at) => within(Object(shown)[at], one));
  return Object.fromEntries(
    Object.entries(example).map(([name, of]) => [name, within(Object(shown)[name], of)]),
  );
}

withApp.test("the document for programs has at most 90 KB, compressed", async (app) => {
  const { length } = gzipSync(await (await app.anyone.get("/api/public/v1/openapi.json")).bytes());
  ok(length <= PACKED_BYTES_MAX, `${length} bytes`);
});
