/**
 * The quarantine lists observed prices that look wrong and are therefore not used yet. A manager
 * releases or drops each price. Without a decision, a price counts once a fetch at least
 * `COUNTS_AFTER_HOURS` later finds it again. Prices that changed together with many others of a
 * shop always wait for a decision.
 */
import { useMemo } from "preact/hooks";
import { HOUR_MS, iso } from "../../../base/time.ts";
import { COUNTS_AFTER_HOURS, shopCodeOf } from "../../../shops/choices.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { byPath, type Call, get, type Wire } from "../../api/call.ts";
import { momentText } from "../../formats/day.ts";
import { Button } from "../../parts/controls.tsx";
import { EmptyState, filesOf, PageHead, Section } from "../../parts/page.tsx";
import { Delta } from "../../parts/price_figures.tsx";
import { deadlineText } from "../../parts/import/import_state.tsx";
import { ShopBadge } from "../../parts/shops.tsx";
import { useHeldPrices } from "../../parts/shop/shop_check.tsx";
import { type Column, column, NARROW, useSelection } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useMedia } from "../../parts/hooks.ts";

type HeldPrice = Wire<"HeldPrice">;

const AT_ONCE = 200;
const ACTIONS = ["drop", "release"] as const;

export function QuarantineScreen() {
  const { words: { quarantine: texts, frame }, show, may } = useApp();
  const list = useHeldPrices();
  const { rows, repeated } = useByProduct(list.rows);
  const selection = useSelection("quarantine");
  const marked = list.rows.map(({ id }) => id).filter(selection.has).slice(0, AT_ONCE);
  const decide = useDeciding(async (call, { action }: Choice) => {
    const body = { action, ids: marked };
    const { results } = await call((api) => api.POST("/api/quarantine/bulk", { body }));
    return results.filter(({ ok }) => ok).length;
  }, selection.clear);
  const isNone = marked.length === 0;
  return (
    <>
      <PageHead title={texts.title} back={{ href: "/competitors", text: frame.shopsPlace }}>
        {may("manager") && list.rows.length > 0 && (
          <>
            {isNone && <span class="soft small">{texts.markFirst}</span>}
            {ACTIONS.map((action) => (
              <Button
                key={action}
                kind={action === "drop" ? "main" : "plain"}
                isBusy={decide.isPending}
                isDisabled={isNone}
                onClick={() => decide.mutate({ action })}
              >
                {isNone ? texts[action] : `${texts[action]} (${show.number(marked.length)})`}
              </Button>
            ))}
          </>
        )}
      </PageHead>
      {list.rows.length > 0 && <p class="soft">{texts.about(COUNTS_AFTER_HOURS)}</p>}
      <HeldShops />
      <DataTable
        label={texts.title}
        columns={useHeldColumns(repeated)}
        list={{ ...list, rows }}
        idOf={({ id }) => id}
        density="pair"
        files={filesOf("/api/quarantine")}
        selection={may("manager") ? selection : undefined}
        empty={<EmptyState icon="check" title={texts.emptyTitle} text={texts.emptyText} />}
      />
    </>
  );
}

interface Choice {
  readonly action: (typeof ACTIONS)[number];
}

function useDeciding<C extends Choice>(
  run: (call: Call, choice: C) => Promise<number>,
  onDone?: () => void,
) {
  const { words: { quarantine: texts }, toasts } = useApp();
  return useChange({
    run,
    touches: ["quarantine", "products", "proposals", "audit-logs"],
    onDone: (count, { action }) => {
      toasts.tell(action === "release" ? texts.released(count) : texts.dropped(count));
      onDone?.();
    },
  });
}

function useByProduct(held: readonly HeldPrice[]) {
  return useMemo(() => {
    const products = [...Map.groupBy(held, ({ productId }) => productId).values()];
    return { rows: products.flat(), repeated: new Set(products.flatMap((own) => own.slice(1))) };
  }, [held]);
}

