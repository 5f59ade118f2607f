/**
 * Words of schema.org, and of its forerunner data-vocabulary.org, that decide what a price means.
 * All in lower case, because pages are careless with capitals.
 */

/** What a shop sells. An event, a game, an app or a service is none, unless it is also a product. */
export const PRODUCT_TYPES = setOf(
  "product productgroup productmodel individualproduct someproducts vehicle car motorcycle " +
    "motorizedbicycle busorcoach book audiobook movie musicalbum drug dietarysupplement",
);

export const OFFER_TYPES = setOf("offer aggregateoffer offer-aggregate offerforpurchase");

/** Things around a product that have no offer of their own; those without a type count too. */
export const PAGE_TYPES = setOf(
  "website webpage itempage collectionpage webpageelement thing breadcrumblist itemlist listitem " +
    "offercatalog aggregaterating review action tradeaction buyaction orderaction",
);

/** Leads from a product to another one. */
export const RELATED_PROPERTIES = setOf(
  "isrelatedto issimilarto isaccessoryorsparepartfor isconsumablefor relatedlink related " +
    "recommends recommendations addon predecessorof successorof significantlink isbasedon",
);

/** Leads to one of many. */
export const LISTED_PROPERTIES = setOf("itemlistelement hasoffercatalog makesoffer itemoffered");

/** Leads to what the page is about. */
export const MAIN_PROPERTIES = setOf("mainentity mainentityofpage");

export const OFFERS = ["offers", "offerdetails"] as const;
export const VARIANTS = ["hasvariant", "model"] as const;
export const PRICES = ["price", "lowprice"] as const;
export const CURRENCIES = ["pricecurrency", "currency"] as const;
export const GTINS = ["gtin13", "gtin", "gtin8", "gtin12", "gtin14", "ean", "isbn"] as const;
export const SKUS = ["sku", "productid", "identifier", "serialnumber"] as const;

/** A price of these types (`priceType`) is what the article once cost or should cost. */
export const LIST_PRICE_TYPES = setOf(
  "listprice strikethroughprice srp msrp regularprice suggestedretailprice",
);

/** A price of these types is not what a customer pays once for one piece. */
export const OTHER_PRICE_TYPES = setOf(
  "invoiceprice minimumadvertisedprice downpayment subscription distancefee localizedprice",
);

/** Properties of a price specification that is paid again and again. */
export const BILLING = ["billingduration", "billingincrement"] as const;

/** A price specification with one of these is for members, for large orders or per month. */
export const CONDITIONS_OF_PRICE = [
  ..."validformembertier membershippointsearned eligibletransactionvolume".split(" "),
  ...BILLING,
] as const;

/** Where shops put an object in place of a price: the one in it that is paid. */
export const PAID_PRICES = [
  ..."sales sale sellingprice current currentprice final now price".split(" "),
];

/** Specifications of what is paid besides the price. */
export const CHARGE_TYPES = setOf("deliverychargespecification paymentchargespecification");

/** Properties whose value is a word of schema.org: of an entity there, its address is that word. */
export const WORDS_OF_SCHEMA = setOf(
  "availability itemcondition condition businessfunction pricetype",
);

/** Properties whose texts are read; the rest, long descriptions among them, is not. */
export const READ_PROPERTIES: ReadonlySet<string> = new Set([
  ...PRICES,
  ...CURRENCIES,
  ...GTINS,
  ...SKUS,
  ...WORDS_OF_SCHEMA,
  ..."name url mpn brand manufacturer".split(" "),
  ..."value minvalue maxvalue unitcode unittext referencequantity".split(" "),
  ..."valueaddedtaxincluded highprice seller".split(" "),
  ...CONDITIONS_OF_PRICE,
]);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
