/** Declares every field of a product once, as constants that the web client may import, too. */
import type { Language } from "../../base/codes.ts";
import type { Product } from "./product.ts";

export type WrittenForm =
  | "sku"
  | "title"
  | "currency"
  | "text"
  | "amount"
  | "ean"
  | "address"
  | "rate"
  | "quantity"
  | "condition"
  | "pairs"
  | "flag"
  | "instant"
  | "hours";

interface ImportPlace {
  /** Position of the field in `IMPORTED_NAMES`, from 0. */
  readonly slot: number;
  /**
   * Names of the field in Kurant's own XML format: Kurant reads all of them, and writes the first.
   * An empty list means that this format lacks the field.
   */
  readonly house: readonly string[];
  /** Fields with the role `price` are read together with the record's prices, not singly. */
  readonly role: "key" | "field" | "price";
}

export interface FieldFilter {
  /** `contains` finds parts of texts, ignoring case. `positive` tests if a number is above 0. */
  readonly match: "contains" | "equals" | "positive";
  readonly example?: string;
}

interface PlainColumn {
  readonly width: number;
  readonly choice: "shown" | "hidden";
}

export interface ProductField {
  readonly label: Readonly<Record<Language, string>>;
  readonly written: WrittenForm | null;
  readonly charsMax?: number;
  /** In CSV files, `json` columns come last. Null: CSV files have no such column. */
  readonly csv: "plain" | "amount" | "json" | null;
  readonly import: ImportPlace | null;
  readonly filter: FieldFilter | null;
  readonly isBulk: boolean;
  /**
   * With `each`, audit rows show every attribute as a field of its own. Null: audit rows leave the
   * field out.
   */
  readonly audit: "plain" | "amount" | "each" | null;
  readonly column: "own" | PlainColumn | null;
  /**
   * Input in the form: `main` is a text input below the title, `more` a text input further down,
   * `own` a special input.
   */
  readonly form: "main" | "more" | "own" | null;
}

const PLAIN = { csv: "plain", filter: null, isBulk: false, audit: "plain" } as const;

const BY_SERVICE = { ...PLAIN, written: null, import: null, column: null, form: null } as const;

const AMOUNT = {
  ...BY_SERVICE,
  written: "amount",
  csv: "amount",
  audit: "amount",
  column: "own",
  form: "own",
} as const;

const SETTING = { ...BY_SERVICE, isBulk: true, column: "own", form: "own" } as const;

