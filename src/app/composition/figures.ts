/** Figures of /metrics that are counted in the store: of declared tables, and what no declaration gives. */
import { eachWorkspace } from "../../accounts/each_workspace.ts";
import type { StoreFigure } from "../../platform/metrics.ts";
import type { Store } from "../../platform/store/kv.ts";
import { countResting } from "../../rules/evaluation/count_clauses.ts";
import { countFailingPages } from "../../shops/offers/failing_page_store.ts";
import { type DeclaredTable, TABLES } from "./tables.ts";

export function storeFigures(store: Store, now: () => Date): readonly StoreFigure[] {
  return [
    ...Object.values(TABLES).flat().flatMap((table) => figureOf(store, table)),
    {
      name: "kurant_resting",
      help:
        "Closed brakes and held prices, by what they are; at most 10000 each of a workspace are counted",
      label: "what",
      count: () => countResting(store, now()),
    },
    {
      name: "kurant_failing_pages",
      help: "Pages of shops that bring no price, by what is the matter with them",
      label: "cause",
      count: () => countFailingPages(store),
    },
  ];
}

function figureOf(store: Store, table: DeclaredTable): StoreFigure[] {
  const { figure } = table.options;
  if (!figure) return [];
  const { name, help, label = "" } = figure;
  const count = async () => {
    const counts = new Map<string, number>();
    await eachWorkspace(store, name, (workspace) => table.addToFigure(workspace, counts));
    return counts;
  };
  return [{ name, help, label, count }];
}
