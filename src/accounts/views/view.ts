import { z } from "@hono/zod-openapi";
import { hasControlCharacters } from "../../base/text.ts";
import { defineTable } from "../../platform/store/table.ts";
import { findUser } from "../users/user_store.ts";
import { Name } from "../workspace.ts";

/** Maximum number of views in a workspace, of all its people together. */
export const VIEWS_MAX = 100;

/** Parameters that a view omits, because they are a position in its list. */
const PLACES = ["cursor", "limit"];

const ViewQuery = z.string().max(2_000)
  .refine((query) => !hasControlCharacters(query), "Must not hold control characters")
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
  .meta({ description: "Columns of the table from left to right; empty: the default columns" });

/** A saved list of products. */
export const View = z.object({
  id: z.string(),
  name: Name,
  query: ViewQuery,
  columns: ViewColumns,
  isShared: z.boolean().meta({ description: "True: everyone sees it; false: only its author" }),
  createdBy: z.string().meta({ description: "Id of its author" }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}).meta({ id: "View" });

export type View = Readonly<z.infer<typeof View>>;

/** Counting views, and finding those of a person, checks the version. */
export const views = defineTable<View, "id">({
  prefix: "vw",
  about: "a view of the list of products",
  key: { id: "id" },
  version: "vwv",
  most: VIEWS_MAX,
  async check({ id, isShared, createdBy }, workspace) {
    if (isShared || await findUser(workspace, createdBy)) return null;
    return `View ${id} is seen by nobody: there is no user ${createdBy}`;
  },
});

/**
 * Fields that only the service writes. Requests may contain them, so that a client can send back a
 * document that it has read.
 */
export const VIEW_READ_ONLY = ["id", "createdBy", "createdAt", "updatedAt"] as const;

export const NewView = z.strictObject({
  name: Name,
  query: ViewQuery.default(""),
  columns: ViewColumns.default([]),
  isShared: z.boolean().default(false),
}).meta({ id: "NewView" });

export type NewView = z.infer<typeof NewView>;

/** A change. Absent fields stay unchanged. */
export const ViewPatch = z.strictObject({
  name: Name.optional(),
  query: ViewQuery.optional(),
  columns: ViewColumns.optional(),
  isShared: z.boolean().optional(),
}).meta({ id: "ViewPatch" });

export type ViewPatch = z.infer<typeof ViewPatch>;
