import { get, pagesOf, where } from "../../api/call.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp, useRefresh } from "../../app/app.ts";
import type { IdentityCode } from "../../../engine/matching/identity_codes.ts";
import type { Words } from "../../words/words.ts";

/** Maximum number of suggestions in a request. */
const AT_ONCE = 200;
export const DECIDED_AREAS = [
  "suggestions",
  "coverage",
  "matches",
  "products",
  "competitors",
  "overview",
] as const;

/**
 * Accepts all sure suggestions in batches until stopped. `onLinked` gets the products of a batch.
 */
export function useAcceptSure(onLinked?: (productIds: readonly string[]) => void) {
  const { call, heldBack, toasts, words, show } = useApp();
  const refresh = useRefresh(...DECIDED_AREAS);
  const texts = words.review;
  /** Number of suggestions processed so far; null while no work is running. */
  const [done, setDone] = useState<number | null>(null);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);
  const bulk = (action: "accept" | "reopen", ids: string[]) =>
    call((api) => api.POST("/api/match-suggestions/bulk", { body: { action, ids } }));
  const work = async (run: (signal: AbortSignal) => Promise<void>) => {
    const own = going.current = new AbortController();
    const end = Promise.withResolvers<void>();
    const arrive = () => end.promise;
    heldBack.add(arrive);
    setDone(0);
    try {
      await run(own.signal);
    } catch (error) {
      toasts.refuse(error);
    } finally {
      heldBack.delete(arrive);
      end.resolve();
      setDone(null);
      await refresh();
    }
  };
  const takeBack = (ids: readonly string[]) =>
    work(async (signal) => {
      for (let at = 0; at < ids.length && !signal.aborted; at += AT_ONCE) {
        await bulk("reopen", ids.slice(at, at + AT_ONCE));
        setDone(Math.min(ids.length, at + AT_ONCE));
      }
      toasts.tell(words.frame.undone);
    });
  const accept = () =>
    work(async (signal) => {
      const linked: string[] = [];
      let refused = 0;
      const sure = { status: "open", verdict: "same", limit: AT_ONCE } as const;
      const pages = pagesOf((cursor) =>
        call(get("/api/match-suggestions", where({ ...sure, cursor })))
      );
      for await (const { items } of pages) {
        if (signal.aborted) break;
        if (items.length === 0) continue;
        const { results } = await bulk("accept", items.map(({ id }) => id));
        onLinked?.(items.map(({ product }) => product.id));
        for (const { id, status } of results) {
          if (status === "accepted") linked.push(id);
          else refused++;
        }
        setDone(linked.length + refused);
      }
      const parts = [texts.sureToast(show.number(linked.length))];
      if (refused > 0) parts.push(texts.sureRefused(show.number(refused)));
      toasts.tell(`${parts.join(". ")}.`, () => void takeBack(linked));
    });
  return { done, accept: () => void accept(), stop: () => going.current?.abort() };
}

export type ComparedRow = "title" | "brand" | "gtin" | "mpn" | "condition" | "pack";
type Standing = "same" | "other";

const ROW_CODES: Readonly<Record<ComparedRow, Partial<Record<IdentityCode, Standing>>>> = {
  title: { title: "same", title_foreign: "other" },
  brand: { brand_same: "same", brand_differs: "other" },
  gtin: { gtin_same: "same", gtin_differs: "other", gtin_other_pack: "other" },
  mpn: { mpn_same: "same", mpn_in_title: "same", mpn_differs: "other" },
  condition: { condition: "other" },
  pack: { pack: "other", gtin_other_pack: "other" },
};

/** Marks in addition to colours, because not everyone can tell colours apart. */
export const STANDING_MARKS = { same: "✓", other: "≠" } as const;

/** Undefined if no reason says whether the row's values are equal. */
export function positionOf(
  row: ComparedRow,
  reasons: readonly { readonly code: IdentityCode }[],
): Standing | undefined {
  return reasons.map(({ code }) => ROW_CODES[row][code]).find((one) => one !== undefined);
}

interface Named {
  readonly code: IdentityCode;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** The page's brand, or our brand if the page's title names it. */
export function brandOnPage(
  page: { readonly brand: string | null; readonly title: string | null },
  ours: string | null,
  { inTitle }: Pick<Words["product"]["identity"], "inTitle">,
): string | null {
  const isNamed = ours !== null && page.title !== null &&
    ` ${page.title} `.toLowerCase().includes(` ${ours} `.toLowerCase());
  return page.brand ?? (isNamed ? inTitle(ours) : null);
}

/** The manufacturer's number on the page, or a text that says where the page shows our number. */
export function mpnOnPage(
  { mpn, title }: { readonly mpn: string | null; readonly title: string | null },
  reasons: readonly Named[],
  { inTitle, asSku }: Pick<Words["product"]["identity"], "inTitle" | "asSku">,
): string | null {
  const named = reasons.find(({ code }) => code === "mpn_in_title");
  if (mpn !== null || !named) return mpn;
  return named.theirs === title ? inTitle(named.ours ?? "") : asSku(named.theirs ?? "");
}
