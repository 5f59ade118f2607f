/**
 * The pages of a stored and of a new import profile. A built-in XML profile and a built-in table
 * profile may share an id, so `format` in the address chooses between them. Built-in profiles are
 * read-only, but people can try and copy them.
 */
import { DocumentPending, ErrorNote, PageHead, Pending, Section } from "../../parts/page.tsx";
import { byId, byPath, get } from "../../api/call.ts";
import type {
  TableProfileDocument,
  XmlProfileDocument,
} from "../../../imports/profiles/import_profiles.ts";
import { useApp, useDocument, useRefresh } from "../../app/app.ts";
import { type Form, SaveButton, TextField, useForm } from "../../parts/form/fields.tsx";
import { useSaveOver } from "../../parts/form/form_dialog.tsx";
import { nameOfProfile, useFilePreview, useProfiles } from "../../parts/import/use_file_preview.ts";
import { RemoveButton } from "../../parts/action_button.tsx";
import {
  bodyOf,
  draftOf,
  type FilePaths,
  filePathsOf,
  type ProfileDraft,
  SAMPLE_BYTES,
} from "./profile_draft.ts";
import { useLocation, useRoute } from "preact-iso";
import { useId, useState } from "preact/hooks";
import type { TableProfile } from "../../../imports/profiles/table_profile.ts";
import { CopyBlock } from "../../parts/copy_text.tsx";
import { ProfileForm } from "./profile_form.tsx";
import { ProfilePreview, SampleFile } from "./profile_preview.tsx";
import type { ComponentChild, ComponentChildren } from "preact";
import { JobError } from "../../parts/import/import_state.tsx";
import { LookTags } from "../../parts/mapping/mapped_records.tsx";
import { isWhollyShown } from "../../parts/mapping/mapping_profile.ts";
import { MappingEditor, useMapping } from "../../parts/mapping/mapping_editor.tsx";

export function ProfileScreen() {
  const { params: { id = "" }, query: { format = "" } } = useRoute();
  const texts = useApp().words.profiles;
  const found = useDocument(get("/api/import-profiles/{id}", byPath({ id }, { format })));
  const back = { href: "/settings/profiles", text: texts.title };
  if (found.data?.format === "table") return <FoundTable profile={found.data} />;
  if (found.data) return <Found key={id} profile={found.data} />;
  return <DocumentPending title={texts.viewTitle} back={back} of={found} />;
}

function FoundTable({ profile }: { profile: TableProfileDocument }) {
  const { words, toasts, may } = useApp();
  const refresh = useRefresh("profiles");
  const formId = useId();
  const isReadOnly = profile.builtIn || !may("manager");
  const over = useSaveOver({
    read: get("/api/import-profiles/{id}", byId(profile.id)),
    write: (api, body: Readonly<Record<string, unknown>>) =>
      api.PATCH("/api/import-profiles/{id}", { ...byId(profile.id), body }),
    resource: `import_profile:${profile.id}`,
    document: profile,
    formId,
    textOf: (one) => JSON.stringify(one),
    onTheirs: () => void refresh(),
  });
  const save = async (name: string, { builtIn: _builtIn, ...changed }: TableProfileDocument) => {
    if (await over.save({ ...changed, name }) === null) return;
    await refresh();
    toasts.tell(words.saved);
  };
  return (
    <ProfilePage profile={profile} isReadOnly={isReadOnly}>
      <TableEditor
        key={JSON.stringify(profile)}
        profile={profile}
        name={profile.name}
        isReadOnly={isReadOnly}
        formId={formId}
        note={over.note}
        onSave={(name, changed) => save(name, { ...changed, builtIn: false })}
      />
    </ProfilePage>
  );
}

