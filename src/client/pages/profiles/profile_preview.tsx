/**
 * The preview beside the form of an XML import profile: the service reads a sample file with the
 * edited profile. Nothing is imported. The form of a new profile can be filled from the file.
 */
import type { XmlProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import { asApiError } from "../../api/api_error.ts";
import { useApp } from "../../app/app.ts";
import { Button, FileButton } from "../../parts/controls.tsx";
import { ErrorNote, refusalText } from "../../parts/page.tsx";
import type { Form } from "../../parts/form/fields.tsx";
import { JobError } from "../../parts/import/import_state.tsx";
import { MappedRecords } from "../../parts/mapping/mapped_records.tsx";
import { type PreviewState, useFilePreview } from "../../parts/import/use_file_preview.ts";
import {
  bodyOf,
  type FilePaths,
  fittingPath,
  LINK_NAMES,
  pathsBelow,
  PRICE_NAMES,
  PROFILE_FIELDS,
  type ProfileDraft,
  type TextName,
} from "./profile_draft.ts";
import type { ComponentChildren } from "preact";

interface ProfilePreviewProps {
  readonly form: Form<ProfileDraft>;
  readonly file: File | null;
  /** The structure of the file; null if the file is not readable. */
  readonly paths: FilePaths | null;
  /** The profile whose paths are looked up in the file; null if the form must not be filled. */
  readonly known: XmlProfileDocument | null;
  onFile(file: File | null): void;
}

export function ProfilePreview({ form, file, paths, known, onFile }: ProfilePreviewProps) {
  const { words } = useApp();
  const texts = words.profiles;
  const state = useProfilePreview(form.values, file);
  return (
    <section class="editor-side framed" aria-label={texts.preview}>
      <header>
        <h2>{texts.preview}</h2>
        {state.isRunning && <span class="spinner" role="status" aria-label={words.loading} />}
      </header>
      <SampleFile file={file} accept=".xml,.zip" onFile={onFile} />
      {paths && known && (
        <Button onClick={() => form.set(suggestedDraft(form.values, paths, known))}>
          {texts.suggest}
        </Button>
      )}
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

function useProfilePreview(draft: ProfileDraft, file: File | null): PreviewState {
  const body = bodyOf(draft);
  // A profile can be tried out before it has a name or an id.
  const profile = { ...body, id: body.id || "x", name: body.name || "–" };
  return useFilePreview({ file, profile });
}

/** For each empty field, the first path of the known profile that the file contains. */
export function suggestedDraft(
  draft: ProfileDraft,
  file: FilePaths,
  known: XmlProfileDocument,
): ProfileDraft {
  const filled = { ...draft };
  const fill = (name: TextName, text: string | null | undefined) => {
    if (filled[name] === "" && text) filled[name] = text;
  };
  fill("detect.root", file.root);
  fill("itemPath", file.itemPath);
  const inItem = pathsBelow(file, filled.itemPath);
  for (const name of PROFILE_FIELDS) {
    fill(`fields.${name}.path`, fittingPath(known.fields[name]?.path ?? "", inItem));
  }
  const rows = fittingPath(known.prices?.path ?? "", inItem);
  if (rows !== null && known.prices !== null) {
    filled.hasPrices = true;
    fill("prices.path", rows);
    const inRow = pathsBelow(file, filled["prices.path"]);
    for (const name of PRICE_NAMES) {
      if (name !== "path") fill(`prices.${name}`, fittingPath(known.prices[name] ?? "", inRow));
    }
  }
  const links = fittingPath(known.competitors?.path ?? "", inItem);
  if (links !== null && known.competitors !== null) {
    filled.hasLinks = true;
    fill("competitors.path", links);
    const inLink = pathsBelow(file, filled["competitors.path"]);
    for (const name of LINK_NAMES) {
      if (name !== "path") {
        fill(`competitors.${name}`, fittingPath(known.competitors[name] ?? "", inLink));
      }
    }
  }
  return filled;
}

interface SampleFileProps {
  readonly file: File | null;
  readonly accept: string;
  readonly children?: ComponentChildren;
  onFile(file: File | null): void;
}

/** Chooses a file to try a profile; nothing is imported. */
export function SampleFile({ file, accept, children, onFile }: SampleFileProps) {
  const texts = useApp().words.profiles;
  return (
    <>
      <p class="soft">{texts.fileHint}</p>
      <div class="file-choice flow row gap-8">
        <FileButton accept={accept} onFiles={([chosen = null]) => onFile(chosen)}>
          {texts.file}
        </FileButton>
        {file && <span class="file-name">{file.name}</span>}
        {children}
      </div>
    </>
  );
}
