import type { Preview } from "../../../imports/preview_upload.ts";
import type { Show } from "../../../engine/wording/show.ts";
import { isRecord } from "../../api/api_error.ts";
import { useApp } from "../../app/app.ts";
import { Badge } from "../controls.tsx";
import { fieldName, fieldText } from "../field_text.ts";
import { FindingText } from "../import/import_state.tsx";
import { Section } from "../page.tsx";
import { type Column, column, SimpleTable } from "../table/table.tsx";
import { sharePct } from "../../../base/fraction.ts";

const HEAD = ["sku", "title", "ourPriceCents", "costPriceCents", "targetPriceCents"];
const NOT_SHOWN = ["amountsIn", "tier", "isFound"];

type MappedRecord = Preview["records"][number];

export function MappedRecords({ preview }: { preview: Preview }) {
  const { words: { mapping: texts, fields }, show } = useApp();
  const { records, look } = preview;
  const cells = new Map(look?.firstRows.map(({ line, cells }) => [line, cells]));
  const names = texts.recordColumns;
  if (records.length === 0) return null;
  const raw = ({ line }: MappedRecord) => (
    <code>{(cells.get(line) ?? []).map((cell) => cell ?? "").join(" | ")}</code>
  );
  const columns: readonly Column<MappedRecord>[] = [
    column("line", fields.line, 50).number(({ line }) => show.number(line)),
    ...(cells.size > 0 ? [column("raw", names.raw, 200).cell(raw)] : []),
    column("read", names.read, 200).cell((record) => <RecordText record={record} />),
  ];
  return (
    <Section title={texts.records}>
      <SimpleTable
        label={texts.records}
        kind="mapped"
        columns={columns}
        rows={records}
        idOf={({ index }) => String(index)}
      />
    </Section>
  );
}

function RecordText({ record: { sku, fields, findings } }: { record: MappedRecord }) {
  const app = useApp();
  const { words } = app;
  const currency = typeof fields?.amountsIn === "string" ? fields.amountsIn : null;
  const texts = Object.entries(flat(fields ?? {}, app.show))
    .filter(([name, value]) => !NOT_SHOWN.includes(name) && value !== undefined)
    .sort(([one], [other]) => rankOf(one) - rankOf(other));
  return (
    <>
      <div class="flow gap-14 rows-2">
        {fields === null && (
          <>
            <strong>{sku}</strong> <Badge tone="bad">{words.mapping.refused}</Badge>
          </>
        )}
        {texts.map(([name, value]) => (
          <span key={name}>
            <small>
              {name === "competitorUrl"
                ? words.mapping.targets.competitorUrl
                : fieldName(words, name)}
            </small>{" "}
            {name === "sku"
              ? <strong>{fieldText(app, name, value, currency)}</strong>
              : fieldText(app, name, value, currency)}
          </span>
        ))}
      </div>
      {findings.map((finding) => (
        <p class="read-finding" key={`${finding.code} ${finding.field}`}>
          {finding.field && <strong>{`${finding.field}: `}</strong>}
          <FindingText finding={finding} />
        </p>
      ))}
    </>
  );
}

function rankOf(name: string): number {
  const rank = HEAD.indexOf(name);
  return rank < 0 ? HEAD.length : rank;
}

function flat({ attributes, prices, links, sold, ...fields }: Record<string, unknown>, show: Show) {
  const days = Array.isArray(sold)
    ? {
      units: sold.map((day) =>
        isRecord(day)
          ? `${show.number(Number(day.units))} (${show.date(`${day.date}T12:00Z`)})`
          : ""
      ),
    }
    : {};
  const rows = isRecord(prices) && Array.isArray(prices.rows) && prices.rows.length > 1
    ? { prices: prices.rows }
    : {};
  const urls = Array.isArray(links)
    ? { competitorUrl: links.map((link) => isRecord(link) ? String(link.url) : "") }
    : {};
  return { ...fields, ...days, ...rows, ...(isRecord(attributes) ? attributes : {}), ...urls };
}

interface LookTagsProps {
  readonly preview: Preview;
  readonly profileName: string | null;
}

export function LookTags({ preview: { look, reading, confidence }, profileName }: LookTagsProps) {
  const { words: { mapping: { look: texts }, auditLog, frame }, show } = useApp();
  if (look === null) return null;
  const { kind, delimiter, sheet, root, encoding, headerRow, rows } = look;
  const sign = delimiter === "\t" ? texts.tab : auditLog.quote(delimiter ?? "");
  const count = rows === null
    ? texts.manyRows
    : kind === "xml"
    ? texts.records(rows)
    : frame.rows(rows);
  const share = confidence === null ? "" : show.percent(sharePct(confidence, 0));
  const tags = [
    kind === "delimited"
      ? texts.delimited(sign)
      : kind === "xlsx" && sheet !== null
      ? texts.sheet(sheet)
      : kind === "xml" && root !== null
      ? texts.root(root)
      : texts.kinds[kind],
    encoding,
    reading && texts.numbers[reading.numberFormat],
    headerRow !== null && headerRow > 1 && texts.headerRow(headerRow),
    count,
    profileName !== null
      ? texts.profile(profileName, kind === "xml" ? "" : share).trim()
      : kind === "xml"
      ? null
      : texts.suggested(share),
  ];
  return (
    <p class="look-tags flow gap-6" role="status">
      {tags.map((tag) => tag && <Badge key={tag} tone="busy">{tag}</Badge>)}
    </p>
  );
}
