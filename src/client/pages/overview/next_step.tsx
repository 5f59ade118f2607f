import type { Overview } from "../../../market/overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { Icon } from "../../parts/controls.tsx";
import { Loading } from "../../parts/page.tsx";
import { dayOf, endOfDay } from "../../formats/day.ts";
import { momentText } from "../../formats/moment.ts";
import { useHeldImport } from "../../parts/import/use_held_import.ts";
import { heldOf } from "./data_card.tsx";
import { ReadAgain } from "../../parts/shop/read_again.tsx";
import { useFreshness } from "../../parts/shop/shop_state.ts";
import type { ComponentChildren } from "preact";

interface NextStepAction {
  readonly text: string;
  readonly note: string | null;
  readonly action: ComponentChildren;
  readonly isCalm?: boolean;
}

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
  const { text, note, action, isCalm } = step;
  return (
    <div class="next-step">
      <Icon name={isCalm ? "check" : "right"} />
      <p>
        <strong>{isCalm ? text : `${words.overview.next} ${text}`}</strong> {note}
      </p>
      {action}
    </div>
  );
}

/**
 * The order is: deadlines, missing data, open proposals. Null until all of it is loaded, so that
 * the step does not change under the pointer.
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
  const held = heldOf(overview);
  const hold = useHeldImport(held?.jobId ?? null);
  const shops = useFreshness();
  if (hold === undefined || expiring.isPending || shops.isPending) return null;
  const step = (text: string, note: string | null, href: string, action: string) => ({
    text,
    note,
    action: <a class="button main" href={href}>{action}</a>,
  });
  const ending = expiring.data?.total ?? 0;
  if (ending > 0) {
    const count = show.number(ending);
    const href = "/proposals?expires=today";
    return step(texts.expiring(count), texts.expiringNote, href, texts.decide(count));
  }
  if (held && hold?.until) {
    const { kept } = words.imports.job.hold;
    return step(
      texts.held(hold.why),
      `${kept(hold.until)}.`,
      `/imports/${held.jobId}`,
      texts.toHeld,
    );
  }
  const { erp, proposals: { open, isCut } } = overview;
  if (erp.isLate) {
    const hours = show.number(erp.expectedHours);
    return step(texts.late(hours), texts.lateNote, "/imports", texts.toImports);
  }
  const down = shops.data?.items.find(({ downSince }) => downSince !== null);
  if (down) {
    const { competitorId: id, displayName, downSince } = down;
    return {
      text: `${words.repairs.down(displayName, momentText(show, downSince, nowMs))}.`,
      note: texts.failingNote,
      action: <ReadAgain shop={{ id, displayName }} kind="main" />,
    };
  }
  if (open > 0) {
    const count = isCut ? words.overview.moves.atLeast(show.number(open)) : show.number(open);
    return step(texts.open(count), null, "/proposals?status=open", texts.decide(count));
  }
  return {
    text: texts.none,
    note: texts.noneNote,
    action: <a class="button" href="/products">{texts.toMarket}</a>,
    isCalm: true,
  };
}
