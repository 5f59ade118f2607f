/**
 * The page of a stored import profile, and the page of a new profile. A built-in XML profile and a
 * built-in table profile may share an id, so `format` in the URL chooses between them. Built-in
 * profiles are read-only, but people can test and copy them.
 */
import {
  CopyBlock,
  DocumentPending,
  ErrorNote,
  PageHead,
  Pending,
  Section,
} from "../../parts/page.tsx";
import { byId, byPath, get } from "../../api/call.ts";
import type {
  ProfileDocument,
  TableProfileDocument,
  XmlProfileDocument,
} from "../../../imports/profiles/import_profiles.ts";
import { useApp, useDocument, useRefresh } from "../../app/app.ts";
import { SaveButton, TextField, useForm } from "../../parts/form/fields.tsx";
import { usePathForm, type Values } from "../../parts/form/saved_form.tsx";
import {
  LookTags,
  nameOfProfile,
  type ProfileBody,
  useFilePreview,
  useProfiles,
  useProfileSaving,
} from "../../parts/import/file_preview.tsx";
import { RemoveButton } from "../../parts/action_button.tsx";
import {
  bodyOf,
  draftOf,
  type FilePaths,
  filePathsOf,
  ProfileForm,
  SAMPLE_BYTES,
} from "./profile_form.tsx";
import { useLocation, useRoute } from "preact-iso";
import { useId, useState } from "preact/hooks";
import type { TableProfile } from "../../../imports/profiles/table_profile.ts";
import { ProfilePreview, SampleFile } from "./profile_preview.tsx";
import type { ComponentChildren } from "preact";
import { JobError } from "../../parts/import/import_state.tsx";
import { isWhollyShown } from "../../parts/mapping/mapping_profile.ts";
import type { MappingDraft } from "../../parts/mapping/mapping_draft.ts";
import { MappingEditor, useMapping } from "../../parts/mapping/mapping_editor.tsx";

export function ProfileScreen() {
  const { params: { id = "" }, query: { format = "" } } = useRoute();
  const { words: { settings, auditLog }, may } = useApp();
  const found = useDocument(get("/api/import-profiles/{id}", byPath({ id }, { format })));
  const profile = found.data;
  if (profile === undefined) {
    const back = { href: "/settings/profiles", text: settings.parts.profiles };
    return <DocumentPending title={auditLog.resources.import_profile} back={back} of={found} />;
  }
  const isReadOnly = profile.builtIn || !may("manager");
  return (
    <ProfilePage profile={profile} isReadOnly={isReadOnly}>
      {profile.format === "table"
        ? (
          <TableEditor
            key={JSON.stringify(profile)}
            stored={profile}
            profile={profile}
            isReadOnly={isReadOnly}
          />
        )
        : (
          <XmlEditor
            key={profile.id}
            stored={profile}
            initial={draftOf(profile)}
            isReadOnly={isReadOnly}
            known={null}
          />
        )}
    </ProfilePage>
  );
}

interface SavingOptions {
  readonly stored: ProfileDocument | null;
  readonly formId: string;
  onTheirs(profile: ProfileDocument): void;
}

function useSaving({ stored, ...options }: SavingOptions) {
  const { words, toasts } = useApp();
  const { route } = useLocation();
  const { save, note } = useProfileSaving({ target: stored, ...options });
  return {
    note,
    save: async (body: ProfileBody): Promise<boolean> => {
      const saved = await save(body);
      if (saved === null) return false;
      toasts.tell(words.saved);
      if (stored === null) route(`/settings/profiles/${saved.id}`, true);
      return true;
    },
  };
}

interface ProfilePageProps {
  readonly profile: TableProfileDocument | XmlProfileDocument;
  readonly isReadOnly: boolean;
  readonly children: ComponentChildren;
}

function ProfilePage({ profile, isReadOnly, children }: ProfilePageProps) {
  const { words, may } = useApp();
  const texts = words.profiles;
  const isTable = profile.format === "table";
  const copy = `/settings/new-profile?from=${profile.id}${isTable ? "&format=table" : ""}`;
  return (
    <div class="page wide">
      <PageHead
        title={nameOfProfile(words, profile)}
        beside={<code>{profile.id}</code>}
        back={{ href: "/settings/profiles", text: words.settings.parts.profiles }}
      >
        {!isReadOnly && <RemoveProfile profile={profile} />}
        {may("manager") && <a class="button plain" href={copy}>{texts.copy}</a>}
      </PageHead>
      {profile.builtIn && (
        <p class="note info">{isTable ? texts.builtInTableNote : texts.builtInNote}</p>
      )}
      {children}
    </div>
  );
}

function RemoveProfile({ profile }: { profile: TableProfileDocument | XmlProfileDocument }) {
  const texts = useApp().words.profiles;
  const { route } = useLocation();
  return (
    <RemoveButton
      ask={(api) => api.DELETE("/api/import-profiles/{id}", byId(profile.id))}
      question={{ title: texts.remove, text: texts.removeText }}
      touches={[]}
      onDone={() => route("/settings/profiles")}
    />
  );
}

const HOUSE_FORMAT = "erp-default";

