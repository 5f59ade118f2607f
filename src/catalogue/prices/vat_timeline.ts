/** By which VAT a product's prices were meant at any time: plain functions of what is kept of its steps. */
import type { VatStep, VatTerms } from "../../accounts/vat_terms.ts";
import type { TermsStep } from "./price_terms.ts";

/** A product's rates and its workspace's terms: of now, and the steps that led there, oldest first. */
export interface VatPast {
  /** Null: it goes by the workspace's rate. */
  readonly ownPct: number | null;
  readonly ownSteps: readonly TermsStep[];
  readonly terms: VatTerms;
  readonly termsSteps: readonly VatStep[];
}

interface Step<T> {
  readonly atMs: number;
  readonly from: T;
  readonly to: T;
}

/** What was known at a time: before the first step what that one ended, without any what is now. */
function valueAt<T>(steps: readonly Step<T>[], now: T, atMs: number): T {
  const last = steps.findLast((step) => step.atMs <= atMs);
  if (last) return last.to;
  const [first] = steps;
  return first ? first.from : now;
}

/** By which VAT a product's prices were meant. */
export class VatTimeline {
  readonly #past: VatPast;
  readonly #own: readonly Step<number | null>[];

  constructor(past: VatPast) {
    this.#past = past;
    this.#own = past.ownSteps.flatMap(({ atMs, vat }) =>
      vat ? [{ atMs, from: vat[0], to: vat[1] }] : []
    );
  }

  /** Whether prices held VAT then, and at which rate in percent; null where nobody said one. */
  at(atMs: number): VatTerms {
    const { ownPct, terms, termsSteps } = this.#past;
    const { pricesIncludeVat, vatRatePct } = valueAt(termsSteps, terms, atMs);
    return {
      pricesIncludeVat,
      vatRatePct: valueAt(this.#own, ownPct, atMs) ?? vatRatePct,
    };
  }

  /** What customers paid then; null for a net price without a known rate. */
  grossAt(cents: number, atMs: number): number | null {
    const { pricesIncludeVat, vatRatePct } = this.at(atMs);
    if (pricesIncludeVat) return cents;
    return vatRatePct === null ? null : grossCents(cents, vatRatePct);
  }

  /** When it changed in a stretch, both ends left out. */
  momentsIn(fromMs: number, beforeMs: number): number[] {
    const all = [...this.#own, ...this.#past.termsSteps].map(({ atMs }) => atMs);
    return all.filter((atMs) => atMs > fromMs && atMs < beforeMs);
  }
}

/**
 * The gross price of a net one, rounded half up to the minor unit; `ratePct` has at most 4
 * decimals.
 */
export function grossCents(netCents: number, ratePct: number): number {
  const scale = 1_000_000n;
  const factor = scale + BigInt(Math.round(ratePct * 10_000));
  return Number((BigInt(netCents) * factor + scale / 2n) / scale);
}
