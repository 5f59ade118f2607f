import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import type { Competitor } from "./competitor.ts";

/** Whether the shop is fetched from, at once. */
export function ShopSwitch({ shop }: { shop: Competitor }) {
  const { words, toasts } = useApp();
  const texts = words.repairs.shop;
  const { id, enabled } = shop;
  const change = useChange({
    run: (call, wanted: boolean) =>
      call((api) =>
        api.PATCH("/api/competitors/{id}", { params: { path: { id } }, body: { enabled: wanted } })
      ),
    touches: ["competitors", "repairs", "repairPages", "matches", "products", "overview"],
    onDone: (_, wanted) =>
      toasts.tell(
        wanted ? texts.switchedOn(shop.displayName) : texts.switchedOff(shop.displayName),
        () => change.mutate(!wanted),
      ),
  });
  return (
    <button
      type="button"
      role="switch"
      class="toggle"
      aria-checked={enabled}
      aria-label={texts.fetched(shop.displayName)}
      aria-busy={change.isPending || undefined}
      disabled={change.isPending}
      onClick={() => change.mutate(!enabled)}
    >
      <i aria-hidden="true" />
      {enabled ? texts.on : texts.off}
    </button>
  );
}
