import { useApp } from "../../app/app.ts";
import { isNumberText } from "../../formats/number_text.ts";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import type { BoundsDraft } from "./aim_draft.ts";
import type { RuleForm } from "./use_rule_form.ts";

const FIELDS = [
  ["markupPct", "markupPct"],
  ["minPrice", "minCents"],
  ["maxPrice", "maxCents"],
  ["belowTargetPct", "belowTargetPct"],
  ["aboveTargetPct", "aboveTargetPct"],
  ["maxMovePct", "maxMovePct"],
  ["maxMovePerDayPct", "maxMovePerDayPct"],
  ["maxMovesPerDay", "maxMovesPerDay"],
  ["brakeCuts", "brake.cuts"],
  ["brakeDays", "brake.days"],
  ["brakeRestDays", "brake.restDays"],
] as const satisfies readonly (readonly [keyof BoundsDraft, string])[];

/** What a price that is aimed at keeps to, beside the margin floor. */
export function BoundsFields({ form }: { readonly form: RuleForm }) {
  const { words, show } = useApp();
  const texts = words.rules.bounds;
  const { bounds, currency } = form.draft;
  const set = (patch: Partial<BoundsDraft>) => form.set({ bounds: { ...bounds, ...patch } });
  return (
    <div class="bounds">
      {FIELDS.map(([name, field]) =>
        [name, field.includes(".") ? field : `bounds.${field}`] as const
      )
        .map(([name, path]) => (
          <TextField
            key={name}
            label={texts[name]}
            name={path}
            value={bounds[name]}
            inputMode="decimal"
            error={isNumberText(bounds[name], show.locale)
              ? form.errorOf(path)
              : words.form.noNumber}
            onValue={(value) => set({ [name]: value })}
          />
        ))}
      <details class="finer" open={form.errorOf("currency") !== null || undefined}>
        <summary>{texts.more}</summary>
        <div class="clause-body">
          <CheckField
            label={texts.isStopped}
            name="bounds.noTarget"
            isOn={bounds.isStopped}
            onChange={(isStopped) => set({ isStopped })}
          />
          <TextField
            label={texts.currency}
            hint={texts.currencyHint(show.currency)}
            name="currency"
            value={currency}
            error={form.errorOf("currency")}
            onValue={(code) => form.set({ currency: code })}
          />
        </div>
      </details>
    </div>
  );
}
