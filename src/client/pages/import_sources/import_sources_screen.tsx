import { byId } from "../../api/call.ts";
import { useState } from "preact/hooks";
import { isHoldCode } from "../../../imports/files/hold_codes.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/queries.ts";
import { Badge, Button } from "../../parts/controls.tsx";
import { ErrorNote, PageHead } from "../../parts/page.tsx";
import { FileLinks, filesOf } from "../../parts/file_links.tsx";
import { useImportSources } from "../../parts/import/source_guards.tsx";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import { NewSourcePanel, SourcePanel } from "./source_panel.tsx";

const WATCH_MS = 10_000;

/** Where files come from: what came of them last, and what is set. */
export function ImportSourcesScreen() {
  const { words, may } = useApp();
  const texts = words.importSources;
  const [openId, setOpenId] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  const list = useImportSources(WATCH_MS);
  const open = list.rows.find(({ id }) => id === openId);
  return (
    <div class="page">
      <PageHead title={texts.title} back={{ href: "/imports", text: words.imports.title }}>
        <FileLinks {...filesOf("/api/import-sources")} />
        {may("manager") && (
          <Button kind="main" icon="plus" onClick={() => setMaking(true)}>{texts.create}</Button>
        )}
      </PageHead>
      <p class="soft">{texts.about}</p>
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : (
        <SimpleTable
          label={texts.title}
          columns={useSourceColumns(setOpenId)}
          rows={list.rows}
          idOf={({ id }) => id}
        />
      )}
      {isMaking && <NewSourcePanel onClose={() => setMaking(false)} />}
      {open && <SourcePanel key={open.id} source={open} onClose={() => setOpenId(null)} />}
    </div>
  );
}

function useSourceColumns(open: (id: string) => void): readonly Column<ImportSource>[] {
  const { words, may } = useApp();
  const { columns, kinds } = words.importSources;
  return [
    column(
      "name",
      columns.name,
      { width: 210, narrowWidth: 150 },
      ({ id, name }) => (
        <button type="button" class="link" title={id} onClick={() => open(id)}>{name}</button>
      ),
    ),
    column("state", columns.state, 150, (source) => <SourceState source={source} />),
    column(
      "way",
      columns.way,
      260,
      ({ kind, lastPull }) => lastPull ? <LastPull pull={lastPull} /> : kinds[kind],
    ),
    column("last", columns.last, 210, (source) => <LastImport source={source} />),
    ...(may("manager")
      ? [
        column("act", "", 140, (source: ImportSource) =>
          source.pull && <PullButton source={source} />),
      ]
      : []),
  ];
}

function SourceState({ source }: { source: ImportSource }) {
  const { states } = useApp().words.importSources;
  if (source.pausedAt !== null) return <Badge tone="warn">{states.paused}</Badge>;
  if (source.hold === null && !source.isDefault) {
    return <Badge tone="warn">{states.unguarded}</Badge>;
  }
  return <Badge tone="good">{states.on}</Badge>;
}

function LastImport({ source: { lastImport } }: { source: ImportSource }) {
  const { words, show } = useApp();
  if (lastImport === null) return <span class="soft">{words.importSources.never}</span>;
  const { jobId, label, status, errorCode, finishedAt } = lastImport;
  const state = isHoldCode(errorCode) ? words.imports.held : words.imports.states[status];
  const text = `${state}, ${show.dateTime(finishedAt)}`;
  return (
    <>
      <a href={`/imports/${jobId}`}>{label ?? text}</a>
      {label !== null && <small class="soft">{text}</small>}
    </>
  );
}

/** The result of the last fetch, with a link to its import. */
function LastPull({ pull }: { pull: NonNullable<ImportSource["lastPull"]> }) {
  const { words, show } = useApp();
  const texts = words.importSources;
  const text = texts.lastPull(texts.outcomes[pull.outcome], show.dateTime(pull.at));
  if (pull.outcome === "imported" && pull.jobId !== null) {
    return <a href={`/imports/${pull.jobId}`}>{text}</a>;
  }
  const isBad = pull.outcome === "failed" || pull.outcome === "waiting";
  return <span class={isBad ? "loss" : undefined} title={pull.message ?? undefined}>{text}</span>;
}

function PullButton({ source }: { source: ImportSource }) {
  const { words, toasts } = useApp();
  const texts = words.importSources;
  const pull = useChange({
    ask: (api) => api.POST("/api/import-sources/{id}/pull", byId(source.id)),
    touches: ["importSources", "imports"],
    onDone: ({ lastPull }) => toasts.tell(texts.pulled[lastPull?.outcome ?? "running"]),
  });
  return (
    <Button
      isBusy={pull.isPending}
      isDisabled={source.pausedAt !== null}
      onClick={() => pull.mutate(undefined)}
    >
      {texts.pull}
    </Button>
  );
}
