/**
 * An import profile says what each column of a table is used for. This module represents a profile
 * while a person edits it. For a new file, the service suggests a use for each column, with a
 * confidence from 0 to 1.
 */
import { columnAt } from "../../../base/codes.ts";
import { IMPORTED_NAMES, majorName } from "../../../catalogue/products/product_field_table.ts";
import { SOLD_FIELDS } from "../../../imports/choices.ts";
import type {
  Column,
  PriceColumns,
  TableProfile,
} from "../../../imports/profiles/table_profile.ts";
import type { Preview } from "../../../imports/preview_upload.ts";

const PRICE_FIELDS = ["costPrice", "targetPrice"] as const;

export const PROFILE_FIELDS = [...IMPORTED_NAMES.map(majorName), ...SOLD_FIELDS];

type FieldName = (typeof PROFILE_FIELDS)[number];
export type PlainField = Exclude<FieldName, (typeof PRICE_FIELDS)[number] | "tier">;

export const isPlain = (name: FieldName): name is PlainField =>
  name !== "costPrice" && name !== "targetPrice" && name !== "tier";

export const PLAIN_FIELDS: readonly PlainField[] = PROFILE_FIELDS.filter(isPlain);

/**
 * `breakPrice` applies from a minimum quantity, `tierPrice` to a customer group, `sale` for a
 * limited time.
 */
export const PRICE_TARGETS = [
  "ownPrice",
  "breakPrice",
  "tierPrice",
  "sale",
  "costPrice",
  "targetPrice",
] as const;

export type PriceTarget = (typeof PRICE_TARGETS)[number];

export const PRICE_ROLES: Readonly<Record<PriceTarget, PriceColumns["role"]>> = {
  ownPrice: "own",
  breakPrice: "own",
  tierPrice: "tier",
  sale: "sale",
  costPrice: "cost",
  targetPrice: "target",
};

export const DETAIL_TARGETS = [
  "priceTier",
  "itemTier",
  "minQty",
  "per",
  "validFrom",
  "validUntil",
  "saleRange",
] as const;

export const OTHER_TARGETS = ["active", "competitorUrl", "attribute", "inherit"] as const;

type DetailTarget = (typeof DETAIL_TARGETS)[number];
export type Target = PlainField | PriceTarget | DetailTarget | (typeof OTHER_TARGETS)[number];

const SEVERAL: readonly Target[] = ["breakPrice", "tierPrice", "competitorUrl", "attribute"];

interface Kept {
  readonly column: Column;
  readonly target: Target;
  readonly price: PriceColumns | null;
  readonly competitor: TableProfile["competitors"][number] | null;
}

export interface MappedColumn {
  readonly ref: string;
  readonly at: number | null;
  readonly target: Target | "";
  readonly side: PriceColumns["side"];
  readonly currency: string;
  readonly transform: Column["transform"];
  readonly name: string;
  readonly minQty: string;
  readonly kept: Kept | null;
}

export interface MappingDraft {
  readonly columns: readonly MappedColumn[];
  readonly constants: readonly { readonly field: FieldName; readonly text: string }[];
  readonly profile: TableProfile;
}

const DETAIL_SLOTS = {
  priceTier: "tier",
  minQty: "minQty",
  per: "per",
  validFrom: "validFrom",
  validUntil: "validUntil",
  saleRange: "range",
} as const satisfies Partial<Record<DetailTarget, keyof PriceColumns>>;

export type SlotTarget = keyof typeof DETAIL_SLOTS;
const SLOT_TARGETS = DETAIL_TARGETS.filter((target): target is SlotTarget =>
  target in DETAIL_SLOTS
);

const EMPTY = {
  target: "",
  side: null,
  currency: "",
  transform: null,
  name: "",
  minQty: "",
  kept: null,
} as const;

export function draftOf(profile: TableProfile, names: readonly string[] | null): MappingDraft {
  const used = usesOf(profile).map((use): MappedColumn => {
    const { columns } = use.kept.column;
    const places = names === null ? [] : columns.map((name) => columnAt(name, names));
    const at = places.find((place) => place >= 0) ?? null;
    return { ...EMPTY, ref: columns[0] ?? "", at, ...use, transform: use.kept.column.transform };
  });
  const ofFile = (names ?? []).flatMap((_, at): readonly MappedColumn[] => {
    const here = used.filter((column) => column.at === at);
    return here.length > 0 ? here : [{ ...EMPTY, ref: refOf(at, names ?? []), at }];
  });
  const constants = PROFILE_FIELDS.flatMap((field) => {
    const column = profile.fields[field];
    return column?.columns.length === 0 && column.constant !== null
      ? [{ field, text: column.constant }]
      : [];
  });
  return { columns: [...ofFile, ...used.filter(({ at }) => at === null)], constants, profile };
}

/** Returns the column's name, or its number (`#3`) if the name is empty or repeated. */
function refOf(at: number, names: readonly string[]): string {
  const name = names[at] ?? "";
  return name !== "" && names.indexOf(name) === at ? name : `#${at + 1}`;
}

type Use = Partial<MappedColumn> & { readonly target: Target; readonly kept: Kept };

