/**
 * Fifteen pages of the same kinds as the early ones, written together with them and read once, after
 * everything was mended; nothing was mended on them.
 */
import { type Kind, type MadePage, openVariant } from "../made_pages/made_page.ts";
import { type UnreadPage, unreadPages } from "./unread_page.ts";

const PAGES: Readonly<Record<Kind, readonly UnreadPage[]>> = {
  variants: [
    {
      trait: "en, Magento: a bundle from one price to another",
      url: "https://www.tentandtrail-en.example/expedition-kit-larch.html",
      product: { title: "Expedition Kit Larch" },
      expected: openVariant([12900, 21400]),
      html:
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Expedition Kit Larch</title><meta property="og:type" content="product"><meta property="product:price:amount" content="129"><meta property="product:price:currency" content="GBP"></head><body class="catalog-product-view page-product-bundle"><div class="column main"><div class="product-info-main"><h1 class="page-title"><span class="base" itemprop="name">Expedition Kit Larch</span></h1><div class="product-info-price"><div class="price-box price-final_price"><p class="price-from"><span class="price-container"><span class="price-label">From</span> <span class="price-wrapper" data-price-amount="129"><span class="price">£129.00</span></span></span></p><p class="price-to"><span class="price-container"><span class="price-label">To</span> <span class="price-wrapper" data-price-amount="214"><span class="price">£214.00</span></span></span></p></div></div><div class="stock available">In stock</div><button id="bundle-slide" class="action primary customize">Customize and Add to Cart</button></div></div></body></html>`,
    },
    {
      trait: "de, Nuxt: from one price to another, our GTIN is in the state",
      url: "https://www.wollgarten-de.example/garne/merino-sockengarn",
      product: { title: "Merino Sockengarn", ean: "4260123450021" },
      expected: { price: [2190], currency: "EUR" },
      alone: openVariant([1295, 2190, 4800]),
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Merino Sockengarn | Wollgarten</title></head><body><div id="__nuxt"><main class="mx-auto max-w-5xl"><h1 class="text-3xl font-semibold">Merino Sockengarn</h1><p class="text-xl">ab 12,95 € bis 48,00 €</p><p class="text-xs">inkl. MwSt.</p><div class="flex gap-2"><button class="rounded border">50 g</button><button class="rounded border">100 g</button><button class="rounded border">250 g</button></div><button class="bg-emerald-700 text-white">In den Warenkorb</button></main></div><script>window.__NUXT__={"data":[{"product":{"name":"Merino Sockengarn","variants":[{"id":1,"name":"50 g","gtin":"4260123450014","price":12.95,"currency":"EUR","available":true},{"id":2,"name":"100 g","gtin":"4260123450021","price":21.9,"currency":"EUR","available":true},{"id":3,"name":"250 g","gtin":"4260123450038","price":48,"currency":"EUR","available":true}]}}]}</script></body></html>`,
    },
    {
      trait: "de, WooCommerce: the address asks for a size, the form has the variations",
      url: "https://www.hofladen-ems-de.example/produkt/rapsoel/?attribute_pa_groesse=750-ml",
      product: { title: "Hofladen Ems Rapsöl kaltgepresst" },
      expected: { price: [1190], currency: "EUR" },
      alone: { price: [1190], mayRefuse: true },
      html:
        `<!DOCTYPE html><html lang="de-DE"><head><meta charset="utf-8"><title>Rapsöl – Hofladen Ems</title></head><body class="single-product"><div class="product product-type-variable"><div class="summary"><h1 class="product_title">Rapsöl</h1><p class="price"><span class="amount"><bdi>4,90&nbsp;€</bdi></span> – <span class="amount"><bdi>11,90&nbsp;€</bdi></span></p><form class="variations_form cart" data-product_variations="[{&quot;attributes&quot;:{&quot;attribute_pa_groesse&quot;:&quot;250-ml&quot;},&quot;display_price&quot;:4.9,&quot;display_regular_price&quot;:4.9,&quot;is_in_stock&quot;:true,&quot;sku&quot;:&quot;RO-250&quot;,&quot;variation_id&quot;:901},{&quot;attributes&quot;:{&quot;attribute_pa_groesse&quot;:&quot;750-ml&quot;},&quot;display_price&quot;:11.9,&quot;display_regular_price&quot;:11.9,&quot;is_in_stock&quot;:true,&quot;sku&quot;:&quot;RO-750&quot;,&quot;variation_id&quot;:902}]"><select name="attribute_pa_groesse"><option value="">Wähle</option><option value="250-ml">250 ml</option><option value="750-ml" selected>750 ml</option></select><button class="single_add_to_cart_button">In den Warenkorb</button></form></div></div></body></html>`,
    },
  ],
  vetoes: [
    {
      trait: "de, beer by the crate: the deposit is in the line below",
      url: "https://www.durstkurier-harz-de.example/bier/hellerbraeu-export-20x05",
      product: { title: "Hellerbräu Export 20 x 0,5 l" },
      expected: { price: [1799], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Hellerbräu Export 20 x 0,5 l</title></head><body><main><h1>Hellerbräu Export 20 x 0,5 l</h1><div class="artikel-preis">17,99 €</div><div class="artikel-pfand">zzgl. Pfand 3,10 €</div><div class="artikel-gp">1,80 €/l, inkl. MwSt.</div><button class="kaufen">In die Kiste</button></main></body></html>`,
    },
    {
      trait: "en, trade counter: the amounts with and without tax share a line",
      url: "https://www.pipeworks-en.example/valves/ball-valve-22mm",
      product: { title: "Ball Valve 22 mm Brass" },
      expected: {
        price: [1440],
        currency: "GBP",
        tolerated: { price: [1200], confidenceMax: 0.6 },
      },
      html:
        `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Ball Valve 22 mm Brass | Pipeworks</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Ball Valve 22 mm Brass","sku":"BV22","offers":{"@type":"Offer","price":"12.00","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></head><body><div class="prod"><h1>Ball Valve 22 mm Brass</h1><div class="prod-price"><span class="ex">£12.00 ex VAT</span> <span class="inc">£14.40 inc VAT</span></div><button>Add to basket</button></div></body></html>`,
    },
    {
      trait: "fr, bicycles: a rate by the month above the price that one pays",
      url: "https://www.velostation-fr.example/vae/randonneur-st5",
      product: { title: "Randonneur ST5 vélo électrique" },
      expected: {
        price: [219900],
        currency: "EUR",
        tolerated: { price: [6108], confidenceMax: 0.6 },
      },
      html:
        `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Randonneur ST5 vélo électrique</title></head><body><main><div class="fiche"><h1>Randonneur ST5 vélo électrique</h1><p class="mensualite">à partir de <b>61,08 €</b>/mois en 36 mensualités</p><p class="tarif">2 199,00 €</p><p>Livraison offerte</p><button>Ajouter au panier</button></div></main></body></html>`,
    },
  ],
  words: [
    {
      trait: "fr, renewed devices: the state and the seller in words",
      url: "https://www.deuxiemevie-fr.example/produit/tablette-orion-10-64-go",
      product: { title: "Tablette Orion 10 64 Go" },
      expected: {
        price: [18900],
        currency: "EUR",
        condition: "refurbished",
        seller: "TechRenov",
        isThirdParty: true,
        confidenceMax: 0.8,
      },
      html:
        `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Tablette Orion 10 64 Go | Deuxième Vie</title><meta property="og:site_name" content="Deuxième Vie"></head><body><main><h1>Tablette Orion 10 64 Go</h1><p class="etat">Reconditionné – Très bon état</p><p class="prix-principal">189,00 €</p><p class="vendeur">Vendu et expédié par <a href="/v/techrenov">TechRenov</a></p><button class="acheter">Ajouter au panier</button></main></body></html>`,
    },
    {
      trait: "de, Shopware 6: no longer available, the markup says in stock",
      url: "https://www.brettspielecke-de.example/Die-Muehlen-von-Aarlo/BE-7733",
      product: { title: "Die Mühlen von Aarlo", ean: "4009123450019" },
      expected: {
        price: [4290],
        currency: "EUR",
        availability: ["out_of_stock", "discontinued"],
        mayRefuse: true,
      },
      html:
        `<!DOCTYPE html><html lang="de-DE"><head><meta charset="utf-8"><title>Die Mühlen von Aarlo</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Die Mühlen von Aarlo","gtin13":"4009123450019","offers":{"@type":"Offer","price":"42.90","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body class="is-ctl-product"><div class="product-detail"><h1 class="product-detail-name">Die Mühlen von Aarlo</h1><div class="product-detail-buy"><p class="product-detail-price">42,90 €*</p><div class="product-detail-tax">Preise inkl. MwSt. zzgl. Versandkosten</div><p class="delivery-information delivery-soldout">Nicht mehr verfügbar</p></div></div></body></html>`,
    },
    {
      trait: "en, records: to be ordered before a day of a year",
      url: "https://www.needledrop-en.example/lp/the-hollow-tide",
      product: { title: "The Hollow Tide 2LP" },
      expected: { price: [2899], currency: "GBP", availability: ["pre_order"] },
      html:
        `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>The Hollow Tide 2LP - Needledrop</title></head><body><main><h1>The Hollow Tide 2LP</h1><div class="nd-date">Pre-order: released 14 May, 2027</div><div class="nd-cost">£28.99</div><button class="nd-buy">Pre-order now</button><div class="nd-meta">First pressing July, 2004</div></main></body></html>`,
    },
  ],
  bare: [
    {
      trait: "en, a page typed by hand: dates of months with years, the price in the flow",
      url: "http://www.oldplanes-en.example/planes/no5.html",
      product: { title: "Jack plane No. 5, restored" },
      expected: { price: [8500], currency: "GBP" },
      html:
        `<html lang="en"><head><title>Old Planes</title></head><body><p><a href="/">Home</a> - <a href="/planes">Planes</a></p><h1>Jack plane No. 5, restored</h1><p>Page updated July, 2004.</p><p>Body from about 1935, new iron, sharpened.</p><p>Price: £85.00</p><p>Write to me to buy it. Post is £8.</p></body></html>`,
    },
    {
      trait: "de, Next with hashed classes: raised cents before the sign",
      url: "https://www.kuechenbogen-de.example/p/standmixer-vento-1200",
      product: { title: "Standmixer Vento 1200" },
      expected: { price: [12995], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Standmixer Vento 1200 | Küchenbogen</title></head><body><div id="__next"><main><h1 class="css-1x9ab">Standmixer Vento 1200</h1><div class="css-77ku"><span class="css-a1">129</span><sup class="css-b2">,95</sup> <span class="css-c3">€</span></div><p class="css-zz">inkl. MwSt., versandkostenfrei</p><button class="css-btn">In den Warenkorb</button><section class="css-rel"><h2>Dazu passt</h2><div><a>Becher to go</a><span class="css-a1">14</span><sup class="css-b2">,95</sup> <span class="css-c3">€</span></div></section></main></div></body></html>`,
    },
    {
      trait: "de, web components: name in the page, price and button in a shadow root",
      url: "https://www.lampenlabor-de.example/leuchte/klemmleuchte-pivo",
      product: { title: "Klemmleuchte Pivo schwarz" },
      expected: { price: [5990], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Klemmleuchte Pivo schwarz | Lampenlabor</title></head><body><main><h1>Klemmleuchte Pivo schwarz</h1><ll-kaufbox><template shadowrootmode="open"><div part="preis">59,90 €</div><small>inkl. MwSt.</small><button>In den Warenkorb</button></template></ll-kaufbox><template><ll-kaufbox><div>39,90 €</div></ll-kaufbox></template></main></body></html>`,
    },
    {
      trait: "fr, a headless shop: price in plain elements between heading and button",
      url: "https://www.papeterie-lenoir-fr.example/carnets/carnet-cousu-a5",
      product: { title: "Carnet cousu A5 ligné" },
      expected: { price: [1450], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Carnet cousu A5 ligné</title></head><body><header><a>Papeterie Lenoir</a> <a>Panier</a></header><section><div><h1>Carnet cousu A5 ligné</h1><div><div>14,50 €</div><div>Livraison dès 3,90 €</div></div><div><button>Ajouter au panier</button></div></div></section><section><h2>Vous aimerez aussi</h2><div><a>Stylo plume</a><div>32,00 €</div></div></section></body></html>`,
    },
  ],
  former: [
    {
      trait: "en, department store: was, now, and a recommended price",
      url: "https://www.fenwickhall-en.example/bath/towel-bale-slate-6",
      product: { title: "Towel Bale Slate 6 Piece" },
      expected: { price: [2900], wasPrice: 3900, currency: "GBP" },
      html:
        `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Towel Bale Slate 6 Piece</title></head><body><main><h1>Towel Bale Slate 6 Piece</h1><div class="fh-price"><span class="fh-now">Now £29.00</span> <span class="fh-was">Was £39.00</span> <span class="fh-save">Save £10.00</span></div><p class="fh-stock">In stock online</p><button class="fh-add">Add to bag</button></main></body></html>`,
    },
    {
      trait: "de, PrestaShop: recommended price, and the lowest one of 30 days",
      url: "https://www.baumarkt-ostsee-de.example/werkzeug/61-stichsaege-kor-650.html",
      product: { title: "Stichsäge KOR 650" },
      expected: { price: [7999], wasPrice: 10999, lowest30: 8499, currency: "EUR" },
      html:
        `<!doctype html><html lang="de-DE"><head><meta charset="utf-8"><title>Stichsäge KOR 650</title></head><body id="product" class="lang-de"><section id="main"><h1 class="h1">Stichsäge KOR 650</h1><div class="product-prices"><div class="product-discount"><span class="regular-price">UVP 109,99 €</span></div><div class="product-price has-discount"><div class="current-price"><span class="current-price-value" content="79.99">79,99 €</span></div></div><p class="omnibus">30-Tage-Bestpreis: 84,99 €</p><div class="tax-shipping-delivery-label">Bruttopreis</div></div><div class="product-add-to-cart"><button class="add-to-cart">In den Warenkorb</button><span id="product-availability">Auf Lager</span></div></section></body></html>`,
    },
  ],
};

export const LATE_PAGES: readonly MadePage[] = [
  ...unreadPages("variants", PAGES.variants),
  ...unreadPages("vetoes", PAGES.vetoes),
  ...unreadPages("words", PAGES.words),
  ...unreadPages("bare", PAGES.bare),
  ...unreadPages("former", PAGES.former),
];
