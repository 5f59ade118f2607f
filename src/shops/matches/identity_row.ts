/** What is known of the page of a match as bytes: a shop has millions of them. */

import type { Condition } from "../../base/codes.ts";
import type {
  IdentityCode,
  IdentityEvidence,
  ReasonSide,
  Verdict,
} from "../../engine/matching/identity_codes.ts";
import type { KeptArticle, KeptIdentity, PersonsWord } from "./match_identity.ts";

type ReasonRow = readonly [
  code: IdentityCode,
  side: ReasonSide,
  ours: string | null,
  theirs: string | null,
];

type ArticleRow = readonly [
  title: string | null,
  brand: string | null,
  gtin: string | null,
  mpn: string | null,
  sku: string | null,
  condition: Condition | null,
  isOtherVariant: 0 | 1,
  /** Absent where there are not several. */
  gtins?: readonly string[],
];

type WordRow = readonly [
  kind: PersonsWord["kind"],
  type: PersonsWord["by"]["type"],
  id: string,
  name: string,
  at: string,
  pageHash: string | null,
];

type IdentityRow = readonly [
  verdict: Verdict | null,
  checkedAtMs: number | null,
  reasons: readonly ReasonRow[],
  page: ArticleRow | null,
  word: WordRow | null,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function packIdentity(
  { verdict, reasons, page, checkedAtMs, word }: KeptIdentity,
): Uint8Array<ArrayBuffer> {
  const row: IdentityRow = [
    verdict,
    checkedAtMs,
    reasons.map(({ code, side, ours, theirs }) => [code, side, ours, theirs]),
    page && articleRow(page),
    word && wordRow(word),
  ];
  return encoder.encode(JSON.stringify(row));
}

function articleRow(page: KeptArticle): ArticleRow {
  const { title, brand, gtin, gtins, mpn, sku, condition, isOtherVariant } = page;
  const several: [(readonly string[])?] = gtins ? [gtins] : [];
  return [title, brand, gtin, mpn, sku, condition, isOtherVariant ? 1 : 0, ...several];
}

function wordRow({ kind, by: { type, id, name, at }, pageHash }: PersonsWord): WordRow {
  return [kind, type, id, name, at, pageHash];
}

/** The inverse of `packIdentity`. */
export function unpackIdentity(bytes: Uint8Array): KeptIdentity {
  const row: IdentityRow = JSON.parse(decoder.decode(bytes));
  const [verdict, checkedAtMs, reasons, page, word] = row;
  return {
    verdict,
    checkedAtMs,
    reasons: reasons.map(([code, side, ours, theirs]): IdentityEvidence => ({
      code,
      side,
      ours,
      theirs,
    })),
    page: page && articleOf(page),
    word: word && wordOf(word),
  };
}

function articleOf(
  [title, brand, gtin, mpn, sku, condition, variant, gtins]: ArticleRow,
): KeptArticle {
  const several = gtins && { gtins: [...gtins] };
  return { title, brand, gtin, ...several, mpn, sku, condition, isOtherVariant: variant === 1 };
}

function wordOf([kind, type, id, name, at, pageHash]: WordRow): PersonsWord {
  return { kind, by: { type, id, name, at }, pageHash };
}
