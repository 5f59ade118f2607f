import { useApp } from "../../app/app.ts";
import { EmptyState } from "../../parts/empty_state.tsx";
import { Icon } from "../../parts/icon.tsx";

/** The three ways to a first product. */
export function FirstSteps({ onCreate }: { onCreate: () => void }) {
  const { words, may } = useApp();
  const { products } = words;
  return (
    <EmptyState icon="products" title={products.emptyTitle} text={products.emptyText}>
      {may("manager") && (
        <div class="cards">
          <a class="card" href="/imports/new">
            <Icon name="imports" />
            <strong>{products.cards.import}</strong>
            <span>{products.cards.importText}</span>
          </a>
          <button type="button" class="card" onClick={onCreate}>
            <Icon name="plus" />
            <strong>{products.cards.byHand}</strong>
            <span>{products.cards.byHandText}</span>
          </button>
          {may("owner") && (
            <a class="card" href="/settings/keys">
              <Icon name="docs" />
              <strong>{products.cards.key}</strong>
              <span>{products.cards.keyText}</span>
            </a>
          )}
        </div>
      )}
    </EmptyState>
  );
}
