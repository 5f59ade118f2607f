import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { addressOf } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { Figure, Figures } from "../../parts/figures.tsx";
import { Section } from "../../parts/section.tsx";
import { useProductCount } from "../../parts/use_product_count.ts";

const THIN_PCT = 10;

/** What an applied import has set off: the products that were changed since, and where they stand now. */
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
