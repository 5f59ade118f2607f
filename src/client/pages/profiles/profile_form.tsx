/** The fields of an import profile. */
import { labelIn, optionsOf } from "../../words/label.ts";
import type { ComponentChildren } from "preact";
import { DATE_FORMATS } from "../../../imports/choices.ts";
import { useApp } from "../../app/app.ts";
import { CheckField, type Form, SelectField, TextField } from "../../parts/form/fields.tsx";
import {
  type FilePaths,
  type FlagName,
  GROUP_NAMES,
  LINK_NAMES,
  pathsBelow,
  PRICE_NAMES,
  PROFILE_FIELDS,
  type ProfileDraft,
  SALE_NAMES,
  type TextName,
} from "./profile_draft.ts";

interface ProfileFormProps {
  readonly form: Form<ProfileDraft>;
  readonly file: FilePaths | null;
  /** True for a new profile. A stored profile keeps its id, because addresses contain the id. */
  readonly isNew: boolean;
}

export function ProfileForm(props: ProfileFormProps) {
  return (
    <>
      <NameFields {...props} />
      <RecordFields {...props} />
      <ProductFields {...props} />
      <PriceFields {...props} />
      <LinkFields {...props} />
      <GroupFields {...props} />
      <WritingFields {...props} />
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly note?: string;
  readonly children: ComponentChildren;
}

function Group({ title, note, children }: GroupProps) {
  return (
    <fieldset class="card-fields framed">
      <legend>{title}</legend>
      {note && <p class="hint wide">{note}</p>}
      <div class="fields">{children}</div>
    </fieldset>
  );
}

function OptionalGroup(
  { flag, title, note, form, children }: GroupProps & Pick<ProfileFormProps, "form"> & {
    readonly flag: FlagName;
  },
) {
  const { words } = useApp();
  const isThere = form.values[flag];
  return (
    <Group title={title} {...(note && isThere && { note })}>
      <CheckField {...form.flag(flag, words.profiles.isThere)} />
      {isThere && children}
    </Group>
  );
}

interface PathFieldsProps extends Omit<ProfileFormProps, "isNew"> {
  readonly fields: readonly (readonly [name: TextName, label: string])[];
  /** The field for the path of the element to which the other paths are relative. */
  readonly within?: "prices.path" | "competitors.path";
}

/** Suggests paths below the record, or below the element of `within`. */
function PathFields({ form, file, fields, within }: PathFieldsProps) {
  const below = (element: TextName) => file ? pathsBelow(file, form.values[element]) : [];
  return (
    <>
      {fields.map(([name, label]) => (
        <TextField
          key={name}
          {...form.text(name, label)}
          isWide={name === within}
          suggestions={below(name === within ? "itemPath" : within ?? "itemPath")}
        />
      ))}
    </>
  );
}

function NameFields({ form, isNew }: ProfileFormProps) {
  const { words } = useApp();
  const texts = words.profiles;
  return (
    <Group title={texts.groups.name}>
      <TextField {...form.text("name", words.fields.name)} hasFocus={isNew} />
      {isNew && <TextField {...form.text("id", texts.columns.id, texts.idHint)} />}
    </Group>
  );
}

function RecordFields({ form, file }: ProfileFormProps) {
  const { words } = useApp();
  const { groups, labels, hints } = words.profiles;
  return (
    <Group title={groups.record}>
      <TextField
        {...form.text("detect.root", labels.root, hints.root)}
        suggestions={file ? [file.root] : []}
      />
      <TextField {...form.text("detect.namespace", labels.namespace, hints.optional)} />
      <TextField
        {...form.text("itemPath", labels.itemPath, hints.itemPath)}
        suggestions={file?.paths.filter((path) => !path.includes("@")) ?? []}
        isWide
      />
      <CheckField {...form.flag("groupItems", words.mapping.labels.groupRows, hints.groupItems)} />
    </Group>
  );
}

function ProductFields({ form, file }: ProfileFormProps) {
  const { words } = useApp();
  const texts = words.profiles;
  const below = file ? pathsBelow(file, form.values.itemPath) : [];
  const transforms = optionsOf(texts.transforms);
  const labelOf = (name: string) =>
    name === "sku" ? texts.required(words.fields.sku) : labelIn(words.fields, name);
  return (
    <Group title={texts.groups.fields} note={texts.hints.fields}>
      {PROFILE_FIELDS.map((name) => (
        <div class="path-row wide" key={name}>
          <TextField
            {...form.text(`fields.${name}.path`, labelOf(name))}
            suggestions={below}
          />
          <SelectField
            {...form.text(`fields.${name}.transform`, texts.transform)}
            options={transforms}
          />
        </div>
      ))}
    </Group>
  );
}

function PriceFields({ form, file }: ProfileFormProps) {
  const { words } = useApp();
  const { groups, labels, hints, currents } = words.profiles;
  return (
    <OptionalGroup flag="hasPrices" form={form} title={groups.prices} note={hints.prices}>
      <PathFields
        {...{ form, file }}
        fields={PRICE_NAMES.map((name) => [`prices.${name}`, labels.prices[name]])}
        within="prices.path"
      />
      <SelectField
        {...form.text("prices.current", labels.current)}
        options={optionsOf(currents)}
        isWide
      />
      <TextField
        {...form.text("prices.defaultTier", words.importSources.fields.tier, hints.defaultTier)}
      />
      <TextField {...form.text("prices.alsoCostPrice", labels.alsoCostPrice, hints.commaList)} />
      <TextField
        {...form.text("prices.alsoTargetPrice", labels.alsoTargetPrice, hints.commaList)}
      />
      <CheckField {...form.flag("prices.firstTierCounts", labels.firstTierCounts)} />
      <PathFields
        {...{ form, file }}
        fields={SALE_NAMES.map((name) => [`sale.${name}`, labels.sale[name]])}
      />
      <CheckField {...form.flag("currencyInAmount", labels.currencyInAmount)} />
    </OptionalGroup>
  );
}

function LinkFields({ form, file }: ProfileFormProps) {
  const { groups, labels } = useApp().words.profiles;
  return (
    <OptionalGroup flag="hasLinks" form={form} title={groups.links}>
      <PathFields
        {...{ form, file }}
        fields={LINK_NAMES.map((name) => [`competitors.${name}`, labels.links[name]])}
        within="competitors.path"
      />
    </OptionalGroup>
  );
}

function GroupFields({ form, file }: ProfileFormProps) {
  const { groups, labels, hints } = useApp().words.profiles;
  return (
    <OptionalGroup flag="hasGroups" form={form} title={groups.groups} note={hints.groups}>
      {GROUP_NAMES.map((name) => (
        <TextField
          key={name}
          {...form.text(`groups.${name}`, labels.groups[name])}
          suggestions={file?.paths ?? []}
        />
      ))}
    </OptionalGroup>
  );
}

function WritingFields({ form, file }: ProfileFormProps) {
  const { words } = useApp();
  const { groups, labels, hints, numbers, dates } = words.profiles;
  return (
    <Group title={groups.writing}>
      <SelectField
        {...form.text("numberFormat", words.mapping.labels.numberFormat)}
        options={optionsOf(numbers)}
      />
      <CheckField
        {...form.flag("zeroIsEmpty", words.mapping.labels.zeroIsEmpty, hints.zeroIsEmpty)}
      />
      <TextField {...form.text("openEnd", labels.openEnd, hints.openEnd)} />
      {DATE_FORMATS.map((format) => (
        <CheckField key={format} {...form.flag(`date ${format}`, dates[format])} />
      ))}
      <TextField
        {...form.text("fileCurrency", labels.fileCurrency, hints.optional)}
        suggestions={file?.paths ?? []}
      />
      <TextField
        {...form.text("mode", labels.mode, hints.mode)}
        suggestions={file ? pathsBelow(file, form.values.itemPath) : []}
      />
    </Group>
  );
}
