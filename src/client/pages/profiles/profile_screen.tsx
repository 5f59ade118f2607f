import { DocumentPending } from "../../parts/document_pending.tsx";
import { byId } from "../../api/call.ts";
import type {
  TableProfileDocument,
  XmlProfileDocument,
} from "../../../imports/profiles/change_import_profiles.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { useForm } from "../../parts/form/use_form.ts";
import { useSaveOver } from "../../parts/form/use_save_over.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { RemoveButton } from "../../parts/remove_button.tsx";
import { bodyOf, draftOf } from "./profile_draft.ts";
import { ProfileEditor } from "./profile_editor.tsx";
import { TableEditor } from "./table_editor.tsx";
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation, useRoute } from "preact-iso";
import { useId } from "preact/hooks";

/** A stored profile; a built-in one can be looked at, tried out and copied. */
export function ProfileScreen() {
  const { params: { id = "" }, query: { format = "" } } = useRoute();
  const { words } = useApp();
  const texts = words.profiles;
  const found = useDocument({
    key: ["profiles", id, { format }],
    read: (api) =>
      api.GET("/api/import-profiles/{id}", { params: { path: { id }, query: { format } } }),
  });
  const back = { href: "/settings/profiles", text: texts.title };
  if (found.data?.format === "table") return <FoundTable profile={found.data} />;
  if (found.data) return <Found key={id} profile={found.data} />;
  return (
    <DocumentPending
      title={texts.viewTitle}
      back={back}
      error={found.error}
      onAgain={() => void found.refetch()}
    />
  );
}

/** A table: built-in ones can be looked at, tried out and copied. */
function FoundTable({ profile }: { profile: TableProfileDocument }) {
  const { words, toasts, may } = useApp();
  const texts = words.profiles;
  const client = useQueryClient();
  const formId = useId();
  const isReadOnly = profile.builtIn || !may("manager");
  const over = useSaveOver({
    read: (api) => api.GET("/api/import-profiles/{id}", byId(profile.id)),
    write: (api, body: Readonly<Record<string, unknown>>) =>
      api.PATCH("/api/import-profiles/{id}", { ...byId(profile.id), body }),
    resource: `import_profile:${profile.id}`,
    document: profile,
    formId,
    textOf: (one) => JSON.stringify(one),
    // The page restarts with the version that others have saved.
    onTheirs: () => void client.invalidateQueries({ queryKey: ["profiles"] }),
  });
  const save = async (name: string, { builtIn: _builtIn, ...changed }: TableProfileDocument) => {
    if (await over.save({ ...changed, name }) === null) return;
    await client.invalidateQueries({ queryKey: ["profiles"] });
    toasts.tell(words.saved);
  };
  return (
    <div class="page wide">
      <PageHead
        title={profile.name}
        beside={<code>{profile.id}</code>}
        back={{ href: "/settings/profiles", text: texts.title }}
      >
        {!isReadOnly && <RemoveProfile profile={profile} />}
        {may("manager") && (
          <a class="button plain" href={`/settings/new-profile?from=${profile.id}&format=table`}>
            {texts.copy}
          </a>
        )}
      </PageHead>
      {profile.builtIn && <p class="note info">{texts.builtInTableNote}</p>}
      <TableEditor
        key={JSON.stringify(profile)}
        profile={profile}
        name={profile.name}
        isReadOnly={isReadOnly}
        formId={formId}
        note={over.note}
        onSave={(name, changed) => save(name, { ...changed, builtIn: false })}
      />
    </div>
  );
}

function Found({ profile }: { profile: XmlProfileDocument }) {
  const { words, toasts, may } = useApp();
  const formId = useId();
  const texts = words.profiles;
  const client = useQueryClient();
  const form = useForm({
    initial: draftOf(profile),
    save: async (draft) => {
      if (await over.save(bodyOf(draft)) === null) return false;
      await client.invalidateQueries({ queryKey: ["profiles"] });
      toasts.tell(words.saved);
      return true;
    },
  });
  const over = useSaveOver({
    read: (api) => api.GET("/api/import-profiles/{id}", byId(profile.id)),
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
    <div class="page wide">
      <PageHead
        title={profile.name}
        beside={<code>{profile.id}</code>}
        back={{ href: "/settings/profiles", text: texts.title }}
      >
        {!isReadOnly && <RemoveProfile profile={profile} />}
        {may("manager") && (
          <a class="button plain" href={`/settings/new-profile?from=${profile.id}`}>
            {texts.copy}
          </a>
        )}
      </PageHead>
      {profile.builtIn && <p class="note info">{texts.builtInNote}</p>}
      <ProfileEditor
        form={form}
        isNew={false}
        isReadOnly={isReadOnly}
        known={null}
        formId={formId}
        note={over.note}
      />
    </div>
  );
}

function RemoveProfile({ profile }: { profile: TableProfileDocument | XmlProfileDocument }) {
  const { words } = useApp();
  const { route } = useLocation();
  const texts = words.profiles;
  const params = { path: { id: profile.id } };
  return (
    <RemoveButton
      document={profile}
      read={(api) => api.GET("/api/import-profiles/{id}", { params })}
      write={(api) => api.DELETE("/api/import-profiles/{id}", { params })}
      textOf={(one) => JSON.stringify(one)}
      question={{ title: texts.remove, text: texts.removeText }}
      touches={[]}
      onDone={() => route("/settings/profiles")}
    />
  );
}
