/**
 * The screen of pages without a price has one row per shop and cause. During an outage of a shop,
 * all rows of the shop show the same advice.
 */
import { get, where, type Wire } from "../../api/call.ts";
import { useApp, useList } from "../../app/app.ts";
import { daysBetween, momentText } from "../../formats/day.ts";
import { Button, LinkButton, SafeLink } from "../../parts/controls.tsx";
import { Card, EmptyState, More, PageHead, Pending, Unbroken } from "../../parts/page.tsx";
import {
  adviceOf,
  nextText,
  useFreshness,
  useOutages,
  useRepairs,
} from "../../parts/shop/shop_check.tsx";
import { changeLinks, type PageGroup, UnlinkButton, WayOut } from "../../parts/shop/read_again.tsx";
import { ShopBadge } from "../../parts/shops.tsx";
import { variantText } from "../../../engine/wording/page_words.ts";
import { useKeys } from "../../parts/hooks.ts";
import { isInQuestion, SayButtons, useReasonText } from "../../parts/identity.tsx";
import {
  type Column,
  column,
  ListTable,
  OpenRow,
  type Selection,
  useSelection,
} from "../../parts/table/table.tsx";
import { useUndoableChange } from "../../parts/undo_queue.ts";

export function RepairsScreen() {
  const { words, show } = useApp();
  const texts = words.repairs;
  const list = useRepairs();
  const { first, rows } = list;
  const { columns } = texts;
  return (
    <div class="page wide">
      <PageHead
        title={texts.title}
        back={{ href: "/competitors", text: words.frame.shopsPlace }}
        beside={first && first.pages > 0 && (
          <span class="soft">{show.number(first.pages)} {texts.inShops(first.shops)}</span>
        )}
      />
      {list.error !== null || list.isPending
        ? <Pending of={list} />
        : rows.length === 0
        ? (
          <EmptyState icon="check" title={texts.emptyTitle} text={texts.emptyText}>
            <a class="button" href="/competitors">{texts.toShops}</a>
          </EmptyState>
        )
        : (
          <section class="panel column framed shops row-cards">
            <table class="table" aria-label={texts.title}>
              <thead>
                <tr>
                  <th scope="col">{words.fields.competitor}</th>
                  <th scope="col">{columns.cause}</th>
                  <th scope="col" class="number">{words.fields.targets}</th>
                  <th scope="col">{columns.since}</th>
                  <th scope="col" class="act">{words.shops.columns.todo}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((group) => (
                  <Row key={`${group.competitorId} ${group.cause}`} group={group} />
                ))}
              </tbody>
            </table>
            <footer class="soft small">{texts.repair.note}</footer>
          </section>
        )}
      <More of={list} />
    </div>
  );
}

function Row({ group }: { readonly group: Wire<"RepairGroup"> }) {
  const { words, show } = useApp();
  const texts = words.repairs;
  const outages = useOutages();
  const { competitorId, competitor, domain, cause, pages } = group;
  const href = `/competitors/${competitorId}?cause=${cause}`;
  const nowMs = Date.now();
  const sinceAt = outages.get(competitorId) ?? group.since;
  const isToday = daysBetween(sinceAt, nowMs, show.timeZone) === 0;
  const { nextAt } = useFreshness().data?.items
    .find((one) => one.competitorId === competitorId) ?? {};
  return (
    <OpenRow href={href}>
      <th scope="row">
        <span class="shop-name">
          <ShopBadge id={competitorId} name={competitor} />
          <span>
            <a href={href}>{competitor}</a>
            <small>{domain}</small>
          </span>
        </span>
      </th>
      <td class="wraps">
        <strong>{texts.causes[cause]}</strong>
        <small>{adviceOf(words, cause, outages.has(competitorId))}</small>
      </td>
      <td class="number" data-label={words.fields.targets}>{show.number(pages)}</td>
      <td data-label={texts.columns.since}>
        {isToday && `${texts.days.today} `}
        {momentText(show, sinceAt, nowMs)}
        {nextAt && cause !== "robots" && (
          <small>{words.shops.columns.next}: {nextText(words, show, nextAt)}</small>
        )}
      </td>
      <td class="act">
        <WayOut group={group} />
      </td>
    </OpenRow>
  );
}

