/** Pages of a shop that look like articles of ours and are none: what finding pages must tell apart. */
import { type DemoProduct, withCheckDigit } from "./demo_catalogue.ts";
import { DEMO_SHOPS, type DemoOffer } from "./demo_market.ts";

const SHOP_KIND = "json_ld";

/** What each of them is, from an article that nobody has linked. */
const ODD: readonly ((product: DemoProduct) => Partial<OddPage>)[] = [
  // Somebody typed the number of another article.
  () => ({ slug: "aktion", ean: withCheckDigit("952999900001") }),
  // A variant of the article, with a number of its own.
  ({ title }) => ({
    slug: "schwarz",
    title: `${title} Schwarz`,
    ean: withCheckDigit("952999900002"),
  }),
  ({ title }) => ({ slug: "set", title: `${title} im Set mit Wasserfilter`, ean: "" }),
  ({ brand, mpn }) => ({ slug: "tasche", title: `Tasche für ${brand} ${mpn}`, ean: "" }),
  ({ title }) => ({ slug: "gebraucht", title: `${title} gebraucht`, condition: "UsedCondition" }),
  ({ title, ean, priceCents }) => ({
    slug: "2er-pack",
    title: `${title} 2er-Pack`,
    ean: withCheckDigit(`1${ean.slice(0, -1)}`),
    priceCents: priceCents * 2,
  }),
];

interface OddPage extends Pick<DemoProduct, "title" | "ean" | "priceCents"> {
  readonly slug: string;
  readonly condition: string;
}

/** One of each, at the shop that says most of its articles. */
export function oddOffers(products: readonly DemoProduct[]): DemoOffer[] {
  const shop = DEMO_SHOPS.find(({ kind }) => kind === SHOP_KIND);
  if (shop === undefined) return [];
  const unlinked = products.filter(({ isUnlinked }) => isUnlinked);
  return ODD.flatMap((oddOf, at) => {
    const product = unlinked[at];
    if (product === undefined) return [];
    const { slug = "", condition, ...changed } = oddOf(product);
    return [{
      product: { ...product, ...changed },
      shop,
      path: `/p/${product.sku.toLowerCase()}-${slug}.html`,
      ...(condition !== undefined && { condition }),
    }];
  });
}
