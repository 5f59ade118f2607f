import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Finding } from "../../../imports/files/finding.ts";
import { isHoldCode } from "../../../imports/files/hold_codes.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp, useList } from "../../app/app.ts";
import { LinkButton } from "../../parts/controls.tsx";
import { FileLinks } from "../../parts/file_links.tsx";
import { ABOUT_COLUMNS, isUnderWay } from "../../parts/import/import_state.tsx";
import { ErrorNote, Pending } from "../../parts/page.tsx";
import { byPath, get } from "../../api/call.ts";

const WATCH_MS = 3_000;
/** Maximum of the service. */
const LIMIT = 200;
/** Only this many findings are read and counted. */
const READ_MAX = 2_000;
const EXAMPLES = 2;
const SHOWN_MAX = 200;

/** Warnings whose value is used as Kurant interprets it. */
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
  "header_repeated",
]);

const KINDS = ["refused", "leftOut", "corrected"] as const;
type Kind = (typeof KINDS)[number];

function kindOf({ severity, code }: Finding): Kind | null {
  // The notes at the top of the screen report columns and holds.
  if (ABOUT_COLUMNS.includes(code) || isHoldCode(code)) return null;
  return severity === "error" ? "refused" : CORRECTED.has(code) ? "corrected" : "leftOut";
}

/** Findings in three kinds, sorted by count, each with advice for mending the file. */
export function FindingGroups({ job }: { job: ImportDocument }) {
  const { words, language } = useApp();
  const texts = words.imports.job;
  const list = useList(
    (page) => get("/api/imports/{jobId}/errors", byPath({ jobId: job.jobId }, page)),
    { limit: LIMIT, everyMs: isUnderWay(job) ? WATCH_MS : false },
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
              {words.findingGroups.refusedRows}
            </a>
          )}
        </KindSection>
      ))}
      <p class="finding-files row gap-12">
        {hasMore && <span class="soft">{words.findingGroups.first(String(rows.length))}</span>}
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
  const { words: { findingGroups: texts }, show } = useApp();
  if (findings.length === 0) return null;
  const groups = [...Map.groupBy(findings, ({ code, field }) => `${code} ${field}`)]
    .toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <section class={`panel findings ${kind}`} aria-label={texts[kind]}>
      <header>
        <h2>{texts[kind]}</h2>
        <span class="soft">{texts[`${kind}Note`](show.number(findings.length))}</span>
        <span class="end">{children}</span>
      </header>
      <ul>
        {groups.map(([key, group]) => <FindingGroup key={key} findings={group} />)}
      </ul>
    </section>
  );
}

/** One problem: its count, the advice and a few examples; the others on demand. */
function FindingGroup({ findings }: { findings: readonly Finding[] }) {
  const { words, show } = useApp();
  const texts = words.findingGroups;
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
        <h3>{words.service.findings[code] ?? message}</h3>
        <p class="soft">
          {field !== null && `${texts.column(field)}. `}
          {fixes[code]}
        </p>
      </div>
      <ul class="finding-examples stack fine gap-4">
        {shown.map(({ index, line, sku, value, file }) => (
          <li key={`${file} ${index} ${line} ${value}`}>
            <span class="soft">{line !== null && texts.line(show.number(line))}</span>
            <span>{sku ?? (code === "missing_sku" ? texts.noSku : "")}</span>
            <span class="breaks">
              {value !== null && value !== "" && texts.value(value)}
            </span>
          </li>
        ))}
      </ul>
      {findings.length > EXAMPLES && (
        <LinkButton onClick={() => setOpen(!isOpen)}>
          {isOpen ? texts.close : texts.see(show.number(findings.length))}
        </LinkButton>
      )}
    </li>
  );
}
