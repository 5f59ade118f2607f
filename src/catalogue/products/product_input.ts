/** Reads products in requests: fields, tier prices, and amounts in major or minor units. */
import { daysBefore, isoOrNull } from "../../base/time.ts";
import { AuditReason } from "../../accounts/audit/audit.ts";
import { exponentOf, formatMajor, parseMajor, showMoney } from "../../base/money.ts";
import { Failure, type RefusedField } from "../../base/failure.ts";
import { dayStartMs, isOpenEnd } from "../../base/german_values.ts";
import { flagQuery } from "../../platform/http/http.ts";
import {
  areBoundsCrossed,
  BLANK_PRODUCT,
  PRICE_FIELDS,
  type PriceField,
  type Product,
  type TierPrice,
} from "./product.ts";
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
import { z } from "@hono/zod-openapi";

/**
 * Fields that are allowed but ignored in requests, so that clients can send back what they read.
 */
export const READ_ONLY_FIELDS: readonly string[] = [
  ...FIELD_NAMES.filter((name) => PRODUCT_FIELDS[name].written === null),
  "competitorPrices",
  "market",
];

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

/** Absent fields keep their values; null clears or resets a field (docs/decisions/http.md). */
export const ProductPatch = z.strictObject(patchShape()).meta({ id: "ProductPatch" });

export type ProductPatch = z.infer<typeof ProductPatch>;

export const ProductChange = ProductPatch.extend({ reason: AuditReason.optional() })
  .meta({ id: "ProductChange" });

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

export const allowLargeChange = flagQuery.meta({
  type: "boolean",
  description: "Allows a price that is exactly 100 times the previous one",
});

type PlainName = Exclude<WrittenName, AmountName | "currency">;

const PLAIN_NAMES = WRITTEN_NAMES.filter((name): name is PlainName =>
  name !== "currency" && !AMOUNT_NAMES.some((amount) => amount === name)
);

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
  if (value !== undefined) after[name] = value ?? BLANK_PRODUCT[name];
}

const Moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).nullish()
  .describe("A time, or a day in the workspace's time zone");

const WrittenTierPrice = z.strictObject({
  tier: textOf(charsMaxOf("tier")).optional().describe("Null for the unnamed tier"),
  amount: z.union([z.number(), z.string().max(40)]).describe("Major units"),
  currency: Currency.nullish().describe("Default: the product's currency"),
  minQty: z.number().positive().max(1_000_000_000).nullish()
    .describe("Minimum quantity; default 1"),
  validFrom: Moment,
  validUntil: Moment
    .describe("Only prices that are valid now are stored; a day is included as a whole"),
}).meta({ id: "WrittenTierPrice" });

export const WrittenTierPrices = z.array(WrittenTierPrice).max(100).nullable();

export type WrittenTierPrices = z.infer<typeof WrittenTierPrices>;

export interface TierPriceTerms {
  readonly now: Date;
  readonly timeZone: string;
}

export function withTierPrices(
  product: Product,
  written: WrittenTierPrices,
  { now, timeZone }: TierPriceTerms,
): { readonly product: Product } | { readonly refused: RefusedField[] } {
  const refused: RefusedField[] = [];
  const prices: TierPrice[] = [];
  const places = new Set<string>();
  for (const [index, row] of (written ?? []).entries()) {
    const { tier = null, minQty = null, validFrom, validUntil } = row;
    const currency = row.currency ?? product.currency;
    const read = parseMajor(row.amount, exponentOf(currency));
    if ("reason" in read) {
      refused.push({ path: `prices.${index}.amount`, message: read.reason });
      continue;
    }
    const fromMs = validFrom ? momentMs(validFrom, timeZone) : null;
    const untilMs = validUntil && !isOpenEnd(validUntil)
      ? momentMs(validUntil, timeZone, 1)
      : Infinity;
    if ((fromMs ?? 0) > now.getTime() || untilMs <= now.getTime()) continue;
    const place = `${tier ?? ""}\n${currency}\n${minQty ?? 1}`;
    if (places.has(place)) {
      const message = "Another price has the same tier, currency and quantity";
      refused.push({ path: `prices.${index}`, message });
    }
    places.add(place);
    const amountCents = read.minor;
    prices.push({ tier, amountCents, currency, minQty, validFrom: isoOrNull(fromMs) });
  }
  return refused.length > 0 ? { refused } : { product: { ...product, prices } };
}

