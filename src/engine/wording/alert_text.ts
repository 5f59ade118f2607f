import { changePct } from "../../base/percent.ts";
import type { AlertFacts } from "./alert_facts.ts";
import { alertWordsOf } from "./alert_words.ts";
import { storedReasonText } from "./identity_words.ts";
import { guardWordsOf } from "./guard_words.ts";
import { type Listener, termsOf } from "./language.ts";
import { triggerWordsOf } from "./trigger_words.ts";
import type { Labels } from "./terms_de.ts";
import { shownMargin } from "./margin_text.ts";

export interface AlertText {
  readonly title: string;
  readonly body: string;
}

/** An alert in a person's language; one without facts in the words of the service. */
export function alertText(
  to: Listener,
  { title, body, facts }: AlertText & { readonly facts: AlertFacts | null },
): AlertText {
  if (facts === null) return { title, body };
  const { language, show } = to;
  const texts = alertWordsOf(language);
  switch (facts.code) {
    case "rule_fired":
      return {
        title: `${facts.sku} ${facts.productTitle}`,
        body: `${facts.ruleName}: ${firedText(to, facts)}`,
      };
    case "brake_closed": {
      const { competitor, sku, productTitle, ruleName, currency, fromCents, toCents } = facts;
      const [from, to] = [show.money(fromCents, currency), show.money(toCents, currency)];
      return {
        title: competitor === null
          ? texts.brakeClosed(sku, productTitle)
          : texts.priceWar(competitor, sku, productTitle),
        body: texts.brakeMeans(ruleName, show.number(facts.cuts), from, to) + " " +
          texts.brakedUntil(show.dateTime(facts.until)),
      };
    }
    case "import_failed":
      return { title: texts.importFailed(facts.label), body: importText(to, facts.errorCode) };
    case "import_held":
      return { title: texts.importHeld(facts.label), body: importText(to, facts.errorCode) };
    case "price_out_of_bounds": {
      const { sku, productTitle, currency, bound, by } = facts;
      const [price, limit] = [facts.cents, facts.limitCents].map((one) =>
        show.money(one, currency)
      );
      return {
        title: texts.outOfBounds(sku, productTitle),
        body: texts.outOfBoundsMeans[bound](by, price ?? "", limit ?? ""),
      };
    }
    case "import_out_of_bounds":
      return {
        title: texts.importOutOfBounds(facts.label, show.number(facts.count), facts.count),
        body: texts.importOutOfBoundsMeans,
      };
    case "hold_switched_on": {
      const [movePct, sharePct] = [show.percent(facts.movePct), show.percent(facts.sharePct)];
      return { title: texts.holdSwitchedOn, body: texts.holdMeans(movePct, sharePct) };
    }
    case "import_overdue":
      return {
        title: texts.importOverdue(show.number(facts.hours)),
        body: texts.lastImport(show.dateTime(facts.lastAt)),
      };
    case "prices_not_arrived": {
      const { count, expected } = facts;
      const [missing, all] = [show.number(count), show.number(expected)];
      return {
        title: count === 1 ? texts.priceNotArrived : texts.pricesNotArrived(missing),
        body: texts.pricesAwaited(all),
      };
    }
    case "not_fetched": {
      const why = texts.fetchErrors[facts.errorCode] ?? facts.message;
      return { title: texts.notFetched(facts.name), body: texts.notFetchedMeans(why) };
    }
    case "source_silent":
      return {
        title: texts.sourceSilent(facts.name),
        body: [
          texts.silentSince(show.dateTime(facts.expectedAt)),
          facts.lastAt === null
            ? texts.neverImported
            : texts.lastImport(show.dateTime(facts.lastAt)),
        ].join(" "),
      };
    case "domain_failing": {
      const since = texts.domainSince(show.dateTime(facts.since));
      const body = `${since} ${errorText(to, facts.lastError)}`;
      return { title: texts.domainFailing(facts.domain), body };
    }
    case "recipe_drifting":
      return {
        title: texts.recipeDrifting(facts.competitor),
        body: texts.recipeDriftingMeans(facts.domain),
      };
    case "shop_held": {
      const { competitor, pattern, count, seen, priceCents, currency } = facts;
      const products = show.number(count);
      const did = pattern === "same"
        ? texts.shopSame(products, show.money(priceCents ?? 0, currency ?? ""))
        : texts.shopJump[pattern](products, show.number(seen));
      return { title: texts.shopHeld(competitor), body: `${did} ${texts.shopHeldMeans}` };
    }
    case "discovery_fell_back":
      return {
        title: texts.fellBack(facts.competitor),
        body: texts.fellBackMeans(show.number(facts.takenBack), show.number(facts.of)),
      };
    case "other_product": {
      const { competitor, sku, productTitle, reason } = facts;
      const told = reason && storedReasonText(reason, language);
      const why = told === null ? "" : `${told}. `;
      return {
        title: texts.otherProduct(competitor, sku),
        body: `${texts.otherProductLinked(productTitle === "" ? sku : productTitle)} ${why}` +
          texts.otherProductMeans,
      };
    }
    case "other_products": {
      const [count, shops] = [show.number(facts.count), show.number(facts.shops)];
      return {
        title: facts.count === 1 ? texts.oneOtherProduct : texts.otherProducts(count),
        body: `${texts.otherProductsSince(show.dateTime(facts.since), shops)} ` +
          texts.otherProductMeans,
      };
    }
    case "webhook_disabled":
      return {
        title: texts.webhookDisabled(facts.host),
        body: texts.webhookSince(show.dateTime(facts.since)),
      };
  }
}

function errorText({ language }: Listener, code: string | null): string {
  const labels: Labels = termsOf(language).scrapeErrors;
  return code === null ? "" : labels[code] ?? code;
}

function importText({ language }: Listener, code: string | null): string {
  return termsOf(language).findings[code ?? ""] ?? alertWordsOf(language).seeImport;
}

type Fired = Extract<AlertFacts, { code: "rule_fired" }>;

function firedText({ language, show }: Listener, fired: Fired): string {
  const texts = alertWordsOf(language);
  const money = (cents: number) => show.money(cents, fired.currency);
  const guard = fired.guard && (guardWordsOf(fired.guard)?.name[language] ?? fired.guard);
  const price = fired.proposedCents !== null
    ? texts[fired.outcome === "apply" ? "applied" : "proposed"](money(fired.proposedCents))
    : guard && texts.noPrice(guard);
  return [whyText({ language, show }, fired), price].filter(Boolean).join(" ");
}

function whyText({ language, show }: Listener, fired: Fired): string {
  const { compared } = termsOf(language);
  const trigger = triggerWordsOf(fired.trigger);
  const texts = alertWordsOf(language);
  const { competitor, competitorCents, currentCents, currency } = fired;
  const money = (cents: number) => show.money(cents, currency);
  if (trigger?.tellsOf === "margin" && fired.marginPct !== null) {
    // The margin is the proposed price's, when there is one.
    if (fired.proposedCents === null) return texts.margin(shownMargin(fired.marginPct, show));
  } else if (competitor !== null && competitorCents !== null && currentCents) {
    const gap = changePct(currentCents, competitorCents);
    const pct = show.percent(Math.abs(gap));
    const asks = compared.asks(competitor, money(competitorCents));
    const direction = competitorCents < currentCents ? "less" : "more";
    return `${asks}, ${compared[direction](pct, money(currentCents))}.`;
  }
  return texts.because(trigger?.label[language] ?? fired.trigger);
}
