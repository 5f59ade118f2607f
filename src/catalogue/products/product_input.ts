import { z } from "@hono/zod-openapi";
import { AuditReason } from "../../accounts/audit/audit.ts";
import { flagQuery } from "../../platform/http/flag_query.ts";
import { blankProduct, PRICE_FIELDS, type PriceField, type Product } from "./product.ts";
import {
  AMOUNT_NAMES,
  type AmountName,
  charsMaxOf,
  FIELD_NAMES,
  majorName,
  PRODUCT_FIELDS,
  WRITTEN_NAMES,
  type WrittenForm,
  type WrittenName,
} from "./product_field_table.ts";
import {
  Attributes,
  ConditionCode,
  Currency,
  Ean,
  HeldUntil,
  MajorUnits,
  MinorUnits,
  ScrapeIntervalHours,
  ShopUrl,
  Sku,
  Stock,
  textOf,
  Title,
  VatRatePct,
} from "./product_fields.ts";

/** Fields that only the service writes; a body may hold them, as a document that was read does. */
export const READ_ONLY_FIELDS: readonly string[] = [
  ...FIELD_NAMES.filter((name) => PRODUCT_FIELDS[name].written === null),
  "competitorPrices",
  "market",
];

/**
 * The schema of each form of a value but texts, which differ by their length; null takes the value away
 * or sets it back to the default.
 */
const FORMS = {
  sku: Sku,
  title: Title,
  currency: Currency,
  amount: MinorUnits,
  ean: Ean,
  address: ShopUrl,
  rate: VatRatePct,
  quantity: Stock,
  condition: ConditionCode,
  pairs: Attributes,
  flag: z.boolean().nullable(),
  instant: HeldUntil,
  hours: ScrapeIntervalHours.nullable(),
} as const satisfies Record<Exclude<WrittenForm, "text">, z.ZodType>;

type Forms = typeof FORMS & { readonly text: ReturnType<typeof textOf> };
type FormOf<Name extends WrittenName> = Forms[(typeof PRODUCT_FIELDS)[Name]["written"]];
type PatchShape =
  & { [Name in WrittenName]: z.ZodOptional<FormOf<Name>> }
  & { [Name in PriceField]: z.ZodOptional<typeof MajorUnits> };

/** A field for each that can be written; each amount has its twin in major units before it. */
function patchShape(): PatchShape {
  const shape: Record<string, z.ZodType> = {};
  for (const name of WRITTEN_NAMES) {
    const { written } = PRODUCT_FIELDS[name];
    if (written === "amount") shape[majorName(name)] = MajorUnits.optional();
    const form = written === "text" ? textOf(charsMaxOf(name)) : FORMS[written];
    shape[name] = form.optional();
  }
  if (!isPatchShape(shape)) throw new Error("A field of a product has no schema");
  return shape;
}

const isOptional = (schema?: z.ZodType) => schema instanceof z.ZodOptional;

function isPatchShape(shape: Record<string, z.ZodType>): shape is PatchShape {
  return [...WRITTEN_NAMES, ...PRICE_FIELDS].every((name) => isOptional(shape[name]));
}

/**
 * A change: absent is unchanged, `null` clears or sets back to the default
 * (docs/decisions/http.md).
 */
export const ProductPatch = z.strictObject(patchShape()).meta({ id: "ProductPatch" });

export type ProductPatch = z.infer<typeof ProductPatch>;

/** A change as people ask for it, with why they do. */
export const ProductChange = ProductPatch.extend({ reason: AuditReason.optional() })
  .meta({ id: "ProductChange" });

/**
 * A new product: `currency` defaults to the workspace's, everything else but SKU and title may be
 * missing.
 */
export const NewProduct = ProductPatch.extend({
  sku: Sku,
  title: Title,
  currency: Currency.nullable().optional(),
}).meta({
  id: "NewProduct",
  example: {
    sku: "SKU-1",
    title: "Kühlschrank KS 300",
    brand: "Sony",
    ourPrice: 299.99,
    currency: "EUR",
  },
});

export type NewProduct = z.infer<typeof NewProduct>;

/** What a change of prices is asked with. */
export const allowLargeChange = flagQuery.meta({
  type: "boolean",
  description: "Lets a price become exactly 100 times what it was",
});

/** What `null` sets a field back to. */
const BLANK = blankProduct({ id: "", sku: "", title: "", currency: "", createdAt: "" });

type PlainName = Exclude<WrittenName, AmountName | "currency">;

const PLAIN_NAMES = WRITTEN_NAMES.filter((name): name is PlainName =>
  name !== "currency" && !AMOUNT_NAMES.some((amount) => amount === name)
);

/** The product with every field of the patch that is neither a price nor the currency. */
export function withFields(product: Product, patch: Omit<ProductPatch, "currency">): Product {
  const after = { ...product };
  for (const name of PLAIN_NAMES) give(after, name, patch[name]);
  return after;
}

function give<Name extends PlainName>(
  after: { -readonly [N in Name]: Product[N] },
  name: Name,
  value: Product[Name] | null | undefined,
): void {
  if (value !== undefined) after[name] = value ?? BLANK[name];
}
