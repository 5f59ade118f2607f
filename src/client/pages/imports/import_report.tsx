/**
 * Reports what an import changes, and what was wrong with its file (the findings). The screen shows
 * only the first findings; the downloads contain all findings.
 */
import { isUnderWay } from "../../parts/shared_queries.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { ABOUT_COLUMNS, FindingText, isHeld } from "../../parts/import/import_state.tsx";
import { useProfiles } from "../../parts/import/file_preview.tsx";
import { ErrorNote, Figure, Figures, FileLinks, Pending, Section } from "../../parts/page.tsx";
import { ImportImpact, type PickColumns, useChangeViews, type View } from "./import_changes.tsx";
import { type Column, column, ListTable, SimpleTable } from "../../parts/table/table.tsx";
import { LinkButton, ListedChip } from "../../parts/controls.tsx";
import type { ComponentChildren } from "preact";
import type { Finding } from "../../../imports/files/source_file.ts";
import { isHoldCode } from "../../../imports/choices.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp, useList } from "../../app/app.ts";
import { fieldName, fieldText } from "../../parts/field_text.ts";
import { byPath, get } from "../../api/call.ts";

export function ImportReport(
  { job, pick }: { readonly job: ImportDocument; readonly pick: PickColumns },
) {
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
            <ListedChip
              key={name}
              text={text}
              count={count}
              isOn={name === shown.name}
              onClick={() => setChosen(name)}
            />
          ))}
        </ul>
        {shown.children}
      </Section>
    </>
  );
}

function useViews(job: ImportDocument, pick: PickColumns): readonly View[] {
  const texts = useApp().words.imports.job;
  const kept = {
    name: "warnings",
    text: texts.undo.kept,
    count: job.undoes === null ? 0 : job.warningCount,
    children: <KeptTable job={job} />,
  };
  const views = [...useChangeViews(job, pick), kept];
  const ordered = job.undoes === null ? views : views.toReversed();
  return ordered.filter(({ count }) => count > 0);
}

const WATCH_MS = 3_000;

function KeptTable({ job }: { job: ImportDocument }) {
  const { words } = useApp();
  const { jobId } = job;
  const columns = useKeptColumns();
  const list = useList(
    (page) => get("/api/imports/{jobId}/errors", byPath({ jobId }, page)),
    { everyMs: isUnderWay(job) ? WATCH_MS : false },
  );
  return <ListTable label={words.imports.job.undo.kept} columns={columns} list={list} />;
}

function useKeptColumns(): readonly Column<Finding>[] {
  const app = useApp();
  const { words } = app;
  const { findings } = words.imports.job;
  return [
    column("line", words.fields.line, { width: 70, narrowWidth: 50 }).number(({ line }) => line),
    column("sku", words.fields.sku, { width: 130, narrowWidth: 90 }).cell(({ sku }) => sku ?? "–"),
    column("message", findings.message, { width: 320, narrowWidth: 190 }).cell((finding) => (
      <FindingText finding={finding} />
    )),
    column("field", words.fields.field, 120).cell(({ field }) =>
      field === null ? "–" : fieldName(words, field)
    ),
    column("value", words.fields.value, 160).cell(({ field, value }) =>
      field && value && fieldText(app, field, field.endsWith("Price") ? Number(value) : value, null)
    ),
  ];
}

const READ_MAX = 2_000;
const EXAMPLES = 2;
const SHOWN_MAX = 200;

/** Warnings about values that were imported, perhaps corrected. */
const CORRECTED: ReadonlySet<Finding["code"]> = new Set<Finding["code"]>([
  "duplicate_sku",
  "ambiguous_current_price",
  "ambiguous_tier",
  "future_valid_from",
  "open_end_sentinel",
  "undated_sale",
  "dot_decimal",
  "encoding_guessed",
  "leading_zeros_restored",
  "product_revived",
  "price_reverted",
  "price_moved",
  "price_out_of_bounds",
  "zero_price",
  "excel_date",
  "header_repeated",
]);

const KINDS = ["refused", "leftOut", "corrected"] as const;
type Kind = (typeof KINDS)[number];
const TONES = { refused: "bad", leftOut: "warn", corrected: "" } as const;

function kindOf({ severity, code }: Finding): Kind | null {
  if (ABOUT_COLUMNS.includes(code) || isHoldCode(code)) return null;
  return severity === "error" ? "refused" : CORRECTED.has(code) ? "corrected" : "leftOut";
}

function FindingGroups({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: texts }, findingGroups }, language } = useApp();
  const list = useList(
    (page) => get("/api/imports/{jobId}/errors", byPath({ jobId: job.jobId }, page)),
    { limit: 200, everyMs: isUnderWay(job) ? WATCH_MS : false },
  );
  const { rows, hasMore, isLoadingMore } = list;
  useEffect(() => {
    if (hasMore && !isLoadingMore && rows.length < READ_MAX) list.more();
  }, [rows.length, hasMore, isLoadingMore]);
  if (list.error) return <ErrorNote error={list.error} onAgain={list.again} />;
  if (list.isPending) return <Pending of={list} />;
  const path = `/api/imports/${job.jobId}/errors`;
  return (
    <>
      {KINDS.map((kind) => (
        <KindSection
          key={kind}
          kind={kind}
          findings={rows.filter((one) => kindOf(one) === kind)}
        >
          {kind === "refused" && job.stats.errors > 0 && (
            <a download href={`${path}?format=rows&lang=${language.value}`}>
              {findingGroups.refusedRows}
            </a>
          )}
        </KindSection>
      ))}
      <p class="finding-files row gap-12">
        {hasMore && <span class="soft">{findingGroups.first(rows.length)}</span>}
        <FileLinks
          what={texts.download}
          csv={`${path}?format=csv`}
          xlsx={`${path}?format=xlsx`}
          isHeaded
        />
      </p>
    </>
  );
}

