import type { RuleOutcome } from "../../../rules/evaluation/rule_outcome.ts";
import { byId } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { ErrorNote, Figure, Figures, Section } from "../../parts/page.tsx";
import { LeftOut } from "./learning_section.tsx";

/** The effects of the rule since it was switched on; empty if it never was. */
export function OutcomeSection({ ruleId }: { ruleId: string }) {
  const { words, show } = useApp();
  const texts = words.rules.outcome;
  const { data, error, refetch } = useDocument({
    key: ["rules", ruleId, "outcome"],
    read: (api) => api.GET("/api/rules/{id}/outcome", byId(ruleId)),
  });
  if (error) return <ErrorNote error={error} onAgain={() => void refetch()} />;
  if (!data || data.onSince === null) return null;
  const { onSince, offSince, daysLeft, moves, leftOut, isCut } = data;
  const since = show.dateTime(onSince);
  return (
    <Section title={texts.title}>
      <p>
        {offSince === null ? texts.on(since) : texts.off(since, show.dateTime(offSince))}{" "}
        {daysLeft > 0 && offSince === null && texts.daysLeft(show.number(daysLeft))}
      </p>
      <OutcomeFigures outcome={data} />
      <p class="soft">
        <LeftOut counts={leftOut} /> {isCut && texts.isCut(show.number(moves.total))}
      </p>
      <p class="soft">{texts.note}</p>
    </Section>
  );
}

function OutcomeFigures({ outcome }: { outcome: RuleOutcome }) {
  const { words, show } = useApp();
  const texts = words.rules.outcome;
  const { moves, currency, counted, days, before, after } = outcome;
  const back = moves.takenBack > 0 ? texts.takenBack(show.number(moves.takenBack)) : "";
  const on = counted > 0 ? texts.days(show.number(counted), show.number(days)) : texts.nothing;
  const sides = (of: (side: NonNullable<typeof before>) => string) =>
    before && after ? `${of(before)} → ${of(after)}` : "–";
  return (
    <Figures>
      <Figure
        label={texts.moves}
        value={show.number(moves.total)}
        note={texts.by(show.number(moves.applied), show.number(moves.accepted)) + back}
      />
      <Figure
        label={texts.sum}
        value={show.moneyChange(moves.cents, currency)}
        note={texts.ways(show.number(moves.down), show.number(moves.up))}
      />
      <Figure label={texts.units} value={sides(({ units }) => show.number(units))} note={on} />
      <Figure
        label={texts.margin}
        value={sides(({ marginCents }) => show.money(marginCents, currency))}
        note={on}
      />
    </Figures>
  );
}
