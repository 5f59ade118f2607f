/** Buttons with which a person states whether a page shows our product. */
import { byId, type Call, get, pagesOf, where } from "../api/call.ts";
import type { CompetitorProduct } from "../../shops/matches/match.ts";
import type { MatchStatement } from "../../shops/matches/list_matches.ts";
import { identityReasonText } from "../../engine/wording/page_words.ts";
import { useApp } from "../app/app.ts";
import { Button } from "./controls.tsx";
import { useUndoableChange } from "./undo_queue.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import type { IdentityCode } from "../../engine/matching/identity_codes.ts";

type SpokenMatch = Pick<CompetitorProduct, "id" | "competitor" | "identity">;

const TOUCHED = [
  "matches",
  "products",
  "repairs",
  "repair-pages",
  "competitors",
  "audit-logs",
] as const;
const PATHS = {
  confirm: "/api/competitor-products/{id}/confirm",
  reject: "/api/competitor-products/{id}/reject",
  reopen: "/api/competitor-products/{id}/reopen",
} as const;

export function SayButtons(
  { match, of, onDone }: { readonly match: SpokenMatch; readonly of: string; onDone?(): void },
) {
  const texts = useApp().words.product.identity;
  const send = (call: Call, said: MatchStatement) =>
    call((api) => api.POST(PATHS[said], byId(match.id)));
  const say = useUndoableChange({
    run: send,
    touches: TOUCHED,
    told: (_, said) => (said === "confirm" ? texts.confirmed : texts.rejected)(match.competitor),
    undo: () => (call) => send(call, "reopen"),
    ...(onDone && { onDone }),
  });
  return (
    <span class="say-buttons">
      <Button
        label={texts.isSameOf(of)}
        isDisabled={say.isPending}
        onClick={() => say.mutate("confirm")}
      >
        {texts.isSame}
      </Button>
      <Button
        kind="caution"
        label={texts.isWrongOf(of)}
        isDisabled={say.isPending}
        onClick={() => say.mutate("reject")}
      >
        {texts.isWrong}
      </Button>
    </span>
  );
}

export function useReasonText(match: Pick<SpokenMatch, "identity"> | null): string | null {
  const { language } = useApp().audience;
  const [first] = match?.identity?.reasons ?? [];
  return first ? identityReasonText(first, language) : null;
}

/** True if an enabled `exact` link leads to another product, and nobody has confirmed the link. */
export function isInQuestion(
  { enabled, matchType, identity }: Pick<CompetitorProduct, "enabled" | "matchType" | "identity">,
): boolean {
  return enabled && matchType === "exact" && identity?.verdict === "different" &&
    identity.confirmedBy === null;
}

const SUGGESTIONS_PER_REQUEST = 200;
export const DECIDED_AREAS = [
  "match-suggestions",
  "coverage",
  "matches",
  "products",
  "competitors",
  "overview",
] as const;

/**
 * Accepts all `same` suggestions in batches. `onLinked` receives the product ids of each batch,
 * including products whose link was refused.
 */
export function useAcceptSure(onLinked?: (productIds: readonly string[]) => void) {
  const { call, words: { review: texts } } = useApp();
  const [done, setDone] = useState<number | null>(null);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);
  const bulk = (action: "accept" | "reopen", ids: string[]) =>
    call((api) => api.POST("/api/match-suggestions/bulk", { body: { action, ids } }));
  const counted = async <Output,>(work: (signal: AbortSignal) => Promise<Output>) => {
    const own = going.current = new AbortController();
    setDone(0);
    try {
      return await work(own.signal);
    } finally {
      setDone(null);
    }
  };
  const change = useUndoableChange({
    touches: DECIDED_AREAS,
    run: (_call, _: null) =>
      counted(async (signal) => {
        const linked: string[] = [];
        let refused = 0;
        const sure = { status: "open", verdict: "same", limit: SUGGESTIONS_PER_REQUEST } as const;
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
        return { linked, refused };
      }),
    told: ({ linked, refused }) => {
      const parts = [texts.sureToast(linked.length)];
      if (refused > 0) parts.push(texts.sureRefused(refused));
      return `${parts.join(". ")}.`;
    },
    undo: ({ linked }) => () =>
      counted(async (signal) => {
        for (let at = 0; at < linked.length && !signal.aborted; at += SUGGESTIONS_PER_REQUEST) {
          await bulk("reopen", linked.slice(at, at + SUGGESTIONS_PER_REQUEST));
          setDone(Math.min(linked.length, at + SUGGESTIONS_PER_REQUEST));
        }
      }),
  });
  return { done, accept: () => change.mutate(null), stop: () => going.current?.abort() };
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

/** The signs serve people who cannot tell the colours apart. */
export const STANDING_MARKS = { same: "✓", other: "≠" } as const;

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

interface PlaceTexts {
  inTitle(text: string): string;
  asSku(sku: string): string;
}

export function brandOnPage(
  page: { readonly brand: string | null; readonly title: string | null },
  ours: string | null,
  { inTitle }: Pick<PlaceTexts, "inTitle">,
): string | null {
  const isNamed = ours !== null && page.title !== null &&
    ` ${page.title} `.toLowerCase().includes(` ${ours} `.toLowerCase());
  return page.brand ?? (isNamed ? inTitle(ours) : null);
}

export function mpnOnPage(
  { mpn, title }: { readonly mpn: string | null; readonly title: string | null },
  reasons: readonly Named[],
  { inTitle, asSku }: PlaceTexts,
): string | null {
  const named = reasons.find(({ code }) => code === "mpn_in_title");
  if (mpn !== null || !named) return mpn;
  return named.theirs === title ? inTitle(named.ours ?? "") : asSku(named.theirs ?? "");
}
