import type { Wire } from "../../api/wire.ts";
import type { Call } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import { sayNoPrice } from "../../parts/run/say_no_price.ts";
import type { Cause } from "./use_retry.ts";

export type FailingPage = Wire<"RepairPage">;

/** The failing pages of a shop: those of one cause, or all of them. */
export interface PageGroup {
  readonly competitorId: string;
  readonly cause: Cause | null;
}

/** As many as the service gives at once. */
const PAGES_AT_ONCE = 200;
/** The areas that a page without a price changes. */
const TOUCHED = ["repairs", "repairPages", "matches", "competitors"];

/** The pages without a price: by id, or all of a group. */
type NoPricePages = readonly string[] | PageGroup;

export interface NoPrice {
  readonly isBusy: boolean;
  /** `name`: what one page alone is called; `onDone` is told when they show none. */
  say(pages: NoPricePages, name?: string, onDone?: () => void): void;
}

/** Says of pages that they show no price; what was said can be taken back at once. */
export function useNoPrice(): NoPrice {
  const { words, show, toasts } = useApp();
  const texts = words.repairs.shop;
  const undo = useChange({
    run: (call, ids: readonly string[]) => sayNoPrice(call, ids, false),
    touches: TOUCHED,
    onDone: () => toasts.tell(words.frame.undone),
  });
  const change = useChange({
    run: async (call, { pages }: { readonly pages: NoPricePages; readonly name?: string }) =>
      await sayNoPrice(call, isGroup(pages) ? await idsOf(call, pages) : pages, true),
    touches: TOUCHED,
    onDone: (changed, { name }) => {
      const text = name === undefined
        ? texts.noPriceManyTold(changed.length, show.number(changed.length))
        : texts.noPriceTold(name);
      toasts.tell(text, changed.length > 0 ? () => undo.mutate(changed) : undefined);
    },
  });
  return {
    isBusy: change.isPending || undo.isPending,
    say: (pages, name, onDone) =>
      change.mutate(
        { pages, ...(name !== undefined && { name }) },
        { ...(onDone && { onSuccess: onDone }) },
      ),
  };
}

function isGroup(pages: NoPricePages): pages is PageGroup {
  return "competitorId" in pages;
}

/** Page after page; one that fails otherwise meanwhile comes once. */
async function idsOf(call: Call, { competitorId, cause }: PageGroup): Promise<string[]> {
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: { readonly items: readonly FailingPage[]; readonly nextCursor: string | null } =
      await call((api) =>
        api.GET("/api/repairs/pages", {
          params: {
            query: {
              competitorId,
              ...(cause !== null && { cause }),
              limit: PAGES_AT_ONCE,
              ...(cursor !== null && { cursor }),
            },
          },
        })
      );
    for (const { id } of page.items) ids.add(id);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return [...ids];
}
