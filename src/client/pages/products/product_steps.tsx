import { useQueryClient } from "@tanstack/preact-query";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { useLocation } from "preact-iso";
import type { ProductPage } from "./product.ts";

/** Where the product stands in the list that it was opened from. */
export interface Neighbours {
  /** From 1; null where it was not opened from a list. */
  readonly place: number | null;
  readonly total: number | null;
  readonly previous: string | null;
  readonly next: string | null;
}

const NOWHERE: Neighbours = { place: null, total: null, previous: null, next: null };

interface Read {
  readonly pages?: readonly ProductPage[];
}

/** The products before and after it in the list that was looked at last, as far as that was loaded. */
export function useNeighbours(id: string): Neighbours {
  const client = useQueryClient();
  const lists = client.getQueryCache().findAll({ queryKey: ["products", "list"] })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  for (const { queryKey } of lists) {
    const pages = client.getQueryData<Read>(queryKey)?.pages ?? [];
    const ids = pages.flatMap(({ items }) => items.map((one) => one.id));
    const at = ids.indexOf(id);
    if (at < 0) continue;
    return {
      place: at + 1,
      total: pages[0]?.total ?? null,
      previous: ids[at - 1] ?? null,
      next: ids[at + 1] ?? null,
    };
  }
  return NOWHERE;
}

/** To the product before and after. */
export function ProductSteps({ neighbours }: { neighbours: Neighbours }) {
  const { words, show } = useApp();
  const { route } = useLocation();
  const texts = words.productPage;
  const { place, total, previous, next } = neighbours;
  if (place === null) return null;
  const step = (id: string | null, icon: "left" | "right", label: string) => (
    <Button
      icon={icon}
      label={label}
      isDisabled={id === null}
      onClick={() => {
        if (id !== null) route(`/products/${id}`);
      }}
    />
  );
  return (
    <span class="product-steps">
      {total !== null && (
        <span class="soft">{texts.place(show.number(place), show.number(total))}</span>
      )}
      {step(previous, "left", texts.previous)}
      {step(next, "right", texts.next)}
    </span>
  );
}
