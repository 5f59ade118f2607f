/**
 * Converts an XML import profile to the values of its form, and back. A field has the same path in
 * the form as in the profile.
 */
import { labelIn } from "../../words/label.ts";
import type { ComponentChildren } from "preact";
import {
  DATE_FORMATS,
  GROUP_PATHS,
  LINK_PATHS,
  PRICE_PATHS,
  SALE_PATHS,
  SOLD_FIELDS,
} from "../../../imports/choices.ts";
import { useApp } from "../../app/app.ts";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";
import {
  isOnAt,
  listAt,
  type PathForm,
  textAt,
  type Value,
  type Values,
} from "../../parts/form/saved_form.tsx";
import { fromKeys } from "../../../base/collections.ts";
import type { XmlProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import type { ProfileShape } from "../../../imports/profiles/xml_profile.ts";
import { IMPORTED_NAMES, majorName } from "../../../catalogue/products/product_field_table.ts";

interface ProfileFormProps {
  readonly form: PathForm;
  readonly isNew: boolean;
}

export function ProfileForm({ form, isNew }: ProfileFormProps) {
  const { words } = useApp();
  const { groups, labels, hints, columns, idHint } = words.profiles;
  return (
    <>
      <Group title={groups.name}>
        <TextField {...form.at("name", words.fields.name)} hasFocus={isNew} />
        {isNew && <TextField {...form.at("id", columns.id, idHint)} />}
      </Group>
      <Group title={groups.record}>
        <TextField {...form.at("detect.root", labels.root, hints.root)} />
        <TextField {...form.at("detect.namespace", labels.namespace, hints.optional)} />
        <TextField {...form.at("itemPath", labels.itemPath, hints.itemPath)} isWide />
        <CheckField
          {...form.flagAt("groupItems", words.mapping.labels.groupRows, hints.groupItems)}
        />
      </Group>
      <ProductFields form={form} />
      <PriceFields form={form} />
      <OptionalGroup part="competitors" title={groups.links} form={form}>
        <PathFields form={form} part="competitors" labels={labels.links} />
      </OptionalGroup>
      <OptionalGroup part="groups" title={groups.groups} note={hints.groups} form={form}>
        <PathFields form={form} part="groups" labels={labels.groups} />
      </OptionalGroup>
      <WritingFields form={form} />
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

interface OptionalGroupProps extends GroupProps, PartProps {
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

interface PathFieldsProps extends PartProps {
  readonly part: "prices" | "competitors" | "sale" | "groups";
  readonly labels: Readonly<Record<string, string>>;
}

function PathFields({ form, part, labels }: PathFieldsProps) {
  return (
    <>
      {Object.entries(labels).map(([name, label]) => (
        <TextField key={name} {...form.at(`${part}.${name}`, label)} isWide={name === "path"} />
      ))}
    </>
  );
}

type PartProps = Pick<ProfileFormProps, "form">;

function ProductFields({ form }: PartProps) {
  const { words } = useApp();
  const texts = words.profiles;
  const labelOf = (name: string) =>
    name === "sku" ? texts.required(words.fields.sku) : labelIn(words.fields, name);
  return (
    <Group title={texts.groups.fields} note={texts.hints.fields}>
      {PROFILE_FIELDS.map((name) => (
        <div class="path-row wide" key={name}>
          <TextField {...form.at(`fields.${name}.path`, labelOf(name))} />
          <SelectField
            {...form.at(`fields.${name}.transform`, texts.transform)}
            options={texts.transforms}
          />
        </div>
      ))}
    </Group>
  );
}

function PriceFields({ form }: PartProps) {
  const { words: { profiles: { groups, labels, hints, currents }, importSources } } = useApp();
  return (
    <OptionalGroup part="prices" form={form} title={groups.prices} note={hints.prices}>
      <PathFields form={form} part="prices" labels={labels.prices} />
      <SelectField {...form.at("prices.current", labels.current)} options={currents} isWide />
      <TextField {...form.at("prices.defaultTier", importSources.fields.tier, hints.defaultTier)} />
      <TextField {...form.at("prices.alsoCostPrice", labels.alsoCostPrice, hints.commaList)} />
      <TextField {...form.at("prices.alsoTargetPrice", labels.alsoTargetPrice, hints.commaList)} />
      <CheckField {...form.flagAt("prices.firstTierCounts", labels.firstTierCounts)} />
      <PathFields form={form} part="sale" labels={labels.sale} />
      <CheckField {...form.flagAt("currencyInAmount", labels.currencyInAmount)} />
    </OptionalGroup>
  );
}

function WritingFields({ form }: PartProps) {
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
      <TextField {...form.at("fileCurrency", labels.fileCurrency, hints.optional)} />
      <TextField {...form.at("mode", labels.mode, hints.mode)} />
    </Group>
  );
}

const PROFILE_FIELDS = [...IMPORTED_NAMES.map(majorName), ...SOLD_FIELDS];

type KnownProfile = Partial<Omit<XmlProfileDocument, "builtIn">>;

export function draftOf({ prices, competitors, groups, ...profile }: KnownProfile): Values {
  const { dateFormats = DATE_FORMATS, ...fields } = profile;
  return {
    numberFormat: "de",
    ...valuesOf({ ...fields, competitors, groups }),
    prices: { current: "open_end", firstTierCounts: true, ...valuesOf(prices ?? {}) },
    dateFormats,
    has: { prices: Boolean(prices), competitors: Boolean(competitors), groups: Boolean(groups) },
  };
}

function valuesOf(fields: object): Values {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, valueOf(value)]));
}

