import type { ComponentChildren } from "preact";
import type { List } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../button.tsx";

interface TableFootProps {
  readonly list: Pick<List<unknown>, "rows" | "hasMore" | "isLoadingMore" | "more">;
  readonly total: number | null;
  /** What else can be done with the rows. */
  readonly children?: ComponentChildren;
}

/** How much of the list is there, and the next page for those who do not scroll. */
export function TableFoot({ list, total, children }: TableFootProps) {
  const { words, show } = useApp();
  const loaded = show.number(list.rows.length);
  return (
    <div class="table-foot">
      <span role="status">
        {list.hasMore
          ? total === null
            ? words.table.loadedMore(loaded)
            : words.table.loadedOf(loaded, show.number(total))
          : words.table.loadedAll(loaded, list.rows.length)}
      </span>
      {list.hasMore && (
        <Button kind="quiet" isBusy={list.isLoadingMore} onClick={list.more}>
          {words.table.more}
        </Button>
      )}
      {children}
    </div>
  );
}
