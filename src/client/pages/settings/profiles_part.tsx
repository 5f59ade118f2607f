import { useState } from "preact/hooks";
import type { ProfileDocument } from "../../../imports/import_profile_document.ts";
import { useList } from "../../api/use_list.ts";
import { useApp } from "../../frame/app.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";
import { ProfilePanel } from "./profile_panel.tsx";

/** What is shown: a stored profile, or a new one that begins as a copy. */
interface Shown {
  readonly profile: ProfileDocument;
  readonly isNew: boolean;
}

/** How foreign files are read: the built-in ways and those of the workspace. */
export function ProfilesPart() {
  const { words, may } = useApp();
  const texts = words.profiles;
  const [shown, setShown] = useState<Shown | null>(null);
  const list = useList<ProfileDocument>({ key: ["profiles"], path: "/api/import-profiles" });
  const [first] = list.rows;
  const copyOf = (profile: ProfileDocument) =>
    setShown({ profile: { ...profile, id: `${profile.id}-2`, builtIn: false }, isNew: true });
  return (
    <Section
      title={texts.title}
      note={texts.note}
      actions={may("manager") && first && (
        <Button
          kind="main"
          icon="plus"
          onClick={() => copyOf(first)}
        >
          {texts.create}
        </Button>
      )}
    >
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : (
        <SimpleTable
          label={texts.title}
          columns={useProfileColumns((profile) => setShown({ profile, isNew: false }))}
          rows={list.rows}
          idOf={({ id }) => id}
        />
      )}
      {shown && (
        <ProfilePanel
          key={`${shown.isNew} ${shown.profile.id}`}
          {...shown}
          onCopy={() => copyOf(shown.profile)}
          onClose={() => setShown(null)}
        />
      )}
    </Section>
  );
}

function useProfileColumns(
  open: (profile: ProfileDocument) => void,
): readonly Column<ProfileDocument>[] {
  const { words } = useApp();
  const texts = words.profiles;
  const { columns } = texts;
  return [
    {
      key: "name",
      title: columns.name,
      width: 220,
      cell: (profile) => (
        <button type="button" class="link" onClick={() => open(profile)}>{profile.name}</button>
      ),
    },
    { key: "id", title: columns.id, width: 160, cell: ({ id }) => <code>{id}</code> },
    {
      key: "root",
      title: columns.root,
      width: 160,
      cell: ({ detect }) => detect?.root ? <code>{detect.root}</code> : "–",
    },
    {
      key: "kind",
      title: columns.kind,
      width: 120,
      cell: ({ builtIn }) =>
        builtIn ? <Badge>{texts.builtIn}</Badge> : <Badge tone="good">{texts.own}</Badge>,
    },
  ];
}
