import { z } from "@hono/zod-openapi";
import {
  answerVersioned,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  room,
  route,
} from "../platform/http/http.ts";
import type { AppContext } from "../platform/http/app_context.ts";
import { changeSettings, confirmHold } from "./change_settings.ts";
import {
  PriceTerms,
  SETTINGS_READ_ONLY,
  type Workspace,
  WorkspaceAnswer,
  workspaceAnswer,
  WorkspaceSettings,
} from "./workspace.ts";
import { requireWorkspace } from "./workspace_store.ts";
import { anyKey, manager, owner, viewer } from "./route_access.ts";

const get = route({
  method: "get",
  path: "/api/settings",
  access: viewer,
  responses: { 200: jsonAnswer(WorkspaceAnswer, "The workspace and its settings") },
});

const external = route({
  method: "get",
  path: "/api/public/v1/settings",
  access: anyKey,
  responses: {
    200: jsonAnswer(z.object({ data: PriceTerms }), "How the workspace keeps prices and days"),
  },
});

const patch = route({
  method: "patch",
  path: "/api/settings",
  access: owner,
  versioned: true,
  request: { body: jsonBody(ignoring(SETTINGS_READ_ONLY, WorkspaceSettings)) },
  responses: { 200: jsonAnswer(WorkspaceAnswer, "The settings as they are now") },
});

const confirm = route({
  method: "post",
  path: "/api/import-hold/confirm",
  access: manager,
  responses: {
    200: jsonAnswer(
      WorkspaceAnswer,
      "The settings; the hold that an upgrade switched on is confirmed",
    ),
  },
});

function answer(c: AppContext, workspace: Workspace): Response {
  return answerVersioned(c, workspaceAnswer(workspace), SETTINGS_READ_ONLY);
}

/**
 * Settings of the workspace (docs/decisions/identity.md): everybody reads them, owners change them.
 */
export function settingsRoutes() {
  return room()
    .openapi(
      get,
      async (c) => answer(c, await requireWorkspace(c.var.ctx)),
    )
    .openapi(external, async (c) => {
      const data = PriceTerms.parse(await requireWorkspace(c.var.ctx));
      return c.json({ data }, 200);
    })
    .openapi(patch, async (c) => {
      const expected = expectedVersions(c);
      const settings = await changeSettings(c.var.ctx, c.req.valid("json"), expected);
      return answer(c, settings);
    })
    .openapi(
      confirm,
      async (c) => answer(c, await confirmHold(c.var.ctx)),
    );
}
