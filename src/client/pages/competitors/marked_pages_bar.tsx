import { useApp } from "../../app/app.ts";
import { useKeys } from "../../app/use_keys.ts";
import { Button } from "../../parts/button.tsx";
import type { Selection } from "../../parts/table/use_selection.ts";
import type { NoPrice, PageGroup } from "./use_no_price.ts";

interface MarkedPagesBarProps {
  readonly selection: Selection;
  readonly group: PageGroup;
  /** How many pages the group has. */
  readonly total: number;
  /** Those that are loaded. */
  readonly ids: readonly string[];
  readonly noPrice: NoPrice;
}

/** What can be said of the pages that are marked: a row above the table, over nothing. */
export function MarkedPagesBar({ selection, group, total, ids, noPrice }: MarkedPagesBarProps) {
  const { words, show, questions } = useApp();
  const texts = words.repairs.shop;
  const { market } = words;
  useKeys({ Escape: selection.clear });
  const amount = selection.isAll ? total : selection.ids.size;
  const count = show.number(amount);
  const act = async () => {
    const { isAll } = selection;
    const title = texts.noPriceMany(amount, count);
    // What is not seen is asked about first.
    const isSure = !isAll ||
      await questions.ask({ title, text: texts.noPriceAllText, yes: words.yes });
    if (isSure) noPrice.say(isAll ? group : [...selection.ids], undefined, selection.clear);
  };
  return (
    <div class="bulk-bar" role="toolbar" aria-label={market.marked(count)}>
      <strong role="status">{market.marked(count)}</strong>
      {!selection.isAll && total > selection.ids.size && (
        <button
          type="button"
          class="link"
          onClick={() => selection.selectAll(ids)}
        >
          {texts.markAll(show.number(total))}
        </button>
      )}
      <span class="bar-space" />
      <Button isBusy={noPrice.isBusy} onClick={() => void act()}>
        {texts.noPriceMany(amount, count)}
      </Button>
      <Button kind="quiet" onClick={selection.clear}>
        {market.clear}
        <kbd>Esc</kbd>
      </Button>
    </div>
  );
}
