/**
 * In this table, a person chooses what each column of a file is used for. The service suggests
 * uses, and those with a low confidence are marked as doubtful. A suggestion with `isGuess` applies
 * only after the person has accepted it.
 */
import {
  IMPORTED_NAMES,
  PRODUCT_FIELDS,
  type WrittenForm,
} from "../../../catalogue/products/product_field_table.ts";
import type { Preview } from "../../../imports/preview_upload.ts";
import { PRICE_SIDES, TRANSFORMS } from "../../../imports/choices.ts";
import { useApp } from "../../app/app.ts";
import { labelIn } from "../../words/label.ts";
import type { Words } from "../../words/words.ts";
import { Badge, Button } from "../controls.tsx";
import { OptionList } from "../options.tsx";
import { column, SimpleTable } from "../table/table.tsx";
import {
  confidenceOf,
  confirmed,
  DETAIL_TARGETS,
  type FileColumn,
  guessOf,
  type MappedColumn,
  type MappingDraft,
  OTHER_TARGETS,
  PLAIN_FIELDS,
  type PlainField,
  PRICE_TARGETS,
  startOf,
  type Suggested,
  SURE,
  type Target,
  TARGETS,
  withColumn,
} from "./mapping_draft.ts";

const SHOWN_SAMPLES = 3;

export interface MappingTableProps {
  readonly draft: MappingDraft;
  readonly preview: Preview | null;
  readonly suggested: Suggested | null;
  readonly isReadOnly: boolean;
  onDraft(draft: MappingDraft): void;
}

interface MappingRow {
  readonly column: MappedColumn;
  readonly place: number;
  readonly name: string;
  readonly ofFile: FileColumn | null;
  readonly guess: Target | null;
  onChange(change: Partial<MappedColumn>): void;
}

export function MappingTable(
  { draft, preview, suggested, isReadOnly, onDraft }: MappingTableProps,
) {
  const { words: { mapping: texts, fields } } = useApp();
  const rows = draft.columns.map((one, place): MappingRow => {
    const ofFile = one.at === null ? null : preview?.columns[one.at] ?? null;
    return {
      ...{ column: one, place, ofFile },
      name: ofFile?.column || one.ref,
      guess: guessOf(one, draft, preview),
      onChange: (change) => onDraft(withColumn(draft, place, change)),
    };
  });
  const use = (row: MappingRow) => (
    <>
      <ColumnUse {...row} isReadOnly={isReadOnly} />
      {!isReadOnly && <TakeGuess {...row} />}
    </>
  );
  const state = ({ column, ofFile, guess }: MappingRow) => (
    <ColumnState
      column={column}
      ofFile={ofFile}
      confidence={confidenceOf(column, suggested)}
      isGuessed={guess !== null}
    />
  );
  const note = ({ ofFile }: MappingRow) => (
    <FindingTallies
      tallies={preview?.tallies.filter(({ field }) => field === ofFile?.column) ?? []}
    />
  );
  const { columns } = texts;
  return (
    <SimpleTable
      label={texts.title}
      kind="mapping"
      rows={rows}
      idOf={({ column: { ref }, place }) => `${ref} ${place}`}
      columns={[
        column("column", columns.column, 100).cell<MappingRow>(({ name }) => name),
        column("samples", columns.samples, 120).cell<MappingRow>(({ ofFile }) => (
          <Samples column={ofFile} />
        )),
        column("target", columns.target, 230).cell(use),
        column("state", fields.state, 80).cell(state),
        column("note", columns.note, 120).cell(note),
      ].filter(({ key }) => preview !== null || key === "column" || key === "target")}
    />
  );
}

function TakeGuess({ guess, name, ofFile, onChange }: MappingRow) {
  const { words } = useApp();
  return guess !== null && (
    <Button
      kind="quiet"
      onClick={() => onChange(confirmed(guess, name, ofFile))}
    >
      {words.mapping.takeGuess(targetName(words, guess))}
    </Button>
  );
}

function Samples({ column }: { column: FileColumn | null }) {
  if (column === null) return null;
  const text = column.samples.slice(0, SHOWN_SAMPLES).join(" · ");
  return <code title={text}>{text}</code>;
}

interface ColumnUseProps extends Pick<MappingRow, "column" | "name" | "onChange"> {
  readonly isReadOnly: boolean;
}

