import { listWorkspaces, requireWorkspace } from "../../accounts/workspace_store.ts";
import { showMoney } from "../../base/money.ts";
import type { AlertFacts } from "../../engine/wording/alert_facts.ts";
import { type HoldCode, isHoldCode } from "../../imports/files/hold_codes.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import type { OutboxListener } from "../../platform/events/relay_outbox.ts";
import type { roomLog } from "../../platform/log.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { NewAlert } from "./alert.ts";
import { mismatches } from "./mismatch.ts";
import { type AlertDeps, type AlertSetup, raiseAlert, raiseAlerts } from "./raise_alert.ts";

/**
 * Alerts of the service itself, out of the news of rooms that know nothing of alerts
 * (docs/decisions/imports.md).
 */
export function createAlertListener(deps: AlertDeps): OutboxListener {
  return {
    handle(write, ctx, { eventId, event }) {
      if (event.type === "match.mismatch") {
        mismatches.put(write, ctx, { ...event.data, id: eventId });
        return Promise.resolve();
      }
      const alert = systemAlertOf(event);
      const batch = event.type === "price.out_of_bounds" ? event.type : null;
      if (alert) raiseAlerts(write, ctx, deps, [alert], batch);
      return Promise.resolve();
    },
  };
}

const HELD_WORDS: Readonly<Record<HoldCode, string>> = {
  price_guard:
    "More of its products move their price or cost than the workspace lets pass by itself",
  cost_guard: "More of its products move their cost than its source lets pass by itself",
  change_guard: "It changes more products than its source lets pass by itself",
  new_guard: "More of its SKUs are new than its source lets pass by itself",
  unit_guard: "Most of its prices seem to be in another unit, such as cents",
  currency_guard: "More of its products change their currency than its source lets pass",
  replace_guard: "It would delete more products than a full load may by itself",
};

function systemAlertOf(event: OutboxEvent): NewAlert | null {
  if (event.type === "domain.failing") {
    const { domain, since, lastError } = event.data;
    const reason = lastError === null ? "" : `, last with "${lastError}"`;
    return systemAlert(
      `${domain} cannot be read`,
      `No page of ${domain} could be fetched since ${since}${reason}. Its prices stay as they were.`,
      { code: "domain_failing", domain, since, lastError },
    );
  }
  if (event.type === "recipe.drifting") {
    const { competitor, domain } = event.data;
    return systemAlert(
      `${competitor} shows its prices elsewhere`,
      `Pages of ${domain} no longer have the price where it was until now. What is read there ` +
        "counts for less until the new place is learned or taught.",
      { code: "recipe_drifting", ...event.data },
    );
  }
  if (event.type === "discovery.fell_back") {
    const { competitor, takenBack, of } = event.data;
    return systemAlert(
      `${competitor}: pages are only suggested now`,
      `Of the last ${of} pages that were linked automatically, ${takenBack} were rejected or ` +
        "deleted. Nothing is linked automatically here until somebody switches it on again.",
      { code: "discovery_fell_back", ...event.data },
    );
  }
  if (event.type === "shop.held") {
    const { competitor, pattern, count, seen } = event.data;
    const did = pattern === "same"
      ? `${count} products got one and the same price`
      : `${count} of ${seen} prices went ${pattern} by more than 30 %`;
    return systemAlert(
      `${competitor}: prices look wrong`,
      `${did}. They wait and count for nothing until somebody releases them.`,
      { code: "shop_held", ...event.data },
    );
  }
  if (event.type === "price.out_of_bounds") {
    const { productId, sku, title, currency, cents, bound, limitCents, by } = event.data;
    const [price, limit] = [cents, limitCents].map((one) => showMoney(one, currency));
    const kind = bound === "below_min" ? "minimum" : "maximum";
    const alert = systemAlert(
      `${sku} ${title}: price beyond its bounds`,
      `The key "${by}" has set ${price}; the ${kind} price is ${limit}.`,
      {
        code: "price_out_of_bounds",
        ...{ sku, productTitle: title, currency, cents, bound, limitCents, by },
      },
    );
    return { ...alert, productId };
  }
  if (event.type === "source.not_fetched") {
    const { sourceId, name, errorCode, message } = event.data;
    return systemAlert(
      `The file of "${name}" could not be fetched`,
      `The import source "${sourceId}" was tried four times, at last: ${message} (${errorCode}). ` +
        "Nothing was imported.",
      { code: "not_fetched", ...event.data },
    );
  }
  if (event.type !== "import.finished") return null;
  const { label, jobId, errorCode, status, stats: { beyondBounds = 0 } } = event.data;
  if (status !== "failed") {
    return beyondBounds === 0 ? null : systemAlert(
      `Import "${label}": ${beyondBounds} prices beyond the bounds of their products`,
      "What the file says holds. The findings of the import name them.",
      { code: "import_out_of_bounds", label, jobId, count: beyondBounds },
    );
  }
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

/** Defaults of alerts of the service: severity high, mailed to owners and managers. */
export function systemAlert(title: string, body: string, facts: AlertFacts): NewAlert {
  return { severity: "high", ruleId: null, productId: null, title, body, facts, mailTo: "team" };
}

interface HoldSetup extends AlertSetup {
  readonly log: ReturnType<typeof roomLog>;
}

/**
 * Tells owners and managers of each workspace once that an upgrade has switched the hold of imports
 * on, by an alert with a mail and a line in the log. May run in several processes, and as often as
 * it likes. Answers how many workspaces it told.
 */
export async function publishHolds(setup: HoldSetup): Promise<number> {
  let count = 0;
  for (const { id } of await listWorkspaces(setup.store)) {
    if (await publishHold(setup, id)) count++;
  }
  return count;
}

export const holdMarks = defineTable<object>({
  prefix: "alh",
  about: "empty: it was told that an upgrade has switched the hold on",
  key: {},
  codec: { encode: () => new Uint8Array() },
});

async function publishHold(setup: HoldSetup, workspaceId: string): Promise<boolean> {
  const { store, clock, deps, log } = setup;
  const ctx = { store, workspaceId, now: () => clock.now(), newId: () => clock.newId() };
  const hold = await transact(setup, async (write) => {
    const { importHold, importHoldUnconfirmed } = await requireWorkspace(ctx);
    if (importHold === null || !importHoldUnconfirmed) return null;
    if (await holdMarks.find(ctx, {}) !== null) return null;
    holdMarks.save(write, ctx, null, {});
    const body = `An import is held now when more than ${importHold.sharePct} % of its products ` +
      `move their price or cost by more than ${importHold.movePct} %, or change their currency. A ` +
      'night job may be held for the first time: it ends with "price_guard".';
    const facts = { code: "hold_switched_on", ...importHold } as const;
    raiseAlert(write, ctx, deps, systemAlert("Suspicious imports are held now", body, facts));
    return importHold;
  });
  if (hold === null) return false;
  log.warning("the hold of imports is on now, where nobody had ever set it: a job may be held", {
    workspace: workspaceId,
    ...hold,
  });
  return true;
}
