/**
 * Creates, changes and deletes views. Private views belong to their author. Shared views belong to
 * everyone, but only managers can change them.
 */

import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { requireVersion } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, transactVersioned, type Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import { changedFields } from "../audit/audit.ts";
import type { AuditAction } from "../audit/audit_actions.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import { hasRole } from "../roles.ts";
import { checkUser, findUser } from "../users/user_store.ts";
import { type NewView, type View, type ViewPatch, views, VIEWS_MAX } from "./view.ts";

/** The shared views and the person's own views. */
export async function readViews(ctx: Context): Promise<Found<View>[]> {
  return (await views.list(ctx)).filter(({ row }) => isSeen(ctx, row));
}

/** Throws `not_found`, even for another person's private view. */
export async function requireView(ctx: Context, id: string): Promise<Found<View>> {
  const found = isId(id) ? await views.find(ctx, { id }) : null;
  if (found && isSeen(ctx, found.row)) return found;
  throw new Failure("not_found", `There is no view "${id}"`);
}

function isSeen({ actor }: Context, { isShared, createdBy }: View): boolean {
  return isShared || createdBy === actor.id;
}

/**
 * Throws `forbidden` if a person who is no manager creates a shared view, `conflict` if there are
 * too many views.
 */
export async function createView(ctx: Context, wanted: NewView): Promise<Found<View>> {
  return await written(ctx, async (write) => {
    const version = await views.version(ctx);
    await requireMaker(write, ctx, wanted.isShared);
    if ((await views.list(ctx)).length >= VIEWS_MAX) {
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
    views.checkVersion(write, ctx, version);
    views.put(write, ctx, made);
    addAuditRow(write, ctx, viewAudit("view.create", null, made));
    ctx.receipt?.put(write, `/api/views/${made.id}`);
    return { row: made, versionstamp: "" };
  });
}

/** Writes nothing if the patch changes nothing. Throws `forbidden` and `version_conflict`. */
export async function changeView(
  ctx: Context,
  id: string,
  patch: ViewPatch,
  expected: string | null,
): Promise<Found<View>> {
  return await written(ctx, async (write) => {
    const found = await requireView(ctx, id);
    requireVersion(expected, found.versionstamp);
    const { row: before } = found;
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
    views.save(write, ctx, found, after);
    addAuditRow(write, ctx, viewAudit("view.update", before, after));
    return { ...found, row: after };
  });
}

/** Throws `forbidden` and `version_conflict`. */
export async function deleteView(ctx: Context, id: string, expected: string | null): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireView(ctx, id);
    requireVersion(expected, found.versionstamp);
    await requireMaker(write, ctx, found.row.isShared);
    views.remove(write, ctx, found);
    addAuditRow(write, ctx, viewAudit("view.delete", found.row, null));
  });
}

/** Removes a person's private views in the commit that removes the person. Shared views stay. */
export async function forgetOwnViews(write: Write, ctx: Context, userId: string): Promise<void> {
  views.checkVersion(write, ctx, await views.version(ctx));
  for (const { row: view } of await views.list(ctx)) {
    if (!view.isShared && view.createdBy === userId) views.drop(write, ctx, view);
  }
}

/** The view with the version of its commit. */
async function written(
  ctx: Context,
  run: (write: Write) => Promise<Found<View>>,
): Promise<Found<View>> {
  const { value, versionstamp } = await transactVersioned(ctx, run);
  return { ...value, versionstamp: versionstamp ?? value.versionstamp };
}

/**
 * Throws if the person may not create the view. Makes the commit fail if the person is removed
 * meanwhile, because a private view would then belong to nobody.
 */
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
