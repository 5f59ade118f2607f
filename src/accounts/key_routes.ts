import { z } from "@hono/zod-openapi";
import type { Context } from "../platform/store/context.ts";
import { pageQuery } from "../platform/http/http.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import { done, one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { ApiKey, NewApiKey } from "./keys/api_key.ts";
import { listKeys, serialiseKey } from "./keys/api_key_store.ts";
import { createKey, type KeyRing, revokeKey } from "./keys/key_ring.ts";
import { owner } from "./route_access.ts";

const CreatedApiKey = ApiKey.extend({
  key: z.string().meta({ description: "The key itself, shown this once" }),
}).meta({ id: "CreatedApiKey" });

/** API keys of a workspace (docs/decisions/identity.md). */
export function keyRoutes(keyRing: KeyRing) {
  return resource("/keys", { look: { people: owner }, change: { people: owner } })
    .list({
      query: z.strictObject(pageQuery(50, 200)),
      answer: page(ApiKey, "The keys that are not revoked", { inApp: "ApiKeyPage" }),
    }, ({ ctx, query }) => listPage(ctx, query))
    .post("", {
      keepsAnswers: false,
      body: NewApiKey,
      answer: one(CreatedApiKey, "The new key"),
      status: 201,
    }, async ({ ctx, body }) => {
      const { key, text } = await createKey(ctx, body);
      return { ...serialiseKey(key, null), key: text };
    })
    .delete("/{id}", {
      answer: done("Revoked: at once here, within 5 s in other processes"),
    }, ({ ctx, id }) => revokeKey(ctx, id, keyRing)).routes;
}

async function listPage(ctx: Context, { limit, cursor }: { limit: number; cursor?: string }) {
  const list = "keys";
  const position = z.string().nullable().parse(openCursor(ctx, list, cursor));
  const rows = await listKeys(ctx, { after: position, limit: limit + 1 });
  return toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
}
