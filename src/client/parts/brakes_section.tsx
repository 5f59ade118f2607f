import { useApp, useChange, useDocument } from "../app/app.ts";
import { Button } from "./controls.tsx";
import { FileLinks, filesOf } from "./file_links.tsx";
import { Section } from "./page.tsx";
import { byPath, get, where } from "../api/call.ts";

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
