import type { Preview } from "../../../imports/preview_upload.ts";
import { useApp, useList, useRefresh } from "../../app/app.ts";
import { useSaveOver } from "../form/saved_form.tsx";
import { useSettled } from "../hooks.ts";
import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { get, where, type Wire } from "../../api/call.ts";
import type { ProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import { useMemo } from "preact/hooks";
import type { Words } from "../../words/words.ts";
import { optionsOf } from "../controls.tsx";

const PAUSE_MS = 400;

export type PreviewState = ReturnType<typeof useFilePreview>;

interface PreviewQuestion {
  readonly file: File | null;
  readonly profile: object | null;
  readonly named?: string;
  /**
   * True if each row of the file is a line of text. If true, only the beginning of a large file is
   * sent with an edited profile.
   */
  readonly isOfLines?: boolean;
}

export function useFilePreview({ file, profile, named = "", isOfLines = false }: PreviewQuestion) {
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
            ...where({ profile: asked === "" ? named : "" }),
            body,
          }),
        { signal },
      );
      // The sent part ends after a line feed, which may be within a quoted value. So the last row
      // can cause an error.
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

const WHOLE_BYTES = 4 * 1_048_576;
const BEGINNING_BYTES = 1_048_576;
const LINE_FEED = 10;

async function beginningOf(file: File): Promise<Blob> {
  if (file.size <= WHOLE_BYTES) return file;
  const bytes = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
  if (isPacked(bytes)) return file;
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  // In UTF-16, a zero byte is next to the line feed. A file in UTF-16 is sent completely.
  return end === 0 || bytes[end] === 0 || bytes[end - 2] === 0 ? file : file.slice(0, end);
}

function isPacked([first, second]: Uint8Array): boolean {
  return (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b);
}

export function useProfiles() {
  const { words } = useApp();
  const list = useList((page) => get("/api/import-profiles", where(page)));
  const rows = useMemo(
    () => list.rows.map((one) => ({ ...one, name: nameOfProfile(words, one) })),
    [list.rows, words],
  );
  return { ...list, rows };
}

export type ProfileBody = Wire<"NewImportProfile"> | Wire<"NewTableProfile">;

interface ProfileSavingOptions {
  readonly target: ProfileDocument | null;
  readonly formId: string;
  onTheirs(profile: ProfileDocument): void;
}

export function useProfileSaving({ target, formId, onTheirs }: ProfileSavingOptions) {
  const { call } = useApp();
  const refresh = useRefresh("import-profiles");
  const params = { path: { id: target?.id ?? "" } };
  const over = useSaveOver<ProfileDocument, ProfileBody>({
    read: get("/api/import-profiles/{id}", { params }),
    write: (api, body) => api.PATCH("/api/import-profiles/{id}", { params, body }),
    resource: `import_profile:${target?.id}`,
    document: target,
    formId,
    textOf: (one) => JSON.stringify(one),
    onTheirs,
  });
  return {
    ...over,
    save: async (body: ProfileBody): Promise<ProfileDocument | null> => {
      const saved = target === null
        ? await call((api) => api.POST("/api/import-profiles", { body }))
        : await over.save(body);
      if (saved !== null) await refresh();
      return saved;
    },
  };
}

/** If an XML profile and a table profile share an id, the id is offered once. */
export function profileOptions(rows: readonly ProfileDocument[]) {
  return optionsOf(rows.filter(({ id }, at) => rows.findIndex((row) => row.id === id) === at));
}

export function nameOfProfile(
  { profiles }: Words,
  { id, name, builtIn }: Pick<ProfileDocument, "id" | "name" | "builtIn">,
): string {
  const names: Readonly<Record<string, string>> = profiles.builtInNames;
  return builtIn && names[id] || name;
}
