/**
 * Shows an import profile, or the form for a new XML profile. A built-in XML profile and a built-in
 * table profile may share an id, so `format` in the URL chooses between them. The columns of table
 * profiles are edited on the import screen.
 */
import { CopyBlock } from "../../parts/copy_text.tsx";
import { DocumentPending, ErrorNote, PageHead, Pending } from "../../parts/page.tsx";
import { byId, byPath, get } from "../../api/call.ts";
import type {
  TableProfileDocument,
  XmlProfileDocument,
} from "../../../imports/profiles/import_profiles.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { SaveButton } from "../../parts/form/fields.tsx";
import { usePathForm, type Values } from "../../parts/form/saved_form.tsx";
import { nameOfProfile, useProfiles, useProfileSaving } from "../../parts/import/file_preview.tsx";
import { RemoveButton } from "../../parts/action_button.tsx";
import { bodyOf, draftOf, ProfileForm } from "./profile_form.tsx";
import { useLocation, useRoute } from "preact-iso";
import { useId } from "preact/hooks";
import { ProfilePreview } from "./profile_preview.tsx";
import type { ComponentChildren } from "preact";
import { draftOf as mappingOf } from "../../parts/mapping/mapping_draft.ts";
import { MappingEditor } from "../../parts/mapping/mapping_editor.tsx";

export function ProfileScreen() {
  const { params: { id = "" }, query: { format = "" } } = useRoute();
  const { words, may } = useApp();
  const found = useDocument(get("/api/import-profiles/{id}", byPath({ id }, { format })));
  const profile = found.data;
  if (profile === undefined) {
    const back = { href: "/settings/profiles", text: words.settings.parts.profiles };
    return <DocumentPending title={words.codes.audited.import_profile} back={back} of={found} />;
  }
  const isReadOnly = profile.builtIn || !may("manager");
  return (
    <ProfilePage profile={profile} isReadOnly={isReadOnly}>
      {profile.format === "table" ? <TableMapping key={profile.id} profile={profile} /> : (
        <XmlEditor
          key={profile.id}
          stored={profile}
          initial={draftOf({ ...profile, name: nameOfProfile(words, profile) })}
          isReadOnly={isReadOnly}
        />
      )}
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
  return (
    <div class="page wide">
      <PageHead
        title={nameOfProfile(words, profile)}
        beside={<code>{profile.id}</code>}
        back={{ href: "/settings/profiles", text: words.settings.parts.profiles }}
      >
        {!isReadOnly && <RemoveProfile profile={profile} />}
        {may("manager") && (isTable
          ? <a class="button plain" href="/imports/new">{words.imports.create}</a>
          : (
            <a class="button plain" href={`/settings/new-profile?from=${profile.id}`}>
              {texts.copy}
            </a>
          ))}
      </PageHead>
      {isTable
        ? <p class="note info">{texts.tableNote}</p>
        : profile.builtIn && <p class="note info">{texts.builtInNote}</p>}
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

export function NewProfileScreen() {
  const { words: { profiles: texts, settings }, may } = useApp();
  const { query } = useLocation();
  const list = useProfiles();
  const isReadOnly = !may("manager");
  const original = list.rows.filter((profile) => profile.format !== "table")
    .find(({ id }) => id === query.from) ?? null;
  return (
    <div class="page wide">
      <PageHead
        title={texts.newTitle}
        back={{ href: "/settings/profiles", text: settings.parts.profiles }}
      />
      {list.error || list.isPending ? <Pending of={list} /> : (
        <XmlEditor
          key={original?.id}
          stored={null}
          initial={draftOf(original ? { ...original, id: `${original.id}-2`, name: "" } : {})}
          isReadOnly={isReadOnly}
        />
      )}
    </div>
  );
}

interface XmlEditorProps {
  readonly stored: XmlProfileDocument | null;
  readonly initial: Values;
  readonly isReadOnly: boolean;
}

function XmlEditor({ stored, initial, isReadOnly }: XmlEditorProps) {
  const { words, toasts } = useApp();
  const { route } = useLocation();
  const formId = useId();
  const saving = useProfileSaving({
    target: stored,
    formId,
    onTheirs: (one) => {
      if (one.format !== "table") form.reset(draftOf(one));
    },
  });
  const form = usePathForm({
    initial,
    save: async (draft) => {
      const saved = await saving.save(bodyOf(draft));
      if (saved === null) return false;
      toasts.tell(words.saved);
      if (stored === null) route(`/settings/profiles/${saved.id}`, true);
      return true;
    },
  });
  return (
    <div class="editor">
      <form id={formId} class="form" onSubmit={form.submit} noValidate>
        <fieldset disabled={isReadOnly} class="bare-set">
          <ProfileForm form={form} isNew={stored === null} />
        </fieldset>
        {saving.note}
        {form.error && (
          <ErrorNote
            error={form.error}
            // The check boxes of `dateFormats` cannot show errors, so a note shows them.
            knownFields={form.error.fields.map(({ path }) => path)
              .filter((path) => path !== "" && path !== "dateFormats")}
          />
        )}
        <AsJson document={bodyOf(form.draft)} />
        {!isReadOnly && (
          <div class="form-actions row flow gap-8 sticky">
            <SaveButton form={form} />
          </div>
        )}
      </form>
      <ProfilePreview draft={form.draft} />
    </div>
  );
}

function TableMapping({ profile }: { readonly profile: TableProfileDocument }) {
  const { builtIn: _builtIn, ...stored } = profile;
  return (
    <>
      <MappingEditor
        draft={mappingOf(stored, null)}
        preview={null}
        suggested={null}
        isReadOnly
        onDraft={() => {}}
      />
      <AsJson document={stored} />
    </>
  );
}

function AsJson({ document }: { readonly document: object }) {
  const { asJson } = useApp().words.profiles;
  return (
    <details>
      <summary>{asJson}</summary>
      <CopyBlock label={asJson} text={JSON.stringify(document, null, 2)} />
    </details>
  );
}
