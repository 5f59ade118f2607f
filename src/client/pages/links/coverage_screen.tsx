/**
 * A table of shops and of brands or categories. A cell shows the share of our products that are
 * linked to a page of the shop. A dialog starts the discovery of several shops at once.
 */
import { useState } from "preact/hooks";
import { sumOf } from "../../../base/collections.ts";
import { sharePct } from "../../../base/percent.ts";
import { addressOf, get, where, type Wire } from "../../api/call.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { readNumber } from "../../formats/decimal.ts";
import { Badge, Button, Dialog, Switch } from "../../parts/controls.tsx";
import {
  EmptyState,
  ErrorNote,
  Figure,
  Figures,
  PageHead,
  Pending,
  Section,
} from "../../parts/page.tsx";
import { FileLinks, filesOf } from "../../parts/file_links.tsx";
import { LinkTabs } from "../../parts/identity/link_tabs.tsx";
import { useSuggestionCounts } from "../../parts/reads.ts";
import { ShopBadge, useShopColours } from "../../parts/shops.tsx";
import { useOutages } from "../../parts/shop/shop_state.ts";
import { useFilter } from "../../parts/filter.tsx";
import { DISCOVERY_MODES } from "../../../shops/discovery/discovery_choices.ts";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";

type Coverage = Wire<"Coverage">;
type Cell = Coverage["groups"][number]["shops"][number];

const FILTERS = ["by"] as const;
const GROUPS = ["brand", "category"] as const;
type Group = (typeof GROUPS)[number];
const WATCH_MS = 10_000;

export function CoverageScreen() {
  const { words, may } = useApp();
  const texts = words.coverage;
  const [isAsked, setAsked] = useState(false);
  const filter = useFilter(FILTERS);
  const by = GROUPS.find((one) => one === filter.values.by) ?? "brand";
  const found = useDocument(get("/api/coverage", where({ by })), { everyMs: WATCH_MS });
  const { data } = found;
  const hasShops = data !== undefined && data.shops.length > 0;
  return (
    <div class="page wide">
      <PageHead title={words.links.title} beside={<span class="soft">{texts.title}</span>}>
        {hasShops && may("manager") && (
          <Button
            kind="main"
            icon="search"
            onClick={() => setAsked(true)}
          >
            {texts.search}
          </Button>
        )}
      </PageHead>
      <LinkTabs current="coverage" />
      {data
        ? hasShops
          ? (
            <>
              <CoverageFigures coverage={data} />
              <Section
                title={texts.byGroup}
                note={texts.byGroupNote}
                isCard
                actions={<GroupChoice by={by} onBy={(one) => filter.set("by", one)} />}
              >
                <Matrix coverage={data} by={by} />
                <p class="row fine gap-8">
                  {texts.gaps}
                  <FileLinks
                    what={texts.gaps}
                    {...filesOf("/api/coverage/products", { missing: "any" })}
                  />
                </p>
              </Section>
            </>
          )
          : (
            <EmptyState icon="competitors" title={texts.emptyTitle} text={texts.emptyText}>
              <a class="button plain" href="/competitors">{words.frame.shopsPlace}</a>
            </EmptyState>
          )
        : <Pending of={found} />}
      {isAsked && data && <SearchDialog shops={data.shops} onClose={() => setAsked(false)} />}
    </div>
  );
}

function GroupChoice({ by, onBy }: { readonly by: Group; onBy(by: Group): void }) {
  const texts = useApp().words.coverage;
  return (
    <Switch
      label={texts.by}
      options={GROUPS}
      value={by}
      textOf={(one) => texts.groups[one]}
      onValue={onBy}
    />
  );
}