/** Returns ms; a date means the start of the day that is `days` days later in `timeZone`. */
function momentMs(moment: string, timeZone: string, days = 0): number {
  const isDay = moment.length === "2026-11-21".length;
  return isDay ? dayStartMs(daysBefore(moment, -days), timeZone) : Date.parse(moment);
}

const centsName = <Field extends PriceField>(field: Field) => `${field}Cents` as const;

type PricePatch = Pick<ProductPatch, PriceField | `${PriceField}Cents`>;

export function withPrices(
  product: Product,
  currency: string,
  patch: PricePatch,
): { product: Product } | { refused: RefusedField[] } {
  const refused: RefusedField[] = [];
  const changed: Record<string, number | null> = {};
  for (const field of PRICE_FIELDS) {
    const read = readPrice(field, patch, currency);
    if (read === null) {
      if (product[centsName(field)] !== null && product.currency !== currency) {
        const change = `because the currency changes from "${product.currency}"`;
        refused.push({ path: field, message: `Must be given in "${currency}", ${change}` });
      }
    } else if ("message" in read) refused.push(read);
    else changed[centsName(field)] = read.cents;
  }
  if (refused.length > 0) return { refused };
  const priced = { ...product, ...changed, currency };
  const isBounded = "minPriceCents" in changed || "maxPriceCents" in changed;
  if (!isBounded || !areBoundsCrossed(priced)) return { product: priced };
  return { refused: [{ path: "minPrice", message: 'Must not be above "maxPrice"' }] };
}

function readPrice(
  field: PriceField,
  patch: PricePatch,
  currency: string,
): { cents: number | null } | RefusedField | null {
  const major = patch[field];
  const cents = patch[centsName(field)];
  if (major === undefined) return cents === undefined ? null : { cents };
  const parsed = major === null ? { minor: null } : parseMajor(major, exponentOf(currency));
  if ("reason" in parsed) return { path: field, message: parsed.reason };
  if (cents !== undefined && cents !== parsed.minor) {
    return { path: field, message: disagreement(field, major, cents, currency) };
  }
  return { cents: parsed.minor };
}

function disagreement(
  field: PriceField,
  major: string | number | null,
  cents: number | null,
  currency: string,
): string {
  const exponent = exponentOf(currency);
  const twin = cents === null
    ? "null"
    : `${cents}, which is ${formatMajor(cents, exponent)} ${currency}`;
  return `"${field}" (in major units) says ${major} ${currency}, but "${centsName(field)}" (in ` +
    `minor units) says ${twin}: send only one of the two`;
}

/** Throws `price_unit_suspicious` if 2.99 changes to 299.00, as if cents were sent as euros. */
export function refuseSuspicious(
  before: Product,
  after: Product,
  pathOf: (field: PriceField) => string = (field) => field,
): void {
  const factor = 10 ** exponentOf(after.currency);
  const suspicious = PRICE_FIELDS.filter((field) => {
    const [was, is] = [before[centsName(field)], after[centsName(field)]];
    return factor > 1 && was !== null && was > 0 && is === was * factor;
  });
  const [first] = suspicious;
  if (first === undefined) return;
  const shownIn = (product: Product) => showMoney(product[centsName(first)] ?? 0, before.currency);
  throw new Failure(
    "price_unit_suspicious",
    `"${pathOf(first)}" would change from ${shownIn(before)} to ${shownIn(after)}, as if minor ` +
      "units were sent as major units: send major units, or repeat with ?allowLargeChange=true",
    {
      fields: suspicious.map((field) => (
        { path: pathOf(field), message: "Must be in major units, such as 299.99" }
      )),
    },
  );
}
