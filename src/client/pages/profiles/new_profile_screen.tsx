import type {
  TableProfileDocument,
  XmlProfileDocument,
} from "../../../imports/profiles/change_import_profiles.ts";
import type { TableProfile } from "../../../imports/profiles/table_profile.ts";
import { useApp } from "../../app/app.ts";
import { useList } from "../../app/use_list.ts";
import { ErrorNote } from "../../parts/error_note.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading } from "../../parts/progress.tsx";
import { bodyOf, draftOf } from "./profile_draft.ts";
import { ProfileEditor } from "./profile_editor.tsx";
import { TableEditor } from "./table_editor.tsx";
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { useId, useState } from "preact/hooks";

/** The one whose names are the most usual. */
const HOUSE_FORMAT = "erp-default";

/** A profile from nothing, or as a copy of the one that the address names by `from`. */
export function NewProfileScreen() {
  const { words } = useApp();
  const { query } = useLocation();
  const list = useList({
    key: ["profiles"],
    read: (api, page) => api.GET("/api/import-profiles", { params: { query: page } }),
  });
  const texts = words.profiles;
  // A form is for XML alone.
  const known = list.rows.filter((profile) => profile.format !== "table");
  const original = known.find(({ id }) => id === query.from) ?? null;
  const table = query.format !== "table"
    ? null
    : list.rows.find((profile) => profile.format === "table" && profile.id === query.from);
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
        : table?.format === "table"
        ? <NewTable key={table.id} original={table} />
        : <NewProfile key={original?.id} original={original} known={known} />}
    </div>
  );
}

/** A copy of the profile of a table. */
function NewTable({ original }: { original: TableProfileDocument }) {
  const { call, words, toasts, may } = useApp();
  const { route } = useLocation();
  const client = useQueryClient();
  const formId = useId();
  const { id: _id, builtIn: _builtIn, ...rest } = original;
  const save = async (name: string, { id: _none, ...changed }: TableProfile) => {
    const body = { ...changed, name };
    const made = await call((api) => api.POST("/api/import-profiles", { body }));
    await client.invalidateQueries({ queryKey: ["profiles"] });
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
  const client = useQueryClient();
  const [initial] = useState(() =>
    draftOf(original ? { ...original, id: `${original.id}-2`, name: "" } : {})
  );
  const form = useForm({
    initial,
    save: async (draft) => {
      const body = bodyOf(draft);
      const made = await call((api) => api.POST("/api/import-profiles", { body }));
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
