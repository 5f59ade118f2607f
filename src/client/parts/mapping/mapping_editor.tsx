import { useState } from "preact/hooks";
import type { Preview } from "../../../imports/preview_upload.ts";
import type { TableProfile } from "../../../imports/profiles/table_profile.ts";
import { useApp } from "../../app/app.ts";
import { Section } from "../page.tsx";
import { countColumns, type Suggested } from "./column_guess.ts";
import { draftOf, type MappingDraft } from "./mapping_draft.ts";
import { profileOf } from "./mapping_profile.ts";
import { MappedRecords } from "./mapped_records.tsx";
import { MappingSettings } from "./mapping_settings.tsx";
import { MappingTable } from "./mapping_table.tsx";

interface MappingEditorProps {
  readonly draft: MappingDraft;
  readonly preview: Preview | null;
  readonly suggested: Suggested | null;
  readonly isReadOnly: boolean;
  onDraft(draft: MappingDraft): void;
}

/**
 * Assigns the columns of a file: the table, missing assignments, settings, and the first records.
 */
export function MappingEditor(props: MappingEditorProps) {
  const { draft, preview, suggested, isReadOnly, onDraft } = props;
  const { words, show } = useApp();
  const texts = words.mapping;
  const counts = preview && countColumns(draft, preview, suggested);
  const counted = counts &&
    texts.counts(
      show.number(counts.sure),
      show.number(counts.doubtful),
      show.number(counts.skipped),
    );
  return (
    <>
      <Section title={texts.title} note={counted} isCard>
        <Missing draft={draft} isOfFile={preview !== null} />
        <Remedies preview={preview} />
        <MappingTable {...props} />
        {!isReadOnly && (
          <details class="mapping-settings">
            <summary>{texts.settings}</summary>
            <MappingSettings draft={draft} preview={preview} onDraft={onDraft} />
          </details>
        )}
      </Section>
      {preview && <MappedRecords preview={preview} />}
    </>
  );
}

function Missing({ draft: { columns, constants, profile }, isOfFile }: {
  readonly draft: MappingDraft;
  /** True with a file: then a note above reports a missing price. */
  readonly isOfFile: boolean;
}) {
  const { words } = useApp();
  const texts = words.mapping;
  const has = (...targets: readonly string[]) =>
    columns.some(({ target }) => targets.includes(target)) ||
    constants.some(({ field }) => targets.includes(field));
  if (!has(profile.matchBy)) {
    return <p class="note bad" role="alert">{texts.noSku}</p>;
  }
  const lacks = [
    !has("title") && profile.matchBy === "sku" && texts.noTitle,
    !isOfFile && !has("ownPrice", "breakPrice", "tierPrice", "costPrice", "targetPrice", "sale") &&
    texts.noPrice,
    has("units") && !has("unitsDate") && texts.noUnitsDate,
  ].filter((text) => text !== false);
  if (lacks.length === 0) return null;
  return <p class="note warn">{lacks.join(" ")}</p>;
}

type RemedyCode = "damaged_number" | "invalid_number";

/** Problems of whole columns with their remedies; each text appears once. */
function Remedies({ preview }: { preview: Preview | null }) {
  const { words } = useApp();
  const { remedies } = words.mapping;
  const rows = preview?.tallies ?? [];
  const isRemedied = (code: string): code is RemedyCode => code in remedies;
  const found = rows.flatMap(({ code, field, count }) =>
    isRemedied(code) && field !== null && isCommon(count, preview) ? [remedies[code](field)] : []
  );
  if (found.length === 0) return null;
  return (
    <div class="note bad" role="alert">
      {[...new Set(found)].map((text) => <p key={text}>{text}</p>)}
    </div>
  );
}

/** True if at least a tenth of the rows has the problem, so that its cause is the column. */
function isCommon(count: number, preview: Preview | null): boolean {
  const rows = preview?.look?.rows ?? null;
  return rows === null || count * 10 >= rows;
}

/**
 * The mapping of a file while a person edits it. Another file restarts it. If only the columns
 * change, as with another header row, the person's changes apply to the new columns. `edited` is
 * null until the first change.
 */
export function useMapping(start: TableProfile | null, preview: Preview | null, fileKey: string) {
  const [kept, setKept] = useState<Kept | null>(null);
  const names = preview === null ? null : preview.columns.map(({ column }) => column);
  const columnsKey = JSON.stringify(names);
  const edited = kept?.fileKey === fileKey ? kept : null;
  const draft = edited === null
    ? start && draftOf(start, names)
    : edited.columnsKey === columnsKey
    ? edited.draft
    : draftOf(profileOf(edited.draft), names);
  return {
    draft,
    edited: edited === null || draft === null ? null : profileOf(draft),
    change: (next: MappingDraft) => setKept({ draft: next, fileKey, columnsKey }),
    profileOf,
    reset: () => setKept(null),
  };
}

interface Kept {
  readonly draft: MappingDraft;
  readonly fileKey: string;
  /** Identifies the columns for which the draft was made. */
  readonly columnsKey: string;
}
