import { type PreviewState, useFilePreview } from "../../parts/import/use_file_preview.ts";
import { bodyOf, type ProfileDraft } from "./profile_draft.ts";

/** What the profile makes of a file as it stands in the form. */
export function useProfilePreview(draft: ProfileDraft, file: File | null): PreviewState {
  const body = bodyOf(draft);
  // A profile without a name or an id yet can be tried out all the same.
  const profile = { ...body, id: body.id || "x", name: body.name || "–" };
  return useFilePreview({ file, profile });
}
