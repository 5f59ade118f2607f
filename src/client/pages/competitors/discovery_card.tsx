import { byId } from "../../api/call.ts";
import { useState } from "preact/hooks";
import {
  DISCOVERY_MODES,
  type DiscoveryPhase,
} from "../../../shops/discovery/discovery_choices.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading, Progress } from "../../parts/progress.tsx";
import { labelIn } from "../../words/label.ts";
import type { Competitor } from "./competitor.ts";
import { DiscoveryPanel } from "./discovery_panel.tsx";
import { settingsOf } from "./discovery_values.ts";

const TONES: Readonly<Record<DiscoveryPhase, Tone>> = {
  off: "plain",
  paused: "warn",
  idle: "good",
  reading: "busy",
  ordering: "busy",
  visiting: "busy",
};
const WATCH_MS = 2_000;
const PATHS = {
  run: "/api/competitors/{id}/discovery/run",
  pause: "/api/competitors/{id}/discovery/pause",
  resume: "/api/competitors/{id}/discovery/resume",
} as const;
type Action = keyof typeof PATHS;

/** How the pages of the shop are found, how far that is, and what was refused. */
export function DiscoveryCard({ shop }: { shop: Competitor }) {
  const { words, may } = useApp();
  const texts = words.discovery;
  const [isEdited, setEdited] = useState(false);
  const params = { path: { id: shop.id } };
  const found = useDocument({
    key: ["competitors", shop.id, "discovery"],
    read: (api) => api.GET("/api/competitors/{id}/discovery", { params }),
    everyMs: (document) => document && TONES[document.state.phase] === "busy" ? WATCH_MS : false,
  });
  const { data } = found;
  const mayChange = may("manager") && shop.enabled;
  return (
    <Card
      title={texts.title}
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
      {data
        ? <State discovery={data} shop={shop} />
        : found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : <Loading label={words.loading} />}
      {data && isEdited && (
        <DiscoveryPanel
          shopId={shop.id}
          settings={settingsOf(data)}
          modes={DISCOVERY_MODES}
          onClose={() => setEdited(false)}
        />
      )}
    </Card>
  );
}

/** The current actions; pause and resume undo each other. */
function Actions({ shop: { id }, phase }: { shop: Competitor; phase: DiscoveryPhase }) {
  const { words, toasts } = useApp();
  const texts = words.discovery;
  const change = useChange({
    run: (call, action: Action) => call((api) => api.POST(PATHS[action], byId(id))),
    touches: ["competitors"],
    onDone: (_, action) =>
      action === "pause"
        ? toasts.tell(texts.stopped, () => change.mutate("resume"))
        : toasts.tell(texts.begun, () => change.mutate("pause")),
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

function State({ discovery, shop }: { discovery: Wire<"Discovery">; shop: Competitor }) {
  const { words, show } = useApp();
  const texts = words.discovery;
  const { mode, pagesPerDay, state } = discovery;
  const { urls, visited, products, foreign, etaDays, lastReadAt, lastError } = state;
  if (mode === "off" && lastReadAt === null && urls === 0) {
    return <p class="soft">{shop.enabled ? texts.none : words.repairs.shop.off}</p>;
  }
  const progress = texts.progress(show.number(visited), show.number(urls));
  const eta = etaDays === null || etaDays === 0
    ? ""
    : ` · ${texts.eta(etaDays, show.number(etaDays))}`;
  const error = lastError &&
    (labelIn(texts.errors, lastError) !== lastError
      ? labelIn(texts.errors, lastError)
      : labelIn(words.runs.errors, lastError));
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
      <dl class="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href={`/links?competitorId=${shop.id}`}>{words.review.toReview}</a>
      </p>
    </>
  );
}
