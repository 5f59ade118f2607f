import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp, useList } from "../../app/app.ts";
import { FindingText, isUnderWay } from "../../parts/import/import_state.tsx";
import { Section } from "../../parts/page.tsx";
import {
  Additions,
  FieldChanges,
  HeldSamples,
  LargestMoves,
  type Pick,
  Removals,
} from "./import_changes.tsx";
import type { Finding } from "../../../imports/files/finding.ts";
import { FindingGroups } from "./finding_groups.tsx";
import { type Column, column, ListTable } from "../../parts/table/table.tsx";
import { byPath, get } from "../../api/call.ts";
import { Chip } from "../../parts/controls.tsx";

/** A table of the report, chosen by a chip. */
interface View {
  readonly name: string;
  readonly text: string;
  readonly count: number;
  readonly note?: string | false | undefined;
  readonly children: ComponentChildren;
}

/** The changes and findings of an import: a chip per kind, and one table. */
export function ImportReport({ job, pick }: { readonly job: ImportDocument; readonly pick: Pick }) {
  const texts = useApp().words.imports.job;
  const [chosen, setChosen] = useState<string | null>(null);
  const views = useViews(job, pick);
  const shown = views.find(({ name }) => name === chosen) ?? views[0];
  const hasFindings = job.errorCount + job.warningCount > 0;
  const nothing = job.undoes === null ? texts.noFindings : texts.undo.nothingKept;
  const isClean = !hasFindings && !isUnderWay(job) && job.error === null;
  const groups = hasFindings && job.undoes === null && <FindingGroups job={job} />;
  if (shown === undefined) return groups || (isClean && <p class="note good">{nothing}</p>);
  return (
    <>
      {groups}
      <Section
        title={texts.report}
        note={shown.note}
        actions={isClean && <span class="soft">{nothing}</span>}
      >
        <ul class="flow gap-6" aria-label={texts.report}>
          {views.map(({ name, text, count }) => (
            <li key={name}>
              <Chip
                text={text}
                count={count}
                isOn={name === shown.name}
                onClick={() => setChosen(name)}
              />
            </li>
          ))}
        </ul>
        {shown.children}
      </Section>
    </>
  );
}

/** The most important views come first. */
function useViews(job: ImportDocument, pick: Pick): readonly View[] {
  const texts = useApp().words.imports.job;
  const { hold, impact, changes = [], additions = [], removals = [], titles } = job;
  const changed = new Set(changes.map(({ sku }) => sku)).size;
  const first = (shown: number, all: number) => shown < all && texts.firstOnes(String(shown));
  const views: readonly View[] = [
    {
      name: "held",
      text: texts.views.held,
      count: hold?.moved ?? 0,
      note: texts.hold.samplesNote,
      children: hold && <HeldSamples hold={hold} pick={pick} titles={titles} />,
    },
    {
      name: "prices",
      text: texts.views.prices,
      count: impact?.priceChanges ?? 0,
      note: impact && first(impact.largest.length, impact.priceChanges) && texts.largest,
      children: impact && <LargestMoves largest={impact.largest} pick={pick} titles={titles} />,
    },
    {
      name: "changes",
      text: texts.views.changes,
      count: Math.max(changed, changes.length > 0 ? job.stats.updated : 0),
      note: first(changed, job.stats.updated),
      children: <FieldChanges changes={changes} pick={pick} titles={titles} />,
    },
    {
      name: "additions",
      text: texts.views.additions,
      count: additions.length > 0 ? job.stats.inserted : 0,
      note: first(additions.length, job.stats.inserted),
      children: <Additions additions={additions} pick={pick} />,
    },
    {
      name: "removals",
      text: texts.views.removals,
      count: removals.length > 0 ? job.removed : 0,
      note: first(removals.length, job.removed),
      children: <Removals removals={removals} titles={titles} />,
    },
    {
      name: "warnings",
      text: texts.undo.kept,
      count: job.undoes === null ? 0 : job.warningCount,
      children: <FindingTable key="warning" job={job} severity="warning" />,
    },
  ];
  // After an undo, the changes that remain are the most important.
  const ordered = job.undoes === null ? views : views.toReversed();
  return ordered.filter(({ count }) => count > 0);
}

const WATCH_MS = 3_000;

function FindingTable(
  { job, severity }: { readonly job: ImportDocument; readonly severity: Finding["severity"] },
) {
  const { words } = useApp();
  const { jobId } = job;
  const columns = useFindingColumns();
  const list = useList(
    (page) => get("/api/imports/{jobId}/errors", byPath({ jobId }, { severity, ...page })),
    { everyMs: isUnderWay(job) ? WATCH_MS : false },
  );
  const { errors, warnings } = words.imports.job;
  return (
    <ListTable label={severity === "error" ? errors : warnings} columns={columns} list={list} />
  );
}

function useFindingColumns(): readonly Column<Finding>[] {
  const { words, show } = useApp();
  const { findings } = words.imports.job;
  return [
    column("line", findings.line, { width: 70, narrowWidth: 50 }).number(({ line }) =>
      show.number(line)
    ),
    column("sku", findings.sku, { width: 130, narrowWidth: 90 }).cell(({ sku }) => sku ?? "–"),
    column("message", findings.message, { width: 320, narrowWidth: 190 }).cell((finding) => (
      <FindingText finding={finding} />
    )),
    column("field", findings.field, 120).cell(({ field }) => field ?? "–"),
    column("value", findings.value, 160).cell(({ value }) => value && <code>{value}</code>),
  ];
}
