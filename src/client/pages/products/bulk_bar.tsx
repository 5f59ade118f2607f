import type { BulkChange, BulkOutcome } from "../../../catalogue/changes/bulk_products.ts";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import type { Selection } from "../../parts/table/use_selection.ts";
import type { ProductFilter } from "./product_filter_bar.tsx";

/** As many ids as the service takes at once. */
const AT_ONCE = 1_000;

interface BulkBarProps {
  readonly selection: Selection;
  readonly filter: ProductFilter;
  /** Of the rows that are loaded. */
  readonly loaded: readonly string[];
  /** How many the filter finds; null while that is not known. */
  readonly total: number | null;
}

/** What can be done with many products at once: those that are marked, or all that the filter finds. */
export function BulkBar({ selection, filter, loaded, total }: BulkBarProps) {
  const { words, show, questions, toasts } = useApp();
  const { bulk } = words.products;
  const change = useChange({
    run: async (call, wanted: BulkChange) => {
      let changed = 0;
      for (const body of partsOf(wanted)) {
        const outcome = await call<BulkOutcome>("/api/products/bulk", { method: "POST", body });
        changed += outcome.changed;
      }
      return changed;
    },
    touches: ["products"],
    onDone: (changed) => {
      toasts.tell(bulk.done(show.number(changed)));
      selection.clear();
    },
  });
  const run = async (set: BulkChange["set"]) => {
    if (!selection.isAll) return change.mutate({ ids: [...selection.ids], set });
    const isSure = await questions.ask({ title: bulk.sure, text: bulk.sureText, yes: words.yes });
    if (isSure) change.mutate({ filter: filterOf(filter), set });
  };
  const button = (text: string, set: BulkChange["set"]) => (
    <Button
      isDisabled={change.isPending}
      onClick={() => void run(set)}
    >
      {text}
    </Button>
  );
  return (
    <div class="bulk-bar" role="toolbar" aria-label={bulk.selected("")}>
      <strong>
        {selection.isAll ? bulk.allMatching : bulk.selected(show.number(selection.ids.size))}
      </strong>
      {!selection.isAll && (
        <button
          type="button"
          class="link"
          onClick={() => selection.selectAll(loaded)}
        >
          {total === null ? bulk.selectAll : bulk.selectAllOf(show.number(total))}
        </button>
      )}
      <button type="button" class="link" onClick={selection.clear}>{bulk.clear}</button>
      <span class="bar-space" />
      {change.isPending && <span class="spinner" role="status" aria-label={words.loading} />}
      {button(bulk.lock, { priceLocked: true })}
      {button(bulk.unlock, { priceLocked: false })}
      {button(bulk.scrapeOn, { scrapeEnabled: true })}
      {button(bulk.scrapeOff, { scrapeEnabled: false })}
    </div>
  );
}

/** A change of more products than the service takes at once, in as many as it takes. */
function partsOf({ ids, ...change }: BulkChange): BulkChange[] {
  if (ids === undefined) return [change];
  const count = Math.ceil(ids.length / AT_ONCE);
  return Array.from({ length: count }, (_, at) => ({
    ...change,
    ids: ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  }));
}

/** The filter in the form that the change takes: without what is empty or only about the list. */
function filterOf({ values }: ProductFilter): NonNullable<BulkChange["filter"]> {
  const { includeDeleted: _, ...wanted } = values;
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ""));
}
