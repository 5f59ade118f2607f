/** An import profile as the in-app interface shows and takes it (docs/decisions/imports.md). */
import { z } from "@hono/zod-openapi";
import { refuseFields } from "../../base/failure.ts";
import { utf8Bytes } from "../../base/text.ts";
import { ignoring } from "../../platform/http/http.ts";
import { refusedFieldsOf } from "../../platform/http/refused_fields.ts";
import { AnyProfile, type ImportProfileInput } from "./profile.ts";
import { ProfileShape } from "./profile_shape.ts";
import { BUILT_IN } from "./profiles.ts";
import { type TableProfileInput, TableShape } from "./table_profile.ts";

/** A profile of each kind with a bit of everything; a test reads files with them. */
export const PROFILE_EXAMPLES: readonly [TableProfileInput, ImportProfileInput] = [
  {
    id: "erp-nachts",
    name: "ERP nachts",
    format: "table",
    detect: { columns: ["ARTNR", "VK_BR", "EK_N"] },
    fields: {
      sku: { columns: ["ARTNR"], transform: "strip_leading_zeros" },
      title: { columns: ["BEZ1"] },
      brand: { columns: ["HERST"] },
      ean: { columns: ["EAN", "GTIN"] },
      currency: { constant: "EUR" },
    },
    attributes: [{ name: "supplier", from: { columns: ["LIEFERANT"] } }],
    prices: [
      { from: { columns: ["VK_BR"] }, role: "own", side: "gross" },
      { from: { columns: ["VK_AB10"] }, role: "own", side: "gross", minQty: 10 },
      { from: { columns: ["VK_HAENDLER"] }, role: "tier", tier: "B2B", side: "net" },
      { from: { columns: ["EK_N"] }, role: "cost" },
      { from: { columns: ["UVP"] }, role: "target" },
      { from: { columns: ["AKTION"] }, role: "sale", range: { columns: ["AKTION_ZEIT"] } },
    ],
    competitors: [{ url: { columns: ["URL_SHOP1"] }, name: "Shop 1" }],
    active: { from: { columns: ["KZ_AKTIV"] }, yes: ["lieferbar"], else: "skip" },
    numberFormat: "de",
  },
  {
    id: "katalog",
    name: "Katalog der Zentrale",
    detect: { root: "KATALOG" },
    itemPath: "KATALOG/STAMMSATZ",
    fields: { sku: { path: "@nr" }, title: { path: "BEZEICHNUNG|NAME" } },
    prices: { path: "STAFFEL", amount: "WERT", minQty: "@ab", tier: "GRUPPE" },
    competitors: { path: "LINKS/LINK", url: "@href", name: "@shop" },
    numberFormat: "de",
  },
];

/** JSON Schema 2020-12 of what a client may send; what has a default may be left out. */
export function profileSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(AnyProfile, { io: "input", target: "draft-2020-12" }),
    title: "Import profile",
    description: "How a file is read: a table by its columns, or XML by paths",
    examples: PROFILE_EXAMPLES,
  };
}

/** A stored value holds 64 KiB. */
const PROFILE_BYTES_MAX = 30_000;

const builtIn = z.boolean()
  .meta({ description: "True for those of the product, which are read-only" });

const XmlDocument = ProfileShape.extend({ builtIn }).meta({ id: "XmlProfileDocument" });
const TableDocument = TableShape.extend({ builtIn }).meta({ id: "TableProfileDocument" });

export const ProfileDocument = z.union([XmlDocument, TableDocument])
  .meta({ id: "ImportProfileDocument" });

/** A body may hold it, as a document that was read does. */
export const PROFILE_READ_ONLY = ["builtIn"];

export type XmlProfileDocument = z.infer<typeof XmlDocument>;
export type TableProfileDocument = z.infer<typeof TableDocument>;
export type ProfileDocument = XmlProfileDocument | TableProfileDocument;

export function documentOfProfile<P extends AnyProfile>(profile: P): P & { builtIn: boolean } {
  return { ...profile, builtIn: BUILT_IN.includes(profile) };
}

/** True for an id that no new profile may have. */
export function isBuiltIn(id: string): boolean {
  return BUILT_IN.some((profile) => profile.id === id);
}

/** Refuses with `validation_failed`, naming each field. */
export function requireProfile(value: unknown): AnyProfile {
  const parsed = ignoring(PROFILE_READ_ONLY, AnyProfile).safeParse(value);
  if (!parsed.success) throw refuseFields(parsed.error.issues.flatMap(refusedFieldsOf));
  if (utf8Bytes(JSON.stringify(parsed.data)) <= PROFILE_BYTES_MAX) return parsed.data;
  const message = `The profile has more than ${PROFILE_BYTES_MAX} bytes`;
  throw refuseFields([{ path: "", message }]);
}