function usesOf(profile: TableProfile): Use[] {
  const uses: Use[] = [];
  const add = (
    target: Target,
    column: Column | null,
    more: Partial<MappedColumn> & Partial<Pick<Kept, "price" | "competitor">> = {},
  ) => {
    if (column === null || column.columns.length === 0) return;
    const { price = null, competitor = null, ...said } = more;
    uses.push({ ...said, target, kept: { column, target, price, competitor } });
  };
  for (const field of PROFILE_FIELDS) {
    add(field === "tier" ? "itemTier" : field, profile.fields[field]);
  }
  for (const { name, from } of profile.attributes) add("attribute", from, { name });
  for (const price of profile.prices) {
    const { from, side, currency, minQty, tier } = price;
    add(targetOf(price), from, {
      side,
      currency: typeof currency === "string" ? currency : "",
      name: typeof tier === "string" ? tier : "",
      minQty: typeof minQty === "number" && minQty > 1 ? String(minQty) : "",
      price,
    });
  }
  for (const target of SLOT_TARGETS) {
    const found = profile.prices.map((price) => columnIn(price, target)).filter(isColumn);
    const different = new Map(found.map((column) => [JSON.stringify(column), column]));
    for (const column of different.values()) add(target, column);
  }
  for (const competitor of profile.competitors) {
    const { url, name } = competitor;
    add("competitorUrl", url, { name: typeof name === "string" ? name : "", competitor });
  }
  add("active", profile.active?.from ?? null);
  add("inherit", profile.inherit?.by ?? null);
  return uses;
}

function targetOf({ role, minQty }: PriceColumns): PriceTarget {
  const isBreak = role === "own" && typeof minQty === "number" && minQty > 1;
  if (isBreak) return "breakPrice";
  return PRICE_TARGETS.find((target) => PRICE_ROLES[target] === role) ?? "ownPrice";
}

export function columnIn(price: PriceColumns, target: SlotTarget): Column | null {
  const value = price[DETAIL_SLOTS[target]];
  return typeof value === "object" ? value : null;
}

export function isColumn(column: Column | null): column is Column {
  return column !== null && column.columns.length > 0;
}

export function withColumn(
  draft: MappingDraft,
  place: number,
  change: Partial<MappedColumn>,
): MappingDraft {
  const { target } = change;
  const isMoved = target !== undefined && target !== "" && !SEVERAL.includes(target);
  const columns = draft.columns.map((column, at) => {
    if (at === place) return { ...column, ...change };
    return isMoved && column.target === target ? { ...column, target: "" as const } : column;
  });
  const constants = draft.constants.filter(({ field }) => field !== target);
  return { ...draft, columns, constants };
}

export function telltaleColumns({ columns }: MappingDraft): string[] {
  const names = columns.filter(({ at, target, ref }) =>
    at !== null && target !== "" && !ref.startsWith("#")
  ).map(({ ref }) => ref);
  return [...new Set(names)].slice(0, 100);
}

/** A person should check a suggestion with a lower confidence. */
export const SURE = 0.7;

export type FileColumn = Preview["columns"][number];

export interface Suggested {
  readonly draft: MappingDraft;
  readonly columns: readonly FileColumn[];
}

export const TARGETS: readonly Target[] = [
  ...PLAIN_FIELDS,
  ...PRICE_TARGETS,
  ...DETAIL_TARGETS,
  ...OTHER_TARGETS,
];

export function guessOf(
  { at, target }: MappedColumn,
  { columns }: MappingDraft,
  preview: Preview | null,
): Target | null {
  const ofFile = at === null ? null : preview?.columns[at] ?? null;
  if (target !== "" || !ofFile?.isGuess) return null;
  const guess = ofFile.field === "price" ? "ownPrice" : ofFile.field;
  const found = TARGETS.find((one) => one === guess) ?? null;
  return columns.some((column) => column.target === found) ? null : found;
}

export function takenPrice(draft: MappingDraft, preview: Preview | null) {
  const place = draft.columns.findIndex((one) => guessOf(one, draft, preview) === "ownPrice");
  const column = draft.columns[place];
  const ofFile = preview?.columns[column?.at ?? -1] ?? null;
  if (!column || !ofFile) return null;
  const name = ofFile.column || column.ref;
  return { name, draft: withColumn(draft, place, confirmed("ownPrice", name, ofFile)) };
}

export function confirmed(
  target: Target,
  name: string,
  ofFile: FileColumn | null,
): Partial<MappedColumn> {
  const { side = null, currency = null } = ofFile ?? {};
  return { target, ...startOf(target, name), side, currency: currency ?? "" };
}

export function startOf(target: Target | undefined, name: string): Partial<MappedColumn> {
  const isNamed = target === "attribute" || target === "tierPrice";
  return { name: isNamed ? name : "", minQty: target === "breakPrice" ? "10" : "" };
}

export function confidenceOf(
  { at, target }: MappedColumn,
  suggested: Suggested | null,
): number | null {
  const same = suggested?.draft.columns.find((one) => one.at === at && one.target === target);
  return same ? suggested?.columns[at ?? -1]?.confidence ?? 1 : null;
}

/** A person must check `doubtful` columns; an import ignores `skipped` columns. */
export function countColumns(draft: MappingDraft, preview: Preview, suggested: Suggested | null) {
  const ofFile = draft.columns.filter(({ at }) => at !== null);
  const read = ofFile.filter(({ target }) => target !== "");
  const doubtful = read.filter((column) => (confidenceOf(column, suggested) ?? 1) < SURE);
  const guessed = ofFile.filter((column) => guessOf(column, draft, preview) !== null);
  return {
    sure: read.length - doubtful.length,
    doubtful: doubtful.length + guessed.length,
    skipped: ofFile.length - read.length - guessed.length,
  };
}
