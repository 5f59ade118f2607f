import { useQueryClient } from "@tanstack/preact-query";
import { useLocation, useRoute } from "preact-iso";
import type { ProfileDocument } from "../../../imports/profiles/import_profile_document.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading } from "../../parts/progress.tsx";
import { bodyOf, draftOf } from "./profile_draft.ts";
import { ProfileEditor } from "./profile_editor.tsx";

/** A stored profile; a built-in one can be looked at, tried out and copied. */
export function ProfileScreen() {
  const { params: { id = "" } } = useRoute();
  const { words } = useApp();
  const texts = words.profiles;
  const found = useDocument<ProfileDocument>({
    key: ["profiles", id],
    path: `/api/import-profiles/${encodeURIComponent(id)}`,
  });
  const back = { href: "/settings/profiles", text: texts.title };
  if (found.data) return <Found key={id} profile={found.data} />;
  return (
    <>
      <PageHead title={texts.viewTitle} back={back} />
      {found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : <Loading label={words.loading} />}
    </>
  );
}

function Found({ profile }: { profile: ProfileDocument }) {
  const { call, words, toasts, may } = useApp();
  const texts = words.profiles;
  const client = useQueryClient();
  const path = `/api/import-profiles/${profile.id}`;
  const form = useForm({
    initial: draftOf(profile),
    save: async (draft) => {
      await call(path, { method: "PATCH", body: bodyOf(draft) });
      await client.invalidateQueries({ queryKey: ["profiles"] });
      toasts.tell(words.saved);
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
        {!isReadOnly && <RemoveButton path={path} />}
        {may("manager") && (
          <a class="button plain" href={`/settings/new-profile?from=${profile.id}`}>
            {texts.copy}
          </a>
        )}
      </PageHead>
      {profile.builtIn && <p class="note info">{texts.builtInNote}</p>}
      <ProfileEditor form={form} isNew={false} isReadOnly={isReadOnly} known={null} />
    </div>
  );
}

function RemoveButton({ path }: { path: string }) {
  const { words, questions } = useApp();
  const { route } = useLocation();
  const texts = words.profiles;
  const remove = useChange({
    run: (call) => call(path, { method: "DELETE" }),
    touches: [],
    onDone: () => route("/settings/profiles"),
  });
  const ask = async () => {
    const question = { title: texts.remove, text: texts.removeText, yes: words.remove };
    if (await questions.ask({ ...question, isDangerous: true })) remove.mutate(undefined);
  };
  return (
    <Button isBusy={remove.isPending} onClick={() => void ask()}>
      {words.remove}
    </Button>
  );
}
