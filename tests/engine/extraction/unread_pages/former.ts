/** Pages with a former or recommended price, or with the lowest one of 30 days. */
import type { UnreadPage } from "./unread_page.ts";

export const FORMER: readonly UnreadPage[] = [
  {
    trait: "de, Shopware 6: list price, percentage and the lowest price of 30 days",
    url: "https://www.laufladen-de.example/Trailschuh-Gravel-Evo/LL-20417",
    product: { title: "Montis Trailschuh Gravel Evo", ean: "4250281590134" },
    expected: { price: [10495], wasPrice: 14995, lowest30: 11995 },
    html:
      `<!DOCTYPE html><html lang="de-DE"><head><meta charset="utf-8"><title>Trailschuh Gravel Evo | LL-20417</title></head><body class="is-ctl-product"><div class="product-detail" itemscope itemtype="https://schema.org/Product"><h1 class="product-detail-name" itemprop="name">Montis Trailschuh Gravel Evo</h1><meta itemprop="gtin13" content="4250281590134"><div class="product-detail-buy" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="104.95"><link itemprop="availability" href="https://schema.org/InStock">
<p class="product-detail-price with-list-price"> 104,95 €* <span class="product-detail-list-price-wrapper"> <span class="list-price-price">149,95 €*</span><span class="list-price-percentage">(30.01% gespart)</span></span></p><p class="product-detail-cheapest-price">Niedrigster Preis der letzten 30 Tage: 119,95 €*</p><p class="product-detail-tax">*Preise inkl. MwSt. zzgl. Versandkosten</p><button class="btn-buy">In den Warenkorb</button></div></div></body></html>`,
  },
  {
    trait: "de, Shopify: compare-at price, and a 30 day line by an app",
    url: "https://www.studiohund-de.example/products/hundebett-ortho-l",
    product: { title: "Hundebett Ortho L" },
    expected: { price: [8900], wasPrice: 11900, lowest30: 8500 },
    html:
      `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Hundebett Ortho L – Studio Hund</title><script type="application/ld+json">{"@context":"http://schema.org/","@type":"Product","name":"Hundebett Ortho L","offers":[{"@type":"Offer","price":89.0,"priceCurrency":"EUR","availability":"http://schema.org/InStock"}]}</script></head><body><main><div class="product__info-container"><h1>Hundebett Ortho L</h1><div class="price price--on-sale"><div class="price__regular"><span class="price-item price-item--regular">€89,00</span></div><div class="price__sale"><span class="visually-hidden">Normaler Preis</span><s class="price-item price-item--regular">€119,00</s><span class="visually-hidden">Verkaufspreis</span><span class="price-item price-item--sale price-item--last">€89,00</span></div><span class="badge">Sale</span></div><div class="omnibus-app">Tiefster Preis in den letzten 30 Tagen: €85,00</div><button name="add">In den Warenkorb</button></div></main></body></html>`,
  },
  {
    trait: "fr, PrestaShop: crossed price and the lowest of 30 days",
    url: "https://www.cuisine-et-cie-fr.example/casseroles/77-cocotte-fonte-26.html",
    product: { title: "Cocotte en fonte Brasier 26 cm" },
    expected: { price: [12900], wasPrice: 17900, lowest30: 13900 },
    html:
      `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Cocotte en fonte Brasier 26 cm</title><script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","name":"Cocotte en fonte Brasier 26 cm","offers":{"@type":"Offer","price":"129","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body id="product"><h1>Cocotte en fonte Brasier 26 cm</h1><div class="product-prices"><div class="product-discount"><span class="regular-price">179,00 €</span></div><div class="product-price has-discount"><div class="current-price"><span class="current-price-value">129,00 €</span><span class="discount discount-amount">Économisez 50,00 €</span></div></div><p class="omnibus">Prix le plus bas des 30 derniers jours : 139,00 €</p></div><button class="add-to-cart">Ajouter au panier</button></body></html>`,
  },
  {
    trait: "en, was, now and a saving in one line",
    url: "https://www.kitchenry-en.example/mixers/dovetail-stand-mixer",
    product: { title: "Dovetail 5L Stand Mixer Cream" },
    expected: { price: [22900], wasPrice: 27900 },
    html:
      `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Dovetail 5L Stand Mixer</title></head><body><div class="k-wrap"><h1>Dovetail 5L Stand Mixer Cream</h1><p class="k-price">Now £229.00 <span class="k-was">Was £279.00</span> <span class="k-save">Save £50.00</span></p><button class="k-btn">Add to basket</button><p class="k-note">Was price charged 2 September to 18 November 2026.</p></div><div class="k-reco"><div><a>Dovetail Glass Bowl</a><p>£39.00</p></div></div></body></html>`,
  },
  {
    trait: "de, JSON-LD: a list price of its own kind beside the sale price",
    url: "https://www.technikkiste-de.example/kopfhoerer/aulora-h3",
    product: { title: "Aulora H3 Over-Ear-Kopfhörer", ean: "4031079244022" },
    expected: { price: [13999], wasPrice: 19999 },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Aulora H3 | technikkiste</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Aulora H3 Over-Ear-Kopfhörer","gtin13":"4031079244022","offers":{"@type":"Offer","price":139.99,"priceCurrency":"EUR","availability":"https://schema.org/InStock","priceSpecification":[{"@type":"UnitPriceSpecification","priceType":"https://schema.org/ListPrice","price":199.99,"priceCurrency":"EUR"},{"@type":"UnitPriceSpecification","price":139.99,"priceCurrency":"EUR"}]}}</script></head><body><div data-testid="pdp"><h1 data-testid="pdp-title">Aulora H3 Over-Ear-Kopfhörer</h1><div data-testid="mms-price"><span class="sc-3f2da4f5-0 k">UVP € 199,99</span><span class="sc-3f2da4f5-1 z">€ 139,99</span></div><button data-testid="pdp-add-to-cart">In den Warenkorb</button></div></body></html>`,
  },
  {
    trait: "de, no discount: the only amounts besides the price are a set's and shipping",
    url: "https://www.malerbedarf-de.example/farben/wandweiss-10l",
    product: { title: "Kolibri Wandweiß Premium 10 l" },
    expected: { price: [5499], wasPrice: null, lowest30: null },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Wandweiß Premium 10 l</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Kolibri Wandweiß Premium 10 l","offers":{"@type":"Offer","price":"54.99","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body><main><h1>Kolibri Wandweiß Premium 10 l</h1><div class="preis-zone"><div class="preis">54,99 €</div><div class="grundpreis">5,50 € / l</div><div class="mwst">inkl. MwSt., zzgl. 6,90 € Versand</div><button>In den Warenkorb</button></div><div class="set">2er-Set für 104,99 € <button>Set in den Warenkorb</button></div></main></body></html>`,
  },
  {
    trait: "en, Shopify with the sale price first and the former in another element",
    url: "https://hearthandhide-en.example/products/weekender-tan",
    product: { title: "Weekender Holdall Tan" },
    expected: { price: [19600], wasPrice: 28000, currency: "GBP" },
    html:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Weekender Holdall Tan | Hearth & Hide</title><meta property="og:price:amount" content="196.00"><meta property="og:price:currency" content="GBP"></head><body><main id="MainContent"><div class="product__info"><h1 class="product__title h2">Weekender Holdall Tan</h1><div class="product__price"><span data-product-price class="price on-sale">£196</span><span class="visually-hidden">Regular price</span><span data-compare-price class="compare-at">£280</span><span class="badge badge--sale">30% off</span></div><form action="/cart/add"><button class="btn--add">Add to bag</button></form><p>4 interest-free payments of £49 with Later.</p></div></main></body></html>`,
  },
  {
    trait: "fr, WooCommerce: del and ins",
    url: "https://www.boisdolive-fr.example/produit/planche-olivier-45/",
    product: { title: "Planche à découper olivier 45 cm" },
    expected: { price: [3920], wasPrice: 4900 },
    html:
      `<!DOCTYPE html><html lang="fr-FR"><head><meta charset="utf-8"><title>Planche à découper olivier</title></head><body class="single-product woocommerce"><span class="onsale">Promo !</span><div class="summary"><h1 class="product_title">Planche à découper olivier 45 cm</h1><p class="price"><del aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi>49,00&nbsp;<span>€</span></bdi></span></del> <span class="screen-reader-text">Le prix initial était : 49,00&nbsp;€.</span><ins aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi>39,20&nbsp;<span>€</span></bdi></span></ins><span class="screen-reader-text">Le prix actuel est : 39,20&nbsp;€.</span></p><form class="cart"><button class="single_add_to_cart_button">Ajouter au panier</button></form></div></body></html>`,
  },
  {
    trait: "de, marketplace: UVP in a tooltip and a lowest price by abbreviation",
    url: "https://www.modehafen-de.example/steppjacke-bergen-navy-M12345",
    product: { title: "Fjordline Steppjacke Bergen navy" },
    expected: { price: [7999], wasPrice: 11999, lowest30: 8999 },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Fjordline Steppjacke Bergen | Modehafen</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Fjordline Steppjacke Bergen navy","offers":{"@type":"Offer","price":"79.99","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body><div class="_5qdMrS"><h1><span class="EKabf7">Fjordline</span> <span>Steppjacke Bergen navy</span></h1><div class="Bqz_1C"><p class="sDq_FX _4sa1cA">79,99 €</p><p class="_0xLoFW">UVP: <span class="ZiDB59">119,99 €</span> <span>-33 %</span></p><p class="_7ZONEy">30-Tage-Bestpreis: 89,99 € (-11 %)</p></div><button class="HlZ_Tf">In den Warenkorb</button></div></body></html>`,
  },
  {
    trait: "en, RRP label and our price, with a struck price on the related tile",
    url: "https://www.toytrove-en.example/item/51277-robot-kit",
    product: { title: "Tinkerbot Robot Kit" },
    expected: { price: [4499], wasPrice: 5999 },
    html:
      `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Tinkerbot Robot Kit - Toy Trove</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Tinkerbot Robot Kit","offers":{"@type":"Offer","price":"44.99","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></head><body><section class="tt-item"><h1>Tinkerbot Robot Kit</h1><div class="tt-rrp">RRP: <span>£59.99</span></div><div class="tt-now">£44.99</div><button>Add to trolley</button></section><section class="tt-also"><h2>More to build</h2><div class="tt-tile"><a>Solar Rover Kit</a><s>£34.99</s> <b>£19.99</b></div></section></body></html>`,
  },
  {
    trait: "de, OXID: statt and jetzt in words",
    url: "https://www.uhrenstube-de.example/Wanduhren/Regulator-Anselm.html",
    product: { title: "Wanduhr Regulator Anselm Nussbaum" },
    expected: { price: [24900], wasPrice: 32900 },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Regulator Anselm | Uhrenstube</title></head><body class="cl-details"><div class="detailsInfo"><h1 id="productTitle"><span>Wanduhr Regulator Anselm Nussbaum</span></h1><p class="oldPrice"><span>statt 329,00 €</span></p><label id="productPrice" class="price"><strong>jetzt nur 249,00 €*</strong></label><form><button id="toBasket">In den Warenkorb</button></form><p>* inkl. MwSt., versandkostenfrei</p></div></body></html>`,
  },
  {
    trait: "fr, Magento: old price before the special price, both in wrappers with amounts",
    url: "https://www.photoplanete-fr.example/trepied-carbone-alto-5.html",
    product: { title: "Trépied carbone Alto 5" },
    expected: { price: [18900], wasPrice: 24900 },
    html:
      `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Trépied carbone Alto 5</title></head><body class="catalog-product-view"><div class="product-info-main"><h1 class="page-title"><span class="base">Trépied carbone Alto 5</span></h1><div class="price-box price-final_price"><span class="special-price"><span class="price-label">Prix spécial</span><span data-price-amount="189" data-price-type="finalPrice" class="price-wrapper"><span class="price">189,00 €</span></span></span><span class="old-price"><span class="price-label">Prix public</span><span data-price-amount="249" data-price-type="oldPrice" class="price-wrapper"><span class="price">249,00 €</span></span></span></div><button class="tocart">Ajouter au panier</button></div></body></html>`,
  },
  {
    trait: "de, Nuxt: member price below the price of everybody",
    url: "https://www.drogerieplus-de.example/elektrische-zahnbuerste-sonix-5",
    product: { title: "Sonix 5 Elektrische Zahnbürste", ean: "4017757491186" },
    expected: {
      price: [5995],
      wasPrice: 7995,
      tolerated: { price: [5495], confidenceMax: 0.6 },
    },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Sonix 5 | drogerie plus</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Sonix 5 Elektrische Zahnbürste","gtin13":"4017757491186","offers":{"@type":"Offer","price":"59.95","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body><div id="__nuxt"><div class="dp-pdp" data-v-99><h1 data-v-99>Sonix 5 Elektrische Zahnbürste</h1><div class="dp-price" data-v-99><span class="dp-price__now">59,95 €</span><span class="dp-price__old"><span class="sr-only">vorher</span> 79,95 €</span></div><div class="dp-club" data-v-99>Mit PlusKarte: <b>54,95 €</b></div><button class="dp-cta" data-v-99>In den Warenkorb</button></div></div></body></html>`,
  },
  {
    trait: "en, Next: struck price and the lowest of 30 days",
    url: "https://www.northlight-en.example/lamps/fen-floor-lamp",
    product: { title: "Fen Floor Lamp Brass" },
    expected: { price: [11200], wasPrice: 16000, lowest30: 12000 },
    html:
      `<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><title>Fen Floor Lamp | Northlight</title></head><body><div id="__next"><main class="page_main__x1"><h1 class="title_root__9a">Fen Floor Lamp Brass</h1><div class="price_root__0c"><del class="price_old__2d">£160.00</del><span class="price_current__7e">£112.00</span><p class="price_low__8f">Lowest price in the last 30 days: £120.00</p></div><button class="btn_primary__3a">Add to basket</button></main></div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"product":{"sku":"FEN-BR","name":"Fen Floor Lamp Brass","price":112,"compareAtPrice":160,"currency":"GBP"}}},"page":"/lamps/[slug]"}</script></body></html>`,
  },
  {
    trait:
      "de, a campaign price with a saving in euro and the recommended price in a footnote mark",
    url: "https://www.mediahof-de.example/fernseher/lumavis-55-oled",
    product: { title: "Lumavis 55 Zoll OLED TV LV55O6", mpn: "LV55O6" },
    expected: { price: [99900], wasPrice: 149900 },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Lumavis LV55O6 | mediahof</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lumavis 55 Zoll OLED TV LV55O6","mpn":"LV55O6","offers":{"@type":"Offer","price":"999.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body><div class="mh"><h1>Lumavis 55 Zoll OLED TV LV55O6</h1><div class="mh-aktion">Aktion bis 30.11.</div><div class="mh-uvp">UVP<sup>1</sup> 1.499,- €</div><div class="mh-jetzt">999,- €</div><div class="mh-spar">Sie sparen 500,- €</div><div class="mh-rate">oder 20 x 49,95 €</div><button>In den Warenkorb</button></div></body></html>`,
  },
];
