/**
 * Shows the step of the set-up that links shops, with the progress of the search in each shop.
 * Suggestions with the verdict `same` can be accepted before the search ends. Some linked pages are
 * read immediately, so that the next step has a price to show.
 */
import { useRef } from "preact/hooks";
import { byId, get, where, type Wire } from "../../api/call.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { Badge, Button } from "../../parts/controls.tsx";
import { useAcceptSure } from "../../parts/identity.tsx";
import { Figure, Figures } from "../../parts/page.tsx";
import { scrapeErrorText } from "../../parts/shop/read_again.tsx";
import { ShopCheck } from "../../parts/shop/shop_check.tsx";
import { type Shop, ShopBadge, useShops } from "../../parts/shops.tsx";
import { useAnnouncement } from "../../parts/hooks.ts";
import { useSuggestionCounts } from "../../parts/shared_queries.ts";

const FEED_MS = 3_000;
const SHOPS_SHOWN = 5;
const FOUND_SHOWN = 5;
const READ_AT_ONCE = 10;

export function ShopSearch(
  { isNext, linked, hasProducts }: { isNext: boolean; linked: number; hasProducts: boolean },
) {
  const { words: { start: texts }, show, may } = useApp();
  const all = useShops() ?? [];
  const shops = all.filter(({ enabled }) => enabled);
  const counts = useSuggestionCounts(FEED_MS);
  const toLook = (counts?.probably ?? 0) + (counts?.unknown ?? 0);
  return (
    <>
      {shops.length > 0 && (
        <div class="shop-search columns">
          <div class="stack gap-10">
            {shops.slice(0, SHOPS_SHOWN).map((shop) => (
              <SearchedShop key={shop.id} shop={shop} linked={linked} hasProducts={hasProducts} />
            ))}
            <Figures>
              <Figure label={texts.linked} value={linked} />
              <Figure label={texts.sure} value={counts?.same ?? 0} />
              <Figure
                label={texts.toLook}
                value={toLook > 0 ? <a href="/links">{show.number(toLook)}</a> : "0"}
              />
            </Figures>
            {may("manager") && <LinkSure count={counts?.same ?? 0} isNext={isNext} />}
          </div>
          <FoundMatches />
        </div>
      )}
      {may("manager") && <ShopCheck shops={all} isMain={isNext && shops.length === 0} />}
    </>
  );
}

function LinkSure({ count, isNext }: { count: number; isNext: boolean }) {
  const texts = useApp().words.start;
  const read = useChange({
    ask: (api, productIds: readonly string[]) =>
      api.POST("/api/scrape-runs", { body: { productIds: productIds.slice(0, READ_AT_ONCE) } }),
    touches: ["products"],
    showsError: true,
  });
  const sure = useAcceptSure(read.mutate);
  if (sure.done === null && count === 0) return null;
  return (
    <p class="link-sure flow row gap-12 rows-8">
      <Button
        kind={isNext ? "main" : "plain"}
        icon="link"
        isBusy={sure.done !== null}
        onClick={sure.accept}
      >
        {texts.linkSure(count)}
      </Button>
      <small>{texts.linkSureText}</small>
    </p>
  );
}

interface SearchedShopProps {
  readonly shop: Shop;
  readonly linked: number;
  readonly hasProducts: boolean;
}

function SearchedShop({ shop, linked, hasProducts }: SearchedShopProps) {
  const { words: { start: texts, discovery } } = useApp();
  const { data } = useDocument(get("/api/competitors/{id}/discovery", byId(shop.id)), {
    everyMs: 2_000,
  });
  const { urls = 0, visited = 0, phase = "reading" } = data?.state ?? {};
  const minutes = useMinutesLeft(visited, urls);
  const left = minutes !== null &&
    (minutes < 90 ? texts.minutes(minutes) : texts.hours(Math.round(minutes / 60)));
  const isRunning = phase === "reading" || phase === "ordering" || phase === "visiting";
  const label = urls === 0
    ? (isRunning ? texts.readsMap : discovery.phases[phase])
    : [texts.visited(visited, urls), ...(isRunning && left ? [left] : [])].join(" · ");
  return (
    <div class="stack gap-4">
      <p class="row gap-8 strong">
        <ShopBadge id={shop.id} name={shop.displayName} />
        <a href={`/competitors/${shop.id}`}>{shop.displayName}</a>
      </p>
      <div class="progress stack wide gap-6">
        <progress
          aria-label={label}
          max={Math.max(1, urls)}
          value={urls === 0 && isRunning ? undefined : visited}
        />
        <span>{label}</span>
      </div>
      {data && !isRunning && (
        <Stuck state={data.state} mode={data.mode} linked={linked} hasProducts={hasProducts} />
      )}
    </div>
  );
}

interface StuckProps extends Pick<SearchedShopProps, "linked" | "hasProducts"> {
  readonly state: Wire<"Discovery">["state"];
  readonly mode: Wire<"Discovery">["mode"];
}

function Stuck({ state: { urls, products, lastError }, mode, linked, hasProducts }: StuckProps) {
  const { words } = useApp();
  const texts = words.start.stuck;
  if (mode === "off") return null;
  if (lastError === "robots_disallowed" || lastError === "blocked") {
    return <p class="note warn">{scrapeErrorText(words, lastError)} {texts.nextShop}</p>;
  }
  const isUnmatched = hasProducts && linked === 0 && products > 0;
  const why = urls === 0 ? texts.noPages : isUnmatched ? texts.noMatch : null;
  return why && (
    <p class="note warn">
      {why} <a href="/links">{texts.paste}</a>
    </p>
  );
}

function FoundMatches() {
  const { words: { start: texts }, show } = useApp();
  const open = useFound("open");
  const accepted = useFound("accepted");
  const rows = [...open, ...accepted].toSorted((a, b) => a.createdAt < b.createdAt ? 1 : -1)
    .slice(0, FOUND_SHOWN);
  const newest = rows[0];
  const said = useAnnouncement(
    newest === undefined
      ? ""
      : texts.foundMatch(newest.product.title, newest.competitor.displayName),
  );
  return (
    <div class="found-matches">
      <p class="sr-only" role="status">{said}</p>
      {rows.length === 0 && <p class="soft">{texts.noneFound}</p>}
      <ul class="ruled" aria-label={texts.found}>
        {rows.map(({ id, product, competitor, page, verdict, status, createdAt }) => (
          <li key={id}>
            <ShopBadge id={competitor.id} name={competitor.displayName} />
            <a class="clip" href={`/products/${product.id}`} title={product.title}>
              {product.title}
            </a>
            <span class="number">
              {page.price === null
                ? "–"
                : show.money(page.price, page.currency ?? product.currency)}
            </span>
            <Badge tone={verdict === "same" ? "good" : "warn"}>
              {status === "accepted"
                ? texts.linked
                : verdict === "same"
                ? texts.isSure
                : texts.look}
            </Badge>
            <small class="number">{show.ago(createdAt)}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

function useFound(status: "open" | "accepted") {
  return useDocument(get("/api/match-suggestions", where({ status, limit: FOUND_SHOWN })), {
    everyMs: FEED_MS,
  }).data?.items ?? [];
}

const STEPS_MIN = 4;

function useMinutesLeft(done: number, total: number): number | null {
  const begun = useRef({ done, atMs: Date.now() });
  if (done < begun.current.done) begun.current = { done, atMs: Date.now() };
  const steps = done - begun.current.done;
  if (steps < STEPS_MIN) return null;
  const minutes = (Date.now() - begun.current.atMs) / 60_000;
  return Math.max(1, Math.ceil((total - done) * minutes / steps));
}
