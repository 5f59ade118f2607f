import { one, versioned } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { changeSettings, confirmHold } from "./change_settings.ts";
import {
  PriceTerms,
  SETTINGS_READ_ONLY,
  WorkspaceAnswer,
  workspaceAnswer,
  WorkspaceSettings,
} from "./workspace.ts";
import { requireWorkspace } from "./workspace_store.ts";
import { anyKey, manager, owner, viewer } from "./route_access.ts";

/** Settings whose change needs a recent proof of identity. */
const GUARDED_SETTINGS = ["approval", "autoApply", "budgetPerDay", "secondFactorRoles"] as const;

const readOnly = SETTINGS_READ_ONLY;

/**
 * Settings of the workspace (docs/decisions/identity.md). Everyone can read them, owners can change
 * them.
 */
export function settingsRoutes() {
  return [
    ...resource("/settings", { look: { people: viewer }, change: { people: owner }, readOnly })
      .get("", {
        answer: versioned(WorkspaceAnswer, "The workspace and its settings"),
      }, async ({ ctx }) => workspaceAnswer(await requireWorkspace(ctx)))
      .get("", {
        callers: { keys: anyKey },
        answer: one(PriceTerms, "The workspace's settings for prices and days"),
      }, async ({ ctx }) => PriceTerms.parse(await requireWorkspace(ctx)))
      .patch("", {
        versioned: true,
        sensitive: (body) => GUARDED_SETTINGS.some((name) => Object.hasOwn(Object(body), name)),
        isDocument: true,
        body: WorkspaceSettings,
        answer: versioned(WorkspaceAnswer, "The changed settings"),
      }, async ({ ctx, body, expected }) => {
        return workspaceAnswer(await changeSettings(ctx, body, expected));
      }).routes,
    ...resource("/import-hold", { look: {}, change: { people: manager }, readOnly })
      .post("/confirm", {
        answer: versioned(
          WorkspaceAnswer,
          "The settings; the hold that an upgrade switched on is confirmed",
        ),
      }, async ({ ctx }) => workspaceAnswer(await confirmHold(ctx))).routes,
  ];
}
