/**
 * A match links a product to a page. The identity of a match says which article the page shows, and
 * whether this article is the product. The verdict is the result of comparing the page with the
 * product. Until the page changes, a person's judgement replaces the verdict. A commit that stores
 * an identity must also write the verdict into the row of the product's offers. Read the offers
 * before the identity: a commit that checks the offers then also fails if the identity has changed.
 */
import { z } from "@hono/zod-openapi";
import { type Condition, CONDITIONS, gtin14 } from "../../base/codes.ts";
import { isoOrNull } from "../../base/time.ts";
import { decoder, encoder, sha256Hex } from "../../base/bytes.ts";
import { IdentityEvidence, type Verdict, VERDICTS } from "../../engine/matching/identity_codes.ts";
import { VARIANT_STATES, VARIANT_WAYS } from "../../engine/extraction/page_status.ts";
import type { Judgement } from "../../engine/matching/judge_identity.ts";
import { brandKey, foldTitle, partNumberKey } from "../../base/title_atoms.ts";
import { type Offer, showsOtherProduct } from "../offers/offer.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";

const VariantStatement = z.object({
  state: z.enum(VARIANT_STATES).describe(
    "`chosen`: what we know of our product chooses it; `open`: nothing does; " +
      "`unknown`: our title names a value that no variant has",
  ),
  by: z.enum(VARIANT_WAYS).nullable().describe("What it was chosen by"),
  name: z.string().nullable().meta({
    description: "The variant that has the price",
    examples: ["256 GB / Schwarz"],
  }),
  attributes: z.array(z.object({ name: z.string().nullable(), value: z.string() }))
    .describe("What the variant differs in, such as its size"),
  wanted: z.string().nullable().describe("The value of our title that none has"),
  offered: z.array(z.string()).describe("What the page has where none is chosen, at most 8"),
}).meta({ id: "PageVariant" });

export const PageArticle = z.object({
  title: z.string().nullable(),
  brand: z.string().nullable(),
  gtin: z.string().nullable()
    .describe("The GTIN or EAN on the page; null if it has none or several"),
  gtins: z.array(z.string()).optional()
    .describe("All GTINs, if the page has several for its article; else absent"),
  mpn: z.string().nullable(),
  sku: z.string().nullable().describe("The shop's own number"),
  condition: z.enum(CONDITIONS).nullable(),
  variant: VariantStatement.nullable().optional()
    .describe("Which of its variants the page was read for; null or absent where it has none"),
}).meta({ id: "PageArticle" });

export interface KeptArticle extends Readonly<z.infer<typeof PageArticle>> {
  readonly isOtherVariant: boolean;
}

const Person = z.object({
  type: z.enum(["user", "api_key", "system"]),
  id: z.string(),
  name: z.string(),
  at: z.iso.datetime(),
}).meta({ id: "SaidBy" });

export type StatementAuthor = Readonly<z.infer<typeof Person>>;

export const MatchIdentity = z.object({
  verdict: z.enum(VERDICTS).nullable()
    .describe("Whether the page shows our product; null before it was compared"),
  reasons: z.array(IdentityEvidence).describe("The reasons, the deciding one first"),
  page: PageArticle.nullable().describe("The article as the page describes it"),
  checkedAt: z.iso.datetime().nullable().describe("When the page was last compared"),
  confirmedBy: Person.nullable()
    .describe("Who confirmed that the page shows our product; valid until its content changes"),
  rejectedBy: Person.nullable().describe("Who rejected the page and thereby disabled the link"),
}).meta({ id: "MatchIdentity" });
export type MatchIdentity = Readonly<z.infer<typeof MatchIdentity>>;

export interface PersonsWord {
  readonly kind: "confirmed" | "rejected";
  readonly by: StatementAuthor;
  /** Hash of the page content that the person judged; null until a visit has read the page. */
  readonly pageHash: string | null;
}

export interface KeptIdentity {
  readonly verdict: Verdict | null;
  readonly reasons: readonly IdentityEvidence[];
  readonly page: KeptArticle | null;
  readonly checkedAtMs: number | null;
  readonly word: PersonsWord | null;
}

export const NO_IDENTITY: KeptIdentity = {
  verdict: null,
  reasons: [],
  page: null,
  checkedAtMs: null,
  word: null,
};

const HASH_CHARACTERS = 32;

/**
 * The hash covers what identifies the article: title, brand, article numbers, condition, and
 * whether the page shows another variant.
 */
export function articleHash(page: KeptArticle): string {
  const { title, brand, gtin, mpn, sku, condition, isOtherVariant } = page;
  const content = [
    foldTitle(title ?? "").split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""),
    brandKey(brand),
    gtin && (gtin14(gtin) ?? gtin),
    mpn && (partNumberKey(mpn) ?? mpn),
    sku,
    condition ?? "new",
    isOtherVariant,
  ];
  return sha256Hex(JSON.stringify(content)).slice(0, HASH_CHARACTERS);
}

export function withPage(
  before: KeptIdentity,
  page: KeptArticle,
  { verdict, reasons }: Pick<Judgement, "verdict" | "reasons">,
  checkedAtMs: number,
): KeptIdentity {
  return { verdict, reasons, page, checkedAtMs, word: wordOf(before.word, page) };
}