function ColumnUse({ column, name, isReadOnly, onChange }: ColumnUseProps) {
  const { words } = useApp();
  const texts = words.mapping;
  const group = (label: string, targets: readonly Target[]) => (
    <optgroup label={label}>
      {targets.map((target) => (
        <option key={target} value={target}>{targetName(words, target)}</option>
      ))}
    </optgroup>
  );
  return (
    <div class="column-use flow gap-6">
      <select
        aria-label={texts.targetOf(name)}
        value={column.target}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => {
          const target = TARGETS.find((one) => one === currentTarget.value);
          onChange({ target: target ?? "", ...startOf(target, name) });
        }}
      >
        <option value="">{texts.skip}</option>
        {group(words.fields.productId, PLAIN_FIELDS)}
        {group(texts.groups.prices, PRICE_TARGETS)}
        {group(texts.groups.details, DETAIL_TARGETS)}
        {group(texts.groups.others, OTHER_TARGETS)}
      </select>
      <UseDetails column={column} name={name} isReadOnly={isReadOnly} onChange={onChange} />
    </div>
  );
}

function targetName(words: Words, target: Target): string {
  // Labels of plain product fields are in `words.fields` instead.
  const own: Readonly<Record<string, string>> = words.mapping.targets satisfies Readonly<
    Record<Exclude<Target, PlainField>, string>
  >;
  return own[target] ?? labelIn(words.fields, target);
}

const SIDED: readonly Target[] = ["ownPrice", "breakPrice", "tierPrice", "sale"];
const TEXT_FORMS: ReadonlySet<WrittenForm> = new Set(["sku", "ean", "text"]);
const TRANSFORMED: ReadonlySet<string> = new Set([
  ...IMPORTED_NAMES.filter((name) => TEXT_FORMS.has(PRODUCT_FIELDS[name].written)),
  "attribute",
]);

function UseDetails({ column, name, isReadOnly, onChange }: ColumnUseProps) {
  const { words: { mapping: texts, fields, profiles } } = useApp();
  const { target } = column;
  if (target === "") return null;
  const shared = (label: string) => ({ "aria-label": `${label}: ${name}`, disabled: isReadOnly });
  const write = (field: "currency" | "minQty" | "name", label: string, charactersMax: number) => (
    <input
      type="text"
      class={field === "name" ? "wide" : "small"}
      {...shared(label)}
      placeholder={field === "currency" ? texts.currencyHint : label}
      value={column[field]}
      maxLength={charactersMax}
      autoComplete="off"
      onInput={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
    />
  );
  return (
    <>
      {SIDED.includes(target) && (
        <>
          <select
            {...shared(texts.side)}
            value={column.side ?? ""}
            onChange={({ currentTarget: { value } }) =>
              onChange({ side: PRICE_SIDES.find((side) => side === value) ?? null })}
          >
            <OptionList options={texts.sides} />
          </select>
          {write("currency", fields.currency, 3)}
        </>
      )}
      {target === "breakPrice" && write("minQty", texts.fromQuantity, 9)}
      {(target === "attribute" || target === "tierPrice" || target === "competitorUrl") &&
        write("name", texts.names[target], 64)}
      {TRANSFORMED.has(target) && (
        <select
          {...shared(profiles.transform)}
          value={column.transform ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onChange({ transform: TRANSFORMS.find((one) => one === value) ?? null })}
        >
          <OptionList options={profiles.transforms} />
        </select>
      )}
    </>
  );
}

function ColumnState(
  { column, ofFile, confidence, isGuessed }: {
    readonly column: MappedColumn;
    readonly ofFile: FileColumn | null;
    readonly confidence: number | null;
    readonly isGuessed: boolean;
  },
) {
  const { states } = useApp().words.mapping;
  if (ofFile === null) return <Badge tone="warn">{states.absent}</Badge>;
  if (isGuessed) return <Badge tone="warn">{states.guessed}</Badge>;
  if (column.target === "") return <Badge>{states.unknown}</Badge>;
  if (confidence === null) return <Badge tone="good">{states.chosen}</Badge>;
  return confidence < SURE
    ? <Badge tone="warn">{states.doubtful}</Badge>
    : <Badge tone="good">{states.sure}</Badge>;
}

const SHOWN = 3;

function FindingTallies({ tallies }: { tallies: Preview["tallies"] }) {
  const { words } = useApp();
  if (tallies.length === 0) return null;
  return (
    <ul class="tallies soft">
      {tallies.slice(0, SHOWN).map(({ severity, code, count, value }) => (
        <li key={`${severity} ${code}`} class={severity === "error" ? "loss" : undefined}>
          {words.mapping.times(count, words.service.findings[code] ?? code)}
          {value && <code>{value}</code>}
        </li>
      ))}
    </ul>
  );
}
