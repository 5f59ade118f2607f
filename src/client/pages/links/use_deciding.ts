/**
 * Saying whether pages are ours, and taking it back: each decision is sent at once, one after the
 * other, and undone by the service. Undo goes back through all of this screen, the last first.
 */
import { byId, type Wire } from "../../api/call.ts";
import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";

export type Suggestion = Wire<"MatchSuggestion">;
/** `variant`: rejected as a near relative. */
export type Action = "accept" | "reject" | "variant";

/** The areas that links may change. */
const TOUCHED = ["suggestions", "coverage", "matches", "products", "competitors", "overview"];
const NONE: ReadonlySet<string> = new Set();

interface Deciding {
  /** Decided here, and gone from the list before the service has answered. */
  readonly hidden: ReadonlySet<string>;
  decide(action: Action, suggestion: Suggestion): void;
  reopen(suggestion: Suggestion): void;
  undo(): void;
}

export function useDeciding(onBack: (id: string) => void): Deciding {
  const { call, heldBack, toasts, words } = useApp();
  const client = useQueryClient();
  const texts = words.review;
  const [hidden, setHidden] = useState(NONE);
  const turns = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);
  const done = useRef<readonly Suggestion[]>([]);
  useEffect(() => {
    // A session does not end before what was decided in it has arrived.
    const arrive = () => turns.current;
    heldBack.add(arrive);
    return () => void heldBack.delete(arrive);
  }, []);
  const send = (id: string, work: () => Promise<unknown>) => {
    waiting.current++;
    const turn = turns.current.then(async () => {
      try {
        await work();
      } catch (error) {
        toasts.refuse(error);
        done.current = done.current.filter((one) => one.id !== id);
      } finally {
        waiting.current--;
      }
      // Quick decisions refetch the list once.
      if (waiting.current > 0) return;
      await Promise.all(TOUCHED.map((area) => client.invalidateQueries({ queryKey: [area] })));
      if (waiting.current === 0) setHidden(NONE);
    });
    turns.current = turn;
  };
  const takeBack = (id: string) =>
    send(id, () => call((api) => api.POST("/api/match-suggestions/{id}/reopen", byId(id))));
  const undo = () => {
    const last = done.current.at(-1);
    if (!last) return toasts.tell(texts.nothingToUndo);
    done.current = done.current.slice(0, -1);
    takeBack(last.id);
    setHidden((before) => before.difference(new Set([last.id])));
    onBack(last.id);
    toasts.tell(words.frame.undone);
  };
  return {
    hidden,
    undo,
    reopen: ({ id }) => takeBack(id),
    decide: (action, suggestion) => {
      const { id, product, competitor } = suggestion;
      const params = { path: { id } };
      setHidden((before) => before.union(new Set([id])));
      done.current = [...done.current, suggestion];
      send(
        id,
        () =>
          call((api) =>
            action === "accept"
              ? api.POST("/api/match-suggestions/{id}/accept", { params })
              : api.POST("/api/match-suggestions/{id}/reject", {
                params,
                body: { as: action === "variant" ? "variant" : "other" },
              })
          ),
      );
      toasts.tell(texts.told[action](product.sku, competitor.displayName), undo);
    },
  };
}
