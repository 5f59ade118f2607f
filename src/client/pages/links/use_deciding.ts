/**
 * Decides whether pages show our products. Each request waits for the previous one. Undo reverses
 * the decisions of this screen one by one, the newest first.
 */
import { byId, type Wire } from "../../api/call.ts";
import { useRef } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { useDecisionQueue } from "../../parts/decision/use_decision_queue.ts";
import { DECIDED_AREAS } from "../../parts/identity/use_accept_sure.ts";

export type Suggestion = Wire<"MatchSuggestion">;
/** `variant` rejects a page that shows another variant of the product. */
export type Action = "accept" | "reject" | "variant";

interface Deciding {
  /** Ids of decided suggestions, set before the service answers. */
  readonly hidden: ReadonlySet<string>;
  decide(action: Action, suggestion: Suggestion): void;
  reopen(suggestion: Suggestion): void;
  undo(): void;
}

export function useDeciding(onBack: (id: string) => void): Deciding {
  const { call, toasts, words } = useApp();
  const texts = words.review;
  const queue = useDecisionQueue(DECIDED_AREAS);
  const done = useRef<readonly Suggestion[]>([]);
  const send = async (id: string, work: () => Promise<Suggestion>) => {
    if (await queue.send(work) === null) done.current = done.current.filter((one) => one.id !== id);
  };
  const takeBack = (id: string) =>
    void send(id, () => call((api) => api.POST("/api/match-suggestions/{id}/reopen", byId(id))));
  const undo = () => {
    const last = done.current.at(-1);
    if (!last) return toasts.tell(texts.nothingToUndo);
    done.current = done.current.slice(0, -1);
    takeBack(last.id);
    queue.unhide(last.id);
    onBack(last.id);
    toasts.tell(words.frame.undone);
  };
  return {
    hidden: queue.hidden,
    undo,
    reopen: ({ id }) => takeBack(id),
    decide: (action, suggestion) => {
      const { id, product, competitor } = suggestion;
      const params = { path: { id } };
      queue.hide([id]);
      done.current = [...done.current, suggestion];
      void send(
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
