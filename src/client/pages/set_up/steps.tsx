import { useApp } from "../../app/app.ts";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";
import type { Form } from "../../parts/form/use_form.ts";

/**
 * The wizard's defaults, which fit most retailers (docs/decisions/imports.md "Hold",
 * docs/decisions/rules.md "Margin, VAT").
 */
export const SET_UP_START = {
  workspace: "",
  currency: "EUR",
  timeZone: "Europe/Berlin",
  locale: "de-DE",
  pricesIncludeVat: true,
  vatRatePct: "19",
  holds: true,
  movePct: "50",
  sharePct: "20",
  email: "",
  password: "",
};

export type SetUpValues = typeof SET_UP_START;

interface StepProps {
  readonly form: Form<SetUpValues>;
}

export function CompanyStep({ form }: StepProps) {
  const { words } = useApp();
  const { setUp } = words;
  return (
    <>
      <TextField
        {...form.text("workspace", setUp.workspace)}
        autoComplete="organization"
        hasFocus
        isWide
      />
      <SelectField
        {...form.text("locale", setUp.locale)}
        options={Object.entries(setUp.locales).map(([value, label]) => ({ value, label }))}
        isWide
      />
      <TextField {...form.text("currency", setUp.currency)} />
      <TextField {...form.text("timeZone", setUp.timeZone)} />
    </>
  );
}

export function PricesStep({ form }: StepProps) {
  const { words } = useApp();
  const { setUp } = words;
  return (
    <>
      <CheckField {...form.flag("pricesIncludeVat", setUp.vat, setUp.vatHint)} />
      <TextField {...form.text("vatRatePct", setUp.vatRate)} inputMode="decimal" isWide />
      <CheckField {...form.flag("holds", setUp.hold, setUp.holdHint)} />
      {!form.values.holds && <p class="note warn wide">{setUp.holdOff}</p>}
      {form.values.holds && (
        <>
          <TextField {...form.text("movePct", setUp.holdMove)} inputMode="decimal" />
          <TextField {...form.text("sharePct", setUp.holdShare)} inputMode="decimal" />
        </>
      )}
    </>
  );
}

export function AccessStep({ form }: StepProps) {
  const { words } = useApp();
  return (
    <>
      <TextField
        {...form.text("email", words.login.email)}
        type="email"
        autoComplete="username"
        hasFocus
        isWide
      />
      <TextField
        {...form.text("password", words.setUp.password, words.setUp.passwordHint)}
        type="password"
        autoComplete="new-password"
        isWide
      />
    </>
  );
}