export function NewProfileScreen() {
  const { words: { profiles: texts, settings }, may } = useApp();
  const { query } = useLocation();
  const list = useProfiles();
  const isReadOnly = !may("manager");
  const known = list.rows.filter((profile) => profile.format !== "table");
  const original = known.find(({ id }) => id === query.from) ?? null;
  const table = query.format !== "table"
    ? null
    : list.rows.find((profile) => profile.format === "table" && profile.id === query.from);
  return (
    <div class="page wide">
      <PageHead
        title={texts.newTitle}
        back={{ href: "/settings/profiles", text: settings.parts.profiles }}
      />
      {list.error || list.isPending ? <Pending of={list} /> : table?.format === "table"
        ? (
          <TableEditor
            key={table.id}
            stored={null}
            profile={{ ...table, id: "", name: "" }}
            isReadOnly={isReadOnly}
          />
        )
        : (
          <XmlEditor
            key={original?.id}
            stored={null}
            initial={draftOf(original ? { ...original, id: `${original.id}-2`, name: "" } : {})}
            isReadOnly={isReadOnly}
            known={known.find(({ id }) => id === HOUSE_FORMAT) ?? null}
          />
        )}
    </div>
  );
}

interface XmlEditorProps {
  readonly stored: XmlProfileDocument | null;
  readonly initial: Values;
  readonly isReadOnly: boolean;
  readonly known: XmlProfileDocument | null;
}

function XmlEditor({ stored, initial, isReadOnly, known }: XmlEditorProps) {
  const texts = useApp().words.profiles;
  const formId = useId();
  const { file, paths, choose } = useChosenFile();
  const saving = useSaving({
    stored,
    formId,
    onTheirs: (one) => {
      if (one.format !== "table") form.reset(draftOf(one));
    },
  });
  const form = usePathForm({ initial, save: (draft) => saving.save(bodyOf(draft)) });
  return (
    <div class="editor">
      <form id={formId} class="form" onSubmit={form.submit} noValidate>
        <fieldset disabled={isReadOnly} class="bare-set">
          <ProfileForm form={form} file={paths} isNew={stored === null} />
        </fieldset>
        {saving.note}
        {form.error && (
          <ErrorNote
            error={form.error}
            // The check boxes of `dateFormats` show no errors.
            knownFields={form.error.fields.map(({ path }) => path)
              .filter((path) => path !== "" && path !== "dateFormats")}
          />
        )}
        <details>
          <summary>{texts.asJson}</summary>
          <CopyBlock label={texts.asJson} text={JSON.stringify(bodyOf(form.draft), null, 2)} />
        </details>
        {!isReadOnly && (
          <div class="form-actions row flow gap-8 sticky">
            <SaveButton form={form} />
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

function useChosenFile() {
  const [file, setFile] = useState<File | null>(null);
  const [paths, setPaths] = useState<FilePaths | null>(null);
  const choose = async (chosen: File | null) => {
    setFile(chosen);
    setPaths(chosen && filePathsOf(await chosen.slice(0, SAMPLE_BYTES).text()));
  };
  return { file, paths, choose };
}

interface TableEditorProps {
  readonly stored: TableProfileDocument | null;
  readonly profile: TableProfile & { readonly builtIn: boolean };
  readonly isReadOnly: boolean;
}

function TableEditor({ stored, profile: given, isReadOnly }: TableEditorProps) {
  const { words } = useApp();
  const { builtIn: _builtIn, ...profile } = given;
  const formId = useId();
  const refresh = useRefresh("import-profiles");
  const saving = useSaving({ stored, formId, onTheirs: () => void refresh() });
  const { tried, file, setFile, found, mapping } = useTriedProfile(profile);
  const { preview, isRunning, error, again } = found;
  const form = useForm({
    initial: { name: profile.name },
    save: ({ name }) => {
      const { id: _id, ...changed } = tried;
      return saving.save({ ...changed, name });
    },
  });
  const isDirty = form.isDirty || JSON.stringify(tried) !== JSON.stringify(profile);
  if (!isWhollyShown(profile)) return <AsText profile={profile} />;
  return (
    <form id={formId} class="form import-form" onSubmit={form.submit} noValidate>
      {!isReadOnly && (
        <div class="fields">
          <TextField {...form.text("name", words.fields.name)} />
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
          onDraft={mapping.change}
        />
      )}
      {saving.note}
      {form.error && <ErrorNote error={form.error} knownFields={form.fields} />}
      {!isReadOnly && (
        <div class="form-actions row flow gap-8 sticky">
          <SaveButton form={{ ...form, isDirty }} />
        </div>
      )}
    </form>
  );
}

function useTriedProfile(profile: TableProfile) {
  const [file, setFile] = useState<File | null>(null);
  const [tried, setTried] = useState(profile);
  const found = useFilePreview({
    file,
    profile: { ...tried, id: tried.id || "x", name: tried.name || "–" },
    isOfLines: true,
  });
  const fileKey = file ? `${file.name} ${file.size} ${file.lastModified}` : "profile";
  const { draft, change, profileOf } = useMapping(tried, found.preview, fileKey);
  const mapping = {
    draft,
    change: (changed: MappingDraft) => {
      change(changed);
      setTried(profileOf(changed));
    },
  };
  return { tried, file, setFile, found, mapping };
}

function AsText({ profile }: { readonly profile: TableProfile }) {
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
