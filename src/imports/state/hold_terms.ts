import { requireWorkspace } from "../../accounts/workspace_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { DEFAULT_SOURCE_HOLD } from "../source_choices.ts";
import type { HoldTally } from "./import_job.ts";
import { findLastImportOf, findSource } from "./source_store.ts";

/** What an import is judged by before it is applied. */
export interface HoldTerms {
  /** Null while the hold is off. */
  readonly bounds: HoldTally["bounds"] | null;
  /** Whether the source has never had an import that succeeded; null where it has no name. */
  readonly isFirst: boolean | null;
}

/** A source that was deleted while its import waited is judged as a new one. */
export async function holdTermsOf(
  workspace: WorkspaceStore,
  source: string | undefined,
): Promise<HoldTerms> {
  if (source === undefined) {
    return { bounds: (await requireWorkspace(workspace)).importHold, isFirst: null };
  }
  const found = await findSource(workspace, source);
  const last = await findLastImportOf(workspace, source);
  const bounds = found ? found.source.hold : DEFAULT_SOURCE_HOLD;
  return { bounds, isFirst: !last?.succeededAt };
}