function valueOf(value: unknown): Value {
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "object" && value !== null ? valuesOf(value) : "";
}

/** With `satisfies Whole`, the compiler reports a missing field of `Part`. */
type Whole<Part extends keyof ProfileShape> = Record<
  keyof NonNullable<ProfileShape[Part]>,
  unknown
>;

export function bodyOf(draft: Values) {
  const text = (path: string) => textAt(draft, path).trim();
  const optional = (path: string) => text(path) || null;
  const list = (path: string) => text(path).split(",").map((part) => part.trim()).filter(Boolean);
  const pathsOf = <R extends string, O extends string>(
    part: string,
    { required, optional: others }: {
      readonly required: readonly R[];
      readonly optional: readonly O[];
    },
  ) => ({
    ...fromKeys(required, (name) => text(`${part}.${name}`)),
    ...fromKeys(others, (name) => optional(`${part}.${name}`)),
  });
  const field = (name: string) => ({
    path: text(`fields.${name}.path`),
    transform: optional(`fields.${name}.transform`),
  });
  return {
    id: text("id"),
    name: text("name"),
    detect: { root: text("detect.root"), namespace: optional("detect.namespace") },
    itemPath: text("itemPath"),
    groupItems: isOnAt(draft, "groupItems"),
    fields: {
      ...fromKeys(PROFILE_FIELDS, (name) => field(name).path === "" ? null : field(name)),
      sku: field("sku"),
    },
    fileCurrency: optional("fileCurrency"),
    mode: optional("mode"),
    prices: !isOnAt(draft, "has.prices") ? null : {
      ...pathsOf("prices", PRICE_PATHS),
      current: text("prices.current"),
      defaultTier: optional("prices.defaultTier"),
      firstTierCounts: isOnAt(draft, "prices.firstTierCounts"),
      alsoCostPrice: list("prices.alsoCostPrice"),
      alsoTargetPrice: list("prices.alsoTargetPrice"),
    } satisfies Whole<"prices">,
    competitors: !isOnAt(draft, "has.competitors")
      ? null
      : pathsOf("competitors", LINK_PATHS) satisfies Whole<"competitors">,
    sale: text("sale.amount") === "" ? null : pathsOf("sale", SALE_PATHS) satisfies Whole<"sale">,
    currencyInAmount: isOnAt(draft, "currencyInAmount"),
    groups: !isOnAt(draft, "has.groups")
      ? null
      : pathsOf("groups", GROUP_PATHS) satisfies Whole<"groups">,
    numberFormat: text("numberFormat"),
    zeroIsEmpty: isOnAt(draft, "zeroIsEmpty"),
    dateFormats: DATE_FORMATS.filter((format) => listAt(draft, "dateFormats").includes(format)),
    openEnd: list("openEnd"),
  } satisfies Record<Exclude<keyof ProfileShape, "format">, unknown>;
}
