import type { Overview } from "../../../market/overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { Icon } from "../../parts/controls.tsx";
import { Loading } from "../../parts/page.tsx";
import { dayOf, endOfDay } from "../../formats/day.ts";

interface NextStepAction {
  readonly text: string;
  readonly note: string | null;
  readonly href: string;
  readonly action: string;
  readonly isCalm?: boolean;
}

/** The one thing that comes first. */
export function NextStep({ overview, nowMs }: { overview: Overview; nowMs: number }) {
  const { words } = useApp();
  const step = useNextStep(overview, nowMs);
  if (step === null) {
    return (
      <div class="next-step" aria-busy="true">
        <Loading label={words.loading} />
      </div>
    );
  }
  const { text, note, href, action, isCalm } = step;
  return (
    <div class="next-step">
      <Icon name={isCalm ? "check" : "right"} />
      <p>
        <strong>{isCalm ? text : `${words.overview.next} ${text}`}</strong> {note}
      </p>
      <a class={isCalm ? "button" : "button main"} href={href}>{action}</a>
    </div>
  );
}

/**
 * What ends today, then what is missing, then what waits. Null while data is read that may change
 * it, so that the step does not change under the pointer.
 */
function useNextStep(overview: Overview, nowMs: number): NextStepAction | null {
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
  if (expiring.isPending || shops.isPending) return null;
  const step = (text: string, note: string | null, href: string, action: string) => ({
    text,
    note,
    href,
    action,
  });
  const ending = expiring.data?.total ?? 0;
  if (ending > 0) {
    const count = show.number(ending);
    const href = "/proposals?expires=today";
    return step(texts.expiring(count), texts.expiringNote, href, texts.decide(count));
  }
  const { erp, proposals: { open, isCut } } = overview;
  if (erp.isLate) {
    const hours = show.number(erp.expectedHours);
    return step(texts.late(hours), texts.lateNote, "/imports", texts.toImports);
  }
  const failing = shops.data?.items.find(({ fresh, failing }) => fresh === 0 && failing > 0);
  if (failing) {
    const href = `/competitors/${failing.competitorId}`;
    return step(texts.failing(failing.displayName), texts.failingNote, href, texts.toShops);
  }
  if (open > 0) {
    const count = isCut ? words.overview.moves.atLeast(show.number(open)) : show.number(open);
    return step(texts.open(count), null, "/proposals?status=open", texts.decide(count));
  }
  return { ...step(texts.none, texts.noneNote, "/products", texts.toMarket), isCalm: true };
}