export const PRODUCT_FIELDS = {
  id: { ...BY_SERVICE, label: { de: "ID", en: "ID" } },
  sku: {
    label: { de: "SKU", en: "SKU" },
    written: "sku",
    ...PLAIN,
    import: {
      slot: 0,
      house: ["SKU", "ITEMNO", "ITEMID", "ARTICLENO", "ARTIKELNR", "NUMBER"],
      role: "key",
    },
    column: "own",
    form: "own",
  },
  title: {
    label: { de: "Titel", en: "Title" },
    written: "title",
    charsMax: 500,
    ...PLAIN,
    import: { slot: 1, house: ["TITLE", "NAME", "DESCRIPTION", "BEZEICHNUNG"], role: "field" },
    column: "own",
    form: "own",
  },
  brand: {
    label: { de: "Marke", en: "Brand" },
    written: "text",
    ...PLAIN,
    import: { slot: 2, house: ["BRAND", "MANUFACTURER", "HERSTELLER"], role: "field" },
    filter: { match: "contains", example: "bosch" },
    column: { width: 100, choice: "shown" },
    form: "main",
  },
  category: {
    label: { de: "Kategorie", en: "Category" },
    written: "text",
    ...PLAIN,
    import: { slot: 3, house: ["CATEGORY", "GROUP", "WARENGRUPPE"], role: "field" },
    filter: { match: "contains" },
    column: { width: 115, choice: "shown" },
    form: "main",
  },
  tier: {
    label: { de: "Preisgruppe", en: "Price tier" },
    written: "text",
    charsMax: 64,
    ...PLAIN,
    import: { slot: 11, house: ["TIER", "PRICEGROUP", "PRICELIST", "PREISGRUPPE"], role: "price" },
    filter: { match: "equals" },
    column: { width: 110, choice: "hidden" },
    form: "more",
  },
  ourPriceCents: { ...AMOUNT, label: { de: "Unser Preis", en: "Our price" } },
  costPriceCents: {
    ...AMOUNT,
    label: { de: "Einkauf", en: "Cost" },
    import: { slot: 9, house: ["COSTPRICE", "PURCHASEPRICE", "EK"], role: "price" },
  },
  targetPriceCents: {
    ...AMOUNT,
    label: { de: "Zielpreis", en: "Target" },
    import: { slot: 10, house: ["TARGETPRICE"], role: "price" },
  },
  currency: {
    label: { de: "Währung", en: "Currency" },
    written: "currency",
    ...PLAIN,
    import: { slot: 8, house: ["CURRENCY"], role: "price" },
    column: null,
    form: "own",
  },
  ean: {
    label: { de: "EAN", en: "EAN" },
    written: "ean",
    ...PLAIN,
    import: { slot: 4, house: ["EAN"], role: "field" },
    column: { width: 130, choice: "hidden" },
    form: "own",
  },
  mpn: {
    label: { de: "Herstellernr.", en: "MPN" },
    written: "text",
    ...PLAIN,
    import: { slot: 5, house: ["MPN"], role: "field" },
    column: { width: 120, choice: "hidden" },
    form: "more",
  },
  url: {
    label: { de: "Adresse", en: "Address" },
    written: "address",
    ...PLAIN,
    import: { slot: 6, house: [], role: "field" },
    column: null,
    form: "own",
  },
  vatRatePct: {
    label: { de: "Umsatzsteuer in %", en: "VAT in %" },
    written: "rate",
    ...PLAIN,
    import: { slot: 7, house: [], role: "field" },
    column: null,
    form: "own",
  },
  attributes: {
    ...BY_SERVICE,
    label: { de: "Merkmale", en: "Attributes" },
    written: "pairs",
    csv: "json",
    audit: "each",
  },
  priceLocked: { ...SETTING, label: { de: "Preis gesperrt", en: "Price locked" }, written: "flag" },
  heldUntil: {
    ...BY_SERVICE,
    label: { de: "Preis gehalten bis", en: "Price held until" },
    written: "instant",
    isBulk: true,
  },
  scrapeEnabled: { ...SETTING, label: { de: "Abruf", en: "Fetching" }, written: "flag" },
  scrapeIntervalHours: {
    ...SETTING,
    label: { de: "Abruf alle … Stunden", en: "Fetch every … hours" },
    written: "hours",
  },
  ourPriceUpdatedAt: {
    ...BY_SERVICE,
    label: { de: "Preis geändert am", en: "Price changed at" },
    audit: null,
  },
  lastScrapedAt: { ...BY_SERVICE, label: { de: "Abgerufen am", en: "Fetched at" }, column: "own" },
  createdAt: { ...BY_SERVICE, label: { de: "Angelegt am", en: "Created at" } },
  updatedAt: {
    ...BY_SERVICE,
    label: { de: "Geändert am", en: "Changed at" },
    audit: null,
    column: "own",
  },
  deletedAt: { ...BY_SERVICE, label: { de: "Gelöscht am", en: "Deleted at" } },
  minPriceCents: {
    ...AMOUNT,
    label: { de: "Mindestpreis", en: "Minimum price" },
    import: { slot: 12, house: ["MINPRICE", "MINDESTPREIS"], role: "price" },
  },
  maxPriceCents: {
    ...AMOUNT,
    label: { de: "Höchstpreis", en: "Maximum price" },
    import: { slot: 13, house: ["MAXPRICE", "HOECHSTPREIS"], role: "price" },
  },
  shippingPriceCents: {
    ...AMOUNT,
    label: { de: "Versandkosten", en: "Shipping" },
    import: { slot: 14, house: ["SHIPPINGPRICE", "VERSANDKOSTEN"], role: "price" },
  },
  condition: {
    ...BY_SERVICE,
    label: { de: "Zustand", en: "Condition" },
    written: "condition",
    import: { slot: 15, house: ["CONDITION", "ZUSTAND"], role: "field" },
    filter: { match: "equals", example: "new" },
    isBulk: true,
    column: "own",
    form: "own",
  },
  stock: {
    ...BY_SERVICE,
    label: { de: "Bestand", en: "Stock" },
    written: "quantity",
    import: { slot: 16, house: ["STOCK", "BESTAND", "LAGERBESTAND"], role: "field" },
    filter: { match: "positive" },
    column: "own",
    form: "own",
  },
  prices: {
    ...BY_SERVICE,
    label: { de: "Preisgruppen", en: "Price tiers" },
    csv: null,
    audit: null,
  },
} as const satisfies Record<keyof Product, ProductField>;

