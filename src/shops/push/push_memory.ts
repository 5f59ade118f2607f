import { OfferMemory } from "./offer_memory.ts";
import { createProductMemory, type ProductMemory } from "./product_memory.ts";

/** What a process remembers between pushes; all of it is proven by generations before it counts. */
export interface PushMemory {
  readonly products: ProductMemory;
  readonly offers: OfferMemory;
}

export function createPushMemory(): PushMemory {
  return { products: createProductMemory(), offers: new OfferMemory() };
}
