import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { TableProfile } from "../../../imports/profiles/table_profile.ts";
import { useApp } from "../../app/app.ts";
import { CopyBlock } from "../../parts/copy_text.tsx";
import { ErrorNote, Section } from "../../parts/page.tsx";
import { SaveButton, TextField, useForm } from "../../parts/form/fields.tsx";
import { useFilePreview } from "../../parts/import/use_file_preview.ts";
import { JobError } from "../../parts/import/import_state.tsx";
import { LookTags } from "../../parts/mapping/look_tags.tsx";
import { isWhollyShown } from "../../parts/mapping/mapping_profile.ts";
import { MappingEditor, useMapping } from "../../parts/mapping/mapping_editor.tsx";
import { SampleFile } from "./sample_file.tsx";

interface TableEditorProps {
  readonly profile: TableProfile;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly formId: string;
  readonly note?: ComponentChild;
  onSave(name: string, profile: TableProfile): Promise<unknown>;
}

export function TableEditor({ profile, name, isReadOnly, formId, note, onSave }: TableEditorProps) {
  const { words } = useApp();
  const texts = words.profiles;
  const [file, setFile] = useState<File | null>(null);
  const fileKey = file ? `${file.name} ${file.size} ${file.lastModified}` : "profile";
  const [tried, setTried] = useState<TableProfile>(profile);
  const { preview, isRunning, error, again } = useFilePreview({
    file,
    profile: { ...tried, id: tried.id || "x", name: tried.name || "–" },
    isOfLines: true,
  });
  const mapping = useMapping(tried, preview, fileKey);
  const form = useForm({ initial: { name }, save: (values) => onSave(values.name, tried) });
  const isDirty = form.isDirty || JSON.stringify(tried) !== JSON.stringify(profile);
  if (!isWhollyShown(profile)) return <AsText profile={profile} />;
  return (
    <form id={formId} class="form import-form" onSubmit={form.submit} noValidate>
      {!isReadOnly && (
        <div class="fields">
          <TextField {...form.text("name", texts.columns.name)} />
        </div>
      )}
      <SampleFile
        file={file}
        accept=".csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.zip,.gz"
        onFile={setFile}
      >
        {isRunning && <span class="spinner" role="status" aria-label={words.loading} />}
        {preview && <LookTags preview={preview} profileName={null} />}
      </SampleFile>
      {error !== null && <ErrorNote error={error} onAgain={again} />}
      {preview?.error && preview.error.code !== "missing_sku_column" && (
        <JobError error={preview.error} />
      )}
      {mapping.draft && (
        <MappingEditor
          draft={mapping.draft}
          preview={preview}
          suggested={null}
          isReadOnly={isReadOnly}
          onDraft={(draft) => {
            mapping.change(draft);
            setTried(mapping.profileOf(draft));
          }}
        />
      )}
      {note}
      {form.error && <ErrorNote error={form.error} knownFields={form.fields} />}
      {!isReadOnly && (
        <div class="form-actions sticky">
          <SaveButton isDirty={isDirty} isSaving={form.isSaving} />
        </div>
      )}
    </form>
  );
}

/** Only the API can change a profile that the form cannot show completely. */
function AsText({ profile }: Pick<TableEditorProps, "profile">) {
  const { tableNote, asJson } = useApp().words.profiles;
  return (
    <>
      <p class="note info">{tableNote}</p>
      <Section title={asJson}>
        <CopyBlock label={asJson} text={JSON.stringify(profile, null, 2)} />
      </Section>
    </>
  );
}
