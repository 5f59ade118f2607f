import type { CompetitorHealth } from "../../../shops/competitor.ts";
import { useApp } from "../../app/app.ts";
import { Badge } from "../../parts/controls.tsx";
import { scrapeErrorText } from "../../parts/run/run_state.tsx";

interface HealthProps {
  readonly health: CompetitorHealth;
}

/** How fetching went in the last 24 hours, in one word and two figures. */
export function HealthBadge({ health: { ok24h, failed24h } }: HealthProps) {
  const { words, show } = useApp();
  const texts = words.health;
  if (ok24h + failed24h === 0) return <span class="soft">{texts.idle}</span>;
  const counts = texts.counts(show.number(ok24h), show.number(failed24h));
  if (failed24h === 0) return <Badge tone="good">{counts}</Badge>;
  return <Badge tone={ok24h === 0 ? "bad" : "warn"}>{counts}</Badge>;
}

/** All that is known: figures, the last error, and whether the shop leaves enough room. */
export function HealthFacts({ health }: HealthProps) {
  const { words, show } = useApp();
  const texts = words.health;
  const { lastError, due, perDayMax } = health;
  return (
    <div class="wide">
      <h3>{texts.title}</h3>
      <dl class="facts">
        <div>
          <dt>{texts.column}</dt>
          <dd>
            <HealthBadge health={health} />
          </dd>
        </div>
        <div>
          <dt>{texts.due}</dt>
          <dd>{show.number(due)}</dd>
        </div>
        <div>
          <dt>{texts.perDayMax}</dt>
          <dd>{show.number(perDayMax)}</dd>
        </div>
        {lastError && (
          <div>
            <dt>{texts.lastError}</dt>
            <dd>
              {scrapeErrorText(words, lastError.code)} {show.ago(lastError.at)}
              {lastError.message && <small class="exact">{lastError.message}</small>}
            </dd>
          </div>
        )}
      </dl>
      {due > perDayMax && <p class="note warn">{texts.stretched}</p>}
    </div>
  );
}
