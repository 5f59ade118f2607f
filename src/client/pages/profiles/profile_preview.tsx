/**
 * The preview beside the form of an XML import profile: the service reads a sample file with the
 * edited profile. Nothing is imported.
 */
import { useState } from "preact/hooks";
import { asApiError } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { FileButton } from "../../parts/controls.tsx";
import { ErrorNote, refusalText } from "../../parts/page.tsx";
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
  if (error !== null && asApiError(error).code === "validation_failed") {
    return <Incomplete error={error} />;
  }
  if (error) return <ErrorNote error={error} onAgain={again} />;
  if (preview === null) return null;
  if (preview.error) return <JobError error={preview.error} />;
  if (preview.records.length === 0) return <p class="note warn">{words.profiles.noRecords}</p>;
  return <MappedRecords preview={preview} />;
}

function Incomplete({ error }: { error: unknown }) {
  const app = useApp();
  const texts = app.words.profiles;
  return (
    <div class="note info" role="status">
      <p>{texts.incomplete}</p>
      <ul>
        {asApiError(error).fields.map((field) => (
          <li key={field.path}>
            <code>{field.path}</code> {refusalText(app, field)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function useProfilePreview(draft: Values, file: File | null): PreviewState {
  const body = bodyOf(draft);
  const profile = { ...body, id: body.id || "x", name: body.name || "–" };
  return useFilePreview({ file, profile });
}
