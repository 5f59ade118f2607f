import { useDocument } from "../../app/use_document.ts";
import type { References } from "./rule_draft.ts";

interface FoundReferences {
  /** Null until both lists are there. */
  readonly references: References | null;
  readonly error: unknown;
  again(): void;
}

/** The lists that the service makes from what it validates with: the editor is built from them. */
export function useReferences(): FoundReferences {
  const triggers = useDocument({
    key: ["references", "triggers"],
    read: (api) => api.GET("/api/rules/triggers"),
  });
  const actions = useDocument({
    key: ["references", "actions"],
    read: (api) => api.GET("/api/rules/actions"),
  });
  return {
    references: triggers.data && actions.data
      ? { triggers: triggers.data.data, actions: actions.data.data }
      : null,
    error: triggers.error ?? actions.error,
    again: () => {
      void triggers.refetch();
      void actions.refetch();
    },
  };
}
