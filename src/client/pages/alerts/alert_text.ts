import type { Alert } from "../../../alerts/alert.ts";
import type { AlertFacts } from "../../../alerts/alert_facts.ts";
import type { App } from "../../frame/app.ts";
import { scrapeErrorText } from "../runs/scrape_error_text.ts";

type Speaker = Pick<App, "words" | "show">;

export interface AlertText {
  readonly title: string;
  readonly body: string;
}

/** An alert in the person's language; one without facts in the words of the service. */
export function alertText(app: Speaker, { title, body, facts }: Alert): AlertText {
  if (facts === null) return { title, body };
  const { words, show } = app;
  const texts = words.alerts.facts;
  switch (facts.code) {
    case "rule_fired":
      return {
        title: `${facts.sku} ${facts.productTitle}`,
        body: `${facts.ruleName}: ${firedText(app, facts)}`,
      };
    case "import_failed":
      return { title: texts.importFailed(facts.label), body: importText(app, facts.errorCode) };
    case "import_held":
      return { title: texts.importHeld(facts.label), body: importText(app, facts.errorCode) };
    case "import_overdue":
      return {
        title: texts.importOverdue(show.number(facts.hours)),
        body: texts.lastImport(show.dateTime(facts.lastAt)),
      };
    case "domain_failing":
      return {
        title: texts.domainFailing(facts.domain),
        body: `${texts.domainSince(show.dateTime(facts.since))} ${
          scrapeErrorText(words, facts.lastError)
        }`,
      };
    case "webhook_disabled":
      return {
        title: texts.webhookDisabled(facts.host),
        body: texts.webhookSince(show.dateTime(facts.since)),
      };
  }
}

function importText({ words }: Speaker, errorCode: string | null): string {
  return words.service.findings[errorCode ?? ""] ?? words.alerts.facts.seeImport;
}

type Fired = Extract<AlertFacts, { code: "rule_fired" }>;

function firedText({ words, show }: Speaker, fired: Fired): string {
  const texts = words.alerts.facts;
  const money = (cents: number) => show.money(cents, fired.currency);
  const guard = fired.guard && (words.terms.guards[fired.guard] ?? fired.guard);
  const price = fired.proposedCents !== null
    ? texts[fired.outcome === "apply" ? "applied" : "proposed"](money(fired.proposedCents))
    : guard && texts.noPrice(guard);
  return [whyText({ words, show }, fired), price].filter(Boolean).join(" ");
}

function whyText({ words, show }: Speaker, fired: Fired): string {
  const { say } = words.decision;
  const { competitor, competitorCents, currentCents, currency } = fired;
  const money = (cents: number) => show.money(cents, currency);
  if (fired.trigger.startsWith("margin_") && fired.marginPct !== null) {
    // The margin is the proposed price's, when there is one.
    if (fired.proposedCents === null) {
      return words.alerts.facts.margin(show.percent(fired.marginPct));
    }
  } else if (competitor !== null && competitorCents !== null && currentCents) {
    const gap = (competitorCents - currentCents) / currentCents * 100;
    const pct = show.percent(Math.round(Math.abs(gap) * 10) / 10);
    const asks = say.asks(competitor, money(competitorCents));
    return `${asks}, ${say[gap < 0 ? "less" : "more"](pct, money(currentCents))}.`;
  }
  return words.alerts.facts.because(words.terms.triggers[fired.trigger] ?? fired.trigger);
}
