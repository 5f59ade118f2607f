/** The fields of an import profile. */
import { optionsOf } from "../../words/label.ts";
import type { ComponentChildren } from "preact";
import { DATE_FORMATS } from "../../../imports/choices.ts";
import { useApp } from "../../app/app.ts";
import {
  CheckField,
  type Form,
  SelectField,
  SuggestField,
  TextField,
} from "../../parts/form/fields.tsx";
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

interface PathFieldProps extends Pick<ProfileFormProps, "form"> {
  readonly name: TextName;
  readonly label: string;
  readonly hint?: string;
  readonly below: readonly string[];
  readonly isWide?: boolean;
}

function PathField({ form, name, label, hint, below, isWide }: PathFieldProps) {
  return <SuggestField {...form.text(name, label, hint)} isWide={isWide} suggestions={below} />;
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
      <SuggestField
        {...form.text("detect.root", labels.root, hints.root)}
        suggestions={file ? [file.root] : []}
      />
      <TextField {...form.text("detect.namespace", labels.namespace, hints.optional)} />
      <PathField
        form={form}
        name="itemPath"
        label={labels.itemPath}
        hint={hints.itemPath}
        below={file?.paths.filter((path) => !path.includes("@")) ?? []}
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
  return (
    <Group title={texts.groups.fields} note={texts.hints.fields}>
      {PROFILE_FIELDS.map((name) => (
        <div class="path-row wide" key={name}>
          <PathField
            form={form}
            name={`fields.${name}.path`}
            label={name === "sku"
              ? texts.required(fieldLabel(words, name))
              : fieldLabel(words, name)}
            below={below}
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

function fieldLabel({ fields }: { fields: Readonly<Record<string, string>> }, name: string) {
  return fields[name] ?? name;
}

function PriceFields({ form, file }: ProfileFormProps) {
  const { words } = useApp();
  const { groups, labels, hints, currents } = words.profiles;
  const inItem = file ? pathsBelow(file, form.values.itemPath) : [];
  const inRow = file ? pathsBelow(file, form.values["prices.path"]) : [];
  return (
    <OptionalGroup flag="hasPrices" form={form} title={groups.prices} note={hints.prices}>
      {PRICE_NAMES.map((name) => (
        <PathField
          key={name}
          form={form}
          name={`prices.${name}`}
          label={labels.prices[name]}
          below={name === "path" ? inItem : inRow}
          isWide={name === "path"}
        />
      ))}
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
      {SALE_NAMES.map((name) => (
        <PathField
          key={name}
          form={form}
          name={`sale.${name}`}
          label={labels.sale[name]}
          below={inItem}
        />
      ))}
      <CheckField {...form.flag("currencyInAmount", labels.currencyInAmount)} />
    </OptionalGroup>
  );
}

function LinkFields({ form, file }: ProfileFormProps) {
  const { groups, labels } = useApp().words.profiles;
  const inItem = file ? pathsBelow(file, form.values.itemPath) : [];
  const inLink = file ? pathsBelow(file, form.values["competitors.path"]) : [];
  return (
    <OptionalGroup flag="hasLinks" form={form} title={groups.links}>
      {LINK_NAMES.map((name) => (
        <PathField
          key={name}
          form={form}
          name={`competitors.${name}`}
          label={labels.links[name]}
          below={name === "path" ? inItem : inLink}
          isWide={name === "path"}
        />
      ))}
    </OptionalGroup>
  );
}

function GroupFields({ form, file }: ProfileFormProps) {
  const { groups, labels, hints } = useApp().words.profiles;
  return (
    <OptionalGroup flag="hasGroups" form={form} title={groups.groups} note={hints.groups}>
      {GROUP_NAMES.map((name) => (
        <PathField
          key={name}
          form={form}
          name={`groups.${name}`}
          label={labels.groups[name]}
          below={file?.paths ?? []}
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
      <PathField
        form={form}
        name="fileCurrency"
        label={labels.fileCurrency}
        hint={hints.optional}
        below={file?.paths ?? []}
      />
      <PathField
        form={form}
        name="mode"
        label={labels.mode}
        hint={hints.mode}
        below={file ? pathsBelow(file, form.values.itemPath) : []}
      />
    </Group>
  );
}
