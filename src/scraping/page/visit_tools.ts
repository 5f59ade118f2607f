/** The sandbox loads this file, so the file must not import the store. */
import type { ExplicitExtractor } from "../../engine/extraction/page/extraction_page.ts";
import { NO_FACTS, type PageFacts } from "../../engine/extraction/page_facts.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import type { PageDigest, PageRecipe } from "../../engine/extraction/recipe/recipe.ts";
import type { RecipeOutcome } from "../../engine/extraction/recipe/learn_recipe.ts";
import type { Alternative, ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import type { PageStatus } from "../../engine/extraction/page_status.ts";
import type { BodyRoom, UrlLimits } from "../../platform/fetch/fetch_limits.ts";
import type { FetchResult, SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import { parseRetryAfter } from "../../platform/fetch/safe_fetch_answer.ts";
import type { SandboxPermit } from "../../platform/sandbox/sandbox.ts";

export interface PageLearning {
  readonly recipe: PageRecipe | null;
  readonly isLearning: boolean;
  readonly wanted: string | null;
}

export interface PageLesson {
  readonly recipe: RecipeOutcome | null;
  readonly digest: PageDigest | null;
}

export const NOT_LEARNING: PageLearning = { recipe: null, isLearning: false, wanted: null };

export const NO_LESSON: PageLesson = { recipe: null, digest: null };

export interface ShopAnswer {
  readonly url: string;
  readonly askedUrl: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly isChallenge: boolean;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly extractor: ExplicitExtractor | null;
  readonly product: WantedProduct | null;
  readonly learning: PageLearning;
}

interface ReadAnswer {
  readonly facts: PageFacts;
  readonly lesson: PageLesson;
  readonly trace: readonly string[];
}

export interface PricedAnswer extends ReadAnswer {
  readonly kind: "priced";
  readonly httpStatus: number;
  readonly found: ExtractedPrice;
}

export interface FailedAnswer extends ReadAnswer {
  readonly kind: "failed";
  readonly httpStatus: number | null;
  readonly errorCode: string;
  readonly message: string;
  readonly alternatives: readonly Alternative[];
}

export type AnswerVerdict = PricedAnswer | FailedAnswer;

export function failed(
  httpStatus: number | null,
  errorCode: string,
  message: string,
  alternatives: readonly Alternative[] = [],
  facts: PageFacts = NO_FACTS,
): FailedAnswer {
  const base = { httpStatus, errorCode, message, alternatives, facts };
  return { kind: "failed", ...base, lesson: NO_LESSON, trace: [] };
}

export interface RobotsQuestion {
  readonly text: string;
  readonly token: string;
  readonly url: string;
}

export interface RobotsReport {
  readonly isAllowed: boolean;
  readonly sitemaps: readonly string[];
  readonly crawlDelayMs: number | null;
}

/** `page` and `robots` throw `TooComplex` if reading the text would take too much work. */
export interface ShopReader {
  page(answer: ShopAnswer, permit: SandboxPermit): Promise<AnswerVerdict>;
  robots(question: RobotsQuestion, permit: SandboxPermit): Promise<RobotsReport>;
}

export interface FetchDeps {
  readonly safeFetch: SafeFetch;
  readonly reader: ShopReader;
  readonly bodies: BodyRoom;
  readonly pages: Record<PageStatus, number>;
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

export interface ScrapeDeps extends FetchDeps {
  readonly limits: UrlLimits;
  readonly userAgent: string;
  readonly delayMs: number;
}

export function paceOf({ delayMs, timeoutMs }: ScrapeDeps) {
  // A permit is valid for five seconds longer than the timeout, to leave time to store the result.
  return { delayMs, holdMs: timeoutMs + 5_000 };
}

export const REDIRECTS_MAX = 5;

export type Aftermath =
  | { readonly kind: "fine" }
  | { readonly kind: "unused" }
  | { readonly kind: "trouble"; readonly retryAfterMs: number | null };

export function aftermathOf(result: FetchResult, nowMs: number): Aftermath {
  if (result.kind === "moved") return { kind: "fine" };
  if (result.kind === "failed") {
    const isTrouble = result.errorCode === "timeout" || result.errorCode === "unreachable";
    return isTrouble ? { kind: "trouble", retryAfterMs: null } : { kind: "fine" };
  }
  const { status, headers } = result;
  if (status !== 429 && status < 500) return { kind: "fine" };
  return { kind: "trouble", retryAfterMs: parseRetryAfter(headers.get("Retry-After"), nowMs) };
}

export interface Slot {
  readonly domain: string;
  /** Priority: 0 for requests by people, 1 for scheduled requests, 2 for less urgent requests. */
  readonly lane: 0 | 1 | 2;
  readonly orderMs: number;
  readonly id: string;
}
