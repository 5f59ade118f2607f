/** Lists a shop's pages without a price. A manager can confirm that a page shows no price. */
import { get, where, type Wire } from "../../api/call.ts";
import { useApp, useList } from "../../app/app.ts";
import { momentText } from "../../formats/day.ts";
import { Button, SafeLink } from "../../parts/controls.tsx";
import { Card, Unbroken } from "../../parts/page.tsx";
import { changeLinks, type PageGroup, UnlinkButton } from "../../parts/shop/read_again.tsx";
import { variantText } from "../../../engine/wording/page_words.ts";
import { isInQuestion, SayButtons, useReasonText } from "../../parts/identity.tsx";
import { type Column, column, ListTable } from "../../parts/table/table.tsx";
import { useUndoableChange } from "../../parts/undo_queue.ts";

export function AffectedPages({ group, total }: { group: PageGroup; total: number }) {
  const { competitorId, cause } = group;
  const { words, show, may } = useApp();
  const texts = words.repairs.shop;
  const list = useList<FailingPage, object>(
    (page) => get("/api/repairs/pages", where({ ...page, competitorId, cause })),
    { limit: 20 },
  );
  const noPrice = useNoPrice();
  const columns = usePageColumns(noPrice, cause === null).filter(({ key }) =>
    key !== "noPrice" || list.rows.some((page) => isInQuestion(page) || isActedOn(page))
  );
  const mayMarkAll = may("manager") && cause !== null && total > 1 && list.rows.every(isMarkable);
  if (!list.isPending && list.rows.length === 0 && list.error === null) return null;
  return (
    <Card
      title={texts.affected}
      note={cause === null
        ? texts.affectedNote
        : `${show.number(total)} · ${words.repairs.causes[cause]}`}
      beside={<a href={`/products?competitorId=${competitorId}`}>{texts.toMarket}</a>}
      foot={mayMarkAll && (
        <Button
          isBusy={noPrice.isPending}
          question={{ title: texts.noPriceMany(total), text: texts.noPriceAllText }}
          onClick={() => noPrice.mutate({ pages: group })}
        >
          {texts.noPriceMany(total)}
        </Button>
      )}
    >
      <ListTable
        label={texts.affected}
        columns={columns}
        list={list}
        more={texts.more}
      />
    </Card>
  );
}

const isActedOn = ({ cause }: FailingPage) => cause !== "no_answer";

const isMarkable = (page: FailingPage) =>
  isActedOn(page) && page.cause !== "robots" && !isInQuestion(page);

function usePageColumns(
  noPrice: NoPrice,
  hasCauses: boolean,
): readonly Column<FailingPage>[] {
  const { words: { repairs: { shop: texts }, fields, repairs, auditLog }, show, may } = useApp();
  return [
    column("product", fields.productId, 150).cell(({ productId, sku, title }) => (
      <>
        <a href={`/products/${productId}`} title={title}>
          <Unbroken text={title} />
        </a>
        <small class="below">{sku}</small>
      </>
    )),
    column("page", fields.pageStatus, { width: 160, narrowWidth: 130 }).cell((page) => (
      <PageCell page={page} hasCause={hasCauses} />
    )),
    column("last", texts.last, 90).money(({ currentPrice, currency }) => [currentPrice, currency]),
    column("since", repairs.columns.since, { width: 100, narrowWidth: 80 }).cell(({ since }) =>
      momentText(show, since)
    ),
    ...(may("manager")
      ? [
        column("noPrice", auditLog.action, 176).cell((page: FailingPage) =>
          page.cause === "robots"
            ? <UnlinkButton of={[page.id]} pages={1} name={page.sku} kind="quiet" />
            : isInQuestion(page)
            ? <SayButtons match={page} of={page.sku} />
            : isMarkable(page) && (
              <Button
                kind="quiet"
                label={texts.noPriceFull(page.sku)}
                isDisabled={noPrice.isPending}
                onClick={() => noPrice.mutate({ pages: [page.id], name: page.sku })}
              >
                {texts.noPrice}
              </Button>
            )
        ),
      ]
      : []),
  ];
}

function PageCell({ page, hasCause }: { readonly page: FailingPage; readonly hasCause: boolean }) {
  const { words, language } = useApp();
  const reason = useReasonText(page);
  const { url, cause, identity } = page;
  const variant = cause === "variant_open" ? identity?.page?.variant : null;
  return (
    <div class="page-cell stack gap-12">
      <SafeLink url={url}>{pathOf(url)}</SafeLink>
      {hasCause && <small class="exact">{words.repairs.causes[cause]}</small>}
      {cause === "other_product" && reason !== null && <small class="exact">{reason}</small>}
      {variant && <small class="exact">{variantText(variant, language.value)}</small>}
    </div>
  );
}

function pathOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : `${parsed.pathname}${parsed.search}`;
}

type FailingPage = Wire<"RepairPage">;

interface NoPriceWish {
  readonly pages: readonly string[] | PageGroup;
  readonly name?: string;
}

type NoPrice = ReturnType<typeof useNoPrice>;

export function useNoPrice() {
  const texts = useApp().words.repairs.shop;
  return useUndoableChange({
    run: (call, { pages }: NoPriceWish) => changeLinks(call, pages, { noPrice: true }),
    touches: ["repairs", "repair-pages", "matches", "competitors"],
    told: (changed, { name }) =>
      name === undefined ? texts.noPriceManyToast(changed.length) : texts.noPriceToast(name),
    undo: (changed) =>
      changed.length === 0 ? null : (call) => changeLinks(call, changed, { noPrice: false }),
  });
}
