/** Makes an import profile from the uses that a person has chosen for the columns, and saves it. */
import { fromKeys } from "../../../base/collections.ts";
import type {
  Column,
  PriceColumns,
  TableProfile,
} from "../../../imports/profiles/table_profile.ts";
import {
  columnIn,
  isColumn,
  isPlain,
  type MappedColumn,
  type MappingDraft,
  PRICE_ROLES,
  type PriceTarget,
  PROFILE_FIELDS,
  type SlotTarget,
  type Target,
} from "./mapping_draft.ts";
import type { ProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import { useProfileSaving } from "../import/file_preview.tsx";
import { useEffect, useState } from "preact/hooks";

export function profileOf({ columns, constants, profile }: MappingDraft): TableProfile {
  const of = (target: Target) => columns.filter((column) => column.target === target);
  const first = (target: Target) => of(target).map(columnOf)[0] ?? null;
  const fields = fromKeys(PROFILE_FIELDS, (field): Column | null => {
    const constant = constants.find((one) => one.field === field && one.text !== "");
    if (constant) return { columns: [], constant: constant.text, transform: null };
    if (field === "tier") return first("itemTier");
    if (isPlain(field)) return first(field);
    const column = of(field).find(({ kept }) => kept?.target === field && kept.price === null);
    return column ? columnOf(column) : null;
  });
  const active = first("active");
  const by = first("inherit");
  return {
    ...profile,
    fields,
    attributes: [
      ...of("attribute").map((column) => ({
        name: column.name.trim() || column.ref,
        from: columnOf(column),
      })),
      ...profile.attributes.filter(({ from }) => from.columns.length === 0),
    ],
    prices: pricesOf(columns, profile),
    competitors: [
      ...of("competitorUrl").map((column) => competitorOf(column)),
      ...profile.competitors.filter(({ url }) => url.columns.length === 0),
    ],
    active: active && {
      else: profile.active?.else ?? "skip",
      yes: (profile.active?.yes ?? []).map((word) => word.trim()).filter((word) => word !== ""),
      from: active,
      ...(profile.active?.not && { not: true }),
    },
    inherit: by && { fields: ["title", "brand", "category"], ...profile.inherit, by },
  };
}

/**
 * Keeps the stored order of price columns, because an import may use the first valid price. New
 * price columns come last.
 */
function pricesOf(
  columns: readonly MappedColumn[],
  { prices }: TableProfile,
): TableProfile["prices"] {
  const shown = columns.flatMap((column) => {
    const price = priceOf(column, columns);
    return price === null ? [] : [{ price, place: placeOf(column, prices) }];
  });
  const others = prices.flatMap((price, place) =>
    price.from.columns.length === 0 ? [{ price, place }] : []
  );
  return [...shown, ...others].sort((one, other) => one.place - other.place)
    .map(({ price }) => price);
}

function placeOf({ kept }: MappedColumn, prices: TableProfile["prices"]): number {
  const place = kept?.price ? prices.indexOf(kept.price) : -1;
  return place < 0 ? prices.length : place;
}

function columnOf({ ref, transform, target, kept }: MappedColumn): Column {
  const isSame = kept !== null && kept.target === target;
  return isSame ? { ...kept.column, transform } : { columns: [ref], constant: null, transform };
}

function competitorOf(column: MappedColumn): TableProfile["competitors"][number] {
  const { name, kept } = column;
  const keptName = kept?.target === column.target ? kept.competitor?.name ?? null : null;
  const own = typeof keptName === "object" ? keptName : null;
  return { url: columnOf(column), name: name.trim() || own };
}

const isPrice = (target: Target | ""): target is PriceTarget => target in PRICE_ROLES;

function priceOf(column: MappedColumn, columns: readonly MappedColumn[]): PriceColumns | null {
  const { target } = column;
  if (!isPrice(target)) return null;
  const kept = column.kept?.target === target ? column.kept : null;
  if (kept !== null && kept.price === null) return null;
  const before = kept?.price ?? null;
  const slot = (name: SlotTarget) => slotOf(name, before, target, columns);
  return {
    from: columnOf(column),
    role: PRICE_ROLES[target],
    tier: slot("priceTier") ?? (column.name.trim() || (target === "tierPrice" ? column.ref : null)),
    side: column.side,
    currency: currencyOf(column.currency, before),
    minQty: quantityOf(column.minQty) ?? slot("minQty") ?? 1,
    validFrom: slot("validFrom"),
    validUntil: slot("validUntil"),
    range: slot("saleRange"),
    per: slot("per"),
  };
}

function currencyOf(written: string, before: PriceColumns | null): PriceColumns["currency"] {
  if (written.trim() !== "") return written.trim().toUpperCase();
  return typeof before?.currency === "object" ? before.currency : null;
}

function quantityOf(written: string): number | null {
  const quantity = Number(written.replace(",", "."));
  return quantity > 1 ? quantity : null;
}

const SLOTS_OF: Readonly<Record<PriceTarget, readonly SlotTarget[]>> = {
  ownPrice: ["priceTier", "minQty", "per", "validFrom", "validUntil"],
  breakPrice: ["per", "validFrom", "validUntil"],
  tierPrice: ["minQty", "per", "validFrom", "validUntil"],
  sale: ["saleRange", "validFrom", "validUntil"],
  costPrice: [],
  targetPrice: [],
};

function slotOf(
  name: SlotTarget,
  before: PriceColumns | null,
  target: PriceTarget,
  columns: readonly MappedColumn[],
): Column | null {
  const rows = columns.filter((column) => column.target === name);
  const kept = before === null ? null : columnIn(before, name);
  const isThere = kept !== null && (!isColumn(kept) ||
    rows.some((row) => JSON.stringify(row.kept?.column) === JSON.stringify(kept)));
  if (isThere) return kept;
  if (!SLOTS_OF[target].includes(name)) return null;
  // In a file with a sale price, `validFrom` and `validUntil` limit the sale price only.
  const isDate = name === "validFrom" || name === "validUntil";
  const hasSale = columns.some((column) => column.target === "sale");
  if (isDate && target !== "sale" && hasSale) return null;
  const [row] = before === null ? rows : rows.filter((row) => row.kept?.target !== name);
  return row ? columnOf(row) : null;
}

interface MappingOptions {
  readonly own: ProfileDocument | null;
  readonly fileKey: string;
  readonly formId: string;
  onTheirs(): void;
}

interface Mapping {
  readonly profile: TableProfile;
  readonly name: string;
  readonly columns: readonly string[];
}

export function useSavedMapping({ own, fileKey, formId, onTheirs }: MappingOptions) {
  const [made, setMade] = useState<ProfileDocument | null>(null);
  const target = own ?? made;
  const saving = useProfileSaving({ target, formId, onTheirs });
  useEffect(() => {
    if (target !== null) saving.follow(target);
  }, [target?.id, fileKey]);
  /** Resolves to the profile's id, or null if another person has changed the profile. */
  const save = async ({ profile, name, columns }: Mapping): Promise<string | null> => {
    const { id: _id, ...rest } = profile;
    const named = { ...rest, detect: { ...rest.detect, columns }, name };
    const saved = await saving.save(own === null ? named : rest);
    if (saved === null) return null;
    if (own === null) setMade(saved);
    return saved.id;
  };
  return { save, note: saving.note };
}

export function nameOfFile(file: File | null): string {
  const plain = withoutEndings(file?.name ?? "");
  return withoutDay(plain).replace(/[\s_]+/g, " ").trim() || plain;
}

function withoutEndings(name: string): string {
  const parts = name.split(".");
  const last = parts.findLastIndex((part, n) => n === 0 || !/^[a-z0-9]{1,6}$/i.test(part));
  return parts.slice(0, last + 1).join(".");
}

/** Removes a final number or date: `artikel_2026-08-01` becomes `artikel`. */
function withoutDay(name: string): string {
  let end = name.length;
  while (end > 0 && /[\d\s_.-]/.test(name.charAt(end - 1))) end--;
  return /\d/.test(name.slice(end)) ? name.slice(0, end) : name;
}
