/** Fields for a currency and for a time zone, with every value that the service accepts. */
import { CURRENCIES } from "../../../base/money.ts";
import { useApp } from "../../app/app.ts";
import { SelectField, type TextBinding } from "./fields.tsx";

export function CurrencyField(field: TextBinding) {
  const { show } = useApp();
  const names = new Intl.DisplayNames(show.locale, { type: "currency" });
  const options = CURRENCIES.map((value) => ({ value, label: `${value} – ${names.of(value)}` }));
  return <SelectField {...field} options={options} />;
}

/** The options include the current value, which may be an old name such as `Asia/Calcutta`. */
export function TimeZoneField(field: TextBinding) {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", field.value]);
  const options = [...zones].sort().map((value) => ({ value, label: value }));
  return <SelectField {...field} options={options} />;
}