function Found({ profile }: { profile: XmlProfileDocument }) {
  const { words, toasts, may } = useApp();
  const formId = useId();
  const refresh = useRefresh("profiles");
  const form = useForm({
    initial: draftOf(profile),
    save: async (draft) => {
      if (await over.save(bodyOf(draft)) === null) return false;
      await refresh();
      toasts.tell(words.saved);
      return true;
    },
  });
  const over = useSaveOver({
    read: get("/api/import-profiles/{id}", byId(profile.id)),
    write: (api, body: Readonly<Record<string, unknown>>) =>
      api.PATCH("/api/import-profiles/{id}", { ...byId(profile.id), body }),
    resource: `import_profile:${profile.id}`,
    document: profile,
    formId,
    textOf: (one) => one.format === "table" ? "" : JSON.stringify(draftOf(one)),
    onTheirs: (one) => {
      if (one.format !== "table") form.reset(draftOf(one));
    },
  });
  const isReadOnly = profile.builtIn || !may("manager");
  return (
    <ProfilePage profile={profile} isReadOnly={isReadOnly}>
      <ProfileEditor
        form={form}
        isNew={false}
        isReadOnly={isReadOnly}
        known={null}
        formId={formId}
        note={over.note}
      />
    </ProfilePage>
  );
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
        back={{ href: "/settings/profiles", text: texts.title }}
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
  const params = { path: { id: profile.id } };
  return (
    <RemoveButton
      document={profile}
      read={get("/api/import-profiles/{id}", { params })}
      write={(api) => api.DELETE("/api/import-profiles/{id}", { params })}
      textOf={(one) => JSON.stringify(one)}
      question={{ title: texts.remove, text: texts.removeText }}
      touches={[]}
      onDone={() => route("/settings/profiles")}
    />
  );
}

/** The built-in profile with the most common element names. */
const HOUSE_FORMAT = "erp-default";

export function NewProfileScreen() {
  const { words } = useApp();
  const { query } = useLocation();
  const list = useProfiles();
  const texts = words.profiles;
  const known = list.rows.filter((profile) => profile.format !== "table");
  const original = known.find(({ id }) => id === query.from) ?? null;
  const table = query.format !== "table"
    ? null
    : list.rows.find((profile) => profile.format === "table" && profile.id === query.from);
  return (
    <div class="page wide">
      <PageHead title={texts.newTitle} back={{ href: "/settings/profiles", text: texts.title }} />
      {list.error || list.isPending
        ? <Pending of={list} />
        : table?.format === "table"
        ? <NewTable key={table.id} original={table} />
        : <NewProfile key={original?.id} original={original} known={known} />}
    </div>
  );
}

function NewTable({ original }: { original: TableProfileDocument }) {
  const { call, words, toasts, may } = useApp();
  const { route } = useLocation();
  const refresh = useRefresh("profiles");
  const formId = useId();
  const { id: _id, builtIn: _builtIn, ...rest } = original;
  const save = async (name: string, { id: _none, ...changed }: TableProfile) => {
    const body = { ...changed, name };
    const made = await call((api) => api.POST("/api/import-profiles", { body }));
    await refresh();
    toasts.tell(words.saved);
    route(`/settings/profiles/${made.id}`, true);
  };
  return (
    <TableEditor
      profile={{ ...rest, id: "" }}
      name=""
      isReadOnly={!may("manager")}
      formId={formId}
      onSave={save}
    />
  );
}

interface NewProfileProps {
  readonly original: XmlProfileDocument | null;
  readonly known: readonly XmlProfileDocument[];
}

function NewProfile({ original, known }: NewProfileProps) {
  const { call, words, toasts, may } = useApp();
  const { route } = useLocation();
  const refresh = useRefresh("profiles");
  const [initial] = useState(() =>
    draftOf(original ? { ...original, id: `${original.id}-2`, name: "" } : {})
  );
  const form = useForm({
    initial,
    save: async (draft) => {
      const body = bodyOf(draft);
      const made = await call((api) => api.POST("/api/import-profiles", { body }));
      await refresh();
      toasts.tell(words.saved);
      route(`/settings/profiles/${made.id}`, true);
    },
  });
  return (
    <ProfileEditor
      form={form}
      isNew
      isReadOnly={!may("manager")}
      known={known.find(({ id }) => id === HOUSE_FORMAT) ?? null}
    />
  );
}

interface ProfileEditorProps {
  readonly form: Form<ProfileDraft>;
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  /** The profile whose paths are looked up in the file to fill the form. */
  readonly known: XmlProfileDocument | null;
  /** The id of the form, if buttons outside of the form submit it. */
  readonly formId?: string;
  readonly note?: ComponentChild;
}

function ProfileEditor(
  { form, isNew, isReadOnly, known, formId: givenId, note }: ProfileEditorProps,
) {
  const texts = useApp().words.profiles;
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
            <SaveButton isDirty={form.isDirty} isSaving={form.isSaving} />
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
  readonly profile: TableProfile;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly formId: string;
  readonly note?: ComponentChild;
  onSave(name: string, profile: TableProfile): Promise<unknown>;
}

function TableEditor({ profile, name, isReadOnly, formId, note, onSave }: TableEditorProps) {
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
