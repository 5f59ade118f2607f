import { z } from "@hono/zod-openapi";
import { percent } from "../accounts/workspace.ts";
import { DEFAULT_SOURCE_HOLD } from "./source_choices.ts";

const share = (name: keyof typeof DEFAULT_SOURCE_HOLD, description: string) =>
  percent(100).default(DEFAULT_SOURCE_HOLD[name]).meta({ description });

/**
 * When an import of a named source is held (docs/decisions/imports.md, "Sources"): each bound by
 * itself, over products of which each counts once.
 */
export const SourceHold = z.strictObject({
  movePct: percent(10_000).default(DEFAULT_SOURCE_HOLD.movePct).meta({
    description: "A product whose own price moves by more, or goes, has moved (`price_guard`)",
  }),
  sharePct: share(
    "sharePct",
    "Held when more of the products moved whose price or cost the file brings; of prices and " +
      "costs alike",
  ),
  costMovePct: percent(10_000).default(DEFAULT_SOURCE_HOLD.costMovePct).meta({
    description: "A product whose cost moves by more, or goes, has moved (`cost_guard`)",
  }),
  changedPct: share(
    "changedPct",
    "Held when more of the SKUs of the file change anything of their product; from the second " +
      "import on (`change_guard`). 100 for files that bring changes alone",
  ),
  deletedPct: share(
    "deletedPct",
    "`replace`: held when more of the products of this source would go (`replace_guard`)",
  ),
  newPct: share(
    "newPct",
    "Held when more of the SKUs of the file are new; from the second import on (`new_guard`)",
  ),
  currencyPct: share(
    "currencyPct",
    "Held when more of the products whose price or cost the file brings change their currency " +
      "(`currency_guard`)",
  ),
}).meta({ id: "ImportSourceHold" });

export type SourceHold = Readonly<z.infer<typeof SourceHold>>;
