import { useEffect, useRef, useState } from "preact/hooks";
import { get, pagesOf, where } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useUndoableChange } from "../undo_queue.ts";

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
 * Accepts all suggestions with the verdict `same`, in several requests. After each request,
 * `onLinked` receives the ids of the products in the request, even if some links were refused.
 */
export function useAcceptSure(onLinked?: (productIds: readonly string[]) => void) {
  const { call, words: { review: texts } } = useApp();
  const [done, setDone] = useState<number | null>(null);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);
  const bulk = (action: "accept" | "reopen", ids: string[]) =>
    call((api) => api.POST("/api/match-suggestions/bulk", { body: { action, ids } }));
  const counted = async <Output>(work: (signal: AbortSignal) => Promise<Output>) => {
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
