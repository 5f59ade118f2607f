import { labelIn } from "../../words/label.ts";
import type { ComponentChildren } from "preact";
import { DATE_FORMATS } from "../../../imports/choices.ts";
import { useApp } from "../../app/app.ts";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { isOnAt, type PathForm, textAt } from "../../parts/form/path_form.ts";
import { type FilePaths, pathsBelow, PROFILE_FIELDS } from "./profile_draft.ts";

interface ProfileFormProps {
  readonly form: PathForm;
  readonly file: FilePaths | null;
  readonly isNew: boolean;
}

export function ProfileForm(props: ProfileFormProps) {
  const { form, file, isNew } = props;
  const { words } = useApp();
  const { groups, labels, hints, columns, idHint } = words.profiles;
  return (
    <>
      <Group title={groups.name}>
        <TextField {...form.at("name", words.fields.name)} hasFocus={isNew} />
        {isNew && <TextField {...form.at("id", columns.id, idHint)} />}
      </Group>
      <Group title={groups.record}>
        <TextField
          {...form.at("detect.root", labels.root, hints.root)}
          suggestions={file ? [file.root] : []}
        />
        <TextField {...form.at("detect.namespace", labels.namespace, hints.optional)} />
        <TextField
          {...form.at("itemPath", labels.itemPath, hints.itemPath)}
          suggestions={file?.paths.filter((path) => !path.includes("@")) ?? []}
          isWide
        />
        <CheckField
          {...form.flagAt("groupItems", words.mapping.labels.groupRows, hints.groupItems)}
        />
      </Group>
      <ProductFields {...props} />
      <PriceFields {...props} />
      <OptionalGroup part="competitors" title={groups.links} form={form}>
        <PathFields {...props} part="competitors" labels={labels.links} />
      </OptionalGroup>
      <OptionalGroup part="groups" title={groups.groups} note={hints.groups} form={form}>
        {Object.entries(labels.groups).map(([name, label]) => (
          <TextField
            key={name}
            {...form.at(`groups.${name}`, label)}
            suggestions={file?.paths ?? []}
          />
        ))}
      </OptionalGroup>
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

interface OptionalGroupProps extends GroupProps, Pick<ProfileFormProps, "form"> {
  readonly part: "prices" | "competitors" | "groups";
}

function OptionalGroup({ part, title, note, form, children }: OptionalGroupProps) {
  const { words } = useApp();
  const isThere = isOnAt(form.draft, `has.${part}`);
  return (
    <Group title={title} {...(note && isThere && { note })}>
      <CheckField {...form.flagAt(`has.${part}`, words.profiles.isThere)} />
      {isThere && children}
    </Group>
  );
}

function below({ form, file }: Pick<ProfileFormProps, "form" | "file">, path: string) {
  return file ? pathsBelow(file, textAt(form.draft, path)) : [];
}

interface PathFieldsProps extends ProfileFormProps {
  readonly part: "prices" | "competitors" | "sale";
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The XML paths of one part of an import profile. The field `path` and all fields of `sale` start
 * at the element of a product. Other fields start at the element that `path` names.
 */
function PathFields({ form, file, part, labels }: PathFieldsProps) {
  return (
    <>
      {Object.entries(labels).map(([name, label]) => {
        const isOfItem = name === "path" || part === "sale";
        return (
          <TextField
            key={name}
            {...form.at(`${part}.${name}`, label)}
            isWide={name === "path"}
            suggestions={below({ form, file }, isOfItem ? "itemPath" : `${part}.path`)}
          />
        );
      })}
    </>
  );
}

function ProductFields({ form, file }: ProfileFormProps) {
  const { words } = useApp();
  const texts = words.profiles;
  const labelOf = (name: string) =>
    name === "sku" ? texts.required(words.fields.sku) : labelIn(words.fields, name);
  return (
    <Group title={texts.groups.fields} note={texts.hints.fields}>
      {PROFILE_FIELDS.map((name) => (
        <div class="path-row wide" key={name}>
          <TextField
            {...form.at(`fields.${name}.path`, labelOf(name))}
            suggestions={below({ form, file }, "itemPath")}
          />
          <SelectField
            {...form.at(`fields.${name}.transform`, texts.transform)}
            options={texts.transforms}
          />
        </div>
      ))}
    </Group>
  );
}

function PriceFields(props: ProfileFormProps) {
  const { form } = props;
  const { words: { profiles: { groups, labels, hints, currents }, importSources } } = useApp();
  return (
    <OptionalGroup part="prices" form={form} title={groups.prices} note={hints.prices}>
      <PathFields {...props} part="prices" labels={labels.prices} />
      <SelectField {...form.at("prices.current", labels.current)} options={currents} isWide />
      <TextField {...form.at("prices.defaultTier", importSources.fields.tier, hints.defaultTier)} />
      <TextField {...form.at("prices.alsoCostPrice", labels.alsoCostPrice, hints.commaList)} />
      <TextField {...form.at("prices.alsoTargetPrice", labels.alsoTargetPrice, hints.commaList)} />
      <CheckField {...form.flagAt("prices.firstTierCounts", labels.firstTierCounts)} />
      <PathFields {...props} part="sale" labels={labels.sale} />
      <CheckField {...form.flagAt("currencyInAmount", labels.currencyInAmount)} />
    </OptionalGroup>
  );
}

function WritingFields({ form, file }: ProfileFormProps) {
  const { words: { profiles: { groups, labels, hints, numbers, dates }, mapping } } = useApp();
  return (
    <Group title={groups.writing}>
      <SelectField {...form.at("numberFormat", mapping.labels.numberFormat)} options={numbers} />
      <CheckField {...form.flagAt("zeroIsEmpty", mapping.labels.zeroIsEmpty, hints.zeroIsEmpty)} />
      <TextField {...form.at("openEnd", labels.openEnd, hints.openEnd)} />
      {DATE_FORMATS.map((format) => (
        <CheckField
          key={format}
          {...form.pickAt("dateFormats", DATE_FORMATS, format, dates[format])}
        />
      ))}
      <TextField
        {...form.at("fileCurrency", labels.fileCurrency, hints.optional)}
        suggestions={file?.paths ?? []}
      />
      <TextField
        {...form.at("mode", labels.mode, hints.mode)}
        suggestions={below({ form, file }, "itemPath")}
      />
    </Group>
  );
}