function HeldShops() {
  const { words: { quarantine: texts }, show, may } = useApp();
  const found = useDocument(get("/api/quarantine/shops"));
  const decide = useDeciding(async (call, { action, competitorId }: ShopChoice) => {
    const asked = { ...byPath({ competitorId }), body: { action } };
    let decided = 0;
    for (let left = 1; left > 0;) {
      const done = await call((api) => api.POST("/api/quarantine/shops/{competitorId}", asked));
      decided += done.decided;
      left = done.left;
    }
    return decided;
  });
  const said = ({ kind, count, seen, price, currency }: Wire<"HeldShop">["patterns"][number]) =>
    kind === "same"
      ? texts.patterns.same(count, show.money(price, currency))
      : texts.patterns[kind](count, seen);
  return found.data?.items.map(({ competitorId, competitor, waiting, patterns }) => (
    <Section
      key={competitorId}
      isCard
      title={texts.shop(competitor, waiting)}
      note={patterns.map(said).join("; ")}
      actions={may("manager") && ACTIONS.map((action) => (
        <Button
          key={action}
          kind="quiet"
          isBusy={decide.isPending}
          question={{
            title: texts.shop(competitor, waiting),
            text: patterns.map(said).join("; "),
            yes: texts[`${action}All`],
          }}
          onClick={() => decide.mutate({ action, competitorId })}
        >
          {texts[`${action}All`]}
        </Button>
      ))}
    >
      <p class="soft">{texts.shopAbout}</p>
    </Section>
  ));
}

interface ShopChoice extends Choice {
  readonly competitorId: string;
}

function useHeldColumns(repeated: ReadonlySet<HeldPrice>): readonly Column<HeldPrice>[] {
  const { words: { quarantine: texts, codes, repairs, fields }, show } = useApp();
  const { columns } = texts;
  const isCards = useMedia(NARROW);
  return [
    column("held-product", fields.productId, { width: 196, narrowWidth: 150 }).cell((held) => (
      <span class="pair">
        <a
          class={repeated.has(held) && !isCards ? "soft" : undefined}
          href={`/products/${held.productId}`}
          title={held.title}
        >
          {held.title}
        </a>
        <small>{held.sku}</small>
      </span>
    )),
    column("held-shop", fields.competitor, 192).cell(({ competitorId, competitor }) => (
      <a class="row gap-8" href={`/competitors/${competitorId}`}>
        <ShopBadge id={competitorId} name={competitor} />
        <span class="clip" aria-hidden="true">{competitor}</span>
      </a>
    )),
    column("accepted", columns.accepted, 120).money((
      { acceptedPrice, acceptedCurrency },
    ) => [acceptedPrice, acceptedCurrency]),
    column("seen", columns.seen, 125).number(({ price, currency, ...before }) => (
      <>
        {show.money(price, currency)}
        {currency === before.acceptedCurrency && (
          <small class="below">
            <Delta fromCents={before.acceptedPrice} toCents={price} />
          </small>
        )}
      </>
    )),
    column("held-why", columns.why, 170).cell(({ code, price, currency, ...held }) => (
      <>
        {codes.suspicions[code]}
        {held.against !== null && held.against !== held.acceptedPrice && (
          <small class="below">
            <Delta fromCents={held.against} toCents={price} />{" "}
            {texts.against(show.money(held.against, currency))}
          </small>
        )}
      </>
    )),
    column("held-would", columns.would, 132).cell(({ would }) =>
      would === null ? isCards ? null : texts.nothing : <Would {...would} />
    ),
    column("held-since", repairs.columns.since, 212).cell((held) => <Since held={held} />),
  ];
}

function Would(
  { ruleName, currentCents, proposedCents, currency }: NonNullable<HeldPrice["would"]>,
) {
  const { show } = useApp();
  return (
    <span class="pair">
      <span>
        {currentCents !== null && `${show.money(currentCents, currency)} → `}
        {show.money(proposedCents, currency)}
      </span>
      <small title={ruleName}>{ruleName}</small>
    </span>
  );
}

function Since({ held: { heldAt, code, nextFetchAt } }: { readonly held: HeldPrice }) {
  const app = useApp();
  const { words: { quarantine: texts }, show } = app;
  const nowMs = Date.now();
  const countsAt = iso(Date.parse(heldAt) + COUNTS_AFTER_HOURS * HOUR_MS);
  const isDecisive = nextFetchAt !== null && Date.parse(nextFetchAt) >= Date.parse(countsAt);
  const decided = isDecisive
    ? texts.decidedBy(deadlineText(app, nextFetchAt, nowMs))
    : texts.decidedAfter(deadlineText(app, countsAt, nowMs));
  return (
    <>
      {momentText(show, heldAt, nowMs)}
      <small class="below">{shopCodeOf(code) ? texts.untilDecided : decided}</small>
    </>
  );
}
