import { changePct } from "../../../base/percent.ts";
import {
  needsReason,
  type PriceDoubt,
  priceDoubts,
  type PriceInQuestion,
} from "../../../base/price_doubts.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../controls.tsx";
import { useState } from "preact/hooks";

/** `asked` is null while no price is typed. */
export function usePriceDoubts(asked: PriceInQuestion | null) {
  const [insisted, insist] = useState<number | null>(null);
  const doubts = asked === null ? [] : priceDoubts(asked);
  return {
    doubts,
    /** True if there are doubts and the person has not insisted on exactly this price. */
    isOpen: doubts.length > 0 && insisted !== asked?.cents,
    isReasonNeeded: needsReason(doubts),
    insist,
  };
}

interface DoubtNoteProps {
  readonly doubted: ReturnType<typeof usePriceDoubts>;
  readonly cents: number | null;
  readonly currency: string;
  onTake(cents: number): void;
  onInsist(): void;
}

/** A person can take the price that was probably meant, or insist on the typed price. */
export function PriceDoubtNote({ doubted, cents, currency, onTake, onInsist }: DoubtNoteProps) {
  const { words: { priceEdit: texts }, show } = useApp();
  const { doubts, isOpen, isReasonNeeded, insist } = doubted;
  if (cents === null || !isOpen) return null;
  const money = (value: number) => show.money(value, currency);
  const likely = doubts.map((doubt) => "likelyCents" in doubt ? doubt : null)
    .find((doubt) => doubt !== null);
  return (
    <div class="price-doubt" role="alert">
      {doubts.map((doubt) => (
        <p key={doubt.code}>
          <DoubtText doubt={doubt} cents={cents} currency={currency} />
        </p>
      ))}
      <div class="button-row flow gap-6">
        {likely && (
          <Button kind="main" onClick={() => onTake(likely.likelyCents)}>
            {likely.code === "factor"
              ? texts.take(money(likely.likelyCents))
              : texts.keep(money(likely.likelyCents))}
          </Button>
        )}
        <Button
          onClick={() => {
            insist(cents);
            onInsist();
          }}
        >
          {isReasonNeeded ? texts.justify(money(cents)) : texts.insist(money(cents))}
        </Button>
      </div>
    </div>
  );
}

function DoubtText(
  { doubt, cents, currency }: {
    readonly doubt: PriceDoubt;
    readonly cents: number;
    readonly currency: string;
  },
) {
  const { words: { priceEdit: texts }, show } = useApp();
  const money = (value: number) => show.money(value, currency);
  switch (doubt.code) {
    case "factor": {
      const { isMore, factor, against, thatCents, likelyCents } = doubt;
      return (
        <>
          <strong>{texts.factors[isMore ? "more" : "less"][factor]}</strong>{" "}
          {texts.than(texts.rivals[against], money(thatCents))} {texts.meant(money(likelyCents))}
        </>
      );
    }
    case "far_off":
      return (
        <>
          <strong>{texts.farTitle}</strong> {doubt.oldCents > 0 &&
            texts.far(show.percentChange(changePct(doubt.oldCents, cents)), money(doubt.oldCents))}
        </>
      );
    case "below_cost":
      return (
        <>
          <strong>{texts.belowCost}</strong> {texts.belowCostText}
        </>
      );
    case "below_floor":
      return (
        <strong>
          {texts.belowFloor(show.percent(doubt.marginPct), show.percent(doubt.floorPct))}
        </strong>
      );
    case "below_min":
      return <strong>{texts.belowMin(money(doubt.limitCents))}</strong>;
    case "above_max":
      return <strong>{texts.aboveMax(money(doubt.limitCents))}</strong>;
    case "locked":
      return <strong>{texts.locked}</strong>;
    case "held":
      return <strong>{texts.held}</strong>;
  }
}
