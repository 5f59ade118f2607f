import type { NewsEvent } from "../events/event.ts";
import type { NewsListener } from "../events/relay_news.ts";
import { type HoldCode, isHoldCode } from "../imports/findings/hold_codes.ts";
import type { NewAlert } from "./alert.ts";
import type { AlertFacts } from "../wording/alert_facts.ts";
import { type AlertDeps, raiseAlert } from "./raise_alert.ts";

/**
 * Alerts of the service itself, out of the news of rooms that know nothing of alerts
 * (docs/decisions/imports.md).
 */
export function createAlertListener(deps: AlertDeps): NewsListener {
  return {
    hear(write, ctx, { event }) {
      const alert = systemAlertOf(event);
      if (alert) raiseAlert(write, ctx, deps, alert);
      return Promise.resolve();
    },
  };
}

const HELD_WORDS: Readonly<Record<HoldCode, string>> = {
  price_guard:
    "More of its products move their price or cost than the workspace lets pass by itself",
  replace_guard: "It would delete more products than a full load may by itself",
};

function systemAlertOf(event: NewsEvent): NewAlert | null {
  if (event.type === "domain.failing") {
    const { domain, since, lastError } = event.data;
    const reason = lastError === null ? "" : `, last with "${lastError}"`;
    return systemAlert(
      `${domain} cannot be read`,
      `No page of ${domain} could be fetched since ${since}${reason}. Its prices stay as they were.`,
      { code: "domain_failing", domain, since, lastError },
    );
  }
  if (event.type !== "import.finished" || event.data.status !== "failed") return null;
  const { label, jobId, errorCode } = event.data;
  const held = isHoldCode(errorCode) ? HELD_WORDS[errorCode] : undefined;
  const facts = { label, jobId, errorCode };
  return held === undefined
    ? systemAlert(
      `Import "${label}" failed`,
      `The import ${jobId} ended with "${errorCode ?? "unknown"}". Its findings say more.`,
      { code: "import_failed", ...facts },
    )
    : systemAlert(
      `Import "${label}" is held`,
      `${held} (${errorCode}). Nothing was applied. The import ${jobId} can be let through.`,
      { code: "import_held", ...facts },
    );
}

/** What every alert of the service has in common: severity high, mailed to owners and managers. */
export function systemAlert(title: string, body: string, facts: AlertFacts): NewAlert {
  return { severity: "high", ruleId: null, productId: null, title, body, facts, mailTo: "team" };
}
