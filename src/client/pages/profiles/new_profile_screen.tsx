import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { ProfileDocument } from "../../../imports/profiles/import_profile_document.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { ErrorNote } from "../../parts/error_note.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading } from "../../parts/progress.tsx";
import { bodyOf, draftOf } from "./profile_draft.ts";
import { ProfileEditor } from "./profile_editor.tsx";

/** The one whose names are the most usual. */
const HOUSE_FORMAT = "erp-default";

/** A profile from nothing, or as a copy of the one that the address names by `from`. */
export function NewProfileScreen() {
  const { words } = useApp();
  const { query } = useLocation();
  const list = useList<ProfileDocument>({ key: ["profiles"], path: "/api/import-profiles" });
  const texts = words.profiles;
  const original = list.rows.find(({ id }) => id === query.from) ?? null;
  return (
    <div class="page wide">
      <PageHead
        title={texts.newTitle}
        back={{ href: "/settings/profiles", text: texts.title }}
      />
      {list.error
        ? <ErrorNote error={list.error} onAgain={list.again} />
        : list.isPending
        ? <Loading label={words.loading} />
        : <NewProfile key={original?.id} original={original} known={list.rows} />}
    </div>
  );
}

interface NewProfileProps {
  readonly original: ProfileDocument | null;
  readonly known: readonly ProfileDocument[];
}

function NewProfile({ original, known }: NewProfileProps) {
  const { call, words, toasts, may } = useApp();
  const { route } = useLocation();
  const client = useQueryClient();
  const [initial] = useState(() =>
    draftOf(original ? { ...original, id: `${original.id}-2`, name: "" } : {})
  );
  const form = useForm({
    initial,
    save: async (draft) => {
      const body = bodyOf(draft);
      const made = await call<ProfileDocument>("/api/import-profiles", { method: "POST", body });
      await client.invalidateQueries({ queryKey: ["profiles"] });
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
