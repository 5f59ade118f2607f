/** All guards, in the order in which they are asked: the one place where a new one is registered. */
import type { InputGuard, PriceGuard } from "./guard.ts";
import { autoApplyOff } from "./guards/auto_apply_off.ts";
import { changeTooLarge } from "./guards/change_too_large.ts";
import { cooldown } from "./guards/cooldown.ts";
import { costUnknown } from "./guards/cost_unknown.ts";
import { dailyChangeTooLarge } from "./guards/daily_change_too_large.ts";
import { floorAboveCurrent } from "./guards/floor_above_current.ts";
import { floorMissing } from "./guards/floor_missing.ts";
import { floorUnreachable } from "./guards/floor_unreachable.ts";
import { historyUnread } from "./guards/history_unread.ts";
import { lowConfidence } from "./guards/low_confidence.ts";
import { manualPrice } from "./guards/manual_price.ts";
import { noChange } from "./guards/no_change.ts";
import { noOwnPrice } from "./guards/no_own_price.ts";
import { noReference } from "./guards/no_reference.ts";
import { outlier } from "./guards/outlier.ts";
import { priceLocked } from "./guards/price_locked.ts";
import { priceTooHigh } from "./guards/price_too_high.ts";
import { priceTooLow } from "./guards/price_too_low.ts";
import { staleReference } from "./guards/stale_reference.ts";
import { vatUnknown } from "./guards/vat_unknown.ts";

/** Before a price is computed: what must be there. Any of them forbids the price. */
export const INPUT_GUARDS: readonly InputGuard[] = [
  noOwnPrice,
  priceLocked,
  floorUnreachable,
  costUnknown,
  vatUnknown,
  noReference,
];

/** Of the price as lifted and rounded; the direction comes last. Any of them forbids the price. */
export const PRICE_GUARDS: readonly PriceGuard[] = [
  priceTooLow,
  priceTooHigh,
  floorAboveCurrent,
  noChange,
];

/** What makes a price safe to apply by itself. Any of them leaves a proposal that says why. */
export const SAFETY_GUARDS: readonly PriceGuard[] = [
  autoApplyOff,
  floorMissing,
  cooldown,
  historyUnread,
  manualPrice,
  staleReference,
  lowConfidence,
  outlier,
  changeTooLarge,
  dailyChangeTooLarge,
];
