import { useApp } from "../../app/app.ts";
import { readDecimal } from "../../formats/decimal.ts";
import { TextField } from "./fields.tsx";
import type { TextBinding } from "./use_form.ts";

interface MoneyFieldProps extends TextBinding {
  readonly currency: string;
  readonly isRequired?: boolean;
}

/** Takes German and English decimals, and shows under the field what it has understood. */
export function MoneyField({ currency, ...field }: MoneyFieldProps) {
  const { show, words } = useApp();
  const decimal = field.value.trim() === "" ? "" : readDecimal(field.value, show.locale);
  const error = decimal === null ? words.form.noNumber : field.error;
  const hint = decimal ? `= ${show.decimalMoney(decimal, currency)}` : undefined;
  return <TextField {...field} error={error} hint={hint} inputMode="decimal" />;
}
