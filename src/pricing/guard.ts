import type { Draft, PricedDraft } from "./draft.ts";

interface GuardWords {
  /** The code that reasons contain. */
  readonly value: string;
  readonly label: string;
  readonly description: string;
}

/** Asked before a price is computed; a sentence forbids it. */
export interface InputGuard extends GuardWords {
  why(draft: Draft): string | null;
}

/** Asked of a computed price; a sentence forbids it, or forbids to apply it without a person. */
export interface PriceGuard extends GuardWords {
  why(draft: PricedDraft): string | null;
}
