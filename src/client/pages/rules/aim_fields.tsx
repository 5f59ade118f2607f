import { aimLabels } from "../../../engine/wording/sentence_words.ts";
import { useApp } from "../../app/app.ts";
import { isNumberText } from "../../formats/number_text.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/form/fields.tsx";
import type { AimDraft, RangeDraft } from "./aim_draft.ts";
import { useCompetitors } from "./use_competitors.ts";
import type { RuleForm } from "./use_rule_form.ts";

interface AimFieldsProps {
  readonly aim: AimDraft;
  /** Where the service would find the price in the rule. */
  readonly path: string;
  readonly form: RuleForm;
  onAim(aim: AimDraft): void;
}

/** The base of a price, and its adjustment. */
export function AimFields({ aim, path, form, onAim }: AimFieldsProps) {
  const { words, show, language } = useApp();
  const texts = words.rules.aim;
  const labels = aimLabels(language.value);
  const competitors = useCompetitors();
  const set = (patch: Partial<AimDraft>) => onAim({ ...aim, ...patch });
  const choose = (
    name: "kind" | "competitorId" | "unit" | "direction" | "way",
    label: string,
    field: string,
    options: readonly (readonly [value: string, label: string])[],
  ) => (
    <SelectField
      label={label}
      name={`${path}.${field}`}
      value={aim[name]}
      error={form.errorOf(`${path}.${field}`)}
      options={options.map(([value, label]) => ({ value, label }))}
      onValue={(value) => set({ [name]: value })}
    />
  );
  const number = (
    name: "nth" | "by" | "deadbandPct",
    label: string,
    field: string,
  ) => (
    <TextField
      label={label}
      name={`${path}.${field}`}
      value={aim[name]}
      inputMode="decimal"
      error={isNumberText(aim[name], show.locale)
        ? form.errorOf(`${path}.${field}`)
        : words.form.noNumber}
      onValue={(value) => set({ [name]: value })}
    />
  );
  return (
    <>
      {choose("kind", texts.kind, "reference.kind", Object.entries(labels))}
      {aim.kind === "nth" && number("nth", texts.nth, "reference.nth")}
      {aim.kind === "competitor" && choose(
        "competitorId",
        texts.competitor,
        "reference.competitorId",
        [["", "…"], ...competitors.rows.map(({ id, displayName }) => [id, displayName] as const)],
      )}
      {number("by", texts.by, "adjust")}
      {choose("unit", texts.unit, "adjust.unit", [
        ["pct", texts.units.pct],
        ["money", texts.units.money(form.draft.currency.trim() || show.currency)],
      ])}
      {choose("direction", texts.direction, "direction", [
        ["both", texts.directions.both],
        ["lower", texts.directions.lower],
        ["raise", texts.directions.raise],
      ])}
      {choose("way", texts.way, "rounding.to", [
        ["down", texts.ways.down],
        ["up", texts.ways.up],
        ["nearest", texts.ways.nearest],
      ])}
      {aim.ranges.map((range, at) => (
        <RangeFields
          key={at}
          range={range}
          path={`${path}.rounding.ranges.${at}`}
          form={form}
          isLast={at === aim.ranges.length - 1}
          onRange={(one) => set({ ranges: aim.ranges.with(at, one) })}
          onRemove={at === aim.ranges.length - 1
            ? null
            : () => set({ ranges: aim.ranges.toSpliced(at, 1) })}
        />
      ))}
      <Button
        kind="quiet"
        icon="plus"
        onClick={() => set({ ranges: [{ below: "", endings: "" }, ...aim.ranges] })}
      >
        {texts.addRange}
      </Button>
      {number("deadbandPct", texts.deadband, "deadbandPct")}
    </>
  );
}

/** The price without a base. */
export function FallbackFields({ aim, path, form, onAim }: AimFieldsProps) {
  const { words, show, language } = useApp();
  const texts = words.rules.aim;
  const labels = aimLabels(language.value);
  return (
    <>
      <SelectField
        label={texts.fallback}
        name={`${path}.fallback`}
        value={aim.fallback}
        error={form.errorOf(`${path}.fallback.kind`)}
        options={[
          { value: "", label: texts.noFallback },
          { value: "cost", label: labels.cost ?? "cost" },
          { value: "target", label: labels.target ?? "target" },
        ]}
        onValue={(fallback) => onAim({ ...aim, fallback })}
      />
      {aim.fallback !== "" && (
        <TextField
          label={texts.fallbackPct}
          name={`${path}.fallback.pct`}
          value={aim.fallbackPct}
          inputMode="decimal"
          error={isNumberText(aim.fallbackPct, show.locale)
            ? form.errorOf(`${path}.fallback.pct`)
            : words.form.noNumber}
          onValue={(fallbackPct) => onAim({ ...aim, fallbackPct })}
        />
      )}
    </>
  );
}

interface RangeFieldsProps {
  readonly range: RangeDraft;
  readonly path: string;
  readonly form: RuleForm;
  /** The last one is for all prices above. */
  readonly isLast: boolean;
  onRange(range: RangeDraft): void;
  /** Null where it cannot go. */
  readonly onRemove: (() => void) | null;
}

function RangeFields({ range, path, form, isLast, onRange, onRemove }: RangeFieldsProps) {
  const { words } = useApp();
  const texts = words.rules.aim;
  return (
    <>
      {!isLast && (
        <TextField
          label={texts.below}
          name={`${path}.belowCents`}
          value={range.below}
          inputMode="decimal"
          error={form.errorOf(`${path}.belowCents`)}
          onValue={(below) => onRange({ ...range, below })}
        />
      )}
      <TextField
        label={texts.endings}
        hint={texts.endingsHint}
        name={`${path}.endings`}
        value={range.endings}
        error={form.errorOf(`${path}.endings`)}
        onValue={(endings) => onRange({ ...range, endings })}
      />
      {onRemove && (
        <Button
          kind="quiet"
          icon="close"
          label={texts.removeRange}
          onClick={onRemove}
        />
      )}
    </>
  );
}
