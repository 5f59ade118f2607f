/** An import profile as its form holds it, and back into the document that the service takes. */

import { fromKeys } from "../../../base/collections.ts";
import type { XmlProfileDocument } from "../../../imports/profiles/change_import_profiles.ts";
import {
  DATE_FORMATS,
  GROUP_PATHS,
  LINK_PATHS,
  PRICE_PATHS,
  SALE_PATHS,
} from "../../../imports/profiles/profile_choices.ts";
import type { ProfileShape } from "../../../imports/profiles/profile_shape.ts";
import { isRecord } from "../../api/api_error.ts";
import {
  DATE_FLAGS,
  emptyText,
  type FlagName,
  PROFILE_FIELDS,
  TEXT_NAMES,
  type TextName,
} from "./profile_names.ts";

export type ProfileDraft = Record<TextName, string> & Record<FlagName, boolean>;

/** The known part of a profile; the rest has the form's defaults. */
type KnownProfile = Partial<Omit<XmlProfileDocument, "builtIn">>;

export function draftOf(profile: KnownProfile): ProfileDraft {
  const { prices = null, competitors = null, groups = null } = profile;
  const formats = profile.dateFormats ?? DATE_FORMATS;
  return {
    ...textsOf(profile),
    groupItems: profile.groupItems ?? false,
    zeroIsEmpty: profile.zeroIsEmpty ?? false,
    currencyInAmount: profile.currencyInAmount ?? false,
    hasPrices: prices !== null,
    "prices.firstTierCounts": prices?.firstTierCounts ?? true,
    hasLinks: competitors !== null,
    hasGroups: groups !== null,
    ...fromKeys(DATE_FLAGS, (flag) => formats.some((format) => flag === `date ${format}`)),
  };
}

function textsOf(profile: KnownProfile): Record<TextName, string> {
  return fromKeys(TEXT_NAMES, (name) => textAt(profile, name) || emptyText(name));
}

/** Of lists the parts with commas between them; empty for what is not there. */
function textAt(profile: KnownProfile, name: TextName): string {
  let found: unknown = profile;
  for (const part of name.split(".")) found = isRecord(found) ? found[part] : undefined;
  return Array.isArray(found) ? found.join(", ") : typeof found === "string" ? found : "";
}

/** A part of the document with everything that the service knows of it. */
type Whole<Part extends keyof ProfileShape> = Record<
  keyof NonNullable<ProfileShape[Part]>,
  unknown
>;

/** The document; a part that the form says is not in the file is left out whole. */
export function bodyOf(draft: ProfileDraft) {
  const text = (name: TextName) => draft[name].trim();
  const optional = (name: TextName) => text(name) || null;
  const list = (name: TextName) => text(name).split(",").map((part) => part.trim()).filter(Boolean);
  const fields = PROFILE_FIELDS.map((name) => {
    const path = text(`fields.${name}.path`);
    const transform = optional(`fields.${name}.transform`);
    return [name, path === "" ? null : { path, transform }] as const;
  });
  return {
    id: text("id"),
    name: text("name"),
    detect: { root: text("detect.root"), namespace: optional("detect.namespace") },
    itemPath: text("itemPath"),
    groupItems: draft.groupItems,
    fields: {
      ...Object.fromEntries(fields),
      sku: { path: text("fields.sku.path"), transform: optional("fields.sku.transform") },
    },
    fileCurrency: optional("fileCurrency"),
    mode: optional("mode"),
    prices: !draft.hasPrices ? null : {
      ...fromKeys(PRICE_PATHS.required, (name) => text(`prices.${name}`)),
      ...fromKeys(PRICE_PATHS.optional, (name) => optional(`prices.${name}`)),
      current: text("prices.current"),
      defaultTier: optional("prices.defaultTier"),
      firstTierCounts: draft["prices.firstTierCounts"],
      alsoCostPrice: list("prices.alsoCostPrice"),
      alsoTargetPrice: list("prices.alsoTargetPrice"),
    } satisfies Whole<"prices">,
    competitors: !draft.hasLinks ? null : {
      ...fromKeys(LINK_PATHS.required, (name) => text(`competitors.${name}`)),
      ...fromKeys(LINK_PATHS.optional, (name) => optional(`competitors.${name}`)),
    } satisfies Whole<"competitors">,
    sale: text("sale.amount") === "" ? null : {
      ...fromKeys(SALE_PATHS.required, (name) => text(`sale.${name}`)),
      ...fromKeys(SALE_PATHS.optional, (name) => optional(`sale.${name}`)),
    } satisfies Whole<"sale">,
    currencyInAmount: draft.currencyInAmount,
    groups: !draft.hasGroups
      ? null
      : fromKeys(GROUP_PATHS.required, (name) => text(`groups.${name}`)) satisfies Whole<"groups">,
    numberFormat: text("numberFormat"),
    zeroIsEmpty: draft.zeroIsEmpty,
    dateFormats: DATE_FORMATS.filter((format) => draft[`date ${format}`]),
    openEnd: list("openEnd"),
  } satisfies Record<Exclude<keyof ProfileShape, "format">, unknown>;
}
