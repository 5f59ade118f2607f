/** Visits the pages of many products now. */
import type { RunsRequest } from "../../../scraping/runs/start_runs.ts";
import { ApiError } from "../../api/api_error.ts";
import type { Call } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import type { Selection } from "../../parts/table/use_selection.ts";
import { useProductCount } from "../../parts/use_product_count.ts";
import { bodyFilter, markedProducts } from "./marked_products.ts";
import type { ProductFilter } from "./market_query.ts";
import type { MarketProduct } from "./product.ts";

/** As many as the service takes at once. */
const AT_ONCE = 200;

export function useBulkScrape(
  selection: Selection,
  filter: ProductFilter,
  rows: readonly MarketProduct[],
) {
  const { words, show, questions, toasts } = useApp();
  const texts = words.bulkScrape;
  const query = bodyFilter(filter);
  const total = useProductCount(query);
  const undo = useChange({
    run: async (call, runIds: readonly string[]) => {
      for (const id of runIds) await cancel(call, id);
    },
    touches: ["runs"],
    onDone: () => toasts.tell(words.frame.undone),
  });
  const start = useChange({
    run: async (call, _: null) => {
      // A product without a page to visit needs no run.
      const keep = ({ id, market }: MarketProduct) => market && market.links > 0 ? id : null;
      return await startAll(call, await markedProducts(call, { selection, rows, query, keep }));
    },
    touches: ["runs"],
    onDone: ({ runIds, inHand, noRoom }) => {
      const parts = [
        texts.started(runIds.length, show.number(runIds.length)),
        ...(inHand > 0 ? [texts.inHand(show.number(inHand))] : []),
        ...(noRoom > 0 ? [texts.noRoom(show.number(noRoom))] : []),
      ];
      toasts.tell(parts.join(" · "), runIds.length > 0 ? () => undo.mutate(runIds) : undefined);
      selection.clear();
    },
  });
  const run = async () => {
    const count = total === null ? words.market.allOfView : show.number(total);
    const isSure = !selection.isAll || await questions.ask({
      title: texts.sure(count),
      text: texts.sureText,
      yes: words.yes,
    });
    if (isSure) start.mutate(null);
  };
  return { isBusy: start.isPending || undo.isPending, run };
}

/** One that has ended by now is none to cancel. */
async function cancel(call: Call, runId: string): Promise<void> {
  try {
    await call((api) =>
      api.POST("/api/scrape-runs/{runId}/cancel", { params: { path: { runId } } })
    );
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "conflict") throw error;
  }
}

interface Outcome {
  readonly runIds: readonly string[];
  readonly inHand: number;
  readonly noRoom: number;
}

/** Until there is room for no more. */
async function startAll(call: Call, productIds: readonly string[]): Promise<Outcome> {
  const runIds: string[] = [];
  let inHand = 0;
  for (let at = 0; at < productIds.length; at += AT_ONCE) {
    const body: RunsRequest = { productIds: productIds.slice(at, at + AT_ONCE) };
    const done = await call((api) => api.POST("/api/scrape-runs", { body }));
    runIds.push(...done.started.map(({ runId }) => runId));
    inHand += done.inHand.length;
    if (done.noRoom.length === 0) continue;
    return { runIds, inHand, noRoom: done.noRoom.length + productIds.slice(at + AT_ONCE).length };
  }
  return { runIds, inHand, noRoom: 0 };
}
