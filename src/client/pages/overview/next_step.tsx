import type { Overview } from "../../../market/overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { dayOf, endOfDay } from "../../formats/day.ts";
import { Icon } from "../../parts/icon.tsx";

interface Step {
  readonly text: string;
  readonly note: string | null;
  readonly href: string;
  readonly action: string;
  readonly isCalm?: boolean;
}

/** The one thing that comes first: what ends today, then what is missing, then what waits. */
export function NextStep({ overview, nowMs }: { overview: Overview; nowMs: number }) {
  const { words, show } = useApp();
  const texts = words.overview.nextSteps;
  const { timeZone } = show;
  const today = endOfDay(dayOf(new Date(nowMs).toISOString(), timeZone), timeZone);
  const expiring = useDocument({
    key: ["proposals", "expiring", today],
    read: (api) =>
      api.GET("/api/proposals", {
        params: { query: { status: "open", expiresBefore: today, later: "false", limit: 1 } },
      }),
  });
  const shops = useDocument({
    key: ["overview", "shops"],
    read: (api) => api.GET("/api/overview/shops"),
  });
  // Data that may change the first step is awaited, so that the step does not change under the
  // pointer.
  if (expiring.isPending || shops.isPending) return <div class="next-step" aria-busy="true" />;
  const { text, note, href, action, isCalm } = stepOf();
  return (
    <div class="next-step">
      <Icon name={isCalm ? "check" : "right"} />
      <p>
        <strong>{isCalm ? text : `${words.overview.next} ${text}`}</strong> {note}
      </p>
      <a class={isCalm ? "button" : "button main"} href={href}>{action}</a>
    </div>
  );

  function stepOf(): Step {
    const ending = expiring.data?.total ?? 0;
    if (ending > 0) {
      const count = show.number(ending);
      return {
        text: texts.expiring(ending, count),
        note: texts.expiringNote,
        href: "/proposals?expires=today",
        action: texts.decide(ending, count),
      };
    }
    const { erp, proposals: { open, isCut } } = overview;
    if (erp.isLate) {
      return {
        text: texts.late(show.number(erp.expectedHours)),
        note: texts.lateNote,
        href: "/imports",
        action: texts.toImports,
      };
    }
    const failing = shops.data?.items.find(({ fresh, failing }) => fresh === 0 && failing > 0);
    if (failing) {
      return {
        text: texts.failing(failing.displayName),
        note: texts.failingNote,
        href: `/competitors/${failing.competitorId}`,
        action: texts.toShops,
      };
    }
    if (open > 0) {
      const count = isCut ? words.overview.moves.atLeast(show.number(open)) : show.number(open);
      return {
        text: texts.open(open, count),
        note: null,
        href: "/proposals?status=open",
        action: texts.decide(open, count),
      };
    }
    return {
      text: texts.none,
      note: texts.noneNote,
      href: "/products",
      action: texts.toMarket,
      isCalm: true,
    };
  }
}
