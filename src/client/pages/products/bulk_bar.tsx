/**
 * Shows actions on the selected products, or on all products that match the filter. Changing a
 * setting of all products of the filter, or fetching their prices, needs a confirmation. Changed
 * settings can be undone if the products were selected one by one.
 */
import { batchesOf, pick } from "../../../base/collections.ts";
import type { BulkChange } from "../../../catalogue/changes/change_products.ts";
import { addressOf, ApiError, byPath, type Call } from "../../api/call.ts";
import { useApp, useChange } from "../../app/app.ts";
import type { Question } from "../../app/app_state.ts";
import { useKeys } from "../../parts/hooks.ts";
import { Button, LinkButton } from "../../parts/controls.tsx";
import { useProductCount } from "../../parts/shared_queries.ts";
import { BulkPriceDialog } from "./bulk_price_dialog.tsx";
import { HoldForm } from "./price_edit.tsx";
import {
  bodyFilter,
  heldUntilOf,
  type Marked,
  markedProducts,
  type MarketProduct,
  type ProductFilter,
} from "./one_product.tsx";
import { useState } from "preact/hooks";
import type { RunsRequest } from "../../../scraping/runs/scrape_runs.ts";
import { useUndoableChange } from "../../parts/undo_queue.ts";
import { useLocation } from "preact-iso";

const IDS_PER_REQUEST = 1_000;

interface BulkBarProps extends Omit<Marked, "query"> {
  readonly filter: ProductFilter;
  readonly total: number | null;
}

export function BulkBar({ total, filter, ...chosen }: BulkBarProps) {
  const { words, show, may } = useApp();
  const { market, market: { bulk } } = words;
  const marked = { ...chosen, query: bodyFilter(filter) };
  const { selection } = marked;
  const settings = useSettings(marked);
  const scrape = useBulkScrape(marked);
  const rule = useRuleFor(marked);
  const [dialog, setDialog] = useState<"hold" | "price" | null>(null);
  const close = () => setDialog(null);
  const hold = (heldUntil: string | null) => {
    close();
    void settings.run({ heldUntil });
    return Promise.resolve(true);
  };
  useKeys({ Escape: () => dialog === null && selection.clear() });
  const count = selection.isAll ? total : selection.ids.size;
  const shown = count === null ? market.allOfView : show.number(count);
  const isBusy = [settings, scrape, rule].some((one) => one.isBusy);
  const button = (text: string, act: () => void, question?: Question) => (
    <Button isDisabled={isBusy} question={selection.isAll && question} onClick={act}>{text}</Button>
  );
  const setting = (text: (count: string) => string, set: Settings) =>
    button(text(shown), () => void settings.run(set));
  return (
    <div class="bulk-bar row flow" role="toolbar" aria-label={words.proposals.marked(shown)}>
      <strong role="status">{words.proposals.marked(shown)}</strong>
      <MarkAll {...marked} total={total ?? 0} />
      <span class="bar-space" />
      {isBusy && <span class="spinner" role="status" aria-label={words.loading} />}
      {button(bulk.price(shown), () => setDialog("price"))}
      {setting(bulk.lock, { priceLocked: true })}
      {setting(bulk.unlock, { priceLocked: false })}
      {button(bulk.hold(shown), () => setDialog("hold"))}
      {may("manager") && button(bulk.rule(shown), rule.run)}
      {button(bulk.scrape(shown), scrape.run, {
        title: words.bulkScrape.sure(scrape.count),
        text: words.bulkScrape.sureText,
      })}
      {setting(bulk.scrapeOn, { scrapeEnabled: true })}
      {setting(bulk.scrapeOff, { scrapeEnabled: false })}
      <Button kind="quiet" onClick={selection.clear}>
        {words.proposals.unmark}
        <kbd>Esc</kbd>
      </Button>
      {dialog === "hold" && (
        <HoldForm held={null} nowMs={Date.now()} isBulk hold={hold} onClose={close} />
      )}
      {dialog === "price" && <BulkPriceDialog marked={marked} onClose={close} />}
    </div>
  );
}

function MarkAll({ selection, rows, total }: Marked & { readonly total: number }) {
  const { market } = useApp().words;
  if (selection.isAll || total <= selection.ids.size) return null;
  return (
    <LinkButton onClick={() => selection.selectAll(rows.map(({ id }) => id))}>
      {market.markAll(total)}
    </LinkButton>
  );
}

type Settings = BulkChange["set"];

interface BulkBody {
  readonly ids?: readonly string[];
  readonly filter?: Readonly<Record<string, string>>;
  readonly set: Settings;
  readonly having?: Settings;
}