interface KindSectionProps {
  readonly kind: Kind;
  readonly findings: readonly Finding[];
  readonly children: ComponentChildren;
}

function KindSection({ kind, findings, children }: KindSectionProps) {
  const texts = useApp().words.findingGroups;
  const section = useRef<HTMLElement>(null);
  const isEmpty = findings.length === 0;
  useEffect(() => {
    if (location.hash === `#${kind}`) section.current?.scrollIntoView();
  }, [isEmpty]);
  if (isEmpty) return null;
  const isAboutFile = kind === "refused" && findings.every(({ index }) => index === null);
  const groups = [...Map.groupBy(findings, ({ code, field }) => `${code} ${field}`)]
    .toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <section
      ref={section}
      id={kind}
      class={`panel column framed findings ${TONES[kind]}`}
      aria-label={texts[kind]}
    >
      <header>
        <h2>{texts[kind]}</h2>
        <span class="soft">{!isAboutFile && texts[`${kind}Note`](findings.length)}</span>
        <span class="end">{children}</span>
      </header>
      <ul>{groups.map(([key, group]) => <FindingGroup key={key} findings={group} />)}</ul>
    </section>
  );
}

function FindingGroup({ findings }: { findings: readonly Finding[] }) {
  const { words: { findingGroups: texts, service, auditLog }, show } = useApp();
  const [isOpen, setOpen] = useState(false);
  const [first] = findings;
  if (first === undefined) return null;
  const { code, field, message } = first;
  const fixes: Readonly<Record<string, string>> = texts.fixes;
  const shown = findings.slice(0, isOpen ? SHOWN_MAX : EXAMPLES);
  return (
    <li>
      <strong class="finding-count">{show.number(findings.length)}</strong>
      <div>
        <h3>{service.findings[code] ?? message}</h3>
        <p class="soft">
          {field !== null && `${texts.column(field)}. `}
          {fixes[code]}
        </p>
      </div>
      <ul class="finding-examples stack fine gap-4">
        {shown.map(({ index, line, sku, value, file }) => (
          <li key={`${file} ${index} ${line} ${value}`}>
            <span class="soft">{line !== null && texts.line(line)}</span>
            <span>{sku ?? (code === "missing_sku" ? texts.noSku : "")}</span>
            <span class="breaks">{value !== null && value !== "" && auditLog.quote(value)}</span>
          </li>
        ))}
      </ul>
      {findings.length > EXAMPLES && (
        <LinkButton onClick={() => setOpen(!isOpen)}>
          {isOpen ? texts.close : texts.see(findings.length)}
        </LinkButton>
      )}
    </li>
  );
}

export function JobStats({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: { stats: names } }, fields, imports }, show } = useApp();
  const { stats } = job;
  const impact = job.impact && job.impact.priceChanges > 0 && <ImportImpact impact={job.impact} />;
  const isRefusedWhole = job.status === "failed" && job.count === 0;
  if (isHeld(job) || isRefusedWhole) return impact && <Figures>{impact}</Figures>;
  return (
    <Figures>
      <Figure label={fields.inserted} value={stats.inserted} />
      <Figure label={fields.updated} value={stats.updated} />
      <Figure label={fields.skipped} value={stats.skipped} />
      <Figure
        label={imports.columns.errors}
        value={stats.errors}
        tone={stats.errors > 0 && "bad"}
      />
      {impact}
      {stats.competitorsLinked > 0 && (
        <Figure label={fields.competitorsLinked} value={stats.competitorsLinked} />
      )}
      {job.removed > 0 && <Figure label={names.removed} value={job.removed} tone="warn" />}
      {job.reverted > 0 && (
        <Figure
          label={names.reverted}
          value={<a href="#corrected">{show.number(job.reverted)}</a>}
          tone="warn"
        />
      )}
      {job.soldDays > 0 && <Figure label={fields.soldDays} value={job.soldDays} />}
    </Figures>
  );
}

type File = ImportDocument["files"][number];

export function ImportFiles({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: { file } }, fields }, show } = useApp();
  const profiles = useProfiles().rows;
  if (job.files.length === 0) return null;
  return (
    <Section title={fields.files}>
      <SimpleTable
        label={fields.files}
        rows={job.files}
        columns={[
          column("name", fields.name, 220).cell<File>(({ name }) => name),
          column("items", fields.records, 110).number<File>(({ items }) => items),
          column("bytes", file.bytes, 100).number<File>(({ bytes }) => show.bytes(bytes)),
          column("encoding", file.encoding, 130).cell<File>(({ encoding }) =>
            encoding.toUpperCase()
          ),
          column("profile", file.profile, 200).cell<File>(({ profile }) =>
            profiles.find(({ id }) => id === profile)?.name ?? profile
          ),
        ]}
      />
    </Section>
  );
}
