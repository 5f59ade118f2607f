/** Shows the state of a shop's discovery, which searches the shop for pages of our products. */
import type { Shop } from "../../parts/shops.tsx";
import { FormDialog } from "../../parts/form/saved_form.tsx";
import { type Api, byId, type Call, get, type Wire } from "../../api/call.ts";
import { useState } from "preact/hooks";
import { DISCOVERY_MODES, type DiscoveryPhase } from "../../../shops/choices.ts";
import { useApp, useChange, useDocument, useRefresh } from "../../app/app.ts";
import { readNumber } from "../../formats/decimal.ts";
import { Badge, Button, type Tone } from "../../parts/controls.tsx";
import { Card, Fact, Pending, Progress } from "../../parts/page.tsx";
import { labelIn } from "../../words/label.ts";
import { DigitsField, SelectField, TextField, useForm } from "../../parts/form/fields.tsx";
import { ActionButton } from "../../parts/action_button.tsx";
import { changeDiscovery } from "../../parts/shop/shop_check.tsx";
import { useUndoableChange } from "../../parts/undo_queue.ts";
import { pick } from "../../../base/collections.ts";

const TONES: Readonly<Record<DiscoveryPhase, Tone>> = {
  off: "plain",
  paused: "warn",
  idle: "good",
  reading: "busy",
  ordering: "busy",
  visiting: "busy",
};
const WATCH_MS = 2_000;
type Action = "run" | "pause" | "resume";

export function DiscoveryCard({ shop }: { shop: Shop }) {
  const { words: { discovery: texts, codes }, may } = useApp();
  const [isEdited, setEdited] = useState(false);
  const params = { path: { id: shop.id } };
  const found = useDocument(get("/api/competitors/{id}/discovery", { params }), {
    everyMs: (document) => document && TONES[document.state.phase] === "busy" ? WATCH_MS : false,
  });
  const { data } = found;
  const mayChange = may("manager") && shop.enabled;
  return (
    <Card
      title={codes.audited.discovery}
      note={data && texts.modes[data.mode]}
      beside={data && data.mode !== "off" && (
        <Badge tone={TONES[data.state.phase]}>{texts.phases[data.state.phase]}</Badge>
      )}
      foot={data && mayChange && (
        <>
          <Button onClick={() => setEdited(true)}>{texts.settings}</Button>
          {data.mode !== "off" && <Actions shop={shop} phase={data.state.phase} />}
        </>
      )}
    >
      {data ? <State discovery={data} shop={shop} /> : <Pending of={found} />}
      {data && isEdited && (
        <DiscoveryPanel
          shopId={shop.id}
          discovery={data}
          onClose={() => setEdited(false)}
        />
      )}
    </Card>
  );
}

function Actions({ shop: { id }, phase }: { shop: Shop; phase: DiscoveryPhase }) {
  const texts = useApp().words.discovery;
  const post = (call: Call, action: Action) =>
    call((api) => api.POST(`/api/competitors/{id}/discovery/${action}`, byId(id)));
  const change = useUndoableChange({
    run: post,
    touches: ["competitors"],
    told: (_, action) => action === "pause" ? texts.stopped : texts.begun,
    undo: (_, action) => (call) => post(call, action === "pause" ? "resume" : "pause"),
  });
  const button = (action: Action) => (
    <Button
      key={action}
      isBusy={change.isPending}
      onClick={() => change.mutate(action)}
    >
      {texts[action]}
    </Button>
  );
  if (phase === "paused") return button("resume");
  return <>{[phase === "idle" && button("run"), button("pause")]}</>;
}

function State({ discovery, shop }: { discovery: Wire<"Discovery">; shop: Shop }) {
  const { words: { discovery: texts, repairs, review, codes }, show } = useApp();
  const { mode, pagesPerDay, state } = discovery;
  const { urls, visited, products, foreign, etaDays, lastReadAt, lastError } = state;
  if (mode === "off" && lastReadAt === null && urls === 0) {
    return <p class="soft">{shop.enabled ? texts.none : repairs.shop.off}</p>;
  }
  const progress = texts.progress(visited, urls);
  const eta = etaDays === null || etaDays === 0 ? "" : ` · ${texts.eta(etaDays)}`;
  const error = lastError && labelIn({ ...codes.scrapeErrors, ...texts.errors }, lastError);
  const facts: readonly (readonly [label: string, value: string])[] = [
    [texts.products, show.number(products)],
    [texts.pagesPerDay, show.number(pagesPerDay)],
    ...(foreign > 0 ? [[texts.foreign, show.number(foreign)] as const] : []),
    ...(lastReadAt ? [[texts.readAt, show.dateTime(lastReadAt)] as const] : []),
    ...(error ? [[texts.lastError, error] as const] : []),
  ];
  return (
    <>
      <Progress done={visited} total={Math.max(urls, 1)} label={`${progress}${eta}`} />
      <dl class="facts framed">
        {facts.map(([label, value]) => <Fact key={label} label={label}>{value}</Fact>)}
      </dl>
      <p>
        <a href={`/links?competitorId=${shop.id}`}>{review.toReview}</a>
      </p>
    </>
  );
}

