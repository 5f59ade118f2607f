import { Fact } from "../../parts/page.tsx";
import type { CompetitorHealth } from "../../../shops/competitor_store.ts";
import { useApp } from "../../app/app.ts";
import { Badge } from "../../parts/controls.tsx";
import { scrapeErrorText } from "../../parts/run/run_state.tsx";

interface HealthProps {
  readonly health: CompetitorHealth;
}

function HealthBadge({ health: { ok24h, failed24h } }: HealthProps) {
  const { words: { health: texts }, show } = useApp();
  if (ok24h + failed24h === 0) return <span class="soft">{texts.idle}</span>;
  const counts = texts.counts(show.number(ok24h), show.number(failed24h));
  if (failed24h === 0) return <Badge tone="good">{counts}</Badge>;
  return <Badge tone={ok24h === 0 ? "bad" : "warn"}>{counts}</Badge>;
}

export function HealthFacts({ health }: HealthProps) {
  const { words, show } = useApp();
  const texts = words.health;
  const { lastError, due, perDayMax } = health;
  return (
    <div class="wide">
      <h3>{texts.title}</h3>
      <dl class="facts framed">
        <Fact label={texts.column}>
          <HealthBadge health={health} />
        </Fact>
        <Fact label={texts.due}>{show.number(due)}</Fact>
        <Fact label={texts.perDayMax}>{show.number(perDayMax)}</Fact>
        {lastError && (
          <Fact label={texts.lastError}>
            {scrapeErrorText(words, lastError.code)} {show.ago(lastError.at)}
            {lastError.message && <small class="exact">{lastError.message}</small>}
          </Fact>
        )}
      </dl>
      {due > perDayMax && <p class="note warn">{texts.stretched}</p>}
    </div>
  );
}
