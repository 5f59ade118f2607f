/** The language of import profiles as a JSON Schema, for editors and for who writes one by hand. */
import { z } from "@hono/zod-openapi";
import { AnyProfile } from "./any_profile.ts";
import type { ImportProfileInput } from "./profile.ts";
import type { TableProfileInput } from "./table_profile.ts";

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
