/**
 * Views are made, changed and deleted. What is somebody's own is theirs alone; what is shared is
 * everybody's, and changed by managers.
 */

import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { requireVersion } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import { type Store, transact, transactVersioned, type Write } from "../../platform/store/kv.ts";
import { changedFields } from "../audit/audit.ts";
import type { AuditAction } from "../audit/audit_actions.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import { hasRole } from "../roles.ts";
import { checkUser, findUser } from "../users/user_store.ts";
import { type NewView, type View, type ViewPatch, VIEWS_MAX } from "./view.ts";
import {
  checkViewSet,
  dropView,
  findView,
  findViewsVersion,
  type FoundView,
  listViews,
  putView,
  removeView,
  saveView,
} from "./view_store.ts";

/** What the person may see: the shared ones and their own. */
export async function readViews(ctx: Context): Promise<FoundView[]> {
  return (await listViews(ctx)).filter(({ view }) => isSeen(ctx, view));
}

/** Refuses with `not_found` what is another person's own, too. */
export async function requireView(ctx: Context, id: string): Promise<FoundView> {
  const found = isId(id) ? await findView(ctx, id) : null;
  if (found && isSeen(ctx, found.view)) return found;
  throw new Failure("not_found", `There is no view "${id}"`);
}

function isSeen({ actor }: Context, { isShared, createdBy }: View): boolean {
  return isShared || createdBy === actor.id;
}

/** Refuses with `forbidden` a shared one of who is no manager, with `conflict` one too many. */
export async function createView(ctx: Context, wanted: NewView): Promise<FoundView> {
  return await written(ctx, async (write) => {
    const version = await findViewsVersion(ctx);
    await requireMaker(write, ctx, wanted.isShared);
    if ((await listViews(ctx)).length >= VIEWS_MAX) {
      throw new Failure("conflict", `A workspace has at most ${VIEWS_MAX} views`);
    }
    const at = ctx.now().toISOString();
    const made = {
      id: ctx.newId(),
      ...wanted,
      createdBy: ctx.actor.id,
      createdAt: at,
      updatedAt: at,
    };
    checkViewSet(write, ctx.workspaceId, version);
    putView(write, ctx.workspaceId, made);
    addAuditRow(write, ctx, viewAudit("view.create", null, made));
    ctx.receipt?.put(write, `/api/views/${made.id}`);
    return { view: made, versionstamp: "" };
  });
}

/** A patch that changes nothing writes nothing. Refuses with `forbidden` and `version_conflict`. */
export async function changeView(
  ctx: Context,
  id: string,
  patch: ViewPatch,
  expected: string | null,
): Promise<FoundView> {
  return await written(ctx, async (write) => {
    const found = await requireView(ctx, id);
    requireVersion(expected, found.versionstamp);
    const { view: before } = found;
    const changed = {
      ...before,
      name: patch.name ?? before.name,
      query: patch.query ?? before.query,
      columns: patch.columns ?? before.columns,
      isShared: patch.isShared ?? before.isShared,
    };
    await requireMaker(write, ctx, before.isShared || changed.isShared);
    if (!changed.isShared && before.createdBy !== ctx.actor.id) {
      throw new Failure("forbidden", "A shared view is made private by who made it alone");
    }
    if (JSON.stringify(changed) === JSON.stringify(before)) return found;
    const after = { ...changed, updatedAt: ctx.now().toISOString() };
    saveView(write, ctx.workspaceId, found, after);
    addAuditRow(write, ctx, viewAudit("view.update", before, after));
    return { ...found, view: after };
  });
}

/** Refuses with `forbidden` and `version_conflict`. */
export async function deleteView(ctx: Context, id: string, expected: string | null): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireView(ctx, id);
    requireVersion(expected, found.versionstamp);
    await requireMaker(write, ctx, found.view.isShared);
    removeView(write, ctx.workspaceId, found);
    addAuditRow(write, ctx, viewAudit("view.delete", found.view, null));
  });
}

/** What is somebody's own goes with them, in the commit that removes them; what is shared stays. */
export async function forgetOwnViews(write: Write, ctx: Context, userId: string): Promise<void> {
  checkViewSet(write, ctx.workspaceId, await findViewsVersion(ctx));
  for (const { view } of await listViews(ctx)) {
    if (!view.isShared && view.createdBy === userId) dropView(write, ctx.workspaceId, view.id);
  }
}

/** The view with the version that the commit gave it. */
async function written(
  ctx: Context,
  run: (write: Write) => Promise<FoundView>,
): Promise<FoundView> {
  const { value, versionstamp } = await transactVersioned(ctx, run);
  return { ...value, versionstamp: versionstamp ?? value.versionstamp };
}

/** The commit fails when the person is removed meanwhile: nobody would see what is theirs alone. */
async function requireMaker(write: Write, ctx: Context, isShared: boolean): Promise<void> {
  const found = await findUser(ctx, ctx.actor.id);
  if (!found) throw new Failure("not_authenticated", "There is no such person any more");
  checkUser(write, found);
  if (isShared && !hasRole(found.user.role, "manager")) {
    throw new Failure("forbidden", "Shared views are made and changed by managers");
  }
}

function viewAudit(action: AuditAction<"view">, before: View | null, after: View | null) {
  const named = after ?? before;
  const fields = before && after ? changedFields(before, after) : { before, after };
  return {
    action,
    resource: { type: "view" as const, id: named?.id ?? "", label: named?.name ?? "" },
    ...fields,
  };
}

/** One sentence for each disagreement; none for a store that is whole. */
export async function* checkViews(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const views = await listViews(workspace);
  if (views.length > VIEWS_MAX) yield `There are ${views.length} views, more than ${VIEWS_MAX}`;
  for (const { view: { id, isShared, createdBy } } of views) {
    if (isShared || await findUser(workspace, createdBy)) continue;
    yield `View ${id} is seen by nobody: there is no user ${createdBy}`;
  }
}
