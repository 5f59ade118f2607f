/**
 * The form for a mapping, which says how each column of a table file is read. A stored profile is
 * shown read-only, without a preview of a file. Edits last until another file or profile is chosen.
 */
import { useState } from "preact/hooks";
import type { Preview } from "../../../imports/preview_upload.ts";
import type { TableProfile } from "../../../imports/profiles/table_profile.ts";
import { useApp } from "../../app/app.ts";
import { Section } from "../page.tsx";
import { countColumns, draftOf, type MappingDraft, PROFILE_FIELDS } from "./mapping_draft.ts";
import { profileOf } from "./mapping_profile.ts";
import { MappedRecords } from "../import/file_preview.tsx";
import { MappingTable, type MappingTableProps } from "./mapping_table.tsx";
import { labelIn } from "../../words/label.ts";
import { CheckField, DigitsField, SelectField, TextField } from "../form/fields.tsx";
import { fromKeys } from "../../../base/collections.ts";

export function MappingEditor(props: MappingTableProps) {
  const { draft, preview, suggested, isReadOnly, onDraft } = props;
  const texts = useApp().words.mapping;
  const counts = preview && countColumns(draft, preview, suggested);
  const counted = counts && texts.counts(counts.sure, counts.doubtful, counts.skipped);
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
  readonly isOfFile: boolean;
}) {
  const texts = useApp().words.mapping;
  const has = (...targets: readonly string[]) =>
    columns.some(({ target }) => targets.includes(target)) ||
    constants.some(({ field }) => targets.includes(field));
  if (!has(profile.matchBy)) return <p class="note bad" role="alert">{texts.noSku}</p>;
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

function Remedies({ preview }: { preview: Preview | null }) {
  const { remedies } = useApp().words.mapping;
  const rows = preview?.look?.rows ?? 0;
  const isRemedied = (code: string): code is RemedyCode => code in remedies;
  const found =
    preview?.tallies.flatMap(({ code, field, count }) =>
      isRemedied(code) && field !== null && count * 10 >= rows ? [remedies[code](field)] : []
    ) ?? [];
  if (found.length === 0) return null;
  return (
    <div class="note bad" role="alert">
      {[...new Set(found)].map((text) => <p key={text}>{text}</p>)}
    </div>
  );
}

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
  readonly columnsKey: string;
}

type MappingSettingsProps = Pick<MappingTableProps, "draft" | "preview" | "onDraft">;

const DELIMITERS = [";", "\t", ",", "|"] as const;

