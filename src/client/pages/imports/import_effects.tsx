import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { addressOf } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { Figure, Figures } from "../../parts/figures.tsx";
import { Section } from "../../parts/section.tsx";
import { useProductCount } from "../../parts/use_product_count.ts";

const THIN_PCT = 10;
const WATCH_MS = 60_000;

/** Effects of an applied import: changed products and their current positions. */
export function ImportEffects({ job }: { job: ImportDocument }) {
  const { words, show } = useApp();
  const { effects } = words.imports.job;
  const since = job.startedAt;
  if (since === null) return null;
  return (
    <Section title={effects.title} note={effects.note}>
      <Figures>
        <Effect text={effects.changed} since={since} />
        <Effect text={effects.proposals} since={since} query={{ hasProposal: true }} />
        <Overtaken text={effects.overtaken} since={since} />
        <Effect text={effects.cheapest} since={since} query={{ position: "cheapest" }} />
        <Effect
          text={effects.thin(show.percent(THIN_PCT))}
          since={since}
          query={{ marginBelowPct: THIN_PCT }}
        />
        <Effect text={effects.unlinked} since={since} query={{ state: "no_links" }} />
      </Figures>
    </Section>
  );
}

/** More than a page of them is told as "≥". */
const COUNTED_MAX = 200;

function Overtaken({ text, since }: Pick<EffectProps, "text" | "since">) {
  const { show } = useApp();
  const asked = { status: "superseded", decidedSince: since } as const;
  const { data: page } = useDocument({
    key: ["proposals", "overtaken", asked],
    read: (api) =>
      api.GET("/api/proposals", {
        params: { query: { ...asked, order: "desc", limit: COUNTED_MAX } },
      }),
    everyMs: () => WATCH_MS,
  });
  const count = page && `${page.nextCursor === null ? "" : "≥ "}${show.number(page.count)}`;
  return (
    <Figure
      label={text}
      value={count ? <a href={addressOf("/proposals", asked)}>{count}</a> : "–"}
    />
  );
}

interface EffectProps {
  readonly text: string;
  readonly since: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

/** Each number is the way to the list of those products. */
function Effect({ text, since, query = {} }: EffectProps) {
  const { show } = useApp();
  const asked = { updatedSince: since, ...query };
  const count = useProductCount(asked);
  const texts = Object.fromEntries(Object.entries(asked).map(([name, one]) => [name, String(one)]));
  return (
    <Figure
      label={text}
      value={count === null
        ? "–"
        : <a href={addressOf("/products", texts)}>{show.number(count)}</a>}
    />
  );
}