const LINES = 3;

function DiscoveryPanel(
  { shopId, discovery, onClose }: { shopId: string; discovery: Wire<"Discovery">; onClose(): void },
) {
  const { state: _state, ...settings } = discovery;
  const { call, words: { discovery: texts, frame, save, saved }, show, toasts } = useApp();
  const refresh = useRefresh("competitors");
  const put = (api: Api, body: DiscoverySettings) =>
    api.PUT("/api/competitors/{id}/discovery", { ...byId(shopId), body });
  const undo = useChange({ ask: put, onDone: () => toasts.tell(frame.undone) });
  const form = useForm({
    initial: discoveryValues(settings),
    save: async (values) => {
      const mode = DISCOVERY_MODES.find((one) => one === values.mode) ?? settings.mode;
      await call((api) => put(api, discoveryBody(values, mode, show.locale)));
      await refresh();
      // `settings` has the values from before the change.
      toasts.tell(saved, () => undo.mutate(settings));
      onClose();
      return true;
    },
  });
  const isKnown = (mode: string): mode is keyof typeof texts.modeHints => mode in texts.modeHints;
  const { mode } = form.values;
  return (
    <FormDialog
      place="panel"
      title={texts.editTitle}
      form={form}
      save={save}
      onClose={onClose}
    >
      <SelectField
        {...form.text("mode", texts.mode, isKnown(mode) ? texts.modeHints[mode] : undefined)}
        options={pick(texts.modes, DISCOVERY_MODES)}
      />
      <DigitsField {...form.text("pagesPerDay", texts.pagesPerDay, texts.pagesPerDayHint)} />
      <TextField
        {...form.text("sitemaps", texts.sitemaps, texts.sitemapsHint)}
        lines={LINES}
        isWide
      />
      <TextField {...form.text("feeds", texts.feeds, texts.feedsHint)} lines={LINES} isWide />
      <TextField
        {...form.text("searchTemplate", texts.searchTemplate, texts.searchTemplateHint)}
        isWide
      />
      <TextField {...form.text("include", texts.include, texts.pathsHint)} lines={LINES} />
      <TextField {...form.text("exclude", texts.exclude, texts.pathsHint)} lines={LINES} />
    </FormDialog>
  );
}

export type DiscoverySettings = Omit<Wire<"Discovery">, "state">;

const FEED_FORMATS = ["merchant_xml", "csv"] as const;
const [USUAL_FORMAT] = FEED_FORMATS;

export function discoveryValues(settings: DiscoverySettings) {
  const { mode, pagesPerDay, sitemaps, include, exclude, feeds, searchTemplate } = settings;
  return {
    mode: String(mode),
    pagesPerDay: String(pagesPerDay),
    sitemaps: sitemaps === "robots" ? "" : sitemaps.join("\n"),
    feeds: feeds.map(({ url, format }) => `${format} ${url}`).join("\n"),
    searchTemplate: searchTemplate ?? "",
    include: include.join("\n"),
    exclude: exclude.join("\n"),
  };
}

export function discoveryBody(
  values: ReturnType<typeof discoveryValues>,
  mode: DiscoverySettings["mode"],
  locale: string,
): DiscoverySettings {
  const pagesPerDay = readNumber(values.pagesPerDay, locale);
  const sitemaps = linesOf(values.sitemaps);
  return {
    mode,
    pagesPerDay: typeof pagesPerDay === "number" ? pagesPerDay : NaN,
    sitemaps: sitemaps.length === 0 ? "robots" : sitemaps,
    include: linesOf(values.include),
    exclude: linesOf(values.exclude),
    feeds: linesOf(values.feeds).map(feedOf),
    searchTemplate: values.searchTemplate.trim() || null,
  };
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

function feedOf(line: string): DiscoverySettings["feeds"][number] {
  const [first = "", ...rest] = line.split(/\s+/);
  const format = FEED_FORMATS.find((one) => one === first.toLowerCase());
  return format === undefined
    ? { url: line, format: USUAL_FORMAT }
    : { url: rest.join(" "), format };
}

export function FindPages({ shop }: { shop: Shop }) {
  const texts = useApp().words.shops;
  const { data } = useDocument(get("/api/competitors/{id}/discovery", byId(shop.id)));
  if (data && data.mode !== "off") {
    return <a class="button" href={`/links?competitorId=${shop.id}`}>{texts.found}</a>;
  }
  return (
    <ActionButton
      run={(call) => changeDiscovery(call, shop.id, { mode: "automatic" })}
      touches={["competitors"]}
      toast={texts.begun(shop.displayName)}
      isDisabled={!data}
    >
      {texts.find}
    </ActionButton>
  );
}