function CoverageFigures({ coverage }: { coverage: Coverage }) {
  const { words, show } = useApp();
  const texts = words.coverage;
  const { products, anywhere, atThree, shops } = coverage;
  const { open, same } = useSuggestionCounts() ?? { open: 0, same: 0 };
  const share = (part: number) => products === 0 ? "–" : show.share(sharePct(part / products, 1));
  return (
    <Figures>
      <Figure
        label={texts.any}
        value={share(anywhere)}
        note={
          <>
            {texts.ofAll(show.number(anywhere), show.number(products))}
            {anywhere < products && (
              <>
                {" · "}
                <a href="/products?missing=any">
                  {texts.without(show.number(products - anywhere))}
                </a>
              </>
            )}
          </>
        }
      />
      <Figure
        label={texts.three}
        value={share(atThree)}
        note={texts.products(show.number(atThree))}
      />
      <Figure
        label={texts.linked}
        value={show.number(sumOf(shops, ({ linked }) => linked))}
        note={<a href="/competitors">{words.repairs.inShops(show.number(shops.length))}</a>}
      />
      <Figure
        label={texts.suggested}
        value={show.number(open)}
        note={<a href="/links">{texts.certainty(show.number(open - same), show.number(same))}</a>}
      />
    </Figures>
  );
}

