import { jsonAnswer, jsonBody, Ok, pageOf, pageQuery, room, route } from "../platform/http/http.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import type { Context } from "../platform/store/context.ts";
import { ApiKey, NewApiKey } from "./keys/api_key.ts";
import { listKeys, shownKey } from "./keys/api_key_store.ts";
import { createKey, type KeyRing, revokeKey } from "./keys/key_ring.ts";
import { owner } from "./route_access.ts";
import { z } from "@hono/zod-openapi";

const access = owner;
const LIST = "keys";

const list = route({
  method: "get",
  path: "/api/keys",
  access,
  request: { query: z.strictObject(pageQuery(50, 200)) },
  responses: {
    200: jsonAnswer(pageOf(ApiKey).meta({ id: "ApiKeyPage" }), "The keys that are not revoked"),
  },
});

const create = route({
  method: "post",
  path: "/api/keys",
  access,
  keepsAnswers: false,
  request: { body: jsonBody(NewApiKey) },
  responses: {
    201: jsonAnswer(
      ApiKey.extend({
        key: z.string().meta({ description: "The key itself, shown this once" }),
      }).meta({ id: "CreatedApiKey" }),
      "The new key",
    ),
  },
});

const revoke = route({
  method: "delete",
  path: "/api/keys/{id}",
  access,
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: jsonAnswer(Ok, "Revoked: at once here, within 5 s in other processes") },
});

/** API keys of a workspace (docs/decisions/identity.md). */
export function keyRoutes(keyRing: KeyRing) {
  return room()
    .openapi(list, async (c) => c.json(await listPage(c.var.ctx, c.req.valid("query")), 200))
    .openapi(create, async (c) => {
      const { key, text } = await createKey(c.var.ctx, c.req.valid("json"));
      return c.json({ ...shownKey(key, null), key: text }, 201);
    })
    .openapi(revoke, async (c) => {
      await revokeKey(c.var.ctx, c.req.valid("param").id, keyRing);
      return c.json({ ok: true as const }, 200);
    });
}

async function listPage(ctx: Context, { limit, cursor }: { limit: number; cursor?: string }) {
  const position = z.string().nullable().parse(openCursor(ctx, LIST, cursor));
  const rows = await listKeys(ctx, { after: position, limit: limit + 1 });
  return toPage(ctx, { list: LIST, rows, limit, positionOf: ({ id }) => id });
}
