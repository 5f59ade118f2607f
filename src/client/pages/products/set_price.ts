/**
 * Sets a price or a hold if the product is still as the person saw it, and undoes such a change.
 */
import { byId, byPath, type Call, type Wire } from "../../api/call.ts";
import { saveOver } from "../../api/save_over.ts";
import { setCounterPrice } from "../../parts/decision/decide_in_bulk.ts";
import type { Proposal } from "../../parts/decision/decision.ts";
import type { OneProduct } from "./one_product.tsx";

/** An absent field is not changed. */
export interface Wanted {
  /** New price in minor units; null removes the price. */
  readonly ourPriceCents?: number | null;
  /** End of the hold as an instant; null ends the hold now. */
  readonly heldUntil?: string | null;
}

type Priced = Pick<OneProduct, "id" | "ourPriceCents" | "currency" | "heldUntil">;

/** Throws `Overtaken` if price, currency or hold differ from what the person saw. */
export async function setPrice(
  call: Call,
  seen: Priced,
  wanted: Wanted,
  reason = "",
): Promise<unknown> {
  return await saveOver(call, {
    read: (api) => api.GET("/api/products/{id}", byId(seen.id)),
    write: (api) =>
      api.PATCH("/api/products/{id}", {
        // The person has already confirmed a large change on this page.
        ...byPath({ id: seen.id }, { allowLargeChange: true }),
        body: { ...wanted, ...(reason !== "" && { reason }) },
      }),
    isSeen: (latest) =>
      latest.ourPriceCents === seen.ourPriceCents && latest.currency === seen.currency &&
      (latest.heldUntil ?? null) === (seen.heldUntil ?? null),
  });
}

export async function takeBack(
  call: Call,
  before: Priced,
  wanted: Wanted,
  reason: string,
): Promise<unknown> {
  const former: Wanted = {
    ...(wanted.ourPriceCents !== undefined && { ourPriceCents: before.ourPriceCents }),
    ...(wanted.heldUntil !== undefined && { heldUntil: before.heldUntil ?? null }),
  };
  return await setPrice(call, { ...before, ...wanted }, former, reason);
}

/** Accepts a proposal at another price, and sets a hold if `heldUntil` is given. */
export async function counterPrice(
  call: Call,
  proposal: Proposal,
  seen: Priced,
  { ourPriceCents: cents, ...hold }: Wanted & { readonly ourPriceCents: number },
  reason: string,
): Promise<unknown> {
  await setCounterPrice(call, proposal, { cents, reason });
  if (hold.heldUntil === undefined) return;
  return await setPrice(call, { ...seen, ourPriceCents: cents }, hold, reason);
}

/**
 * The hold is undone first, because undoing it requires that the product still has the set price.
 */
export async function takeBackCounter(
  call: Call,
  { id }: Proposal,
  before: Priced,
  { ourPriceCents, ...hold }: Wanted,
  reason: string,
): Promise<Wire<"RolledBackProposal">> {
  if (hold.heldUntil !== undefined) {
    await takeBack(call, { ...before, ourPriceCents: ourPriceCents ?? null }, hold, reason);
  }
  return await call((api) =>
    api.POST("/api/proposals/{id}/rollback", { ...byId(id), body: { reason } })
  );
}