function Matrix({ coverage, by }: { coverage: Coverage; by: Group }) {
  const { words, show } = useApp();
  const texts = words.coverage;
  const colours = useShopColours();
  const outages = useOutages();
  const { shops, groups, rest } = coverage;
  const of = { shops, outages };
  return (
    <div class="simple-scroll framed" tabIndex={0} role="region" aria-label={texts.byGroup}>
      <table class="table simple coverage">
        <thead>
          <tr>
            <th scope="col">{texts.groups[by]}</th>
            <th scope="col" class="number">{texts.count}</th>
            {shops.map(({ competitorId, competitor }) => (
              <th scope="col" key={competitorId}>
                <span class="coverage-shop">
                  <ShopBadge name={competitor} colour={colours.get(competitorId)} />
                  <span class="clip" title={competitor} aria-hidden="true">{competitor}</span>
                  {outages.has(competitorId) && <Badge tone="bad">{words.shops.states.down}</Badge>}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <GroupRow {...of} name={texts.all} group={coverage} query={{}} />
          {groups.map((group) => (
            <GroupRow
              {...of}
              key={group.name ?? ""}
              name={group.name ?? texts.noName}
              group={group}
              query={group.name === null ? null : { [by]: group.name }}
            />
          ))}
          {rest && (
            <GroupRow
              {...of}
              name={texts.rest(show.number(rest.groups))}
              group={rest}
              query={null}
            />
          )}
        </tbody>
      </table>
    </div>
  );
}

interface GroupRowProps extends Pick<CellProps, "name" | "query"> {
  readonly group: { readonly products: number; readonly shops: readonly Cell[] };
  readonly shops: Coverage["shops"];
  readonly outages: ReturnType<typeof useOutages>;
}

function GroupRow({ name, query, group, shops, outages }: GroupRowProps) {
  const { show } = useApp();
  const link = (text: string) =>
    query === null ? text : <a href={addressOf("/products", query)}>{text}</a>;
  return (
    <tr>
      <th scope="row">{link(name)}</th>
      <td class="number">{link(show.number(group.products))}</td>
      {group.shops.map((cell, at) => (
        <td key={cell.competitorId}>
          <CellLink
            cell={cell}
            name={name}
            shop={shops[at]?.competitor ?? ""}
            isDown={outages.has(cell.competitorId)}
            products={group.products}
            query={query}
          />
        </td>
      ))}
    </tr>
  );
}

interface CellProps {
  readonly cell: Cell;
  readonly name: string;
  readonly shop: string;
  readonly isDown: boolean;
  readonly products: number;
  /** Null if no filter selects the products of the row. */
  readonly query: Readonly<Record<string, string>> | null;
}

function CellLink({ cell, name, shop, isDown, products, query }: CellProps) {
  const { words, show } = useApp();
  const { linked, percent, competitorId } = cell;
  const missing = products - linked;
  const pct = show.share(percent);
  const label = words.coverage.cell(name, shop, pct, show.number(missing));
  const body = (
    <>
      <span class="sr-only">{label}</span>
      <span class="coverage-line" aria-hidden="true">
        <strong>{pct}</strong>
        <span class="soft">{show.number(missing)}</span>
        <span class="phone-only">
          {shop} {isDown && <Badge tone="bad">{words.shops.states.down}</Badge>}
        </span>
      </span>
      <svg class="coverage-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="ground" width="100" height="4" />
        <rect width={percent} height="4" />
      </svg>
    </>
  );
  return query === null || missing === 0
    ? <span class="coverage-cell" title={label}>{body}</span>
    : (
      <a
        class="coverage-cell"
        href={addressOf("/products", { ...query, missing: competitorId })}
        title={label}
      >
        {body}
      </a>
    );
}

interface Search {
  readonly ids: readonly string[];
  readonly mode: (typeof DISCOVERY_MODES)[number] | undefined;
  /** Null if each shop keeps its own number. */
  readonly pagesPerDay: number | null;
}

function useSearch(onDone: () => void) {
  const { words, show, toasts } = useApp();
  return useChange({
    run: async (call, { ids, mode, pagesPerDay }: Search) => {
      for (const id of ids) {
        const params = { path: { id } };
        const { state: _state, ...settings } = await call(
          get("/api/competitors/{id}/discovery", { params }),
        );
        const body = {
          ...settings,
          ...(mode && { mode }),
          ...(pagesPerDay !== null && { pagesPerDay }),
        };
        await call((api) => api.PUT("/api/competitors/{id}/discovery", { params, body }));
      }
      return ids.length;
    },
    touches: ["competitors"],
    showsError: true,
    onDone: (count) => {
      toasts.tell(words.coverage.started(show.number(count)));
      onDone();
    },
  });
}

interface DialogProps {
  readonly shops: readonly { readonly competitorId: string; readonly competitor: string }[];
  onClose(): void;
}

const MODES = DISCOVERY_MODES.filter((mode) => mode !== "off");

interface ShopChoiceProps extends Pick<DialogProps, "shops"> {
  readonly left: ReadonlySet<string>;
  onLeft(left: ReadonlySet<string>): void;
}

function ShopChoice({ shops, left, onLeft }: ShopChoiceProps) {
  const { words } = useApp();
  return (
    <fieldset class="shop-choice">
      <legend>{words.coverage.shops}</legend>
      {shops.map(({ competitorId, competitor }) => (
        <CheckField
          key={competitorId}
          name={competitorId}
          label={competitor}
          isOn={!left.has(competitorId)}
          onChange={() => onLeft(left.symmetricDifference(new Set([competitorId])))}
        />
      ))}
    </fieldset>
  );
}

function SearchDialog({ shops, onClose }: DialogProps) {
  const { words, show } = useApp();
  const texts = words.coverage;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [mode, setMode] = useState<string>(MODES[0] ?? "suggest");
  const [pagesPerDay, setPagesPerDay] = useState("");
  const chosen = shops.filter(({ competitorId }) => !left.has(competitorId));
  const { isPending: isBusy, error, mutate } = useSearch(onClose);
  const typed = readNumber(pagesPerDay, show.locale);
  const start = () =>
    mutate({
      ids: chosen.map(({ competitorId }) => competitorId),
      mode: MODES.find((one) => one === mode),
      // An invalid number is refused by the service.
      pagesPerDay: typeof typed === "string" ? NaN : typed,
    });
  return (
    <Dialog
      title={texts.searchTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="main" isBusy={isBusy} isDisabled={chosen.length === 0} onClick={start}>
            {texts.start(show.number(chosen.length))}
          </Button>
        </>
      }
    >
      <p>{texts.searchText}</p>
      {error !== null && <ErrorNote error={error} />}
      <SelectField
        name="mode"
        label={words.discovery.mode}
        value={mode}
        error={null}
        options={MODES.map((value) => ({ value, label: words.discovery.modes[value] }))}
        onValue={setMode}
      />
      <TextField
        name="pagesPerDay"
        label={words.discovery.pagesPerDay}
        hint={words.discovery.pagesPerDayHint}
        placeholder={show.number(5_000)}
        inputMode="numeric"
        value={pagesPerDay}
        error={null}
        onValue={setPagesPerDay}
      />
      <ShopChoice shops={shops} left={left} onLeft={setLeft} />
    </Dialog>
  );
}