function wordOf(word: PersonsWord | null, page: KeptArticle): PersonsWord | null {
  if (word === null) return null;
  const pageHash = articleHash(page);
  return word.pageHash === null || word.pageHash === pageHash ? { ...word, pageHash } : null;
}

export function withWord(
  before: KeptIdentity,
  word: Pick<PersonsWord, "kind" | "by"> | null,
): KeptIdentity {
  const pageHash = before.page && articleHash(before.page);
  return { ...before, word: word && { ...word, pageHash } };
}

export function countingVerdict({ verdict, word }: KeptIdentity): Verdict | null {
  if (word === null) return verdict;
  return word.kind === "confirmed" ? "same" : "different";
}

export function knownShopSku(kept: KeptIdentity): string | null {
  const { page, word } = kept;
  if (page === null || page.isOtherVariant) return null;
  const verdict = countingVerdict(kept);
  // A SKU that chose the variant is also trusted, unless the verdict is `different`.
  const isChosenBySku = page.variant?.by === "sku" && verdict !== "different";
  if (verdict !== "same" && !isChosenBySku) return null;
  return word === null && page.variant?.by === "title" ? null : page.sku;
}

export function toMatchIdentity(kept: KeptIdentity | null): MatchIdentity | null {
  if (kept === null) return null;
  const { verdict, reasons, page, checkedAtMs, word } = kept;
  const by = (kind: PersonsWord["kind"]) => word?.kind === kind ? word.by : null;
  return {
    verdict,
    reasons: [...reasons],
    page: page && toPageArticle(page),
    checkedAt: isoOrNull(checkedAtMs),
    confirmedBy: by("confirmed"),
    rejectedBy: by("rejected"),
  };
}

function toPageArticle({ isOtherVariant: _, ...page }: KeptArticle): z.infer<typeof PageArticle> {
  return page;
}

export const OTHER_PRODUCT = "other_product";

export function withIdentity(offer: Offer, identity: KeptIdentity): Offer {
  const judged = { ...offer, verdict: countingVerdict(identity) };
  if (offer.status !== OTHER_PRODUCT || showsOtherProduct(judged)) return judged;
  return { ...judged, status: null, error: null, failingSinceMs: null };
}

type ArticleRow = readonly [
  title: string | null,
  brand: string | null,
  gtin: string | null,
  mpn: string | null,
  sku: string | null,
  condition: Condition | null,
  isOtherVariant: 0 | 1,
  gtins?: readonly string[] | null,
  variant?: z.infer<typeof VariantStatement>,
];

type PackedIdentity = ReturnType<typeof rowOf>;

function rowOf({ verdict, reasons, page, checkedAtMs, word }: KeptIdentity) {
  return [
    verdict,
    checkedAtMs,
    reasons.map(({ code, side, ours, theirs }) => [code, side, ours, theirs] as const),
    page && articleRow(page),
    word && [word.kind, word.by.type, word.by.id, word.by.name, word.by.at, word.pageHash] as const,
  ] as const;
}

export function packIdentity(identity: KeptIdentity): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(rowOf(identity)));
}

function articleRow(page: KeptArticle): ArticleRow {
  const { title, brand, gtin, gtins, mpn, sku, condition, variant, isOtherVariant } = page;
  const base = [title, brand, gtin, mpn, sku, condition, isOtherVariant ? 1 : 0] as const;
  if (variant) return [...base, gtins ?? null, variant];
  return gtins ? [...base, gtins] : base;
}

export function unpackIdentity(bytes: Uint8Array): KeptIdentity {
  const row: PackedIdentity = JSON.parse(decoder.decode(bytes));
  const [verdict, checkedAtMs, reasons, page, word] = row;
  return {
    verdict,
    checkedAtMs,
    reasons: reasons.map(([code, side, ours, theirs]) => ({ code, side, ours, theirs })),
    page: page && articleOf(page),
    word: word && personsWordOf(word),
  };
}

function articleOf(
  [title, brand, gtin, mpn, sku, condition, other, gtins, variant]: ArticleRow,
): KeptArticle {
  const numbers = { gtin, ...gtins && { gtins: [...gtins] }, mpn, sku };
  const isOtherVariant = other === 1;
  return { title, brand, ...numbers, condition, ...variant && { variant }, isOtherVariant };
}

function personsWordOf(
  [kind, type, id, name, at, pageHash]: NonNullable<PackedIdentity[4]>,
): PersonsWord {
  return { kind, by: { type, id, name, at }, pageHash };
}

export interface IdentityRow extends KeptIdentity {
  readonly matchId: string;
}

export const identities = defineTable<IdentityRow, "matchId">({
  prefix: "idn",
  about: "the article on a match's page, whether it is our product, and a person's decision",
  key: { matchId: "id" },
  codec: { encode: packIdentity, decode: (bytes: Uint8Array) => unpackIdentity(bytes) },
});

export async function findIdentities(
  workspace: WorkspaceStore,
  matchIds: readonly string[],
): Promise<Map<string, KeptIdentity>> {
  const found = await identities.getMany(workspace, matchIds.map((matchId) => ({ matchId })));
  return new Map(found.flatMap((one) => one ? [[one.row.matchId, one.row]] : []));
}
