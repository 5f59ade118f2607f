/**
 * Lists the import sources: where files come from, and whether the last file was applied. Sources
 * with problems come first.
 */
import { useState } from "preact/hooks";
import { Badge, Button, LinkButton } from "../../parts/controls.tsx";
import { Card, ErrorNote, FileLinks, filesOf, PageHead } from "../../parts/page.tsx";
import { isHeld, useHeldImport } from "../../parts/import/import_state.tsx";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import { PausedNote, useDeliveries, useImportSources } from "../../parts/import/import_sources.tsx";
import { useProfiles } from "../../parts/import/file_preview.tsx";
import {
  ORDER,
  pullErrorText,
  SOURCE_TONES,
  SourcePanel,
  type SourceState,
  stateOf,
} from "./source_panel.tsx";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { byId, type Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { momentText } from "../../formats/day.ts";
import { ActionButton } from "../../parts/action_button.tsx";

const WATCH_MS = 10_000;
const TEMPLATES_SHOWN = 6;

export function ImportSourcesScreen() {
  const { words: { importSources: texts, imports }, may } = useApp();
  const [openId, setOpenId] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  const list = useImportSources(WATCH_MS);
  const open = list.rows.find(({ id }) => id === openId);
  const rankOf = (source: ImportSource) => ORDER.indexOf(stateOf(source));
  const rows = list.rows.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1));
  const countOf = (state: SourceState) => rows.filter((one) => stateOf(one) === state).length;
  const profiles = useProfiles().rows;
  const nameOf = (id: string) => profiles.find((one) => one.id === id)?.name ?? id;
  const columns = useSourceColumns({ nameOf, onOpen: setOpenId });
  return (
    <div class="page wide">
      <PageHead
        title={texts.title}
        back={{ href: "/imports", text: imports.title }}
        beside={rows.length > 0 && (
          <span class="soft">
            {texts.counts(rows.length, countOf("paused"), countOf("missed"))}
          </span>
        )}
      >
        <FileLinks {...filesOf("/api/import-sources")} />
        {may("manager") && (
          <Button kind="main" icon="plus" onClick={() => setMaking(true)}>{texts.create}</Button>
        )}
      </PageHead>
      <p class="soft">{texts.about}</p>
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : (
        <>
          {rows.map((source) => <PausedNote key={source.id} source={source} />)}
          <SimpleTable label={texts.title} kind="sources" columns={columns} rows={rows} />
        </>
      )}
      <Templates sources={rows} profiles={profiles} />
      {isMaking && <SourcePanel source={null} onClose={() => setMaking(false)} />}
      {open && <SourcePanel key={open.id} source={open} onClose={() => setOpenId(null)} />}
    </div>
  );
}

interface TemplatesProps {
  readonly sources: readonly ImportSource[];
  readonly profiles: ReturnType<typeof useProfiles>["rows"];
}

