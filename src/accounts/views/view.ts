/**
 * Views (saved filters) of the list of products, and their routes (docs/decisions/market.md). A
 * private view is visible only to its author. Everyone sees shared views, but only managers change
 * them. A view's filters are validated only when products are listed.
 */
import { z } from "@hono/zod-openapi";
import { withPatch } from "../../base/collections.ts";
import { Failure, noSuch, requireById } from "../../base/failure.ts";
import { hasControlCharacters } from "../../base/text.ts";
import { pageById, pageQuery, requireVersion, versionOf } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import { hasRole, viewer } from "../roles.ts";
import { findUser, users } from "../users/user.ts";
import { Name } from "../../engine/pricing/field.ts";
import { done, page, versioned } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { auditOf } from "../audit/audit.ts";

const VIEWS_MAX = 100;

const PLACES = ["cursor", "limit"];

const ViewQuery = z.string().max(2_000)
  .refine((query) => !hasControlCharacters(query), "Must not contain control characters")
  .transform((query) => query.replace(/^\?/, ""))
  .refine(
    (query) => [...new URLSearchParams(query).keys()].every((name) => !PLACES.includes(name)),
    `Must not name ${PLACES.join(" or ")}`,
  )
  .meta({
    description: "The query of `GET /api/products`, without `cursor` and `limit`",
    example: "dearerThanPct=3&sort=gapPct&order=desc",
  });

const ViewColumns = z.array(z.string().regex(/^[A-Za-z]\w{0,39}$/, "Must be the name of a column"))
  .max(50)
  .refine((names) => new Set(names).size === names.length, "Must not name a column twice")
  .describe("Columns of the table from left to right; empty: the default columns");

export const View = z.object({
  id: z.string(),
  name: Name,
  query: ViewQuery,
  columns: ViewColumns,
  isShared: z.boolean().describe("True: everyone sees it; false: only its author"),
  createdBy: z.string().describe("Id of its author"),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}).meta({ id: "View" });

export type View = Readonly<z.infer<typeof View>>;

export const views = defineTable<View, "id">({
  prefix: "vw",
  about: "a view of the list of products",
  key: { id: "id" },
  valueHasKey: true,
  version: "vwv",
  most: VIEWS_MAX,
  async check({ id, isShared, createdBy }, workspace) {
    if (isShared || await findUser(workspace, createdBy)) return null;
    return `View ${id} belongs to no person: there is no user ${createdBy}`;
  },
});

const VIEW_READ_ONLY = ["id", "createdBy", "createdAt", "updatedAt"] as const;

const NewView = z.strictObject({
  name: Name,
  query: ViewQuery.default(""),
  columns: ViewColumns.default([]),
  isShared: z.boolean().default(false),
}).meta({ id: "NewView" });

type NewView = z.infer<typeof NewView>;

const ViewPatch = z.strictObject({
  name: Name.optional(),
  query: ViewQuery.optional(),
  columns: ViewColumns.optional(),
  isShared: z.boolean().optional(),
}).meta({ id: "ViewPatch" });

type ViewPatch = z.infer<typeof ViewPatch>;

const viewAudit = auditOf("view", ({ name }: View) => name);

async function requireView(
  ctx: Context,
  id: string,
  expected: string | null = null,
): Promise<Found<View>> {
  const found = await requireById("view", id, (id) => views.find(ctx, { id }));
  if (!isSeen(ctx, found.row)) throw noSuch("view", id);
  requireVersion(expected, versionOf(found.row, VIEW_READ_ONLY));
  return found;
}

function isSeen({ actor }: Context, { isShared, createdBy }: View): boolean {
  return isShared || createdBy === actor.id;
}

async function createView(ctx: Context, wanted: NewView): Promise<View> {
  return await transact(ctx, async (write) => {
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
    return made;
  });
}

async function changeView(
  ctx: Context,
  id: string,
  patch: ViewPatch,
  expected: string | null,
): Promise<View> {
  return await transact(ctx, async (write) => {
    const found = await requireView(ctx, id, expected);
    const { row: before } = found;
    const changed = withPatch(before, patch, {});
    await requireMaker(write, ctx, before.isShared || changed.isShared);
    if (!changed.isShared && before.createdBy !== ctx.actor.id) {
      throw new Failure("forbidden", "Only the creator of a shared view can make it private");
    }
    if (JSON.stringify(changed) === JSON.stringify(before)) return before;
    const after = { ...changed, updatedAt: ctx.now().toISOString() };
    views.save(write, ctx, found, after);
    addAuditRow(write, ctx, viewAudit("view.update", before, after));
    return after;
  });
}

async function deleteView(ctx: Context, id: string, expected: string | null): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireView(ctx, id, expected);
    await requireMaker(write, ctx, found.row.isShared);
    views.remove(write, ctx, found);
    addAuditRow(write, ctx, viewAudit("view.delete", found.row, null));
  });
}

export async function forgetOwnViews(write: Write, ctx: Context, userId: string): Promise<void> {
  views.checkVersion(write, ctx, await views.version(ctx));
  for (const { row: view } of await views.list(ctx)) {
    if (!view.isShared && view.createdBy === userId) views.drop(write, ctx, view);
  }
}

/** Throws if the person may not save the view. The commit fails if the user changes meanwhile. */
async function requireMaker(write: Write, ctx: Context, isShared: boolean): Promise<void> {
  const found = await findUser(ctx, ctx.actor.id);
  if (!found) throw new Failure("not_authenticated", "The person no longer exists");
  users.check(write, {}, found.row, found);
  if (isShared && !hasRole(found.row.role, "manager")) {
    throw new Failure("forbidden", "Only managers can create and change shared views");
  }
}

export function viewRoutes() {
  return resource("/views", {
    read: { people: viewer },
    change: { people: viewer },
    readOnly: VIEW_READ_ONLY,
  })
    .list({
      query: z.strictObject(pageQuery(VIEWS_MAX, VIEWS_MAX)),
      answer: page(View, "Shared views and the person's own, oldest first", { inApp: "ViewPage" }),
    }, ({ ctx, query }) =>
      pageById(ctx, query, async ({ after }) => {
        const rows = await views.list(ctx, { after: after === null ? null : { id: after } });
        return rows.map(({ row }) => row).filter((row) => isSeen(ctx, row));
      }))
    .create({
      body: NewView,
      answer: versioned(View, "The new view; only managers create shared ones"),
    }, ({ ctx, body }) => createView(ctx, body))
    .read({
      answer: versioned(View, "The view"),
    }, async ({ ctx, id }) => (await requireView(ctx, id)).row)
    .change(
      { body: ViewPatch, answer: versioned(View, "The view after the change") },
      ({ ctx, id, body, expected }) => changeView(ctx, id, body, expected),
    )
    .remove(
      { answer: done("The view was deleted") },
      ({ ctx, id, expected }) => deleteView(ctx, id, expected),
    ).routes;
}