type Fields = typeof PRODUCT_FIELDS;
type NamesWith<Facet extends Exclude<keyof ProductField, "charsMax">, Value> = {
  [Name in keyof Fields]: Fields[Name][Facet] extends Value ? Name : never;
}[keyof Fields];

export type FieldName = keyof Fields;
export type WrittenName = NamesWith<"written", WrittenForm>;

export function charsMaxOf(name: WrittenName): number {
  const { charsMax = 200 }: ProductField = PRODUCT_FIELDS[name];
  return charsMax;
}

export type AmountName = NamesWith<"written", "amount">;
export type FilteredName = NamesWith<"filter", FieldFilter>;
export type ImportedName = NamesWith<"import", ImportPlace>;
export type RecordName = NamesWith<"import", ImportPlace & { readonly role: "field" }>;
export type RecordAmountName = Extract<ImportedName, AmountName>;
export type BulkName = NamesWith<"isBulk", true>;
export type PlainColumnName = NamesWith<"column", PlainColumn>;
export type PlainInputName = NamesWith<"form", "main" | "more">;
export type OwnInputName = MajorName<NamesWith<"form", "own">>;

/** Name of the field in CSV files and forms, which use major units: the name without `Cents`. */
export type MajorName<Name extends string> = Name extends `${infer Major}Cents` ? Major : Name;

const isField = (name: string): name is FieldName => name in PRODUCT_FIELDS;
const fieldOf = (name: FieldName): ProductField => PRODUCT_FIELDS[name];

export const FIELD_NAMES = Object.keys(PRODUCT_FIELDS).filter(isField);

const namesOf = <Name extends FieldName>(fits: (field: ProductField) => boolean) =>
  FIELD_NAMES.filter((name): name is Name => fits(fieldOf(name)));

export const FOLLOWING_NAMES: readonly string[] = FIELD_NAMES.filter((name) =>
  fieldOf(name).written === null && name !== "deletedAt" && name !== "prices"
);

export const WRITTEN_NAMES: readonly WrittenName[] = [
  "sku",
  "title",
  "currency",
  ...namesOf<WrittenName>(({ written }) => written !== null)
    .filter((name) => name !== "sku" && name !== "title" && name !== "currency"),
];

export const AMOUNT_NAMES = namesOf<AmountName>(({ written }) => written === "amount");

export const NUMBER_NAMES: readonly string[] = namesOf(({ written }) =>
  written === "rate" || written === "quantity" || written === "hours"
);

export const FILTERED_NAMES = namesOf<FilteredName>(({ filter }) => filter !== null);

export const BULK_NAMES = namesOf<BulkName>(({ isBulk }) => isBulk);

export const IMPORTED_NAMES = namesOf<ImportedName>((field) => field.import !== null)
  .sort((a, b) => PRODUCT_FIELDS[a].import.slot - PRODUCT_FIELDS[b].import.slot);

export const RECORD_NAMES = IMPORTED_NAMES.filter((name): name is RecordName =>
  PRODUCT_FIELDS[name].import.role === "field"
);

export const RECORD_AMOUNT_NAMES = IMPORTED_NAMES.filter((name): name is RecordAmountName =>
  fieldOf(name).written === "amount"
);

export function plainColumns(choice: PlainColumn["choice"]): PlainColumnName[] {
  return namesOf<PlainColumnName>(({ column }) =>
    column !== null && column !== "own" && column.choice === choice
  );
}

export function plainInputs(place: "main" | "more"): PlainInputName[] {
  return namesOf<PlainInputName>(({ form }) => form === place);
}

export function majorName<Name extends FieldName>(name: Name): MajorName<Name>;
export function majorName(name: FieldName): string {
  return fieldOf(name).written === "amount" ? name.slice(0, -"Cents".length) : name;
}
