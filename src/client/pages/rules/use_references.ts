import type { ReferenceEntry } from "../../../pricing/reference_list.ts";
import { useDocument } from "../../app/use_document.ts";
import type { References } from "./rule_draft.ts";

interface ReferenceList {
  readonly data: readonly ReferenceEntry[];
}

interface FoundReferences {
  /** Null until both lists are there. */
  readonly references: References | null;
  readonly error: unknown;
  again(): void;
}

/** The lists that the service makes from what it validates with: the editor is built from them. */
export function useReferences(): FoundReferences {
  const triggers = useDocument<ReferenceList>({
    key: ["references", "triggers"],
    path: "/api/rules/triggers",
  });
  const actions = useDocument<ReferenceList>({
    key: ["references", "actions"],
    path: "/api/rules/actions",
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
