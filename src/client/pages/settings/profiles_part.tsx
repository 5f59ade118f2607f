import type { ProfileDocument } from "../../../imports/profiles/change_import_profiles.ts";
import { useApp } from "../../app/app.ts";
import { useList } from "../../app/use_list.ts";
import { Badge } from "../../parts/badge.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Section } from "../../parts/section.tsx";
import { type Column, column } from "../../parts/table/column.ts";
import { SimpleTable } from "../../parts/table/simple_table.tsx";

/** How foreign files are read: the built-in ways and those of the workspace. */
export function ProfilesPart() {
  const { words, may } = useApp();
  const texts = words.profiles;
  const list = useList({
    key: ["profiles"],
    read: (api, page) => api.GET("/api/import-profiles", { params: { query: page } }),
  });
  const columns = useProfileColumns();
  return (
    <Section
      title={texts.title}
      note={texts.note}
      actions={may("manager") && (
        <a class="button main" href="/settings/new-profile">
          <Icon name="plus" />
          {texts.create}
        </a>
      )}
    >
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : (
        <SimpleTable
          label={texts.title}
          columns={columns}
          rows={list.rows}
          idOf={(one) => `${one.id} ${one.format === "table" ? one.amounts : "xml"}`}
        />
      )}
    </Section>
  );
}

function useProfileColumns(): readonly Column<ProfileDocument>[] {
  const { words, may } = useApp();
  const texts = words.profiles;
  const { columns } = texts;
  return [
    column(
      "name",
      columns.name,
      220,
      ({ id, name, format }) => (
        <a href={`/settings/profiles/${id}${format === "table" ? "?format=table" : ""}`}>{name}</a>
      ),
    ),
    column("id", columns.id, 160, ({ id }) => <code>{id}</code>),
    column("root", columns.root, 160, (profile) => <Detected profile={profile} />),
    column(
      "kind",
      columns.kind,
      120,
      ({ builtIn }) =>
        builtIn ? <Badge>{texts.builtIn}</Badge> : <Badge tone="good">{texts.own}</Badge>,
    ),
    column("copy", words.actions, 120, ({ id, format }) =>
      may("manager") && (
        <a
          href={`/settings/new-profile?from=${id}${format === "table" ? "&format=table" : ""}`}
        >
          {texts.copy}
        </a>
      )),
  ];
}

/** By what a file of the profile is known. */
function Detected({ profile }: { profile: ProfileDocument }) {
  const { words } = useApp();
  const texts = words.profiles;
  if (profile.format === "table") return <>{texts.aTable}</>;
  const { root } = profile.detect;
  return root === "*" ? <>{texts.anyRoot}</> : <code>{root}</code>;
}
