import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import type { Preview } from "../../../imports/preview_upload.ts";
import { useApp } from "../../app/app.ts";
import { useSettled } from "../use_settled.ts";
import { beginningOf } from "./file_beginning.ts";

const PAUSE_MS = 400;

export interface PreviewState {
  /** The last answer; of an earlier question while `isRunning`. Null while there is no file. */
  readonly preview: Preview | null;
  readonly isRunning: boolean;
  readonly error: unknown;
  again(): void;
}

interface PreviewQuestion {
  readonly file: File | null;
  /** A profile as it stands in a form; null: the one that the file is recognised by, or `named`. */
  readonly profile: object | null;
  /** A stored profile. */
  readonly named?: string;
  /** Of lines: a long file is then asked about by its beginning, which is all that a form changes. */
  readonly isOfLines?: boolean;
}

/** What a file is made of and what a profile makes of it, asked anew after a pause in typing. */
export function useFilePreview(
  { file, profile, named = "", isOfLines = false }: PreviewQuestion,
): PreviewState {
  const { call } = useApp();
  const wanted = profile === null ? "" : JSON.stringify(profile);
  const asked = useSettled(wanted, PAUSE_MS);
  const found = useQuery<Preview>({
    queryKey: ["file preview", asked, named, file?.name, file?.size, file?.lastModified],
    queryFn: async ({ signal }) => {
      const body = new FormData();
      if (asked !== "") body.append("profile", asked);
      const part = file && asked !== "" && isOfLines ? await beginningOf(file) : file;
      if (file && part) body.append("file", part, file.name);
      const preview = await call(
        (api) =>
          api.POST("/api/import-profiles/preview", {
            params: { query: { profile: asked === "" ? named : "" } },
            body,
          }),
        { signal },
      );
      // A beginning ends somewhere: what is wrong with its end is nothing of the file.
      if (part === file) return preview;
      const { look, records, error } = preview;
      return {
        ...preview,
        look: look && { ...look, rows: null },
        error: records.length > 0 ? null : error,
      };
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
