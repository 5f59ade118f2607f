/**
 * Previews an XML import profile: the service reads a sample file with the edited profile, and
 * imports nothing.
 */
import { useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { FileButton } from "../../parts/controls.tsx";
import { PreviewError } from "../../parts/page.tsx";
import type { Values } from "../../parts/form/saved_form.tsx";
import { JobError } from "../../parts/import/import_state.tsx";
import {
  MappedRecords,
  type PreviewState,
  useFilePreview,
} from "../../parts/import/file_preview.tsx";
import { bodyOf } from "./profile_form.tsx";

export function ProfilePreview({ draft }: { draft: Values }) {
  const { words: { profiles: texts, loading } } = useApp();
  const [file, setFile] = useState<File | null>(null);
  const state = useProfilePreview(draft, file);
  return (
    <section class="editor-side framed" aria-label={texts.preview}>
      <header class="row soft gap-10">
        <h2>{texts.preview}</h2>
        {state.isRunning && <span class="spinner" role="status" aria-label={loading} />}
      </header>
      <p class="soft">{texts.fileHint}</p>
      <div class="file-choice flow row gap-8">
        <FileButton accept=".xml,.zip" onFiles={([chosen = null]) => setFile(chosen)}>
          {texts.file}
        </FileButton>
        {file && <span class="file-name">{file.name}</span>}
      </div>
      <Outcome state={state} />
    </section>
  );
}

function Outcome({ state }: { state: ReturnType<typeof useProfilePreview> }) {
  const { words } = useApp();
  const { preview, error, again } = state;
  if (error) {
    return (
      <PreviewError
        error={error}
        waiting={words.profiles.incomplete}
        nameOf={(path) => <code>{path}</code>}
        onAgain={again}
      />
    );
  }
  if (preview === null) return null;
  if (preview.error) return <JobError error={preview.error} />;
  if (preview.records.length === 0) return <p class="note warn">{words.profiles.noRecords}</p>;
  return <MappedRecords preview={preview} />;
}

function useProfilePreview(draft: Values, file: File | null): PreviewState {
  const body = bodyOf(draft);
  const profile = { ...body, id: body.id || "x", name: body.name || "–" };
  return useFilePreview({ file, profile });
}