export function AffectedPages({ group, total }: { group: PageGroup; total: number }) {
  const { competitorId, cause } = group;
  const { words, show, may } = useApp();
  const texts = words.repairs.shop;
  const list = useList<FailingPage, object>(
    (page) => get("/api/repairs/pages", where({ ...page, competitorId, cause })),
    { limit: 20 },
  );
  const noPrice = useNoPrice();
  const selection = useSelection(`${competitorId} ${cause}`);
  const columns = usePageColumns(noPrice, selection, cause === null).filter(({ key }) =>
    key !== "noPrice" || list.rows.some((page) => isInQuestion(page) || isActedOn(page))
  );
  const isMarking = may("manager") && (selection.isAll || selection.ids.size > 0);
  if (!list.isPending && list.rows.length === 0 && list.error === null) return null;
  return (
    <Card
      title={texts.affected}
      note={cause === null
        ? texts.affectedNote
        : `${show.number(total)} · ${words.repairs.causes[cause]}`}
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
      <ListTable
        label={texts.affected}
        columns={columns}
        list={list}
        more={texts.more}
        nameOf={({ sku }) => texts.mark(sku)}
        selection={may("manager") && list.rows.some(isActedOn) ? selection : undefined}
      />
    </Card>
  );
}

const isActedOn = ({ cause }: FailingPage) => cause !== "no_answer";

function usePageColumns(
  noPrice: NoPrice,
  selection: Selection,
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
    column("last", texts.last, 90).number(({ currentPrice, currency }) =>
      show.money(currentPrice, currency)
    ),
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
            : isActedOn(page) && (
              <Button
                kind="quiet"
                label={texts.noPriceFull(page.sku)}
                isDisabled={noPrice.isPending}
                onClick={() =>
                  noPrice.mutate({
                    pages: [page.id],
                    name: page.sku,
                    onDone: () => selection.ids.has(page.id) && selection.toggle(page.id),
                  })}
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

interface MarkedPagesBarProps {
  readonly selection: Selection;
  readonly group: PageGroup;
  readonly total: number;
  readonly ids: readonly string[];
  readonly noPrice: NoPrice;
}

function MarkedPagesBar({ selection, group, total, ids, noPrice }: MarkedPagesBarProps) {
  const { words: { repairs: { shop: texts }, proposals } } = useApp();
  useKeys({ Escape: selection.clear });
  const count = selection.isAll ? total : selection.ids.size;
  const pages = selection.isAll ? group : [...selection.ids];
  return (
    <div class="bulk-bar row flow" role="toolbar" aria-label={proposals.marked(count)}>
      <strong role="status">{proposals.marked(count)}</strong>
      {!selection.isAll && total > selection.ids.size && (
        <LinkButton onClick={() => selection.selectAll(ids)}>{texts.markAll(total)}</LinkButton>
      )}
      <span class="bar-space" />
      {group.cause === "robots"
        ? <UnlinkButton of={pages} pages={count} onDone={selection.clear} />
        : (
          <Button
            isBusy={noPrice.isPending}
            question={selection.isAll &&
              { title: texts.noPriceMany(count), text: texts.noPriceAllText }}
            onClick={() => noPrice.mutate({ pages, onDone: selection.clear })}
          >
            {texts.noPriceMany(count)}
          </Button>
        )}
      <Button kind="quiet" onClick={selection.clear}>
        {proposals.unmark}
        <kbd>Esc</kbd>
      </Button>
    </div>
  );
}

type FailingPage = Wire<"RepairPage">;

interface NoPriceWish {
  readonly pages: readonly string[] | PageGroup;
  readonly name?: string;
  onDone(): void;
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
    onDone: (_, { onDone }) => onDone(),
  });
}
