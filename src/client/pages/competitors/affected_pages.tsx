import { useApp } from "../../app/app.ts";
import { useKeys } from "../../app/use_keys.ts";
import { useList } from "../../app/use_list.ts";
import { momentText } from "../../formats/moment.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { isInQuestion, SayButtons, useReasonText } from "../../parts/identity/say_of_match.tsx";
import { Loading } from "../../parts/progress.tsx";
import { SafeLink } from "../../parts/safe_link.tsx";
import { type Column, column, numberColumn } from "../../parts/table/column.ts";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import { type Selection, useSelection } from "../../parts/table/use_selection.ts";
import { type FailingPage, type NoPrice, type PageGroup, useNoPrice } from "./use_no_price.ts";

/** Shown at first, and with each look at more. */
const AT_ONCE = 20;
interface AffectedPagesProps {
  readonly group: PageGroup;
  /** How many pages it has. */
  readonly total: number;
}

/** The pages of the shop that bring no price. */
export function AffectedPages({ group, total }: AffectedPagesProps) {
  const { competitorId, cause } = group;
  const { words, may } = useApp();
  const texts = words.repairs.shop;
  const list = useList<FailingPage, object>({
    key: ["repairPages", competitorId, cause],
    limit: AT_ONCE,
    read: (api, page) =>
      api.GET("/api/repairs/pages", {
        params: { query: { ...page, competitorId, ...(cause !== null && { cause }) } },
      }),
  });
  const noPrice = useNoPrice();
  const selection = useSelection(`${competitorId} ${cause}`);
  const columns = usePageColumns(noPrice, selection, cause === null);
  const isMarking = may("manager") && (selection.isAll || selection.ids.size > 0);
  if (!list.isPending && list.rows.length === 0 && list.error === null) return null;
  return (
    <Card
      title={texts.affected}
      note={cause === null ? texts.affectedNote : words.repairs.causes[cause]}
      beside={<a href={`/products?competitorId=${competitorId}`}>{texts.toMarket}</a>}
    >
      {isMarking && (
        <MarkedPagesBar
          selection={selection}
          group={group}
          total={total}
          ids={list.rows.map(({ id }) => id)}
          noPrice={noPrice}
        />
      )}
      {list.error !== null
        ? <ErrorNote error={list.error} onAgain={list.again} />
        : list.isPending
        ? <Loading label={words.loading} />
        : (
          <SimpleTable
            label={texts.affected}
            columns={columns}
            rows={list.rows}
            idOf={({ id }) => id}
            nameOf={({ sku }) => texts.mark(sku)}
            selection={may("manager") ? selection : undefined}
          />
        )}
      {list.hasMore && (
        <p>
          <Button isBusy={list.isLoadingMore} onClick={list.more}>{texts.more}</Button>
        </p>
      )}
    </Card>
  );
}

/** The cause of each page is told where they have several. */
function usePageColumns(
  noPrice: NoPrice,
  selection: Selection,
  hasCauses: boolean,
): readonly Column<FailingPage>[] {
  const { words, show, may } = useApp();
  const texts = words.repairs.shop;
  return [
    column(
      "product",
      texts.product,
      100,
      ({ productId, sku, title }) => <a href={`/products/${productId}`} title={title}>{sku}</a>,
    ),
    column("page", texts.page, 190, (page) => <PageCell page={page} hasCause={hasCauses} />),
    numberColumn(
      "last",
      texts.last,
      90,
      ({ currentPrice, currency }) => show.money(currentPrice, currency),
    ),
    column("since", texts.since, 100, ({ since }) => momentText(show, since, Date.now())),
    ...(may("manager")
      ? [
        column("noPrice", texts.action, 120, (page: FailingPage) =>
          isInQuestion(page) ? <SayButtons match={page} of={page.sku} /> : (
            <Button
              kind="quiet"
              label={texts.noPriceFull(page.sku)}
              isDisabled={noPrice.isBusy}
              onClick={() =>
                noPrice.say([page.id], page.sku, () => {
                  if (selection.ids.has(page.id)) {
                    selection.toggle(page.id);
                  }
                })}
            >
              {texts.noPrice}
            </Button>
          )),
      ]
      : []),
  ];
}

/** The page, and what is the matter with it. */
function PageCell(
  { page, hasCause }: { readonly page: FailingPage; readonly hasCause: boolean },
) {
  const { words } = useApp();
  const reason = useReasonText(page);
  const { url, cause } = page;
  return (
    <div class="page-cell">
      <SafeLink url={url}>{pathOf(url)}</SafeLink>
      {hasCause && <small class="exact">{words.repairs.causes[cause]}</small>}
      {cause === "other_product" && reason !== null && <small class="exact">{reason}</small>}
    </div>
  );
}

/** The distinguishing part of a page's address. */
function pathOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : `${parsed.pathname}${parsed.search}`;
}

interface MarkedPagesBarProps {
  readonly selection: Selection;
  readonly group: PageGroup;
  /** How many pages the group has. */
  readonly total: number;
  /** Those that are loaded. */
  readonly ids: readonly string[];
  readonly noPrice: NoPrice;
}

/** Actions on the marked pages: a row above the table. */
function MarkedPagesBar({ selection, group, total, ids, noPrice }: MarkedPagesBarProps) {
  const { words, show, questions } = useApp();
  const texts = words.repairs.shop;
  const { market } = words;
  useKeys({ Escape: selection.clear });
  const amount = selection.isAll ? total : selection.ids.size;
  const count = show.number(amount);
  const act = async () => {
    const { isAll } = selection;
    const title = texts.noPriceMany(amount, count);
    // Invisible rows need a confirmation.
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
