import { fromKeys } from "../../../base/collections.ts";
import {
  AMOUNT_NAMES,
  majorName,
  NUMBER_NAMES,
  type OwnInputName,
  type PlainInputName,
  plainInputs,
} from "../../../catalogue/products/product_field_table.ts";
import type { Show } from "../../../engine/wording/show.ts";
import type { Wire } from "../../api/call.ts";
import { decimalText, readDecimal } from "../../formats/decimal.ts";
import { numberText, readNumber } from "../../formats/number_text.ts";
import type { Product } from "./product.ts";

/** Texts in the person's locale. */
export function productValues(product: Product | null, show: Show) {
  const currency = product?.currency ?? show.currency;
  const money = (cents: number | null | undefined) =>
    decimalText(cents ?? null, currency, show.locale);
  return {
    ...fromKeys([...plainInputs("main"), ...plainInputs("more")], (name) => product?.[name] ?? ""),
    sku: product?.sku ?? "",
    title: product?.title ?? "",
    ourPrice: money(product?.ourPriceCents),
    costPrice: money(product?.costPriceCents),
    targetPrice: money(product?.targetPriceCents),
    minPrice: money(product?.minPriceCents),
    maxPrice: money(product?.maxPriceCents),
    shippingPrice: money(product?.shippingPriceCents),
    currency,
    ean: product?.ean ?? "",
    url: product?.url ?? "",
    vatRatePct: numberText(product?.vatRatePct, show.locale),
    condition: product?.condition ?? "",
    stock: numberText(product?.stock, show.locale),
    priceLocked: product?.priceLocked ?? false,
    scrapeEnabled: product?.scrapeEnabled ?? true,
    scrapeIntervalHours: numberText(product?.scrapeIntervalHours ?? 24, show.locale),
  } satisfies Record<PlainInputName | OwnInputName, string | boolean>;
}

export type ProductValues = ReturnType<typeof productValues>;

const MONEY = AMOUNT_NAMES.map(majorName);
const REQUIRED: readonly string[] = ["sku", "title", "currency"];

/**
 * Contains changed fields only. With a new currency all prices are sent, as the service requires.
 * Invalid numbers are sent as typed, so that the service refuses them.
 */
export function productBody(
  values: ProductValues,
  changed: Partial<ProductValues>,
  show: Show,
): Wire<"ProductChange"> {
  const sent = changed.currency === undefined ? changed : { ...pricesOf(values), ...changed };
  const pairs = Object.entries(sent).map(([name, value]) => [name, wireValue(name, value, show)]);
  return Object.fromEntries(pairs);
}

function pricesOf(values: ProductValues): Partial<ProductValues> {
  return Object.fromEntries(MONEY.map((name) => [name, values[name]]));
}

function wireValue(name: string, value: unknown, { locale }: Show): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return REQUIRED.includes(name) ? text : null;
  if (MONEY.some((field) => field === name)) return readDecimal(text, locale) ?? text;
  if (NUMBER_NAMES.includes(name)) return readNumber(text, locale);
  return text;
}
