/**
 * Reads prices and shipping costs from the `priceSpecification` of an offer. Only an amount for one
 * piece without conditions is the price. Amounts with tax take precedence.
 */
import {
  type Amount,
  compareDecimals,
  currencyOf,
  readAmount,
  type Shipping,
  type Writing,
} from "../amount.ts";
import {
  BILLING,
  CHARGE_TYPES,
  CONDITIONS_OF_PRICE,
  CURRENCIES,
  entitiesOf,
  type Entity,
  hasType,
  LIST_PRICE_TYPES,
  localName,
  OTHER_PRICE_TYPES,
  someEntitiesOf,
  textOfEntity,
  textsOf,
} from "./entity.ts";

interface SpecifiedPrices {
  readonly prices: readonly Amount[];
  readonly listPrice: string | null;
  readonly shipping: Shipping | null;
  /** True if none of the prices that apply without conditions includes tax. */
  readonly isNet: boolean;
}

export function specifiedPrices(offer: Entity, writing: Writing): SpecifiedPrices {
  const specifications = someEntitiesOf(offer, "pricespecification").map((entity) => ({
    entity,
    type: localName(textOfEntity(entity, "pricetype") ?? ""),
    isCharge: hasType(entity, CHARGE_TYPES),
  }));
  const unconditional = specifications.filter(({ entity, isCharge, type }) =>
    !isCharge && !OTHER_PRICE_TYPES.has(type) && !isConditional(entity)
  );
  const prices = unconditional.filter(({ type }) => !LIST_PRICE_TYPES.has(type));
  const list = unconditional.filter(({ type }) => LIST_PRICE_TYPES.has(type));
  const delivery = specifications.filter(({ entity }) =>
    entity.types.includes("deliverychargespecification")
  );
  const amountIn = (entity: Entity) => amountsOf(entity, ["price"], writing).slice(0, 1);
  const net = prices.filter(({ entity }) => taxOf(entity) === "false");
  return {
    isNet: taxOf(offer) === "false" || (net.length > 0 && net.length === prices.length),
    prices: withoutNet(withoutRates(prices.map(({ entity }) => entity))).flatMap(amountIn),
    listPrice: firstDecimal(list.flatMap(({ entity }) => amountIn(entity))),
    shipping: shippingOf([
      ...delivery.map(({ entity }) => entity),
      ...someEntitiesOf(offer, "shippingdetails").flatMap((details) =>
        someEntitiesOf(details, "shippingrate")
      ),
    ]),
  };
}

function isConditional(specification: Entity): boolean {
  const isPerUnit = specification.properties.has("referencequantity") &&
    !entitiesOf(specification, "referencequantity").every(isOnePiece);
  if (isPerUnit || CONDITIONS_OF_PRICE.some((name) => specification.properties.has(name))) {
    return true;
  }
  return isForQuantities(specification);
}

export function isForQuantities(entity: Entity): boolean {
  return entitiesOf(entity, "eligiblequantity").some((quantity) =>
    Number(textOfEntity(quantity, "minvalue") ?? 0) > 1
  );
}

/**
 * Omits prices per unit, such as per kilogram, if the offer has another price. If all prices are
 * per unit, as for fabric, none is omitted.
 */
function withoutRates(specifications: readonly Entity[]): readonly Entity[] {
  const whole = specifications.filter((entity) =>
    !textsOf(entity, "referencequantity", "unittext").some(({ text }) => MEASURE.test(text)) &&
    !textsOf(entity, "unitcode").some(({ text }) => MEASURE_CODE.test(text))
  );
  return whole.length > 0 ? whole : specifications;
}

const MEASURE =
  /^[\d\s.,]*(?:mg|g|kg|ml|cl|dl|l|lit(?:er|re)s?|mm|cm|l?f?m|m²|m2|qm|m³|m3|kwh|monat|month)\.?$/i;
/** UN/CEFACT codes of weights, volumes, lengths, areas, energy and time. */
const MEASURE_CODE =
  /^(?:MGM|GRM|HGM|KGM|TNE|LBR|ONZ|MLT|CLT|DLT|LTR|HLT|MTQ|MMT|CMT|MTR|CMK|MTK|KWH|HUR|DAY|WEE|MON|ANN)$/i;

/** Unit codes are from UN/CEFACT. */
function isOnePiece(quantity: Entity): boolean {
  return Number(textOfEntity(quantity, "value") ?? 1) === 1 &&
    (/^(?:C62|H87|EA|PCE|NAR|XPP)$/i.test(textOfEntity(quantity, "unitcode") ?? "") ||
      /^(?:St(?:ü|ue)ck|Stk?\.?|pcs?|pieces?|each)$/i.test(
        textOfEntity(quantity, "unittext") ?? "",
      ));
}

/** Omits prices without tax if some prices include tax. */
function withoutNet(specifications: readonly Entity[]): readonly Entity[] {
  const gross = specifications.filter((entity) => taxOf(entity) === "true");
  return gross.length > 0 ? gross : specifications;
}

function taxOf(entity: Entity): string | null {
  return textOfEntity(entity, "valueaddedtaxincluded")?.toLowerCase() ?? null;
}

export function isSubscription(offer: Entity): boolean {
  const specifications = someEntitiesOf(offer, "pricespecification");
  return specifications.length > 0 &&
    specifications.every((entity) =>
      BILLING.some((name) => entity.properties.has(name)) ||
      localName(textOfEntity(entity, "pricetype") ?? "") === "subscription"
    );
}

export function amountsOf(entity: Entity, names: readonly string[], writing: Writing): Amount[] {
  const currency = currencyOf(textOfEntity(entity, ...CURRENCIES)) ?? writing.currency;
  return textsOf(entity, ...names).slice(0, 10).map((text) =>
    readAmount(text, { ...writing, currency })
  );
}

export function isAggregate({ types }: Entity): boolean {
  return types.some((type) => type.includes("aggregate"));
}

/** True for the lowest price of an aggregate in which another offer costs more. */
export function isLowest(offer: Entity, low: Amount, writing: Writing): boolean {
  return isAggregate(offer) && "decimal" in low &&
    amountsOf(offer, ["highprice"], writing).some((high) =>
      "decimal" in high && compareDecimals(high.decimal, low.decimal) > 0
    );
}

function firstDecimal(amounts: readonly Amount[]): string | null {
  return amounts.flatMap((amount) => "decimal" in amount ? [amount.decimal] : [])[0] ?? null;
}

/** Null unless all shipping rates are equal and in one currency. Free shipping is "0". */
function shippingOf(rates: readonly Entity[]): Shipping | null {
  const decimals = rates.map((rate) => textOfEntity(rate, "value", "maxvalue", "price") ?? "");
  const currencies = new Set(
    rates.flatMap((rate) => currencyOf(textOfEntity(rate, ...CURRENCIES)) ?? []),
  );
  const [decimal = ""] = decimals;
  const isOne = currencies.size <= 1 && RATE.test(decimal) &&
    decimals.every((other) => RATE.test(other) && compareDecimals(other, decimal) === 0);
  return isOne ? { decimal, currency: [...currencies][0] ?? null } : null;
}

const RATE = /^\d{1,9}(?:\.\d{1,4})?$/;
