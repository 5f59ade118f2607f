/**
 * Shows the history of a product, newest first. A manager can mark one of our prices as an error,
 * and can undo the mark.
 */
import type { PriceMark } from "../../../catalogue/prices/price_rows.ts";
import type { TimelineItem } from "../../../market/past/timeline_item.ts";
import { useApp, useList } from "../../app/app.ts";
import { Badge, Icon, type IconName, LinkButton, Switch } from "../../parts/controls.tsx";
import { More, Pending, Section } from "../../parts/page.tsx";
import { ShopBadge } from "../../parts/shops.tsx";
import { useProduct } from "./product_context.tsx";
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { alertText } from "../../../engine/wording/alert_text.ts";
import { actionLine } from "../../parts/audit/audit_panel.tsx";
import { Delta } from "../../parts/price_figures.tsx";
import { byPath, type Call, get } from "../../api/call.ts";
import { CheckField, TextField, useForm } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/saved_form.tsx";

const SIDES = { all: "", own: "price,import,proposal,edit,export", market: "move" } as const;
type Side = keyof typeof SIDES;
const NAMES: readonly Side[] = ["all", "own", "market"];

export function TimelineSection() {
  const { words: { past: texts } } = useApp();
  const { product, changes, includeDeleted } = useProduct();
  const [side, setSide] = useState<Side>("all");
  const [marking, setMarking] = useState<HistoryEntry | null>(null);
  const query = { types: SIDES[side], includeDeleted };
  const list = useList(
    (page) => get("/api/products/{id}/timeline", byPath({ id: product.id }, { ...query, ...page })),
    { limit: 12 },
  );
  const marks = new Map(changes.map(({ at, mark = null }) => [Date.parse(at), mark]));
  return (
    <Section
      isCard
      title={texts.title}
      actions={
        <Switch
          label={texts.which}
          options={NAMES}
          value={side}
          textOf={(name) => texts[name]}
          onValue={setSide}
        />
      }
    >
      {list.error || list.isPending
        ? <Pending of={list} />
        : list.rows.length === 0 && !list.hasMore
        ? <p class="soft">{texts.empty}</p>
        : (
          <ol class="timeline">
            {list.rows.map((item) => (
              <Line
                key={item.id}
                item={item}
                mark={marks.get(Date.parse(item.at)) ?? null}
                onMark={setMarking}
              />
            ))}
          </ol>
        )}
      <More of={list} />
      {marking && <MarkDialog entry={marking} onClose={() => setMarking(null)} />}
    </Section>
  );
}

interface LineProps {
  readonly item: TimelineItem;
  readonly mark: PriceMark | null;
  onMark(entry: HistoryEntry): void;
}

function Line({ item, mark, onMark }: LineProps) {
  const app = useApp();
  const { show } = app;
  const { title, text, href } = timelineText(app, item);
  const isOwnPrice = item.type === "price" || item.type === "import";
  return (
    <li>
      {item.type === "move"
        ? <ShopBadge id={item.data.competitorId} name={item.data.competitor} />
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
            entry={{ at: item.at, price: show.money(item.data.toCents, item.data.currency) }}
            mark={mark}
            onMark={onMark}
          />
        )}
      </div>
    </li>
  );
}

function MarkLine(
  { entry, mark, onMark }: Pick<LineProps, "mark" | "onMark"> & { readonly entry: HistoryEntry },
) {
  const texts = useApp().words.past;
  const { mayChange } = useProduct();
  const markEntry = useMarking(entry);
  if (!mark?.isError) {
    return mayChange && (
      <button type="button" class="link small" onClick={() => onMark(entry)}>{texts.mark}</button>
    );
  }
  const { neverShown, reason, by } = mark;
  const before = { isError: true, neverShown, reason: reason ?? "" };
  const unmark = () => void markEntry({ ...before, ...UNMARKED }, { before });
  return (
    <small>
      <Badge tone="warn">{texts.marked}</Badge> {[by.name, reason].filter(Boolean).join(": ")}
      {neverShown && ` · ${texts.neverShown}`}{" "}
      {mayChange && <LinkButton onClick={unmark}>{texts.unmark}</LinkButton>}
    </small>
  );
}

type App = ReturnType<typeof useApp>;

interface ItemText {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly href: string | null;
}

const TIMELINE_ICONS: Readonly<Record<TimelineItem["type"], IconName>> = {
  move: "competitors",
  price: "person",
  import: "imports",
  proposal: "rules",
  alert: "alerts",
  edit: "edit",
  export: "open",
};

