/** Evaluates the answers of shops. Runs in the sandbox, because the input may be hostile. */
import type { Availability } from "../../base/codes.ts";
import { gtin14 } from "../../base/gtin.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { extractPrice } from "../../engine/extraction/extract_price.ts";
import {
  decodePage,
  type ExplicitExtractor,
} from "../../engine/extraction/page/extraction_page.ts";
import { NO_FACTS, type PageFacts } from "../../engine/extraction/page_facts.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import type { PageDigest } from "../../engine/extraction/recipe/page_digest.ts";
import type { PageRecipe } from "../../engine/extraction/recipe/recipe.ts";
import type { RecipeOutcome } from "../../engine/extraction/recipe/use_recipe.ts";
import type { Alternative, ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import {
  judgeIdentity,
  type Judgement,
  type Standing,
} from "../../engine/matching/judge_identity.ts";
import type { Vocabulary } from "../../engine/matching/word_lists.ts";
import type { ShopPage } from "../../shops/discovery/page_store.ts";

export interface PageLearning {
  readonly recipe: PageRecipe | null;
  readonly isLearning: boolean;
  /** A decimal amount. Its places on the page are returned, if it is not null. */
  readonly wanted: string | null;
}

export interface PageLesson {
  readonly recipe: RecipeOutcome | null;
  readonly digest: PageDigest | null;
}

/** For pages from which only the price is wanted. */
export const NOT_LEARNING: PageLearning = { recipe: null, isLearning: false, wanted: null };

export const NO_LESSON: PageLesson = { recipe: null, digest: null };

export interface ShopAnswer {
  readonly url: string;
  /** Before redirects. */
  readonly askedUrl: string;
  readonly status: number;
  readonly contentType: string | null;
  /** True if a header says that the answer is a bot challenge. */
  readonly isChallenge: boolean;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly extractor: ExplicitExtractor | null;
  /** Null if no product is known, as in a preview. */
  readonly product: WantedProduct | null;
  readonly learning: PageLearning;
  /** True to return every price with explanations, for a person. */
  readonly isThorough: boolean;
}

export type AnswerVerdict =
  | {
    readonly kind: "priced";
    readonly httpStatus: number;
    readonly found: ExtractedPrice;
    readonly facts: PageFacts;
    readonly lesson: PageLesson;
    readonly trace: readonly string[];
  }
  | {
    readonly kind: "failed";
    readonly httpStatus: number | null;
    readonly errorCode: string;
    readonly message: string;
    readonly alternatives: readonly Alternative[];
    readonly facts: PageFacts;
    readonly lesson: PageLesson;
    readonly trace: readonly string[];
  };

/** A page with 404 may return, one with 410 never does. */
const GONE: ReadonlyMap<number, Availability> = new Map([[404, "unknown"], [410, "discontinued"]]);

/** Decodes, parses and evaluates an answer. Throws `TooComplex` if the page is too much work. */
export function judgeAnswer(answer: ShopAnswer): AnswerVerdict {
  const { url, askedUrl, status, contentType, isChallenge, extractor, product } = answer;
  const { learning, isThorough } = answer;
  const { text } = decodePage(answer.body, contentType);
  if (status < 200 || status >= 300) {
    const isBlocked = status === 403 || status === 429 || isChallenge || isBotWall(text);
    if (isBlocked) return blocked(status);
    const availability = GONE.get(status);
    const message = `The shop answers ${status}`;
    return availability === undefined
      ? failed(status, "http_error", message)
      : failed(status, "gone", message, [], { ...NO_FACTS, pageStatus: "gone", availability });
  }
  const { result, facts, recipe, digest, ...read } = extractPrice(
    { url, contentType, text },
    { extractor, product, askedUrl, isThorough, ...learning },
  );
  const lesson = { recipe, digest };
  const trace = isThorough ? read.trace : [];
  if ("price" in result) {
    return { kind: "priced", httpStatus: status, found: result, facts, lesson, trace };
  }
  const { errorCode, message, alternatives } = result;
  const isPlain = errorCode === "no_price" || errorCode === "gone";
  if (isPlain && (isChallenge || isBotWall(text))) return blocked(status);
  return { ...failed(status, errorCode, message, alternatives, facts), lesson, trace };
}

function blocked(status: number): AnswerVerdict {
  const why = status === 429 ? "asks for fewer requests" : "lets no programs in";
  const facts = { ...NO_FACTS, pageStatus: "blocked" } as const;
  return failed(status, "blocked", `The shop ${why} (${status})`, [], facts);
}

export function failed(
  httpStatus: number | null,
  errorCode: string,
  message: string,
  alternatives: readonly Alternative[] = [],
  facts: PageFacts = NO_FACTS,
): Extract<AnswerVerdict, { kind: "failed" }> {
  const base = { httpStatus, errorCode, message, alternatives, facts };
  return { kind: "failed", ...base, lesson: NO_LESSON, trace: [] };
}

/** Marks of challenge pages, each of a well-known bot protection. */
const MARKS = [
  /<title>\s*(?:just a moment|attention required! \| cloudflare)/i,
  /\bcf-chl-|challenge-error-text|window\._cf_chl_opt/,
  /geo\.captcha-delivery\.com|captcha-delivery\.com\/c\.js/,
  /_Incapsula_Resource|Incapsula incident ID/,
  /id=["']px-captcha|_pxCaptcha/,
  /<title>\s*pardon our interruption/i,
  /errors\.edgesuite\.net/,
  /awsWafCookieDomainList|AwsWafIntegration\.(?:getToken|saveReferrer)/,
  /<title>\s*(?:access denied|zugriff verweigert|bot verification|robot check|sind sie ein mensch)/i,
];

const CHARACTERS_READ = 100_000;

/** Called only for pages without a price: protected shops have the marks on all pages. */
function isBotWall(text: string): boolean {
  const begin = text.slice(0, CHARACTERS_READ);
  return MARKS.some((mark) => mark.test(begin));
}

// The only judgement whether a page shows our product. Words are weighted as in the workspace.

type Judged = Pick<
  Product,
  "title" | "brand" | "ean" | "mpn" | "condition" | "ourPriceCents" | "currency"
>;

/** Unknown facts are null. */
type JudgedPage = Partial<Omit<ShopPage, "url" | "availability" | "foundBy" | "seenAt">>;

/** Compares prices only if both have the same currency. */
export function judgePage(
  product: Judged,
  page: JudgedPage,
  words: Vocabulary | null,
  standing: Standing = "candidate",
): Judgement {
  const { title, brand, ean, mpn, condition, ourPriceCents } = product;
  const { title: named = null, gtins = [], price = null } = page;
  const isPriced = ourPriceCents !== null && price !== null && (page.pack ?? 1) === 1 &&
    page.currency === product.currency;
  const ours = ean === null ? null : gtin14(ean);
  const hasOurs = ours !== null && gtins.some((gtin) => gtin14(gtin) === ours);
  return judgeIdentity(
    { title, brand, gtin: ean, mpn, condition, price: isPriced ? ourPriceCents : null },
    {
      title: named,
      brand: page.brand ?? null,
      gtins,
      mpns: page.mpn ? [page.mpn] : [],
      skus: page.sku ? [page.sku] : [],
      condition: page.condition ?? null,
      // The variant with our number is ours, even if the page offers others.
      isOtherVariant: page.isOpenVariant === true && !hasOurs,
      price: isPriced ? price : null,
    },
    standing,
    words ?? undefined,
  );
}
