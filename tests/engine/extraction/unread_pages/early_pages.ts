/**
 * Fifteen pages written after the last ones, before their first reading: ranges, raised cents, shadow
 * roots and plain pages among the usual kinds. Their faults were mended after it.
 */
import { type Kind, type MadePage, noSale, openVariant } from "../made_pages/made_page.ts";
import { type UnreadPage, unreadPages } from "./unread_page.ts";

const PAGES: Readonly<Record<Kind, readonly UnreadPage[]>> = {
  variants: [
    {
      trait: "de, WooCommerce: the sizes cost 19,90 to 34,90 and are loaded later",
      url: "https://www.leinenwerkstatt-de.example/produkt/schuerze-holm/",
      product: { title: "Leinenwerkstatt Schürze Holm" },
      expected: openVariant([1990, 3490]),
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Schürze Holm – Leinenwerkstatt</title><script type="application/ld+json">{"@context":"https://schema.org/","@graph":[{"@type":"Product","name":"Schürze Holm","sku":"SH-1","offers":[{"@type":"AggregateOffer","lowPrice":"19.90","highPrice":"34.90","offerCount":3,"priceCurrency":"EUR","availability":"https://schema.org/InStock"}]}]}</script></head>
<body class="single-product woocommerce"><header><a class="cart-contents">0,00&nbsp;€</a></header><div class="product type-product product-type-variable"><div class="summary entry-summary"><h1 class="product_title entry-title">Schürze Holm</h1><p class="price"><span class="woocommerce-Price-amount amount"><bdi>19,90&nbsp;<span class="woocommerce-Price-currencySymbol">€</span></bdi></span> – <span class="woocommerce-Price-amount amount"><bdi>34,90&nbsp;<span class="woocommerce-Price-currencySymbol">€</span></bdi></span></p><small>inkl. MwSt., zzgl. <a>Versand</a></small><form class="variations_form cart" data-product_variations="false"><table class="variations"><tr><th><label>Größe</label></th><td><select name="attribute_groesse"><option value="">Wähle eine Option</option><option>S</option><option>M</option><option>L</option></select></td></tr></table><button class="single_add_to_cart_button button alt disabled">In den Warenkorb</button></form></div></div></body></html>`,
    },
    {
      trait: "fr, Shopify: from one price to another, the shop's number of our size is known",
      url: "https://www.brulerie-du-port-fr.example/products/cafe-guji",
      product: { title: "Café Guji", shopSku: "GUJI-1000" },
      expected: { price: [3400], currency: "EUR" },
      alone: openVariant([990, 1850, 3400]),
      html:
        `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Café Guji – Brûlerie du Port</title><meta property="og:type" content="product"><meta property="og:price:amount" content="9,90"><meta property="og:price:currency" content="EUR"></head>
<body><main><section class="shopify-section"><product-info><div class="product__title"><h1>Café Guji</h1></div><div class="price"><div class="price__container"><span class="price-item price-item--regular">De €9,90 à €34,00</span></div><div class="product__tax caption">Taxes incluses.</div></div><variant-selects><fieldset><legend>Poids</legend><input type="radio" name="Poids" value="250 g" checked><label>250 g</label><input type="radio" name="Poids" value="500 g"><label>500 g</label><input type="radio" name="Poids" value="1 kg"><label>1 kg</label></fieldset><script type="application/json">[{"id":4711,"title":"250 g","option1":"250 g","sku":"GUJI-250","available":true,"price":990,"compare_at_price":null},{"id":4712,"title":"500 g","option1":"500 g","sku":"GUJI-500","available":true,"price":1850,"compare_at_price":null},{"id":4713,"title":"1 kg","option1":"1 kg","sku":"GUJI-1000","available":true,"price":3400,"compare_at_price":null}]</script></variant-selects><button name="add" class="product-form__submit">Ajouter au panier</button></product-info></section></main></body></html>`,
    },
    {
      trait: "en, a marketplace of makers: dollars in a range, the lower end is in the markup",
      url: "https://www.handandloom-en.example/listing/882177/felted-cat-cave",
      product: { title: "Felted Cat Cave" },
      expected: { ...openVariant([4500, 6500]), currency: "USD" },
      html:
        `<!DOCTYPE html><html lang="en-US"><head><meta charset="utf-8"><title>Felted Cat Cave | Hand and Loom</title><meta property="og:title" content="Felted Cat Cave"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Felted Cat Cave","offers":{"@type":"Offer","price":"45.00","priceCurrency":"USD","availability":"https://schema.org/InStock"}}</script></head>
<body><div id="listing-page"><div data-buy-box><div data-selector="price-only"><p class="wt-text-title-larger"><span class="wt-screen-reader-only">Price:</span> $45.00 - $65.00</p></div><h1 class="wt-text-body-01">Felted Cat Cave</h1><div><label for="v1">Diameter</label><select id="v1"><option value="">Select an option</option><option value="1">16 inches</option><option value="2">20 inches</option></select></div><button class="wt-btn--filled">Add to cart</button></div><div class="more"><h2>You may also like</h2><a><h3>Wool Ball</h3><span class="currency-value">$9.00</span></a></div></div></body></html>`,
    },
  ],
  vetoes: [
    {
      trait: "de, trade shop on Shopware 6: without tax, and no rate is said",
      url: "https://www.hebetechnik-voss-de.example/Rundschlinge-2t-3m/HV-RS23",
      product: { title: "Rundschlinge 2 t 3 m" },
      expected: noSale(1840),
      html:
        `<!DOCTYPE html><html lang="de-DE"><head><meta charset="utf-8"><title>Rundschlinge 2 t 3 m | HV-RS23</title><meta property="product:price:amount" content="18.4"><meta property="product:price:currency" content="EUR"></head>
<body class="is-ctl-product is-act-index"><main class="content-main"><div class="product-detail" itemscope itemtype="https://schema.org/Product"><h1 class="product-detail-name" itemprop="name">Rundschlinge 2 t 3 m</h1><div class="product-detail-buy" itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="18.4"><div class="product-detail-price-container"><p class="product-detail-price">18,40&nbsp;€*</p></div><div class="product-detail-tax-container"><p class="product-detail-tax"><a class="product-detail-tax-link">Preise exkl. MwSt. zzgl. Versandkosten</a></p></div><div class="product-detail-delivery-information"><link itemprop="availability" href="http://schema.org/InStock"><p class="delivery-information">Sofort verfügbar, Lieferzeit 1-3 Tage</p></div><button class="btn btn-primary btn-buy">In den Warenkorb</button></div></div></main></body></html>`,
    },
    {
      trait: "en, coffee machine by subscription: an amount per month and a fee to start",
      url: "https://www.morningcrew-en.example/machines/pressa-duo",
      product: { title: "Pressa Duo Bean-to-Cup Machine" },
      expected: noSale(2999, 4900),
      html:
        `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Pressa Duo Bean-to-Cup Machine | Morning Crew</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Pressa Duo Bean-to-Cup Machine","offers":{"@type":"Offer","price":"29.99","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></head>
<body><main class="mc-main"><h1>Pressa Duo Bean-to-Cup Machine</h1><p>Beans, cleaning and repair included.</p><div class="mc-offer"><strong>£29.99</strong> <span>/ month</span><p>Set-up fee £49. Cancel any time.</p><a class="mc-cta" role="button">Start my plan</a></div></main></body></html>`,
    },
    {
      trait: "fr, kitchens: the price is asked for, accessories have prices",
      url: "https://www.fourneaux-marchand-fr.example/catalogue/piano-cuisson-110",
      product: { title: "Piano de cuisson Marchand 110" },
      expected: { price: [], says: "on_request" },
      html:
        `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Piano de cuisson Marchand 110</title></head><body><header><nav><a>Pianos</a><a>Hottes</a></nav></header><main><article class="fiche"><h1>Piano de cuisson Marchand 110</h1><p class="fiche-prix">Prix sur demande</p><a class="bouton" href="/devis?ref=M110">Demander un devis</a></article><section class="accessoires"><h2>Accessoires</h2><ul><li><a>Plaque à pâtisserie</a> <span class="prix">89,00 €</span></li><li><a>Grille en fonte</a> <span class="prix">54,00 €</span></li></ul></section></main></body></html>`,
    },
  ],
  words: [
    {
      trait: "de, Gambio: overhauled, and two pieces are left",
      url: "https://www.naehmaschinen-kurz-de.example/overlock-sera-4d-generalueberholt.html",
      product: { title: "Sera 4D Overlock" },
      expected: {
        price: [27900],
        currency: "EUR",
        condition: "refurbished",
        availability: ["limited", "in_stock"],
      },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Sera 4D Overlock - Nähmaschinen Kurz</title></head><body class="page-product-info"><div class="product-info"><div class="product-info-content"><form id="cart_quantity"><h1 class="product-info-title-desktop">Sera 4D Overlock</h1><dl class="dl-horizontal"><dt class="text-left">Art.Nr.:</dt><dd class="model-number">S4D-G</dd><dt>Zustand:</dt><dd>Generalüberholt, 12 Monate Gewährleistung</dd><dt>Lieferzeit:</dt><dd><span>3-4 Tage</span></dd><dt>Lagerbestand:</dt><dd>Nur noch 2 Stück</dd></dl><div class="price-container"><div class="price-calculation"><div class="current-price-container" id="attributes-calc-price">279,00 EUR</div><p class="tax-shipping-text text-small">Differenzbesteuert gem. § 25a UStG, zzgl. <a>Versand</a></p></div></div><button name="btn-add-to-cart" class="btn btn-primary">In den Warenkorb</button></form></div></div></body></html>`,
    },
    {
      trait: "en, marketplace: a trader sells and sends",
      url: "https://www.castlegate-en.example/item/garden-bench-alder-150/4411208",
      product: { title: "Garden Bench Alder 150 cm" },
      expected: {
        price: [18900],
        currency: "GBP",
        seller: "Oakfield Outdoor Ltd",
        isThirdParty: true,
        confidenceMax: 0.8,
      },
      html:
        `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Garden Bench Alder 150 cm - Castlegate</title><meta property="og:site_name" content="Castlegate"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Garden Bench Alder 150 cm","offers":{"@type":"Offer","price":"189.00","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></head>
<body><div class="pdp"><h1 class="pdp__name">Garden Bench Alder 150 cm</h1><div class="pdp__buy"><div class="pdp__price">£189.00</div><p class="pdp__seller">Sold and shipped by <a href="/seller/oakfield">Oakfield Outdoor Ltd</a></p><p class="pdp__stock">In stock</p><button class="pdp__add">Add to basket</button></div></div></body></html>`,
    },
    {
      trait: "de, JTL: not available at the moment, the markup says the contrary",
      url: "https://www.angelhof-de.example/Spinnrolle-Tarn-3000",
      product: { title: "Spinnrolle Tarn 3000" },
      expected: { price: [8495], currency: "EUR", availability: ["out_of_stock"] },
      html:
        `<!DOCTYPE html><html lang="de" itemscope itemtype="https://schema.org/ItemPage"><head><meta charset="utf-8"><title>Spinnrolle Tarn 3000</title></head><body data-page="1"><div id="content" itemprop="mainEntity" itemscope itemtype="https://schema.org/Product"><div id="product-offer"><h1 class="product-title h2" itemprop="name">Spinnrolle Tarn 3000</h1><div class="product-offer" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><link itemprop="availability" href="https://schema.org/InStock"><div class="price_wrapper"><div class="price productbox-price"><span>84,95 €</span><meta itemprop="price" content="84.95"><meta itemprop="priceCurrency" content="EUR"></div><div class="price-note"><div class="vat_info">inkl. 19% USt., zzgl. <a>Versand</a></div></div></div><div class="delivery-status"><span class="status status-0">Momentan nicht verfügbar</span></div><a class="btn" href="#n">Benachrichtigen, wenn verfügbar</a></div></div></div></body></html>`,
    },
  ],
  bare: [
    {
      trait: "de, a page typed by hand: the price is in a bold line below the heading",
      url: "http://www.korbmacher-lange-de.example/henkelkorb.htm",
      product: { title: "Henkelkorb aus Weide, oval" },
      expected: { price: [6800], currency: "EUR" },
      html:
        `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>Korbmacherei Lange</title></head><body bgcolor="#fffff0"><center><img src="logo.gif"></center><h1>Henkelkorb aus Weide, oval</h1><img src="henkel.jpg" width="300"><p>Geflochten aus ungeschälter Weide, 42 mal 30 cm. Der Henkel ist fest. Seit 1998 flechten wir diese Form.</p><p><b>Preis: 68,00 Euro</b></p><p>Bestellen Sie telefonisch unter 05855 1180 oder per E-Mail. Der Versand kostet 6,90 Euro.</p><hr><p><a href="index.htm">zurück</a></p></body></html>`,
    },
    {
      trait: "en, large shop: whole and fraction for the eye, the full text for listeners",
      url: "https://www.everland-en.example/dp/B0DKL77Q",
      product: { title: "Norvik Oscillating Multi-Tool 300W" },
      expected: { price: [5999], currency: "GBP", wasPrice: 7999 },
      html:
        `<!doctype html><html lang="en-gb"><head><meta charset="utf-8"><title>Norvik Oscillating Multi-Tool 300W : Everland</title></head><body><div id="dp"><div id="centerCol"><h1 id="title"><span id="productTitle"> Norvik Oscillating Multi-Tool 300W </span></h1><div id="corePriceDisplay_desktop_feature_div"><span class="savingPriceOverride">-25%</span> <span class="priceToPay"><span class="offscreen">£59.99</span><span aria-hidden="true"><span class="price-symbol">£</span><span class="price-whole">59<span class="price-decimal">.</span></span><span class="price-fraction">99</span></span></span><div><span class="basis">RRP: <span class="text-price" data-strike="true"><span class="offscreen">£79.99</span><span aria-hidden="true">£79.99</span></span></span></div></div></div><div id="rightCol"><div id="availability"><span>In stock</span></div><input id="add-to-cart-button" type="button" value="Add to Basket"></div></div></body></html>`,
    },
    {
      trait: "fr, supermarket: euros large, cents raised behind the sign",
      url: "https://www.hyperlys-fr.example/p/friteuse-air-5l-3701234",
      product: { title: "Friteuse à air Calorix 5 L" },
      expected: { price: [6999], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Friteuse à air Calorix 5 L | Hyperlys</title></head><body><main><div class="sc-1a"><h1 class="sc-2b">Friteuse à air Calorix 5 L</h1><p class="sc-9x">Réf. 3701234</p><div class="sc-3c"><span class="sc-4d">69</span><sup class="sc-5e">€99</sup></div><p class="sc-6f">dont 0,50 € d'éco-participation</p><button class="sc-7g">Ajouter au panier</button></div><aside><h2>Les clients ont aussi acheté</h2><div class="sc-8h"><a>Spatule</a><span>4</span><sup>€50</sup></div></aside></main></body></html>`,
    },
    {
      trait: "en, web components: price in an open shadow root, a template that nobody opened",
      url: "https://www.kestreloptics-en.example/binoculars/ridge-8x42",
      product: { title: "Kestrel Ridge 8x42 Binoculars" },
      expected: { price: [24900], currency: "GBP" },
      html:
        `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Kestrel Ridge 8x42 Binoculars</title></head><body><k-product><template shadowrootmode="open"><style>.p{font-size:2rem}</style><h1>Kestrel Ridge 8x42 Binoculars</h1><div class="p">£249.00</div><button>Add to bag</button><slot></slot></template><p>Waterproof and nitrogen filled.</p></k-product><template id="club"><div class="p">Club price £199.00</div></template></body></html>`,
    },
  ],
  former: [
    {
      trait: "de, OXID: instead and only, with the lowest price of the last 30 days",
      url: "https://www.wanderzeug-de.example/Rucksaecke/Tourenrucksack-Kees-28.html",
      product: { title: "Tourenrucksack Kees 28" },
      expected: { price: [6900], wasPrice: 8900, lowest30: 7400, currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Tourenrucksack Kees 28 | Wanderzeug</title></head><body class="cl-details"><div id="details_container"><div class="details-information"><h1 id="productTitle"><span>Tourenrucksack Kees 28</span></h1><form class="js-oxProductForm"><div class="price-wrapper"><del class="price-old">statt 89,00 €</del> <label id="productPrice" class="price h4"><span>nur 69,00 €</span> *</label><div class="small">Niedrigster Preis der letzten 30 Tage: 74,00 €</div></div><div class="stockFlag">Sofort lieferbar</div><button id="toBasket" class="btn btn-primary submitButton">In den Warenkorb</button></form></div></div><footer>* inkl. MwSt., zzgl. Versandkosten</footer></body></html>`,
    },
    {
      trait: "fr, Magento: the usual price is struck, the present one is named",
      url: "https://www.jardin-des-lices-fr.example/parasol-deporte-alize.html",
      product: { title: "Parasol déporté Alizé 3 m", ean: "3760123450010" },
      expected: { price: [29900], wasPrice: 39900, currency: "EUR" },
      html:
        `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Parasol déporté Alizé 3 m</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Parasol déporté Alizé 3 m","gtin13":"3760123450010","offers":{"@type":"Offer","price":299,"priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body class="catalog-product-view"><div class="product-info-main"><h1 class="page-title"><span class="base">Parasol déporté Alizé 3 m</span></h1><div class="product-info-price"><div class="price-box price-final_price"><span class="special-price"><span class="price-label">Prix Spécial</span> <span data-price-type="finalPrice" data-price-amount="299" class="price-wrapper"><span class="price">299,00 €</span></span></span><span class="old-price"><span class="price-label">Prix normal</span> <span data-price-type="oldPrice" data-price-amount="399" class="price-wrapper"><span class="price">399,00 €</span></span></span></div></div><div class="stock available">En stock</div><button class="action primary tocart">Ajouter au panier</button></div></body></html>`,
    },
  ],
};

export const EARLY_PAGES: readonly MadePage[] = [
  ...unreadPages("variants", PAGES.variants),
  ...unreadPages("vetoes", PAGES.vetoes),
  ...unreadPages("words", PAGES.words),
  ...unreadPages("bare", PAGES.bare),
  ...unreadPages("former", PAGES.former),
];
