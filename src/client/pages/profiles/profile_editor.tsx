import type { XmlProfileDocument } from "../../../imports/profiles/change_import_profiles.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBlock } from "../../parts/copy_text.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import type { Form } from "../../parts/form/use_form.ts";
import { type FilePaths, filePathsOf, LOOKED_AT_BYTES } from "./file_paths.ts";
import { bodyOf, type ProfileDraft } from "./profile_draft.ts";
import { ProfileForm } from "./profile_form.tsx";
import { ProfilePreview } from "./profile_preview.tsx";
import type { ComponentChild } from "preact";
import { useId, useState } from "preact/hooks";

interface ProfileEditorProps {
  readonly form: Form<ProfileDraft>;
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  /** The profile whose names are searched in a file, to fill the form. */
  readonly known: XmlProfileDocument | null;
  /** Where others send the form. */
  readonly formId?: string;
  /** A question to answer before saving. */
  readonly note?: ComponentChild;
}

/** How a file is read on the left, what it makes of a real one on the right. */
export function ProfileEditor(
  { form, isNew, isReadOnly, known, formId: givenId, note }: ProfileEditorProps,
) {
  const { words } = useApp();
  const texts = words.profiles;
  const ownId = useId();
  const formId = givenId ?? ownId;
  const { file, paths, choose } = useChosenFile();
  return (
    <div class="editor">
      <form id={formId} class="form" onSubmit={form.submit} noValidate>
        <fieldset disabled={isReadOnly} class="bare-set">
          <ProfileForm form={form} file={paths} isNew={isNew} />
        </fieldset>
        {note}
        {form.error && <ErrorNote error={form.error} knownFields={form.fields} />}
        <details>
          <summary>{texts.asJson}</summary>
          <CopyBlock label={texts.asJson} text={JSON.stringify(bodyOf(form.values), null, 2)} />
        </details>
        {!isReadOnly && (
          <div class="form-actions sticky">
            <Button kind="main" type="submit" isBusy={form.isSaving} isDisabled={!form.isDirty}>
              {words.save}
            </Button>
          </div>
        )}
      </form>
      <ProfilePreview
        form={form}
        file={file}
        paths={paths}
        known={isReadOnly ? null : known}
        onFile={(chosen) => void choose(chosen)}
      />
    </div>
  );
}

/** The file that the profile is tried out on, and what its beginning is made of. */
function useChosenFile() {
  const [file, setFile] = useState<File | null>(null);
  const [paths, setPaths] = useState<FilePaths | null>(null);
  const choose = async (chosen: File | null) => {
    setFile(chosen);
    setPaths(chosen && filePathsOf(await chosen.slice(0, LOOKED_AT_BYTES).text()));
  };
  return { file, paths, choose };
}