function Templates({ sources, profiles }: TemplatesProps) {
  const texts = useApp().words.importSources;
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
      beside={<a href="/settings/profiles">{texts.allProfiles(rows.length)}</a>}
    >
      <ul class="templates">
        {rows.slice(0, TEMPLATES_SHOWN).map((profile) => (
          <li key={profile.id} class="row spread framed gap-8">
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

interface ColumnOptions {
  nameOf(profile: string): string;
  onOpen(id: string): void;
}

function useSourceColumns({ nameOf, onOpen }: ColumnOptions): readonly Column<ImportSource>[] {
  const { words: { importSources: texts, codes, imports, fields, actions }, show, may } = useApp();
  const { columns } = texts;
  return [
    column("source", texts.source, 200).cell(({ id, name, kind, lastPull }) => (
      <>
        <LinkButton onClick={() => onOpen(id)}>{name}</LinkButton>
        <small>{lastPull ? <LastPull pull={lastPull} /> : codes.sourceKinds[kind]}</small>
      </>
    )),
    column("read", columns.read, { width: 200, isWide: true }).cell(({ profile, mode }) => (
      <>
        {profile === null ? texts.detected : texts.profile(nameOf(profile))}
        <small>{imports.modes[mode]}</small>
      </>
    )),
    column("deliveries", columns.deliveries, 160).cell(({ id }) => <Bars sourceId={id} />),
    column("last", columns.last, 150).cell(({ lastImport }) =>
      !lastImport?.finishedAt ? <span class="soft">{texts.never}</span> : (
        <>
          {momentText(show, lastImport.finishedAt)}
          <small>
            <a href={`/imports/${lastImport.jobId}`}>{lastImport.label}</a>
          </small>
        </>
      )
    ),
    column("state", fields.state, 150).cell((source) => <Standing source={source} />),
    column("act", actions, 110).cell((source) =>
      source.pull && may("manager")
        ? <PullButton source={source} />
        : <a href={`/imports?source=${source.id}`}>{imports.title}</a>
    ),
  ];
}

function Standing({ source }: { readonly source: ImportSource }) {
  const { words: { importSources: texts, imports }, show } = useApp();
  const deliveries = useDeliveries(source.id);
  const state = stateOf(source);
  const tone = SOURCE_TONES[state];
  const waiting = deliveries?.find(isHeld);
  const until = useHeldImport(waiting?.jobId ?? null)?.until;
  const isWaiting = Boolean(until) && (tone === "good" || state === "unguarded");
  const isGood = deliveries?.every((one) => kindOf(one) === "good") ?? false;
  return (
    <>
      <Badge tone={isWaiting ? "warn" : tone === "good" && !isGood ? "plain" : tone}>
        {texts.states[isWaiting ? "waiting" : state]}
      </Badge>
      {until && (
        <small>
          <a href={`/imports/${waiting?.jobId}`}>{imports.job.hold.review(until)}</a>
        </small>
      )}
      {source.missedAt && <small>{texts.expectedBy(momentText(show, source.missedAt))}</small>}
    </>
  );
}

type Delivery = Wire<"ImportSummary">;

const KINDS = ["good", "held", "bad"] as const;

function kindOf(one: Delivery): (typeof KINDS)[number] {
  return isHeld(one) ? "held" : one.status === "failed" ? "bad" : "good";
}

function Bars({ sourceId }: { readonly sourceId: string }) {
  const { words: { importSources: texts }, show } = useApp();
  const deliveries = useDeliveries(sourceId);
  if (deliveries === null) return null;
  if (deliveries.length === 0) return <span class="soft">{texts.noDelivery}</span>;
  const kinds = deliveries.map(kindOf).toReversed();
  const counts = KINDS.map((kind) => ({ kind, n: kinds.filter((one) => one === kind).length }));
  return (
    <>
      <span class="bars row gap-2" aria-hidden="true">
        {kinds.map((kind, at) => <i key={at} class={kind} />)}
      </span>
      <small class="bar-key">
        {counts.filter(({ n }) => n > 0).map(({ kind, n }) => (
          <span key={kind}>
            <i class={kind} /> {show.number(n)} {texts.bar[kind]}
          </span>
        ))}
      </small>
    </>
  );
}

function LastPull({ pull }: { pull: NonNullable<ImportSource["lastPull"]> }) {
  const { words: { codes }, show, language } = useApp();
  const text = `${codes.pullOutcomes[pull.outcome]}, ${momentText(show, pull.at)}`;
  if (pull.outcome === "imported" && pull.jobId !== null) {
    return <a href={`/imports/${pull.jobId}`}>{text}</a>;
  }
  const isBad = pull.outcome === "failed" || pull.outcome === "waiting";
  return (
    <span
      class={isBad ? "loss" : undefined}
      title={pullErrorText(pull, language.value) ?? undefined}
    >
      {text}
    </span>
  );
}

function PullButton({ source }: { source: ImportSource }) {
  const texts = useApp().words.importSources;
  return (
    <ActionButton
      ask={(api) => api.POST("/api/import-sources/{id}/pull", byId(source.id))}
      touches={["import-sources", "imports"]}
      toast={({ lastPull }) => texts.pulled[lastPull?.outcome ?? "running"]}
      isDisabled={source.pausedAt !== null}
    >
      {texts.pull}
    </ActionButton>
  );
}