function useSettings({ selection, query, rows }: Marked) {
  const { words: { products: { bulk } }, questions } = useApp();
  const change = useUndoableChange({
    run: changeAll,
    touches: ["products"],
    told: (changed) => bulk.done(changed),
    undo: (_, { ids, set }) => {
      const back = ids === undefined ? [] : reversed(rows, ids, set);
      return back.length === 0 ? null : async (call) => {
        for (const one of back) await changeAll(call, one);
      };
    },
    onDone: selection.clear,
  });
  const run = async (set: Settings) => {
    if (!selection.isAll) return change.mutate({ ids: [...selection.ids], set });
    const isSure = await questions.ask({ title: bulk.sure, text: bulk.sureText });
    if (isSure) change.mutate({ filter: query, set });
  };
  return { isBusy: change.isPending, run };
}

async function changeAll(call: Call, { ids, ...change }: BulkBody): Promise<number> {
  const send = async (body: BulkBody) =>
    (await call((api) => api.POST("/api/products/bulk", { body }))).changed;
  if (ids === undefined) return await send(change);
  let changed = 0;
  for await (const some of batchesOf(ids, IDS_PER_REQUEST)) {
    changed += await send({ ...change, ids: some });
  }
  return changed;
}

const SETTINGS = ["heldUntil", "priceLocked", "scrapeEnabled"] as const;

function reversed(
  rows: readonly MarketProduct[],
  ids: readonly string[],
  set: Settings,
): BulkBody[] {
  const wanted = new Set(ids);
  const names = SETTINGS.filter((name) => name in set);
  const changed = rows.filter((row) =>
    wanted.has(row.id) && names.some((name) => row[name] !== set[name])
  );
  const formerOf = (row: MarketProduct) =>
    pick({ ...row, heldUntil: heldUntilOf(row, Date.now()) }, names);
  const groups = Map.groupBy(changed, (row) => JSON.stringify(formerOf(row))).values();
  return [...groups].flatMap((group) =>
    group.slice(0, 1).map((first) => ({
      ids: group.map(({ id }) => id),
      set: formerOf(first),
      having: set,
    }))
  );
}

const RUNS_AT_ONCE = 200;

function useBulkScrape(marked: Marked) {
  const { words } = useApp();
  const texts = words.bulkScrape;
  const total = useProductCount(marked.query);
  const start = useUndoableChange({
    run: async (call, _: null) => {
      const ids = await markedProducts(
        call,
        marked,
        ({ id, market }) => market && market.links > 0 ? id : null,
      );
      return await startAll(call, ids);
    },
    touches: ["scrape-runs"],
    told: ({ runIds, inHand, noRoom }) =>
      [
        texts.started(runIds.length),
        ...(inHand > 0 ? [texts.inHand(inHand)] : []),
        ...(noRoom > 0 ? [texts.noRoom(noRoom)] : []),
      ].join(" · "),
    undo: ({ runIds }) =>
      runIds.length === 0 ? null : async (call) => {
        for (const id of runIds) await cancel(call, id);
      },
    onDone: marked.selection.clear,
  });
  const count = total ?? words.market.allOfView;
  return { count, isBusy: start.isPending, run: () => start.mutate(null) };
}

async function cancel(call: Call, runId: string): Promise<void> {
  try {
    await call((api) => api.POST("/api/scrape-runs/{runId}/cancel", byPath({ runId })));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "conflict") throw error;
  }
}

async function startAll(call: Call, productIds: readonly string[]) {
  const runIds: string[] = [];
  let inHand = 0;
  for (let at = 0; at < productIds.length; at += RUNS_AT_ONCE) {
    const body: RunsRequest = { productIds: productIds.slice(at, at + RUNS_AT_ONCE) };
    const done = await call((api) => api.POST("/api/scrape-runs", { body }));
    runIds.push(...done.started.map(({ runId }) => runId));
    inHand += done.inHand.length;
    if (done.noRoom.length === 0) continue;
    return {
      runIds,
      inHand,
      noRoom: done.noRoom.length + productIds.slice(at + RUNS_AT_ONCE).length,
    };
  }
  return { runIds, inHand, noRoom: 0 };
}

const SCOPES: ReadonlySet<string> = new Set(["brand", "category", "tier"]);

/**
 * If all products of a filter are selected, and this filter only uses `SCOPES`, the new rule
 * applies to the filter. Otherwise it applies to the selected SKUs.
 */
function useRuleFor(marked: Marked) {
  const { handedSkus } = useApp();
  const { route } = useLocation();
  const names = Object.keys(marked.query);
  const isScope = marked.selection.isAll && names.length > 0 &&
    names.every((name) => SCOPES.has(name));
  const open = useChange({
    run: async (call, _: null) => {
      if (isScope) return addressOf("/rules/new", marked.query);
      handedSkus.value = await markedProducts(call, marked, ({ sku }) => sku);
      return "/rules/new";
    },
    onDone: (href) => route(href),
  });
  return { isBusy: open.isPending, run: () => open.mutate(null) };
}
