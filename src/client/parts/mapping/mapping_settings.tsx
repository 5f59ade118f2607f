import type { Preview } from "../../../imports/preview_upload.ts";
import {
  AMOUNT_UNITS,
  MATCH_KEYS,
  NUMBER_FORMATS,
} from "../../../imports/profiles/profile_choices.ts";
import type { TableProfile } from "../../../imports/profiles/table_profile.ts";
import { useApp } from "../../app/app.ts";
import { labelIn } from "../../words/label.ts";
import { CheckField, SelectField, TextField } from "../form/fields.tsx";
import { type MappingDraft, PROFILE_FIELDS } from "./mapping_draft.ts";

interface MappingSettingsProps {
  readonly draft: MappingDraft;
  readonly preview: Preview | null;
  onDraft(draft: MappingDraft): void;
}

const DELIMITERS = [";", "\t", ",", "|"] as const;

/** Rarely needed settings of a table, collapsed. */
export function MappingSettings({ draft, preview, onDraft }: MappingSettingsProps) {
  const { words, show } = useApp();
  const texts = words.mapping;
  const { labels } = texts;
  const { profile } = draft;
  const set = (change: Partial<TableProfile>) =>
    onDraft({ ...draft, profile: { ...profile, ...change } });
  const read = (change: Partial<TableProfile["read"]>) =>
    set({ read: { ...profile.read, ...change } });
  const field = (name: string, value: string, onValue: (value: string) => void) => ({
    name,
    value,
    error: null,
    onValue,
  });
  const found = { value: "", label: labels.found };
  const sheets = preview?.look?.sheets ?? [];
  const isText = preview?.look === null || preview?.look?.kind === "delimited";
  const { headerRow } = profile.read;
  return (
    <div class="fields">
      <SelectField
        {...field("numberFormat", profile.numberFormat, (value) =>
          set({
            numberFormat: NUMBER_FORMATS.find((one) => one === value) ?? "auto",
          }))}
        label={labels.numberFormat}
        options={Object.entries(words.profiles.numbers).map(([value, label]) => ({
          value,
          label,
        }))}
      />
      <SelectField
        {...field("amounts", profile.amounts, (value) =>
          set({
            amounts: AMOUNT_UNITS.find((one) => one === value) ?? "major",
          }))}
        label={labels.amounts}
        options={Object.entries(texts.amounts).map(([value, label]) => ({ value, label }))}
      />
      <SelectField
        {...field("matchBy", profile.matchBy, (value) =>
          set({
            matchBy: MATCH_KEYS.find((one) => one === value) ?? "sku",
          }))}
        label={labels.matchBy}
        options={Object.entries(texts.matchKeys).map(([value, label]) => ({ value, label }))}
      />
      <TextField
        {...field("headerRow", headerRow === null ? "" : String(headerRow), (value) => {
          const row = Number(value);
          read({ headerRow: Number.isInteger(row) && row >= 1 && row <= 1_000 ? row : null });
        })}
        label={labels.headerRow}
        hint={labels.headerRowHint}
        inputMode="numeric"
        placeholder={preview?.look?.headerRow ? show.number(preview.look.headerRow) : ""}
      />
      {isText && (
        <SelectField
          {...field("delimiter", profile.read.delimiter ?? "", (value) =>
            read({ delimiter: DELIMITERS.find((one) => one === value) ?? null }))}
          label={labels.delimiter}
          options={[
            found,
            ...DELIMITERS.map((value) => ({
              value,
              label: value === "\t" ? texts.look.tab : value,
            })),
          ]}
        />
      )}
      {sheets.length > 1 && (
        <SelectField
          {...field("sheet", profile.read.sheet ?? "", (value) => read({ sheet: value || null }))}
          label={labels.sheet}
          options={[found, ...sheets.map((value) => ({ value, label: value }))]}
        />
      )}
      {profile.active && <ActiveFields draft={draft} set={set} />}
      <CheckField
        name="zeroIsEmpty"
        label={labels.zeroIsEmpty}
        hint={words.profiles.hints.zeroIsEmpty}
        isOn={profile.zeroIsEmpty}
        onChange={(zeroIsEmpty) =>
          set({ zeroIsEmpty })}
      />
      <CheckField
        name="groupRows"
        label={labels.groupRows}
        hint={words.profiles.hints.groupItems}
        isOn={profile.groupRows}
        onChange={(groupRows) => set({ groupRows })}
      />
      <ConstantFields draft={draft} onDraft={onDraft} />
    </div>
  );
}

interface ActiveFieldsProps {
  readonly draft: MappingDraft;
  set(change: Partial<TableProfile>): void;
}

function ActiveFields({ draft: { profile: { active } }, set }: ActiveFieldsProps) {
  const { words } = useApp();
  const { labels, otherwise, flagMeanings } = words.mapping;
  if (active === null) return null;
  return (
    <>
      <SelectField
        name="not"
        value={active.not === true ? "inactive" : "active"}
        error={null}
        onValue={(value) => {
          const { not: _, ...others } = active;
          set({ active: value === "inactive" ? { ...others, not: true } : others });
        }}
        label={labels.flagSays}
        options={Object.entries(flagMeanings).map(([value, label]) => ({ value, label }))}
      />
      <TextField
        name="yes"
        value={active.yes.join(", ")}
        error={null}
        onValue={(value) =>
          set({ active: { ...active, yes: value.split(",").map((word) => word.trimStart()) } })}
        label={labels.yes}
        hint={labels.yesHint}
      />
      <SelectField
        name="otherwise"
        value={active.else}
        error={null}
        onValue={(value) =>
          set({ active: { ...active, else: value === "delete" ? "delete" : "skip" } })}
        label={labels.otherwise}
        options={Object.entries(otherwise).map(([value, label]) => ({ value, label }))}
      />
    </>
  );
}

/** Each of them, and one to begin another. */
function ConstantFields({ draft, onDraft }: Pick<MappingSettingsProps, "draft" | "onDraft">) {
  const { words } = useApp();
  const { labels } = words.mapping;
  const { constants } = draft;
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
            error={null}
            onValue={(value) =>
              put(at, value, text)}
            label={labels.constant}
            options={[
              { value: "", label: labels.noConstant },
              ...PROFILE_FIELDS.filter((name) =>
                name !== "sku"
              ).map((value) => ({
                value,
                label: labelIn(words.fields, value),
              })),
            ]}
          />
          <TextField
            name={`constantText${at}`}
            value={text}
            error={null}
            onValue={(value) => put(at, field, value)}
            label={labels.constantText}
          />
        </div>
      ))}
    </>
  );
}
