import { useApp } from "../app/app.ts";
import { badgeOf, shopClass } from "./shop_colours.ts";

interface ShopBadgeProps {
  readonly name: string;
  /** The number that the shop was given; without one, while it is not known, no shop's colour. */
  readonly colour: number | undefined;
}

/** Two letters in the colour of the shop; the whole name is said. */
export function ShopBadge({ name, colour }: ShopBadgeProps) {
  const ofShop = colour === undefined ? "" : shopClass(colour);
  return (
    <span class={`shop-badge ${ofShop}`} title={name}>
      <span aria-hidden="true">{badgeOf(name)}</span>
      <span class="sr-only">{name}</span>
    </span>
  );
}

/** Ours, in the colour of what can be done. */
export function OwnBadge() {
  const { words } = useApp();
  return <span class="shop-badge own" aria-hidden="true">{words.position.us}</span>;
}
