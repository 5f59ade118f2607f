/**
 * The last step of the set-up offers three rule templates, each simulated with the workspace's
 * data. The template with the largest effect on profit is recommended. Without sales figures, the
 * first template that would move prices is recommended.
 */
import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { byId, type Call, get } from "../../api/call.ts";
import { useApp, useChange } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { firstProposals } from "../../parts/first_proposals.ts";
import { FIRST_RULE_NAMES, type FirstRule, firstRuleBody } from "../../parts/first_rules.ts";

const POLL_MS = 400;

interface FirstRulesProps {
  /** Number of products with a competitor's price. */
  readonly compared: number;
  readonly isNext: boolean;
  readonly rules: number;
  readonly open: number;
}

interface Figures {
  readonly moves: number;
  /** Change of 30 days' profit, in the workspace's minor units; null while no sales are known. */
  readonly effectCents: number | null;
}

export function FirstRules({ compared, isNext, rules, open }: FirstRulesProps) {
  const { words: { start: texts }, show, toasts, may } = useApp();
  const { route } = useLocation();
  const figures = useFigures(may("manager") ? compared : 0);
  const best = compared > 0 ? bestOf(figures) : null;
  const enable = useChange({
    run: async (call, rule: FirstRule) => {
      const body = { ...firstRuleBody(rule, texts.rules[rule].name), enabled: true };
      const made = await call((api) => api.POST("/api/rules", { body }));
      const isMoving = (figures?.[rule].moves ?? 0) > 0;
      return { name: made.name, count: isMoving ? await firstProposals(call, made.id) : 0 };
    },
    touches: ["rules", "overview", "proposals"],
    onDone: ({ name, count }) => {
      toasts.tell(count > 0 ? texts.enabled(name, count) : texts.noted(name));
      if (count > 0) route("/proposals");
    },
  });
  if (rules > 0) {
    return (
      <p>
        {texts.rulesOn} <a href="/rules">{texts.toRules}</a>{" "}
        {open > 0 && <a class="button main" href="/proposals">{texts.decide(show.number(open))}</a>}
      </p>
    );
  }
  return (
    <ul class="first-rules">
      {FIRST_RULE_NAMES.map((rule) => (
        <li key={rule} class={rule === best ? "best" : undefined}>
          <h3>
            {texts.rules[rule].name} {rule === best && <span>{texts.best}</span>}
          </h3>
          <p>{texts.rules[rule].text}</p>
          {compared > 0 && <FiguresText figures={figures?.[rule] ?? null} />}
          {may("manager") && (
            <p>
              <Button
                kind={isNext && rule === best ? "main" : "plain"}
                isBusy={enable.isPending && enable.variables === rule}
                onClick={() => enable.mutate(rule)}
              >
                {compared > 0 ? texts.enable : texts.note}
              </Button>{" "}
              <a href={`/rules/new?template=${rule}`}>{texts.change}</a>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function FiguresText({ figures }: { figures: Figures | null }) {
  const { words: { start: texts }, show, workspace } = useApp();
  if (figures === null) return <p class="soft" aria-busy="true">{texts.calculating}</p>;
  const { moves, effectCents } = figures;
  return (
    <p class="soft">
      {texts.today(show.number(moves))}
      {moves > 0 && effectCents !== null && (
        <>
          , <strong>{show.moneyChange(effectCents, workspace.value?.currency)}</strong> {texts.days}
        </>
      )}
    </p>
  );
}

function bestOf(figures: RuleFigures | null): FirstRule | null {
  if (figures === null) return null;
  const moving = FIRST_RULE_NAMES.filter((rule) => figures[rule].moves > 0);
  return moving.toSorted((a, b) =>
    (figures[b].effectCents ?? 0) - (figures[a].effectCents ?? 0)
  )[0] ?? null;
}

type RuleFigures = Readonly<Record<FirstRule, Figures>>;

function useFigures(compared: number): RuleFigures | null {
  const { call, words } = useApp();
  const stage = compared === 0 ? 0 : Math.floor(Math.log2(compared)) + 1;
  const { data } = useQuery<RuleFigures>({
    queryKey: ["simulations", "first-rules", stage],
    staleTime: Infinity,
    enabled: stage > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const of = (rule: FirstRule) => simulate(call, rule, words.start.rules[rule].name, signal);
      const [room, lowest, middle] = await Promise.all([of("room"), of("lowest"), of("middle")]);
      return { room, lowest, middle };
    },
  });
  return data ?? null;
}

async function simulate(
  call: Call,
  rule: FirstRule,
  name: string,
  signal: AbortSignal,
): Promise<Figures> {
  const body = { rule: firstRuleBody(rule, name), ruleId: null };
  const { id } = await call((api) => api.POST("/api/simulations", { body }));
  for (;;) {
    const { status, result } = await call(get("/api/simulations/{id}", byId(id)), { signal });
    if (status === "queued" || status === "running") {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    const effect = result?.effect ?? null;
    return {
      moves: (result?.up ?? 0) + (result?.down ?? 0),
      effectCents: effect && effect.after30dCents - effect.before30dCents,
    };
  }
}
