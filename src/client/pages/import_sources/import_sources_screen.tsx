import { useState } from "preact/hooks";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { useApp } from "../../app/app.ts";
import { Badge, Button } from "../../parts/controls.tsx";
import { FileLinks, filesOf } from "../../parts/file_links.tsx";
import { useImportSources } from "../../parts/import/source_guards.tsx";
import { useProfiles } from "../../parts/import/use_profiles.ts";
import { Card, ErrorNote, PageHead } from "../../parts/page.tsx";
import { NewSourcePanel, SourcePanel } from "./source_panel.tsx";
import { SourceRows } from "./source_rows.tsx";
import { ORDER, type SourceState, stateOf } from "./source_state.ts";

const WATCH_MS = 10_000;
/** Number of templates shown before a click on more; used ones come first. */
const TEMPLATES_SHOWN = 6;

/** Lists the sources of import files. Paused and overdue ones come first. */
export function ImportSourcesScreen() {
  const { words, show, may } = useApp();
  const texts = words.importSources;
  const [openId, setOpenId] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  const list = useImportSources(WATCH_MS);
  const open = list.rows.find(({ id }) => id === openId);
  const rankOf = (source: ImportSource) => ORDER.indexOf(stateOf(source));
  const rows = list.rows.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1));
  const countOf = (state: SourceState) => rows.filter((one) => stateOf(one) === state).length;
  const profiles = useProfiles().rows;
  const nameOf = (id: string) => profiles.find((one) => one.id === id)?.name ?? id;
  return (
    <div class="page wide">
      <PageHead
        title={texts.title}
        back={{ href: "/imports", text: words.imports.title }}
        beside={rows.length > 0 && (
          <span class="soft">
            {texts.counts(
              show.number(rows.length),
              show.number(countOf("paused")),
              show.number(countOf("missed")),
            )}
          </span>
        )}
      >
        <FileLinks {...filesOf("/api/import-sources")} />
        {may("manager") && (
          <Button kind="main" icon="plus" onClick={() => setMaking(true)}>{texts.create}</Button>
        )}
      </PageHead>
      <p class="soft">{texts.about}</p>
      {list.error
        ? <ErrorNote error={list.error} onAgain={list.again} />
        : <SourceRows sources={rows} nameOf={nameOf} onOpen={setOpenId} />}
      <Templates sources={rows} profiles={profiles} />
      {isMaking && <NewSourcePanel onClose={() => setMaking(false)} />}
      {open && <SourcePanel key={open.id} source={open} onClose={() => setOpenId(null)} />}
    </div>
  );
}

interface TemplatesProps {
  readonly sources: readonly ImportSource[];
  readonly profiles: ReturnType<typeof useProfiles>["rows"];
}

/** Built-in and own profiles. Profiles that a source uses are marked and come first. */
function Templates({ sources, profiles }: TemplatesProps) {
  const { words: { importSources: texts }, show } = useApp();
  const used = new Set(sources.map(({ profile }) => profile));
  const seen = new Map(profiles.map((one) => [one.id, one]));
  const rankOf = ({ id, builtIn }: TemplatesProps["profiles"][number]) =>
    used.has(id) ? 0 : builtIn ? 2 : 1;
  const rows = [...seen.values()].sort((a, b) => rankOf(a) - rankOf(b));
  if (rows.length === 0) return null;
  return (
    <Card
      title={texts.templates}
      note={texts.templatesNote}
      beside={<a href="/settings/profiles">{texts.allProfiles(show.number(rows.length))}</a>}
    >
      <ul class="templates">
        {rows.slice(0, TEMPLATES_SHOWN).map((profile) => (
          <li key={profile.id}>
            <a
              href={`/settings/profiles/${profile.id}${
                profile.format === "table" ? "?format=table" : ""
              }`}
            >
              {profile.name}
              <small>
                {profile.format === "table" ? "CSV, Excel" : "XML"}
                {!profile.builtIn && ` · ${texts.own}`}
              </small>
            </a>
            {used.has(profile.id) && <Badge tone="good">{texts.inUse}</Badge>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