function MappingSettings({ draft, preview, onDraft }: MappingSettingsProps) {
  const { words: { mapping: texts, profiles: { hints, numbers } } } = useApp();
  const { labels } = texts;
  const { profile } = draft;
  const set = (change: Partial<TableProfile>) =>
    onDraft({ ...draft, profile: { ...profile, ...change } });
  const choice = <Name extends "numberFormat" | "amounts" | "matchBy">(name: Name) => ({
    name,
    label: labels[name],
    value: profile[name],
    onValue: (value: TableProfile[Name]) => set(fromKeys([name], () => value)),
  });
  const flag = (name: "zeroIsEmpty" | "groupRows") => ({
    name,
    label: labels[name],
    isOn: profile[name],
    onChange: (isOn: boolean) => set({ [name]: isOn }),
  });
  return (
    <div class="fields">
      <Choice {...choice("numberFormat")} labels={numbers} />
      <Choice {...choice("amounts")} labels={texts.amounts} />
      <Choice {...choice("matchBy")} labels={texts.matchKeys} />
      <ReadFields profile={profile} preview={preview} set={set} />
      {profile.active && <ActiveFields draft={draft} set={set} />}
      <CheckField {...flag("zeroIsEmpty")} hint={hints.zeroIsEmpty} />
      <CheckField {...flag("groupRows")} hint={hints.groupItems} />
      <ConstantFields draft={draft} onDraft={onDraft} />
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly name: string;
  readonly label: string;
  readonly value: T;
  readonly labels: Readonly<Record<NoInfer<T>, string>>;
  onValue(value: NoInfer<T>): void;
}

function Choice<T extends string>({ labels, onValue, ...field }: ChoiceProps<T>) {
  const isOne = (value: string): value is T => value in labels;
  return (
    <SelectField
      {...field}
      options={labels}
      onValue={(value) => {
        if (isOne(value)) onValue(value);
      }}
    />
  );
}

interface ReadFieldsProps extends Pick<MappingSettingsProps, "preview"> {
  readonly profile: TableProfile;
  set(change: Partial<TableProfile>): void;
}

function ReadFields({ profile: { read }, preview, set }: ReadFieldsProps) {
  const { words: { mapping: { labels, look } }, show } = useApp();
  const change = (part: Partial<TableProfile["read"]>) => set({ read: { ...read, ...part } });
  const sheets = preview?.look?.sheets ?? [];
  const isText = preview?.look === null || preview?.look?.kind === "delimited";
  return (
    <>
      <DigitsField
        name="headerRow"
        value={read.headerRow === null ? "" : String(read.headerRow)}
        onValue={(value) => {
          const row = Number(value);
          change({ headerRow: Number.isInteger(row) && row >= 1 && row <= 1_000 ? row : null });
        }}
        label={labels.headerRow}
        hint={labels.headerRowHint}
        placeholder={preview?.look?.headerRow ? show.number(preview.look.headerRow) : ""}
      />
      {isText && (
        <SelectField
          name="delimiter"
          value={read.delimiter ?? ""}
          onValue={(value) =>
            change({ delimiter: DELIMITERS.find((one) => one === value) ?? null })}
          label={labels.delimiter}
          options={fromKeys(DELIMITERS, (value) => value === "\t" ? look.tab : value)}
          none={labels.found}
        />
      )}
      {sheets.length > 1 && (
        <SelectField
          name="sheet"
          value={read.sheet ?? ""}
          onValue={(value) => change({ sheet: value || null })}
          label={labels.sheet}
          options={sheets.map((value) => ({ value, label: value }))}
          none={labels.found}
        />
      )}
    </>
  );
}

interface ActiveFieldsProps {
  readonly draft: MappingDraft;
  set(change: Partial<TableProfile>): void;
}

function ActiveFields({ draft: { profile: { active } }, set }: ActiveFieldsProps) {
  const { labels, otherwise, flagMeanings } = useApp().words.mapping;
  if (active === null) return null;
  return (
    <>
      <Choice
        name="not"
        label={labels.flagSays}
        value={active.not === true ? "inactive" : "active"}
        labels={flagMeanings}
        onValue={(value) => {
          const { not: _, ...others } = active;
          set({ active: value === "inactive" ? { ...others, not: true } : others });
        }}
      />
      <TextField
        name="yes"
        value={active.yes.join(", ")}
        onValue={(value) =>
          set({ active: { ...active, yes: value.split(",").map((word) => word.trimStart()) } })}
        label={labels.yes}
        hint={labels.yesHint}
      />
      <Choice
        name="otherwise"
        label={labels.otherwise}
        value={active.else}
        labels={otherwise}
        onValue={(value) => set({ active: { ...active, else: value } })}
      />
    </>
  );
}

function ConstantFields({ draft, onDraft }: Pick<MappingSettingsProps, "draft" | "onDraft">) {
  const { words } = useApp();
  const { labels } = words.mapping;
  const { constants } = draft;
  const fields = PROFILE_FIELDS.filter((name) => name !== "sku");
  const options = fromKeys(fields, (name) => labelIn(words.fields, name));
  const put = (at: number, field: string, text: string) => {
    const name = PROFILE_FIELDS.find((one) => one === field);
    const rest = constants.filter((_, place) => place !== at);
    const next = name === undefined ? rest : constants.toSpliced(at, 1, { field: name, text });
    onDraft({ ...draft, constants: next });
  };
  return (
    <>
      {[...constants, { field: "", text: "" }].map(({ field, text }, at) => (
        <div class="path-row wide" key={at}>
          <SelectField
            name={`constant${at}`}
            value={field}
            onValue={(value) =>
              put(at, value, text)}
            label={labels.constant}
            options={options}
            none={labels.noConstant}
          />
          <TextField
            name={`constantText${at}`}
            value={text}
            onValue={(value) =>
              put(at, field, value)}
            label={words.fields.value}
          />
        </div>
      ))}
    </>
  );
}
