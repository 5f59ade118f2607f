/** An import profile as its form holds it, and back into the document that the service takes. */
import type { ProfileDocument } from "../../../imports/profiles/import_profile_document.ts";
import { isRecord } from "../../api/api_error.ts";
import {
  DATE_FORMATS,
  type DateFormat,
  type FlagName,
  GROUP_PATHS,
  LINK_PATHS,
  PRICE_PATHS,
  PROFILE_FIELDS,
  TEXT_NAMES,
  type TextName,
} from "./profile_names.ts";

export type ProfileDraft = Record<TextName, string> & Record<FlagName, boolean>;

/** What of a profile is known; the rest is as the form begins. */
export type KnownProfile = Partial<Omit<ProfileDocument, "builtIn">>;

export function draftOf(profile: KnownProfile): ProfileDraft {
  const { prices = null, competitors = null, groups = null } = profile;
  const formats: readonly string[] = profile.dateFormats ?? DATE_FORMATS;
  const has = (format: DateFormat) => formats.includes(format);
  return {
    ...textsOf(profile),
    groupItems: profile.groupItems ?? false,
    zeroIsEmpty: profile.zeroIsEmpty ?? false,
    hasPrices: prices !== null,
    "prices.firstTierCounts": prices?.firstTierCounts ?? true,
    hasLinks: competitors !== null,
    hasGroups: groups !== null,
    "date D.M.Y": has("D.M.Y"),
    "date Y-M-D": has("Y-M-D"),
    "date YMD": has("YMD"),
  };
}

const DEFAULTS: Partial<Record<TextName, string>> = {
  "numberFormat": "de",
  "prices.current": "open_end",
};

function textsOf(profile: KnownProfile): Record<TextName, string> {
  const texts: Partial<Record<TextName, string>> = {};
  for (const name of TEXT_NAMES) texts[name] = textAt(profile, name) || DEFAULTS[name] || "";
  const isWhole = (part: typeof texts): part is Record<TextName, string> =>
    TEXT_NAMES.every((name) => name in part);
  if (!isWhole(texts)) throw new Error("A profile has lost a field");
  return texts;
}

/** Of lists the parts with commas between them; empty for what is not there. */
function textAt(profile: KnownProfile, name: TextName): string {
  let found: unknown = profile;
  for (const part of name.split(".")) found = isRecord(found) ? found[part] : undefined;
  return Array.isArray(found) ? found.join(", ") : typeof found === "string" ? found : "";
}

/** The document; a part that the form says is not in the file is left out whole. */
export function bodyOf(draft: ProfileDraft) {
  const text = (name: TextName) => draft[name].trim();
  const optional = (name: TextName) => text(name) || null;
  const list = (name: TextName) => text(name).split(",").map((part) => part.trim()).filter(Boolean);
  const fields = PROFILE_FIELDS.map((name) => {
    const path = text(`fields.${name}.path`);
    const transform = optional(`fields.${name}.transform`);
    return [name, path === "" && name !== "sku" ? null : { path, transform }] as const;
  });
  const pathsOf = (names: readonly TextName[], required: readonly TextName[]) =>
    Object.fromEntries(names.map((name) => [
      name.split(".")[1] ?? name,
      required.includes(name) ? text(name) : optional(name),
    ]));
  return {
    id: text("id"),
    name: text("name"),
    detect: { root: text("detect.root"), namespace: optional("detect.namespace") },
    itemPath: text("itemPath"),
    groupItems: draft.groupItems,
    fields: Object.fromEntries(fields),
    fileCurrency: optional("fileCurrency"),
    mode: optional("mode"),
    prices: !draft.hasPrices ? null : {
      ...pathsOf(PRICE_PATHS.map((name) => `prices.${name}` as const), [
        "prices.path",
        "prices.amount",
      ]),
      current: text("prices.current"),
      defaultTier: optional("prices.defaultTier"),
      firstTierCounts: draft["prices.firstTierCounts"],
      alsoCostPrice: list("prices.alsoCostPrice"),
      alsoTargetPrice: list("prices.alsoTargetPrice"),
    },
    competitors: !draft.hasLinks ? null : pathsOf(
      LINK_PATHS.map((name) => `competitors.${name}` as const),
      ["competitors.path", "competitors.url"],
    ),
    groups: !draft.hasGroups ? null : pathsOf(
      GROUP_PATHS.map((name) => `groups.${name}` as const),
      GROUP_PATHS.map((name) => `groups.${name}` as const),
    ),
    numberFormat: text("numberFormat"),
    zeroIsEmpty: draft.zeroIsEmpty,
    dateFormats: DATE_FORMATS.filter((format) => draft[`date ${format}`]),
    openEnd: list("openEnd"),
  };
}
