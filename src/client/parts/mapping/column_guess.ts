/** Guesses the use of a file's columns, with a confidence. */
import type { Preview } from "../../../imports/preview_upload.ts";
import {
  DETAIL_TARGETS,
  type MappedColumn,
  type MappingDraft,
  OTHER_TARGETS,
  PLAIN_FIELDS,
  PRICE_TARGETS,
  type Target,
  withColumn,
} from "./mapping_draft.ts";

/** Below this confidence, a person should check the guess. */
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

/** Null without a suggestion, or if another column already has the suggested use. */
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

/** Assigns our price to the column that probably contains it. Null without such a column. */
export function takenPrice(draft: MappingDraft, preview: Preview | null) {
  const place = draft.columns.findIndex((one) => guessOf(one, draft, preview) === "ownPrice");
  const column = draft.columns[place];
  const ofFile = preview?.columns[column?.at ?? -1] ?? null;
  if (!column || !ofFile) return null;
  const name = ofFile.column || column.ref;
  return { name, draft: withColumn(draft, place, confirmed("ownPrice", name, ofFile)) };
}

/** Sets the target of the column, and the VAT and currency that the column's name mentions. */
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

/** Null if a person or a profile has chosen the use. */
export function confidenceOf(
  { at, target }: MappedColumn,
  suggested: Suggested | null,
): number | null {
  const same = suggested?.draft.columns.find((one) => one.at === at && one.target === target);
  return same ? suggested?.columns[at ?? -1]?.confidence ?? 1 : null;
}

/** `doubtful` columns need a check by a person; `skipped` columns are not read. */
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
