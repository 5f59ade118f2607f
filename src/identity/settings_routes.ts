import { ignoring, jsonAnswer, jsonBody, room, route } from "../platform/http/http.ts";
import { changeSettings, confirmHold } from "./change_settings.ts";
import { Workspace, WorkspaceSettings } from "./workspace.ts";
import { requireWorkspace } from "./workspace_store.ts";
import { manager, owner, viewer } from "./route_access.ts";

const get = route({
  method: "get",
  path: "/api/settings",
  access: viewer,
  responses: { 200: jsonAnswer(Workspace, "The workspace and its settings") },
});

const READ_ONLY = ["id", "createdAt", "importHoldUnconfirmed"] as const;

const patch = route({
  method: "patch",
  path: "/api/settings",
  access: owner,
  request: { body: jsonBody(ignoring(READ_ONLY, WorkspaceSettings)) },
  responses: { 200: jsonAnswer(Workspace, "The settings as they are now") },
});

const confirm = route({
  method: "post",
  path: "/api/import-hold/confirm",
  access: manager,
  responses: {
    200: jsonAnswer(Workspace, "The settings; the hold that an upgrade switched on is confirmed"),
  },
});

/**
 * Settings of the workspace (docs/decisions/identity.md): everybody reads them, owners change them.
 */
export function settingsRoutes() {
  return room()
    .openapi(get, async (c) => c.json(await requireWorkspace(c.var.ctx), 200))
    .openapi(
      patch,
      async (c) => c.json(await changeSettings(c.var.ctx, c.req.valid("json")), 200),
    )
    .openapi(confirm, async (c) => c.json(await confirmHold(c.var.ctx), 200));
}
