import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import type { Preview } from "../../../imports/preview_upload.ts";
import { useApp } from "../../app/app.ts";
import { useSettled } from "../../parts/use_settled.ts";
import { bodyOf, type ProfileDraft } from "./profile_draft.ts";

const PAUSE_MS = 400;

interface PreviewState {
  /** The last answer; of an earlier draft while `isRunning`. Null while there is no file. */
  readonly preview: Preview | null;
  readonly isRunning: boolean;
  readonly error: unknown;
  again(): void;
}

/** What the profile makes of a file as it stands in the form, asked anew after a pause in typing. */
export function useProfilePreview(draft: ProfileDraft, file: File | null): PreviewState {
  const { call } = useApp();
  const body = bodyOf(draft);
  // A profile without a name or an id yet can be tried out all the same.
  const wanted = JSON.stringify({ ...body, id: body.id || "x", name: body.name || "–" });
  const asked = useSettled(wanted, PAUSE_MS);
  const found = useQuery<Preview>({
    queryKey: ["profile preview", asked, file?.name, file?.size, file?.lastModified],
    queryFn: ({ signal }) => {
      const form = new FormData();
      form.append("profile", asked);
      if (file) form.append("file", file, file.name);
      const path = "/api/import-profiles/preview";
      return call<Preview>(path, { method: "POST", body: form, signal });
    },
    enabled: file !== null,
    placeholderData: keepPreviousData,
  });
  return {
    preview: file === null ? null : found.data ?? null,
    isRunning: file !== null && (found.isFetching || asked !== wanted),
    error: file === null ? null : found.error,
    again: () => void found.refetch(),
  };
}
