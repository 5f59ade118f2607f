import { z } from "@hono/zod-openapi";
import { Failure } from "../base/failure.ts";
import type { Context } from "../platform/store/context.ts";
import { pageQuery } from "../platform/http/http.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import { done, one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { ApiKey, KeyRotation, NewApiKey } from "./keys/api_key.ts";
import { findShownKey, listKeys, serialiseKey } from "./keys/api_key_store.ts";
import { createKey, type KeyRing, revokeKey, rotateKey } from "./keys/key_ring.ts";
import { anyKey, owner } from "./route_access.ts";
import { WorkspaceAnswer, workspaceAnswer } from "./workspace.ts";
import { requireWorkspace } from "./workspace_store.ts";

const CreatedApiKey = ApiKey.extend({
  key: z.string().meta({ description: "The key itself, shown only once" }),
}).meta({ id: "CreatedApiKey" });

/** API keys of a workspace (docs/decisions/identity.md). */
export function keyRoutes(keyRing: KeyRing) {
  return resource("/keys", { look: { people: owner }, change: { people: owner } })
    .list({
      query: z.strictObject(pageQuery(50, 200)),
      answer: page(ApiKey, "The keys, without revoked ones", { inApp: "ApiKeyPage" }),
    }, ({ ctx, query }) => listPage(ctx, query))
    .post("", {
      sensitive: true,
      keepsAnswers: false,
      body: NewApiKey,
      answer: one(CreatedApiKey, "The new key"),
      status: 201,
    }, async ({ ctx, body }) => {
      const { key, text } = await createKey(ctx, body);
      return { ...serialiseKey(key, null), key: text };
    })
    .post("/{id}/rotate", {
      sensitive: true,
      keepsAnswers: false,
      optionalBody: KeyRotation,
      answer: one(CreatedApiKey, "The new key; the old one ends after the overlap"),
      status: 201,
    }, async ({ ctx, id, body }) => {
      const { key, text } = await rotateKey(ctx, id, body, keyRing);
      return { ...serialiseKey(key, null), key: text };
    })
    .delete("/{id}", {
      sensitive: true,
      answer: done("The key was revoked, at once in this process and within 5 s in others"),
    }, ({ ctx, id }) => revokeKey(ctx, id, keyRing)).routes;
}

const CallerDocument = z.object({
  key: ApiKey,
  workspace: WorkspaceAnswer,
}).meta({ id: "Caller" });

/** Describes the calling key and its workspace. */
export function callerRoutes() {
  const keys = { keys: anyKey };
  return resource("/me", { look: keys, change: keys })
    .get("", {
      answer: one(CallerDocument, "The calling key and its workspace", {
        external: "CallerData",
      }),
    }, async ({ ctx }) => {
      const key = await findShownKey(ctx, ctx.actor.id);
      if (!key) throw new Failure("invalid_api_key", "The API key is revoked");
      return { key, workspace: workspaceAnswer(await requireWorkspace(ctx)) };
    }).routes;
}

async function listPage(ctx: Context, { limit, cursor }: { limit: number; cursor?: string }) {
  const list = "keys";
  const position = z.string().nullable().parse(openCursor(ctx, list, cursor));
  const rows = await listKeys(ctx, { after: position, limit: limit + 1 });
  return toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
}
