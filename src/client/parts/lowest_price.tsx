import { useApp, useDocument } from "../app/app.ts";
import { byPath, get } from "../api/call.ts";

/** The lowest price of 30 days, with which German law (PAngV) compares a reduction. */
export function LowestPrice(
  { productId, isDeleted = false }: { readonly productId: string; readonly isDeleted?: boolean },
) {
  const { words, show } = useApp();
  const texts = words.product;
  const { data: lowest } = useDocument(
    get(
      "/api/products/{id}/lowest-price",
      byPath({ id: productId }, { includeDeleted: isDeleted || undefined }),
    ),
  );
  if (!lowest) return null;
  const gross = lowest.lowestGrossCents;
  return (
    <p class="lowest small">
      {lowest.reduced ? texts.lowestBeforeCut : texts.lowest}:{" "}
      <strong>{show.money(lowest.lowestCents, lowest.currency)}</strong>
      <span class="soft">
        {lowest.lowestCents === null ? texts.lowestNone : texts.lowestBefore(show.date(lowest.at))}
        {typeof gross === "number" && `, ${texts.gross} ${show.money(gross, lowest.currency)}`}
        . {!lowest.complete && texts.lowestIncomplete} {texts.lowestNote}{" "}
        <a
          href={`/products/${productId}/price-evidence?includeDeleted=${isDeleted}&at=${lowest.at}`}
        >
          {texts.evidence.link}
        </a>
      </span>
      {lowest.leftOut.map(({ at, toCents, currency, by, reason }) => (
        <span key={at} class="soft">
          {texts.lowestWithout(show.money(toCents, currency), show.dateTime(at), by.name)}
          {reason && `: ${words.auditLog.quote(reason)}`}
        </span>
      ))}
    </p>
  );
}
