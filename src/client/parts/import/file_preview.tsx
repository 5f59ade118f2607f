/**
 * Collects dropped and pasted files for an import, previews files, and saves import profiles.
 * Spreadsheets and browsers separate the cells of a copied table with tabs.
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { useApp, useList, useRefresh } from "../../app/app.ts";
import { Badge, Button, FileButton, Icon } from "../controls.tsx";
import { optionsOf } from "../options.tsx";
import { useDroppedFiles, useSettled } from "../hooks.ts";
import type { Preview } from "../../../imports/preview_upload.ts";
import { useSaveOver } from "../form/saved_form.tsx";
import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { get, isRecord, where, type Wire } from "../../api/call.ts";
import type { ProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import type { Words } from "../../words/words.ts";
import type { Show } from "../../../engine/wording/show.ts";
import { fieldName, fieldText } from "../field_text.ts";
import { FindingText } from "./import_state.tsx";
import { Section } from "../page.tsx";
import { type Column, column, SimpleTable } from "../table/table.tsx";
import { sharePct } from "../../../base/fraction.ts";

interface DropFieldProps {
  readonly files: readonly File[];
  readonly isOver: boolean;
  readonly children?: ComponentChildren;
  onFiles(files: readonly File[]): void;
}

export function DropField({ files, isOver, children, onFiles }: DropFieldProps) {
  const { words: { imports: { new: texts } }, show } = useApp();
  const isEmpty = files.length === 0;
  return (
    <div class={`drop stack gap-6${isOver ? " over" : ""}${isEmpty ? "" : " filled"}`}>
      <Icon name="imports" />
      {isEmpty && <strong>{texts.drop}</strong>}
      {isEmpty && <span>{texts.or}</span>}
      {!isEmpty && (
        <ul class="file-list stack gap-4" aria-label={texts.files}>
          {files.map((file, at) => (
            <li class="row framed gap-10" key={`${file.name}-${at}`}>
              <span class="clip">{file.name}</span>
              <small>{show.bytes(file.size)}</small>
              <Button
                kind="quiet"
                icon="close"
                label={texts.remove(file.name)}
                onClick={() => onFiles(files.filter((_, other) => other !== at))}
              />
            </li>
          ))}
        </ul>
      )}
      {children}
      <FileButton
        kind={isEmpty ? "main" : "plain"}
        accept=".xml,.csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.zip,.gz"
        takesSeveral
        onFiles={(more) => onFiles([...files, ...more])}
      >
        {texts.choose}
      </FileButton>
      {isEmpty && <small>{texts.kinds}</small>}
    </div>
  );
}

/**
 * Receives dropped files, and what a person pastes while no field has the focus. A pasted table
 * becomes a file named `pastedName`. Returns true while a file is over the page.
 */
export function usePageFiles(
  pastedName: string,
  onFiles: (files: readonly File[]) => void,
): boolean {
  const isOver = useDroppedFiles(onFiles);
  useLayoutEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      const found = pastedFiles(event.clipboardData, pastedName);
      if (found.length === 0) return;
      event.preventDefault();
      onFiles(found);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [pastedName, onFiles]);
  return isOver;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
}

function pastedFiles(data: DataTransfer | null, name: string): File[] {
  if (data === null) return [];
  const text = data.getData("text/plain");
  if (text.includes("\t")) {
    return [new File([text], name, { type: "text/tab-separated-values; charset=utf-8" })];
  }
  // Excel also copies a picture of the text; such pictures are ignored.
  return data.types.some((type) => type.startsWith("text/")) ? [] : [...data.files];
}

const PAUSE_MS = 400;

export type PreviewState = ReturnType<typeof useFilePreview>;

interface PreviewQuestion {
  readonly file: File | null;
  readonly profile: object | null;
  readonly named?: string;
  /** True for CSV and NDJSON; the service then gets only the beginning of a large file. */
  readonly isOfLines?: boolean;
}

