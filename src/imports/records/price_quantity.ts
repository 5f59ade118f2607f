import { MINOR_UNITS_MAX } from "../../base/money.ts";
import type { PriceSide } from "../profiles/profile_choices.ts";
import { type NumberSetting, type ReadNumber, readNumber } from "../../base/number_de.ts";

/** Digits after the decimal sign that a quantity may have. */
export const QUANTITY_DECIMALS = 3;

/** More digits of the amount than it keeps, so that dividing loses nothing that is written. */
const MORE_DECIMALS = 4;

/** An amount that is for `quantity` pieces, for one piece; rounded half up, at the end alone. */
export function divided(text: string, quantity: string, setting: NumberSetting): ReadNumber {
  return scaled(text, quantity, { times: 1n, over: 1n }, setting);
}

const RATE_DECIMALS = 4;

/** As `divided`, brought to the other side of VAT: `side` is the one that is wanted. */
export function broughtToSide(
  text: string,
  quantity: string,
  { side, ratePct }: { readonly side: PriceSide; readonly ratePct: number },
  setting: NumberSetting,
): ReadNumber {
  const whole = 100n * 10n ** BigInt(RATE_DECIMALS);
  const withVat = whole + BigInt(Math.round(ratePct * 10 ** RATE_DECIMALS));
  const factor = side === "gross"
    ? { times: withVat, over: whole }
    : { times: whole, over: withVat };
  return scaled(text, quantity, factor, setting);
}

function scaled(
  text: string,
  quantity: string,
  { times, over }: { readonly times: bigint; readonly over: bigint },
  setting: NumberSetting,
): ReadNumber {
  const pieces = readNumber(quantity, { ...setting, exponent: QUANTITY_DECIMALS, currency: null });
  if ("reason" in pieces || pieces.value === 0) return { reason: "invalid_number" };
  const exponent = setting.exponent + MORE_DECIMALS;
  const amount = readNumber(text, { ...setting, exponent, max: Number.MAX_SAFE_INTEGER });
  if ("reason" in amount) return amount;
  const divisor = BigInt(pieces.value) * 10n ** BigInt(MORE_DECIMALS) * over;
  const doubled = 2n * BigInt(amount.value) * 10n ** BigInt(QUANTITY_DECIMALS) * times;
  const value = Number((doubled + divisor) / (2n * divisor));
  return value > MINOR_UNITS_MAX
    ? { reason: "price_out_of_range" }
    : { value, warning: amount.warning };
}
