/**
 * Judges how well a shop's prices can be read, and offers a solution for the worst problem. A new
 * shop is added by the URL of one of its pages, which the service reads as a test. If the page is
 * readable, the service searches the new shop for our products.
 */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { byId, type Call, get, PAGE_SIZE_MAX, where, type Wire } from "../../api/call.ts";
import { useApp, useChange, useDocument, useList } from "../../app/app.ts";
import { Button, Icon, type Tone } from "../controls.tsx";
import { ErrorNote, Loading } from "../page.tsx";
import { type Cause, scrapeErrorText } from "./read_again.tsx";
import { type Shop, useShops } from "../shops.tsx";
import { ActionButton } from "../action_button.tsx";
import { sumOf } from "../../../base/collections.ts";
import { momentText } from "../../formats/day.ts";
import type { Words } from "../../words/words.ts";
import { useProductCount } from "../shared_queries.ts";

interface ShopCheckProps {
  readonly shops: readonly Pick<Shop, "id" | "domain" | "displayName">[];
  readonly isMain?: boolean;
}

interface Checked {
  readonly host: string;
  readonly report: Wire<"ExtractReport">;
  readonly tookMs: number;
}

export async function changeDiscovery(
  call: Call,
  id: string,
  change: Partial<Omit<Wire<"Discovery">, "state">>,
): Promise<void> {
  const { state: _state, ...settings } = await call(
    get("/api/competitors/{id}/discovery", byId(id)),
  );
  const body = { ...settings, ...change };
  await call((api) => api.PUT("/api/competitors/{id}/discovery", { ...byId(id), body }));
}