export function useFilePreview({ file, profile, named = "", isOfLines = false }: PreviewQuestion) {
  const { call } = useApp();
  const wanted = profile === null ? "" : JSON.stringify(profile);
  const asked = useSettled(wanted, PAUSE_MS);
  const found = useQuery<Preview>({
    queryKey: ["file preview", asked, named, file?.name, file?.size, file?.lastModified],
    queryFn: async ({ signal }) => {
      const body = new FormData();
      if (asked !== "") body.append("profile", asked);
      const part = file && asked !== "" && isOfLines ? await beginningOf(file) : file;
      if (file && part) body.append("file", part, file.name);
      const preview = await call(
        (api) =>
          api.POST("/api/import-profiles/preview", {
            ...where({ profile: asked === "" ? named : "" }),
            body,
          }),
        { signal },
      );
      // In a partial file, the number of rows is unknown, and the last row may be cut off.
      if (part === file) return preview;
      const { look, records, error } = preview;
      return {
        ...preview,
        look: look && { ...look, rows: null },
        error: records.length > 0 ? null : error,
      };
    },
    enabled: file !== null,
    placeholderData: keepPreviousData,
  });
  return {
    preview: file === null ? null : found.data ?? null,
    isRunning: file !== null && (found.isFetching || asked !== wanted),
    error: file === null ? null : found.error,
    again: () => void found.refetch(),
  };
}

const WHOLE_BYTES = 4 * 1_048_576;
const BEGINNING_BYTES = 1_048_576;
const LINE_FEED = 10;

async function beginningOf(file: File): Promise<Blob> {
  if (file.size <= WHOLE_BYTES) return file;
  const bytes = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
  if (isPacked(bytes)) return file;
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  // A zero byte beside the line feed means UTF-16, which this cut could break: send the whole file.
  return end === 0 || bytes[end] === 0 || bytes[end - 2] === 0 ? file : file.slice(0, end);
}

function isPacked([first, second]: Uint8Array): boolean {
  return (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b);
}

export function useProfiles() {
  const { words } = useApp();
  const list = useList((page) => get("/api/import-profiles", where(page)));
  const rows = useMemo(
    () => list.rows.map((one) => ({ ...one, name: nameOfProfile(words, one) })),
    [list.rows, words],
  );
  return { ...list, rows };
}

type ProfileBody = Wire<"NewImportProfile"> | Wire<"NewTableProfile">;

interface ProfileSavingOptions {
  readonly target: ProfileDocument | null;
  readonly formId: string;
  onTheirs(profile: ProfileDocument): void;
}

export function useProfileSaving({ target, formId, onTheirs }: ProfileSavingOptions) {
  const { call } = useApp();
  const refresh = useRefresh("import-profiles");
  const params = { path: { id: target?.id ?? "" } };
  const over = useSaveOver<ProfileDocument, ProfileBody>({
    read: get("/api/import-profiles/{id}", { params }),
    write: (api, body) => api.PATCH("/api/import-profiles/{id}", { params, body }),
    resource: `import_profile:${target?.id}`,
    document: target,
    formId,
    textOf: (one) => JSON.stringify(one),
    onTheirs,
  });
  return {
    ...over,
    save: async (body: ProfileBody): Promise<ProfileDocument | null> => {
      const saved = target === null
        ? await call((api) => api.POST("/api/import-profiles", { body }))
        : await over.save(body);
      if (saved !== null) await refresh();
      return saved;
    },
  };
}

/** An XML profile and a table profile may share an id, which is then offered once. */
export function profileOptions(rows: readonly ProfileDocument[]) {
  return optionsOf(rows.filter(({ id }, at) => rows.findIndex((row) => row.id === id) === at));
}

export function nameOfProfile(
  { profiles }: Words,
  { id, name, builtIn }: Pick<ProfileDocument, "id" | "name" | "builtIn">,
): string {
  const names: Readonly<Record<string, string>> = profiles.builtInNames;
  return builtIn && names[id] || name;
}

const HEAD = ["sku", "title", "ourPriceCents", "costPriceCents", "targetPriceCents"];
const NOT_SHOWN = ["amountsIn", "tier", "isFound"];

type MappedRecord = Preview["records"][number];

export function MappedRecords({ preview }: { preview: Preview }) {
  const { words: { mapping: texts, fields } } = useApp();
  const { records, look } = preview;
  const cells = new Map(look?.firstRows.map(({ line, cells }) => [line, cells]));
  const names = texts.recordColumns;
  if (records.length === 0) return null;
  const raw = ({ line }: MappedRecord) => (
    <code>{(cells.get(line) ?? []).map((cell) => cell ?? "").join(" | ")}</code>
  );
  const columns: readonly Column<MappedRecord>[] = [
    column("line", fields.line, 50).number(({ line }) => line),
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
        <p key={`${finding.code} ${finding.field}`}>
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