function timelineText(app: App, item: TimelineItem): ItemText {
  const { words: { past: texts, auditLog }, show } = app;
  const who = item.actor?.name ?? auditLog.actors.system;
  switch (item.type) {
    case "move": {
      const { competitor, kind, ...prices } = item.data;
      return {
        title: `${competitor} ${texts.moves[kind]}`,
        text: <Step {...prices} show={show} />,
        href: null,
      };
    }
    case "price":
    case "import": {
      const { source, ...prices } = item.data;
      const name = source === "import" ? item.title : who;
      return {
        title: texts.priceBy[source](name),
        text: <Step {...prices} show={show} />,
        href: item.type === "import" && item.ref ? `/imports/${item.ref}` : null,
      };
    }
    case "proposal":
      return proposalItem(app, item.data, who);
    case "alert": {
      const { body, facts } = item.data;
      const alert = alertText(app.audience, { title: item.title, body, facts });
      const own = facts !== null && "productTitle" in facts && `${facts.sku} ${facts.productTitle}`;
      return {
        title: alert.title === own ? app.words.alerts.columns.title : alert.title,
        text: alert.body,
        href: null,
      };
    }
    case "edit": {
      const { action, before, after, currency, reason } = item.data;
      const row = { action, before, after, ...(currency !== null && { currency }) };
      const { title, text } = actionLine(app, row, who);
      const why = reason ? ` · ${auditLog.quote(reason)}` : "";
      return { title, text: text + why, href: null };
    }
    case "export":
      return {
        title: texts.exported(item.data.format),
        text: texts.rows(item.data.rows),
        href: null,
      };
  }
}

type ProposalData = Extract<TimelineItem, { type: "proposal" }>["data"];

function proposalItem({ words, show }: App, data: ProposalData, who: string): ItemText {
  const { event, status, ruleId, ruleName, proposedCents, currency, expiresAt } = data;
  const price = show.money(proposedCents, currency);
  const href = `/rules/${ruleId}`;
  if (event === "made") {
    const text = words.past.proposes(price, show.dateTime(expiresAt));
    return { title: words.past.fires(ruleName), text, href };
  }
  const title = words.past.decided[status](who, price);
  return { title, text: words.codes.proposalStatuses[status], href };
}

interface StepProps {
  readonly fromCents: number | null;
  readonly toCents: number | null;
  readonly currency: string;
  readonly show: App["show"];
}

function Step({ fromCents, toCents, currency, show }: StepProps) {
  if (fromCents === null || toCents === null || fromCents === toCents) {
    return <>{show.money(toCents ?? fromCents, currency)}</>;
  }
  return (
    <>
      <span class="nowrap">
        {show.money(fromCents, currency)} → {show.money(toCents, currency)}
      </span>{" "}
      <Delta fromCents={fromCents} toCents={toCents} />
    </>
  );
}

interface HistoryEntry {
  readonly at: string;
  readonly price: string;
}

function MarkDialog({ entry, onClose }: { entry: HistoryEntry; onClose(): void }) {
  const { words, show } = useApp();
  const markEntry = useMarking(entry);
  const texts = words.past;
  const [isMissing, setMissing] = useState(false);
  const form = useForm({
    initial: { reason: "", neverShown: false },
    save: async ({ reason, neverShown }) => {
      setMissing(reason.trim() === "");
      if (reason.trim() === "") return false;
      const mark = { isError: true, neverShown, reason: reason.trim() };
      return await markEntry(mark, { onDone: onClose });
    },
    isGuarded: false,
  });
  const reason = form.text("reason", words.priceEdit.reasonNeeded);
  const isEmpty = reason.value.trim() === "";
  return (
    <FormDialog title={texts.markTitle} form={form} onClose={onClose}>
      <p class="wide">{texts.markText(entry.price, show.dateTime(entry.at))}</p>
      <TextField
        {...reason}
        error={isMissing && isEmpty ? words.priceEdit.onlyReason : reason.error}
        isRequired
        isWide
        hasFocus
      />
      <CheckField {...form.flag("neverShown", texts.neverShown, texts.neverShownHint)} />
    </FormDialog>
  );
}

interface Mark {
  readonly isError: boolean;
  readonly neverShown: boolean;
  readonly reason: string;
}

interface MarkOptions {
  readonly before?: Mark;
  onDone?(): void;
}

function useMarking({ at }: HistoryEntry) {
  const texts = useApp().words.past;
  const { product: { id }, doing } = useProduct();
  const send = ({ reason, ...mark }: Mark) => (call: Call) =>
    call((api) =>
      api.POST("/api/products/{id}/price-history/{at}/mark", {
        ...byPath({ id, at }),
        body: { ...mark, ...(reason !== "" && { reason }) },
      })
    );
  const doneText = ({ isError }: Mark) => isError ? texts.markDone : texts.markUndone;
  return (mark: Mark, { before = { ...mark, ...UNMARKED }, onDone }: MarkOptions) =>
    doing.act({
      run: send(mark),
      told: () => doneText(mark),
      undo: () => async (call) => {
        await send(before)(call);
        return doneText(before);
      },
      onDone: () => onDone?.(),
    });
}

const UNMARKED = { isError: false, neverShown: false };
