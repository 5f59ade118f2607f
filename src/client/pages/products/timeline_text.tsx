/** The texts of a product's timeline. */
import type { ComponentChildren } from "preact";
import type { TimelineItem } from "../../../market/past/timeline_item.ts";
import { alertText } from "../../../engine/wording/alert_text.ts";
import { listenerOf, type useApp } from "../../app/app.ts";
import { actionLine } from "../../parts/audit/audit_text.ts";
import { Delta } from "../../parts/delta.tsx";
import type { IconName } from "../../parts/icon.tsx";

type App = ReturnType<typeof useApp>;

interface Told {
  readonly title: string;
  readonly text: ComponentChildren;
  /** Where it leads; null for nowhere. */
  readonly href: string | null;
}

export const TIMELINE_ICONS: Readonly<Record<TimelineItem["type"], IconName>> = {
  move: "competitors",
  price: "person",
  import: "imports",
  proposal: "rules",
  alert: "alerts",
  edit: "edit",
  export: "open",
};

/** A line in the words of the person. */
export function timelineText(app: App, item: TimelineItem): Told {
  const { words, show } = app;
  const texts = words.past;
  const who = item.actor?.name ?? texts.service;
  switch (item.type) {
    case "move": {
      const { competitor, kind, ...prices } = item.data;
      return {
        title: texts.moveTitle(competitor, texts.moves[kind]),
        text: <Step {...prices} show={show} />,
        href: null,
      };
    }
    case "price":
    case "import": {
      const { source, ...prices } = item.data;
      const name = source === "import" ? item.title : who;
      return {
        title: texts.priceBy[source](name),
        text: <Step {...prices} show={show} />,
        href: item.type === "import" && item.ref ? `/imports/${item.ref}` : null,
      };
    }
    case "proposal": {
      const { event, status, ruleId, ruleName, proposedCents, currency, expiresAt } = item.data;
      const price = show.money(proposedCents, currency);
      const isMade = event === "made";
      return {
        title: isMade ? texts.fires(ruleName) : texts.decided[status](who, price),
        text: isMade
          ? texts.proposes(price, show.dateTime(expiresAt))
          : words.proposals.statuses[status],
        href: `/rules/${ruleId}`,
      };
    }
    case "alert": {
      const { body, facts } = item.data;
      const told = alertText(listenerOf(app), { title: item.title, body, facts });
      return { title: told.title, text: told.body, href: null };
    }
    case "edit": {
      const { action, before, after, currency, reason } = item.data;
      const row = { action, before, after, ...(currency !== null && { currency }) };
      const { title, text } = actionLine(app, row, who);
      const why = reason ? ` · ${words.auditLog.quote(reason)}` : "";
      return { title, text: text + why, href: null };
    }
    case "export":
      return {
        title: texts.exported(item.data.format),
        text: texts.rows(show.number(item.data.rows)),
        href: null,
      };
  }
}

interface StepProps {
  readonly fromCents: number | null;
  readonly toCents: number | null;
  readonly currency: string;
  readonly show: App["show"];
}

function Step({ fromCents, toCents, currency, show }: StepProps) {
  if (fromCents === null || toCents === null || fromCents === toCents) {
    return <>{show.money(toCents ?? fromCents, currency)}</>;
  }
  return (
    <>
      <span class="nowrap">
        {show.money(fromCents, currency)} → {show.money(toCents, currency)}
      </span>{" "}
      <Delta fromCents={fromCents} toCents={toCents} />
    </>
  );
}
