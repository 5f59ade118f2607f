import type { PriceHistoryEntry, PriceMark } from "../../../catalogue/prices/price_mark.ts";
import type { TimelineItem } from "../../../market/past/timeline_item.ts";
import { useApp } from "../../app/app.ts";
import { useList } from "../../app/use_list.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Loading } from "../../parts/progress.tsx";
import { Section } from "../../parts/section.tsx";
import { ShopBadge } from "../../parts/shop_badge.tsx";
import { type HistoryEntry, MarkDialog, markEntry } from "./mark_dialog.tsx";
import type { OneProduct } from "./one_product.ts";
import { TIMELINE_ICONS, timelineText } from "./timeline_text.tsx";
import type { Doing } from "./use_doing.ts";
import { useState } from "preact/hooks";

interface TimelineProps {
  readonly product: OneProduct;
  readonly changes: readonly PriceHistoryEntry[];
  readonly colours: ReadonlyMap<string, number>;
  readonly doing: Doing;
}

const SIDES = { all: "", own: "price,import,proposal,edit,export", market: "move" } as const;
type Side = keyof typeof SIDES;
const NAMES: readonly Side[] = ["all", "own", "market"];
const ITEMS_PER_PAGE = 12;

/** All that became of a product, from a rival's price to the export of ours, the newest first. */
export function TimelineSection({ product, changes, colours, doing }: TimelineProps) {
  const { words, may } = useApp();
  const texts = words.past;
  const [side, setSide] = useState<Side>("all");
  const [marking, setMarking] = useState<HistoryEntry | null>(null);
  const query = { types: SIDES[side], includeDeleted: product.deletedAt ? true : undefined };
  const list = useList({
    key: ["products", product.id, "timeline", query],
    read: (api, page) =>
      api.GET("/api/products/{id}/timeline", {
        params: {
          path: { id: product.id },
          query: { ...query, ...page },
        },
      }),
    limit: ITEMS_PER_PAGE,
  });
  const marks = new Map(changes.map(({ at, mark = null }) => [Date.parse(at), mark]));
  const mayMark = may("manager") && product.deletedAt === null;
  return (
    <Section
      isCard
      title={texts.title}
      actions={
        <div class="switch" role="group" aria-label={texts.which}>
          {NAMES.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === side}
              onClick={() => setSide(name)}
            >
              {texts[name]}
            </button>
          ))}
        </div>
      }
    >
      {list.error
        ? <ErrorNote error={list.error} onAgain={list.again} />
        : list.isPending
        ? <Loading label={words.loading} />
        : list.rows.length === 0 && !list.hasMore
        ? <p class="soft">{texts.empty}</p>
        : (
          <ol class="timeline">
            {list.rows.map((item) => (
              <Line
                key={item.id}
                item={item}
                mark={marks.get(Date.parse(item.at)) ?? null}
                colours={colours}
                productId={product.id}
                doing={doing}
                {...(mayMark && { onMark: setMarking })}
              />
            ))}
          </ol>
        )}
      {list.hasMore && (
        <Button kind="quiet" isBusy={list.isLoadingMore} onClick={list.more}>
          {words.table.more}
        </Button>
      )}
      {marking && <MarkDialog entry={marking} doing={doing} onClose={() => setMarking(null)} />}
    </Section>
  );
}

interface LineProps {
  readonly item: TimelineItem;
  readonly mark: PriceMark | null;
  readonly colours: ReadonlyMap<string, number>;
  readonly productId: string;
  readonly doing: Doing;
  onMark?(entry: HistoryEntry): void;
}

function Line({ item, mark, colours, productId, doing, onMark }: LineProps) {
  const app = useApp();
  const { show } = app;
  const { title, text, href } = timelineText(app, item);
  const isOwnPrice = item.type === "price" || item.type === "import";
  return (
    <li>
      {item.type === "move"
        ? (
          <ShopBadge
            name={item.data.competitor}
            colour={colours.get(item.data.competitorId)}
          />
        )
        : (
          <span class="timeline-icon">
            <Icon name={TIMELINE_ICONS[item.type]} />
          </span>
        )}
      <div>
        <strong>{href ? <a href={href}>{title}</a> : title}</strong>
        <small>
          <time dateTime={item.at}>{show.dateTime(item.at)}</time>
          {text && " · "}
          {text}
        </small>
        {isOwnPrice && (
          <MarkLine
            entry={{
              productId,
              at: item.at,
              price: show.money(item.data.toCents, item.data.currency),
            }}
            mark={mark}
            doing={doing}
            {...(onMark && { onMark })}
          />
        )}
      </div>
    </li>
  );
}

interface MarkLineProps extends Pick<LineProps, "mark" | "doing"> {
  readonly entry: HistoryEntry;
  onMark?(entry: HistoryEntry): void;
}

function MarkLine({ entry, mark, doing, onMark }: MarkLineProps) {
  const { words } = useApp();
  const texts = words.past;
  if (!mark?.isError) {
    return onMark
      ? <button type="button" class="link small" onClick={() => onMark(entry)}>{texts.mark}</button>
      : null;
  }
  const { neverShown, reason, by } = mark;
  const before = { isError: true, neverShown, reason: reason ?? "" };
  return (
    <small>
      <Badge tone="warn">{texts.marked}</Badge> {texts.markedBy(by.name, reason ?? "")}
      {neverShown && ` · ${texts.neverShown}`} {onMark && (
        <button
          type="button"
          class="link"
          onClick={() =>
            void markEntry(
              doing,
              entry,
              words,
              { ...before, isError: false, neverShown: false },
              { before },
            )}
        >
          {texts.unmark}
        </button>
      )}
    </small>
  );
}
