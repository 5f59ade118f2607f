/**
 * The rules suggested to a new workspace, and the limits that stop a rule from cutting a product's
 * price again and again.
 */
import { useApp, useChange, useDocument } from "../app/app.ts";
import { Button } from "./controls.tsx";
import { FileLinks, filesOf, Section } from "./page.tsx";
import { byPath, type Call, get, where } from "../api/call.ts";

export function BrakesSection({ of }: { of: { ruleId: string } | { productId: string } }) {
  const { words: { rules: { brakes: texts } }, show, toasts, may } = useApp();
  const found = useDocument(get("/api/brakes", where(of)));
  const release = useChange({
    ask: (api, path: { productId: string; ruleId: string }) =>
      api.POST("/api/brakes/{productId}/{ruleId}/release", byPath(path)),
    touches: ["brakes", "products", "audit-logs"],
    onDone: () => toasts.tell(texts.released),
  });
  const items = found.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Section
      title={texts.title}
      note={found.data?.nextCursor ? "…" : show.number(items.length)}
      actions={<FileLinks {...filesOf("/api/brakes", of)} />}
    >
      <ul class="brakes framed ruled">
        {items.map(({ productId, ruleId, sku, ruleName, war, cuts, currency, until }) => (
          <li class="flow row gap-12 rows-4" key={productId + ruleId}>
            {"ruleId" in of
              ? <a href={`/products/${productId}`}>{sku}</a>
              : <a href={`/rules/${ruleId}`}>{ruleName}</a>}{" "}
            <span>
              {war?.competitor && `${texts.war(war.competitor)}: `}
              {texts.cuts(
                cuts.length,
                show.money(cuts[0]?.fromCents, currency),
                show.money(cuts.at(-1)?.toCents, currency),
              )}, {texts.until(show.dateTime(until))}
            </span>
            {may("manager") && (
              <Button
                kind="quiet"
                isBusy={release.isPending}
                onClick={() => release.mutate({ productId, ruleId })}
              >
                {texts.release}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** These rules cover all products, and only propose prices. */
export const FIRST_RULES = {
  room: { kind: "cheapest", pct: -1, direction: "raise", floorPct: null },
  lowest: { kind: "cheapest", pct: null, direction: "lower", floorPct: 8 },
  middle: { kind: "median", pct: 3, direction: "lower", floorPct: 0 },
} as const;

export type FirstRule = keyof typeof FIRST_RULES;

export const FIRST_RULE_NAMES: readonly FirstRule[] = ["room", "lowest", "middle"];

export function firstRuleBody(rule: FirstRule, name: string) {
  const { kind, pct, direction, floorPct } = FIRST_RULES[rule];
  return {
    name,
    when: { trigger: "market_index" as const, always: true },
    scope: { mode: "all" as const },
    marginFloor: floorPct === null ? null : { pct: floorPct },
    actions: [{
      type: "propose_price" as const,
      price: { reference: { kind }, adjust: pct === null ? null : { pct }, direction },
    }],
  };
}

const POLL_MS = 500;
const POLLS = 20;

export async function firstProposals(call: Call, ruleId: string): Promise<number> {
  const query = { status: "open", ruleId, limit: 1 } as const;
  let last = 0;
  for (let n = 0; n < POLLS; n++) {
    const { total } = await call(get("/api/proposals", where(query)));
    if (total !== null && total > 0 && total === last) break;
    last = total ?? 0;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return last;
}
