import { useApp } from "../../app/app.ts";
import { Delta } from "../percentages.tsx";

interface PriceStepProps {
  readonly currentCents: number | null;
  readonly proposedCents: number;
  readonly currency: string;
}

export function PriceStep({ currentCents, proposedCents, currency }: PriceStepProps) {
  const { show } = useApp();
  return (
    <span class="price-step">
      <span>{show.money(currentCents, currency)}</span>
      <span aria-hidden="true">→</span>
      <strong>{show.money(proposedCents, currency)}</strong>
      <Delta fromCents={currentCents} toCents={proposedCents} />
    </span>
  );
}