function addressIn(text: string): URL | null {
  const typed = text.trim();
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`);
  return url !== null && (/\.|^localhost$|^\[/.test(url.hostname)) ? url : null;
}

const hostOf = ({ host }: URL) => host.replace(/^www\./, "");

export function ShopCheck({ shops, isMain = false }: ShopCheckProps) {
  const { words: { shops: { check: texts }, repairs } } = useApp();
  const id = useId();
  const { text, setText, note, check, drop, submit } = useShopCheck(shops);
  return (
    <section class="panel column framed shop-check">
      <strong>{texts.add}</strong>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label class="sr-only" for={id}>{texts.label}</label>
        <input
          id={id}
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder={texts.label}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button
          type="submit"
          kind={isMain && !check.data ? "main" : "plain"}
          isBusy={check.isPending}
        >
          {texts.button}
        </Button>
      </form>
      <div role="status">
        {note}
        {check.isPending && <Loading label={repairs.teach.reading} />}
        {check.data && <Found checked={check.data} onDrop={drop} />}
      </div>
      {check.error && <ErrorNote error={check.error} />}
    </section>
  );
}

function useShopCheck(shops: ShopCheckProps["shops"]) {
  const texts = useApp().words.shops.check;
  const [text, setText] = useState("");
  const [note, setNote] = useState<ComponentChildren>(null);
  const check = useChange({
    run: async (call, url: URL): Promise<Checked> => {
      const startMs = performance.now();
      const report = await call((api) => api.POST("/api/extract", { body: { url: url.href } }));
      return { host: hostOf(url), report, tookMs: performance.now() - startMs };
    },
    showsError: true,
  });
  const drop = () => {
    check.reset();
    setText("");
    setNote(null);
  };
  const submit = () => {
    const url = addressIn(text);
    const known = url && shops.find(({ domain }) => domain === hostOf(url));
    check.reset();
    setNote(
      known
        ? (
          <p class="note info">
            <span>
              {texts.known} <a href={`/competitors/${known.id}`}>{known.displayName}</a>
            </span>
          </p>
        )
        : url === null && <p class="note warn">{texts.noAddress}</p>,
    );
    if (url && !known) check.mutate(url);
  };
  return { text, setText, note, check, drop, submit };
}

function Found({ checked, onDrop }: { readonly checked: Checked; onDrop(): void }) {
  const { words, show } = useApp();
  const texts = words.shops.check;
  const { host, report: { page, status, errorCode } } = checked;
  const isRead = status === "ok" || page !== null;
  const create = async (call: Call) => {
    const made = await call((api) => api.POST("/api/competitors", { body: { domain: host } }));
    if (isRead) await changeDiscovery(call, made.id, { mode: "automatic" });
    return made;
  };
  return (
    <div class={isRead ? "shop-found info" : "shop-found warn"}>
      <div>
        <strong class="breaks">{host}</strong>{" "}
        <span class="soft">{texts.took(show.duration(checked.tookMs))}</span>
        <ul class="flow fine gap-16 rows-2">
          {isRead ? <Findings report={checked.report} /> : (
            <Finding isBad>
              {errorCode === "robots_disallowed"
                ? texts.forbidden
                : scrapeErrorText(words, errorCode)}
            </Finding>
          )}
        </ul>
      </div>
      <div class="row-actions gap-8">
        <ActionButton
          kind={isRead ? "main" : "plain"}
          run={create}
          touches={["competitors", "overview", "products"]}
          toast={({ displayName }) => words.products.form.created(displayName)}
          onDone={onDrop}
        >
          {isRead ? texts.create : texts.createOnly}
        </ActionButton>
        <Button onClick={onDrop}>{words.quarantine.drop}</Button>
      </div>
    </div>
  );
}

function Findings({ report }: { report: Wire<"ExtractReport"> }) {
  const { words: { shops: { check: texts }, stockDot }, show } = useApp();
  const { price, currency, inStock, shipping, page } = report;
  const stock = inStock === null ? "" : `, ${inStock ? stockDot.in : stockDot.out}`;
  return (
    <>
      <Finding>{texts.allowed}</Finding>
      {page?.title && <Finding>{texts.title(page.title)}</Finding>}
      {price === null ? <Finding isBad>{texts.noPrice}</Finding> : (
        <>
          <Finding>{texts.price(show.money(price, currency))}{stock}</Finding>
          {shipping === null ? <Finding isBad>{texts.noShipping}</Finding> : (
            <Finding>
              {shipping === 0 ? texts.free : texts.shipping(show.money(shipping, currency))}
            </Finding>
          )}
        </>
      )}
    </>
  );
}

function Finding({ isBad = false, children }: {
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <li class={isBad ? "row gap-4 warn" : "row gap-4 good"}>
      <Icon name={isBad ? "warning" : "check"} />
      <span>{children}</span>
    </li>
  );
}

type Group = Pick<Wire<"RepairGroup">, "cause" | "pages" | "since">;

/** Causes of missing prices that only the shop can remove. */
const OF_THE_SHOP: readonly Cause[] = ["gone", "blocked", "no_answer", "robots", "unreadable"];

export function isTeachable({ cause }: Pick<Group, "cause">): boolean {
  return !OF_THE_SHOP.includes(cause);
}

export function adviceOf(
  { arrivals, causes }: Pick<Words, "arrivals" | "causes">,
  cause: Cause,
  isDown: boolean,
): string {
  return isDown ? causes.down : arrivals.remedies[cause];
}

export type ShopState = "down" | "partly" | "slow" | "empty" | "idle" | "well" | "off";

export const TONES: Readonly<Record<ShopState, Tone>> = {
  well: "good",
  partly: "warn",
  slow: "warn",
  down: "bad",
  empty: "plain",
  idle: "plain",
  off: "plain",
};

type ShopNeed = "repair" | "forbidden" | "teach" | "slower" | "find" | null;

export interface ShopStanding {
  readonly state: ShopState;
  readonly need: ShopNeed;
  readonly worst: Group | null;
  readonly failing: number;
}

/** A smaller share of failing pages is normal, because shops drop products and have outages. */
export const FAILING = 0.05;
/** If a smaller share of our products has links, the shop should be searched for more pages. */
const FEW = 0.1;

export function standingOf(
  { enabled, trackedProducts: pages, health }: Pick<Shop, "enabled" | "trackedProducts" | "health">,
  groups: readonly Group[],
  products: number,
): ShopStanding {
  const most = groups[0] ?? null;
  const failing = sumOf(groups, (group) => group.pages);
  const standing = (state: ShopState, need: ShopNeed, worst = most): ShopStanding => ({
    state,
    need,
    worst,
    failing,
  });
  if (!enabled) return standing("off", null);
  if (pages === 0) return standing("empty", "find");
  const { ok24h, downSince, due, perDayMax } = health;
  const isDown = downSince !== null;
  if (isDown || (most !== null && failing >= pages * FAILING)) {
    return standing(isDown ? "down" : "partly", remedyOf(most));
  }
  // A person must remove links to forbidden pages, so even one link is reported.
  const forbidden = groups.find(({ cause }) => cause === "robots");
  if (forbidden) return standing("partly", "forbidden", forbidden);
  if (due > perDayMax) return standing("slow", "slower");
  const state = ok24h === 0 ? "idle" : "well";
  return standing(state, pages < products * FEW ? "find" : null);
}

function remedyOf(worst: Group | null): ShopNeed {
  if (worst === null) return "repair";
  if (worst.cause === "robots") return "forbidden";
  return isTeachable(worst) ? "teach" : "repair";
}

const WATCH_MS = 60_000;

export function useRepairs(everyMs = WATCH_MS) {
  return useList<Wire<"RepairGroup">, Pick<Wire<"RepairGroups">, "pages" | "shops">>(
    (query) => get("/api/repairs", where(query)),
    { limit: PAGE_SIZE_MAX, everyMs },
  );
}

export function useFreshness() {
  return useDocument(get("/api/overview/shops"), { everyMs: WATCH_MS });
}

/** Default maximum age of the prices that rules and market data use. */
export const FRESH_HOURS = 48;

/** Returns a text such as `Preise vom Mi, 22:04`. */
export function useLastRead(competitorId: string): string {
  const { words, show } = useApp();
  const shop = useFreshness().data?.items.find((one) => one.competitorId === competitorId);
  return words.shops.lastRead(momentText(show, shop?.lastSeenAt));
}

export function useOutages(): ReadonlyMap<string, string> {
  const items = useFreshness().data?.items ?? [];
  return new Map(
    items.flatMap(({ competitorId, downSince }) =>
      downSince === null ? [] : [[competitorId, downSince]]
    ),
  );
}

export function nextText(
  { shops }: Pick<Words, "shops">,
  show: Parameters<typeof momentText>[0],
  nextAt: string | null | undefined,
): string {
  const nowMs = Date.now();
  if (!nextAt) return "–";
  return Date.parse(nextAt) <= nowMs ? shops.now : momentText(show, nextAt, nowMs);
}

export function useHeldPrices() {
  return useList((page) => get("/api/quarantine", where(page)));
}

export function useHeldText(): string | null {
  const { words, show } = useApp();
  const { rows, hasMore } = useHeldPrices();
  if (rows.length === 0) return null;
  return words.quarantine.count(`${show.number(rows.length)}${hasMore ? "+" : ""}`);
}

export function useShopsInNeed(): number | null {
  const shops = useShops();
  const products = useProductCount({});
  const { rows, isPending } = useRepairs();
  if (shops === null || products === null || isPending) return null;
  const groups = Map.groupBy(rows, ({ competitorId }) => competitorId);
  return shops.filter((shop) => standingOf(shop, groups.get(shop.id) ?? [], products).need !== null)
    .length;
}
