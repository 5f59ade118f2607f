/**
 * The preview beside the form of an XML import profile: the service reads a sample file with the
 * edited profile. Nothing is imported. The form of a new profile can be filled from the file.
 */
import type { XmlProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import { asApiError } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { Button, FileButton } from "../../parts/controls.tsx";
import { ErrorNote, refusalText } from "../../parts/page.tsx";
import { type PathForm, textAt, type Values, withValue } from "../../parts/form/saved_form.tsx";
import { JobError } from "../../parts/import/import_state.tsx";
import {
  MappedRecords,
  type PreviewState,
  useFilePreview,
} from "../../parts/import/file_preview.tsx";
import {
  bodyOf,
  draftOf,
  type FilePaths,
  fittingPath,
  pathsBelow,
  PROFILE_FIELDS,
} from "./profile_form.tsx";
import { LINK_PATHS, PRICE_PATHS } from "../../../imports/choices.ts";
import type { ComponentChildren } from "preact";

interface ProfilePreviewProps {
  readonly form: PathForm;
  readonly file: File | null;
  readonly paths: FilePaths | null;
  readonly known: XmlProfileDocument | null;
  onFile(file: File | null): void;
}

export function ProfilePreview({ form, file, paths, known, onFile }: ProfilePreviewProps) {
  const { words: { profiles: texts, loading } } = useApp();
  const state = useProfilePreview(form.draft, file);
  return (
    <section class="editor-side framed" aria-label={texts.preview}>
      <header class="row soft gap-10">
        <h2>{texts.preview}</h2>
        {state.isRunning && <span class="spinner" role="status" aria-label={loading} />}
      </header>
      <SampleFile file={file} accept=".xml,.zip" onFile={onFile} />
      {paths && known && (
        <Button onClick={() => form.set(suggestedDraft(form.draft, paths, known))}>
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

function useProfilePreview(draft: Values, file: File | null): PreviewState {
  const body = bodyOf(draft);
  const profile = { ...body, id: body.id || "x", name: body.name || "–" };
  return useFilePreview({ file, profile });
}

export function suggestedDraft(draft: Values, file: FilePaths, known: XmlProfileDocument): Values {
  let filled = draft;
  const fill = (path: string, text: string | null) => {
    if (textAt(filled, path) === "" && text) filled = withValue(filled, path, text);
  };
  const below = (path: string) => pathsBelow(file, textAt(filled, path));
  fill("detect.root", file.root);
  fill("itemPath", file.itemPath);
  const inItem = below("itemPath");
  for (const name of PROFILE_FIELDS) {
    fill(`fields.${name}.path`, fittingPath(known.fields[name]?.path ?? "", inItem));
  }
  for (const [part, paths] of [["prices", PRICE_PATHS], ["competitors", LINK_PATHS]] as const) {
    const knownPaths = draftOf(known)[part];
    const element = fittingPath(textAt(knownPaths, "path"), inItem);
    if (element === null) continue;
    filled = withValue(filled, `has.${part}`, true);
    fill(`${part}.path`, element);
    const inElement = below(`${part}.path`);
    for (const name of [...paths.required, ...paths.optional]) {
      fill(`${part}.${name}`, fittingPath(textAt(knownPaths, name), inElement));
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
