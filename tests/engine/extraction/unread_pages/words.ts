/** Pages that say stock, condition and seller in words, with or against their markup. */
import type { UnreadPage } from "./unread_page.ts";

export const WORDS: readonly UnreadPage[] = [
  {
    trait: "de, Magento: at once deliverable, the markup says nothing of stock",
    url: "https://www.gartenpark-de.example/akku-heckenschere-hx-55.html",
    product: { title: "Ferrox Akku-Heckenschere HX 55 ohne Akku" },
    expected: { price: [15995], availability: ["in_stock"], condition: "new" },
    html:
      `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Ferrox Akku-Heckenschere HX 55 ohne Akku - Gartenpark</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Ferrox Akku-Heckenschere HX 55 ohne Akku","sku":"FX-HX55","offers":{"@type":"Offer","price":"159.95","priceCurrency":"EUR","itemCondition":"https://schema.org/NewCondition"}}</script></head>
<body class="catalog-product-view"><main class="page-main"><div class="product-info-main"><h1 class="page-title"><span class="base">Ferrox Akku-Heckenschere HX 55 ohne Akku</span></h1><div class="price-box"><span class="price-wrapper"><span class="price">159,95 €</span></span></div><div class="price-details">inkl. 19% MwSt., zzgl. Versandkosten</div><div class="delivery-info"><span class="dot dot--green"></span>Sofort lieferbar, 1–3 Werktage</div><button class="action primary tocart">In den Warenkorb</button></div><div class="block related"><strong>Dazu passt</strong><div class="product-item">Akku 4,0 Ah <span class="price">89,95 €</span><span>Derzeit nicht verfügbar</span></div></div></main></body></html>`,
  },
  {
    trait: "de, large shop: not available now, the markup says in stock",
    url: "https://www.allhaus-de.example/dp/B0C7TR91",
    product: { title: "Kavon Milchaufschäumer MA 300", ean: "4031632122330" },
    expected: { price: [6499], availability: ["out_of_stock"] },
    html:
      `<!DOCTYPE html><html lang="de-de"><head><meta charset="utf-8"><title>Kavon Milchaufschäumer MA 300 : allhaus.de</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Kavon Milchaufschäumer MA 300","gtin13":"4031632122330","offers":{"@type":"Offer","price":"64.99","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head>
<body><div id="dp-container"><div id="centerCol"><h1 id="title"><span id="productTitle">Kavon Milchaufschäumer MA 300</span></h1><div id="averageCustomerReviews">4,4 von 5 Sternen</div><div id="corePrice"><span class="a-price"><span class="a-offscreen">64,99 €</span><span aria-hidden="true"><span class="whole">64<span class="dec">,</span></span><span class="frac">99</span><span class="sym">€</span></span></span><span class="tax">inkl. MwSt.</span></div></div><div id="rightCol"><div id="availability"><span class="color-price">Derzeit nicht verfügbar.</span><br>Ob und wann dieser Artikel wieder vorrätig sein wird, ist unbekannt.</div><button id="wishlist">Auf die Liste</button></div></div></body></html>`,
  },
  {
    trait: "de, electronics: refurbished by its chosen condition, the markup says new",
    url: "https://www.zweitgeraet-de.example/laptops/corvid-book-14-512",
    product: { title: "Corvid Book 14 16 GB 512 GB" },
    expected: { price: [62900], condition: "refurbished", availability: ["limited", "in_stock"] },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Corvid Book 14 (16 GB, 512 GB) günstig | zweitgerät</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Corvid Book 14 16 GB 512 GB","offers":{"@type":"Offer","price":"629.00","priceCurrency":"EUR","availability":"https://schema.org/InStock","itemCondition":"https://schema.org/NewCondition"}}</script></head>
<body><div class="zg-pdp" data-v-6b1><h1 class="zg-title">Corvid Book 14 16 GB 512 GB</h1><p class="zg-grade">Zustand: <strong>Generalüberholt – Sehr gut</strong></p><ul class="zg-grades"><li>Gut 589,00 €</li><li class="is-active">Sehr gut 629,00 €</li><li>Wie neu 679,00 €</li></ul><div class="zg-price"><span>629,00 €</span><small>Differenzbesteuert nach §25a UStG</small></div><button class="zg-cart">In den Warenkorb</button><p class="zg-stock">Nur noch 3 auf Lager</p></div></body></html>`,
  },
  {
    trait: "de, marketplace: sold by a trader, sent by the marketplace",
    url: "https://www.kaufmarkt-de.example/product/419923381/",
    product: { title: "Sonaris Soundbar SB 410" },
    expected: {
      price: [18900],
      confidenceMax: 0.8,
      seller: "TechnikWelt24 GmbH",
      isThirdParty: true,
      availability: ["in_stock"],
    },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Sonaris Soundbar SB 410 | Kaufmarkt</title><meta property="og:site_name" content="Kaufmarkt"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Sonaris Soundbar SB 410","offers":{"@type":"Offer","price":"189.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head>
<body><div class="rd-page"><div class="rd-title"><h1>Sonaris Soundbar SB 410</h1></div><div class="rd-buybox"><div class="rd-price">189,00 €</div><div class="rd-price-info">inkl. MwSt. | kostenloser Versand</div><div class="rd-deliv">Auf Lager. Lieferung Sa., 28. Nov.</div><div class="rd-seller">Verkauf durch <a href="/shop/technikwelt24">TechnikWelt24 GmbH</a></div><div class="rd-ship">Versand durch Kaufmarkt</div><button class="rd-add">In den Warenkorb</button></div><div class="rd-more"><h2>2 weitere Angebote</h2><div>192,50 € <span>Verkauf durch Hifi-Eck</span></div><div>199,00 € <span>Verkauf durch Kaufmarkt</span></div></div></div></body></html>`,
  },
  {
    trait: "en, marketplace: sold by a trader and fulfilled by the shop, in one line",
    url: "https://www.marlow-en.example/p/quillon-turntable-q2/9917712",
    product: { title: "Quillon Q2 Turntable" },
    expected: {
      price: [24900],
      confidenceMax: 0.8,
      seller: "Brightside Audio Ltd",
      isThirdParty: true,
    },
    html:
      `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Quillon Q2 Turntable | Marlow</title><meta property="og:site_name" content="Marlow"></head><body><div id="root"><div class="sc-aXZVg kPQe"><h1 class="sc-gEvEer">Quillon Q2 Turntable</h1><div class="sc-eqUAAy"><span class="sc-fqkvVR">£249.00</span></div><p class="sc-dcJsrY">Sold by <a>Brightside Audio Ltd</a>, fulfilled by Marlow</p><p class="sc-iGgWBj">In stock. Get it Friday</p><button class="sc-gsFSXq">Add to basket</button></div></div>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Quillon Q2 Turntable","offers":{"@type":"Offer","price":"249.00","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></body></html>`,
  },
  {
    trait: "fr, marketplace: sold and sent by a trader",
    url: "https://www.grandbazar-fr.example/f-1174-mp99310.html",
    product: { title: "Tondeuse robot Lawnix 600", ean: "3760761222024" },
    expected: {
      price: [59900],
      confidenceMax: 0.8,
      seller: "MaisonPlus",
      isThirdParty: true,
      availability: ["in_stock", "limited"],
    },
    html:
      `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Tondeuse robot Lawnix 600 | Grand Bazar</title><meta property="og:site_name" content="Grand Bazar"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Tondeuse robot Lawnix 600","gtin13":"3760761222024","offers":{"@type":"Offer","price":"599.00","priceCurrency":"EUR","availability":"https://schema.org/InStock","seller":{"@type":"Organization","name":"MaisonPlus"}}}</script></head>
<body><div class="fpDesBlocks"><h1>Tondeuse robot Lawnix 600</h1><div class="fpPrice"><span class="price">599€<sup>00</sup></span></div><div class="fpStock">En stock – plus que 4 exemplaires</div><div class="fpVendor">Vendu et expédié par <a>MaisonPlus</a></div><button class="btGreen">Ajouter au panier</button><p>Livraison à domicile 9,90 €</p></div></body></html>`,
  },
  {
    trait: "de, furniture outlet: a display piece",
    url: "https://www.moebelrest-de.example/ausstellung/esstisch-varde-200",
    product: { title: "Esstisch Varde Eiche 200 x 100 cm" },
    expected: { price: [69900], condition: "used", availability: ["limited", "in_stock"] },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Esstisch Varde Eiche 200 x 100 cm – Möbelrest</title></head><body><main class="mr"><h1>Esstisch Varde Eiche 200 x 100 cm</h1><div class="mr-badge">Ausstellungsstück</div><div class="mr-preis">699,00 €</div><div class="mr-info">inkl. MwSt., Selbstabholung oder Spedition (79,00 €)</div><p class="mr-bestand">Nur noch 1 Stück verfügbar</p><button class="mr-kauf">In den Warenkorb</button><div class="mr-text"><p>Leichte Kratzer an der Unterseite, siehe Bild 4.</p></div></main>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Esstisch Varde Eiche 200 x 100 cm","offers":{"@type":"Offer","price":"699.00","priceCurrency":"EUR"}}</script></body></html>`,
  },
  {
    trait: "en, Shopify: to be ordered before it appears",
    url: "https://www.vinylcellar-en.example/products/harbour-lights-2lp",
    product: { title: "Harbour Lights 2LP Anniversary Edition" },
    expected: { price: [3499], availability: ["pre_order"] },
    html:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour Lights (2LP) – Vinyl Cellar</title><meta property="og:price:amount" content="34.99"><meta property="og:price:currency" content="GBP"></head><body><main><div class="product-single"><h1 class="product-single__title">Harbour Lights 2LP Anniversary Edition</h1><span class="product__price" aria-hidden="false">£34.99</span><div class="product__policies">Tax included.</div><p class="preorder-note"><strong>Pre-order:</strong> released 29 January 2027</p><form action="/cart/add" method="post"><button type="submit" name="add" class="btn product-form__cart-submit"><span>Pre-order</span></button></form></div></main></body></html>`,
  },
  {
    trait: "fr, WooCommerce: in stock and sent within a day",
    url: "https://www.savonnerie-fr.example/boutique/huile-de-soin-figue/",
    product: { title: "Huile de soin figue 100 ml" },
    expected: { price: [2450], availability: ["in_stock"] },
    html:
      `<!DOCTYPE html><html lang="fr-FR"><head><meta charset="utf-8"><title>Huile de soin figue - La Savonnerie</title></head><body class="single-product woocommerce"><div class="summary entry-summary"><h1 class="product_title">Huile de soin figue 100 ml</h1><p class="price"><span class="woocommerce-Price-amount amount"><bdi>24,50<span class="woocommerce-Price-currencySymbol">€</span></bdi></span></p><p class="stock in-stock">En stock – expédié sous 24 h</p><form class="cart"><button class="single_add_to_cart_button button">Ajouter au panier</button></form></div><section class="related"><li class="product"><h2>Savon noir</h2><span class="price"><bdi>9,90€</bdi></span><span>Rupture de stock</span></li></section></body></html>`,
  },
  {
    trait: "fr, PrestaShop: out of stock in the buy area, the markup says nothing",
    url: "https://www.cavepresto-fr.example/spiritueux/44-gin-des-dunes.html",
    product: { title: "Gin des Dunes 70 cl" },
    expected: { price: [3890], availability: ["out_of_stock"] },
    html:
      `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Gin des Dunes - Cave Presto</title><script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","name":"Gin des Dunes 70 cl","offers":{"@type":"Offer","price":"38.90","priceCurrency":"EUR"}}</script></head><body id="product"><section id="main"><h1 class="h1">Gin des Dunes 70 cl</h1><div class="product-prices"><div class="current-price"><span class="current-price-value">38,90 €</span></div><div class="tax-shipping-delivery-label">TTC</div></div><div class="product-add-to-cart"><button class="btn add-to-cart" disabled>Ajouter au panier</button><span id="product-availability"><i class="material-icons product-unavailable">&#xE14B;</i> Rupture de stock</span><div class="tabs">Prévenez-moi lorsque le produit est disponible</div></div></section></body></html>`,
  },
  {
    trait: "de, own offer that is new, and a cheaper used one of somebody else",
    url: "https://www.buchundbild-de.example/artikel/objektiv-fernis-50-18",
    product: { title: "Fernis 50 mm F1.8 Objektiv", ean: "4006131860915" },
    expected: { price: [17999], condition: "new", isThirdParty: false, availability: ["in_stock"] },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Fernis 50 mm F1.8 Objektiv | Buch &amp; Bild</title><meta property="og:site_name" content="Buch &amp; Bild"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Fernis 50 mm F1.8 Objektiv","gtin13":"4006131860915","offers":[{"@type":"Offer","price":"129.00","priceCurrency":"EUR","itemCondition":"https://schema.org/UsedCondition","availability":"https://schema.org/InStock","seller":{"@type":"Organization","name":"Foto-Fundgrube"}},{"@type":"Offer","price":"179.99","priceCurrency":"EUR","itemCondition":"https://schema.org/NewCondition","availability":"https://schema.org/InStock","seller":{"@type":"Organization","name":"Buch & Bild"}}]}</script></head>
<body><div class="bb"><h1>Fernis 50 mm F1.8 Objektiv</h1><div class="bb-buy"><div class="bb-price">179,99 €</div><div>inkl. MwSt. – Verkauf und Versand durch Buch &amp; Bild</div><div class="bb-lager">Lieferbar, in 2 Tagen bei dir</div><button>In den Warenkorb</button></div><div class="bb-used"><a>Gebraucht ab 129,00 €</a> von Foto-Fundgrube</div></div></body></html>`,
  },
  {
    trait: "en, photo dealer: an open box item",
    url: "https://www.shutterstop-en.example/used/pallas-flash-f60-openbox",
    product: { title: "Pallas F60 Flashgun" },
    expected: { price: [11900], condition: "used" },
    html:
      `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Pallas F60 Flashgun - Ex-Display | ShutterStop</title></head><body><div class="wrap"><div class="prod"><h1 class="prod__h">Pallas F60 Flashgun</h1><div class="prod__cond">Condition: Used – Ex-display</div><div class="prod__price"><ins>£119.00</ins></div><div class="prod__vat">VAT included</div><button class="prod__add">Add to basket</button><div class="prod__ship">Free UK delivery</div></div></div><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Pallas F60 Flashgun","offers":{"@type":"Offer","price":"119.00","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></body></html>`,
  },
  {
    trait: "de, JTL: goods returned, sold as B-Ware",
    url: "https://www.hausgeraete-outlet-de.example/Wischsauger-Rovana-WS7-B-Ware",
    product: { title: "Rovana WS7 Wischsauger" },
    expected: {
      price: [21900],
      condition: "damaged",
      availability: ["limited", "in_stock"],
      wasPrice: 34900,
    },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Rovana WS7 Wischsauger B-Ware</title></head><body><main id="main-wrapper"><div id="product-offer" itemscope itemtype="https://schema.org/Product"><h1 class="product-title" itemprop="name">Rovana WS7 Wischsauger (B-Ware)</h1><div class="product-offer" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><div class="price_wrapper"><strong class="price" content="219.00" itemprop="price">219,00 €</strong><div class="instead-of old-price"><small>Alter Preis: <del>349,00 €</del></small></div><div class="vat_info">inkl. 19% USt., zzgl. Versand</div></div><div class="status status-1">knapper Lagerbestand</div><button name="inWarenkorb">In den Warenkorb</button></div><dl><dt>Zustand</dt><dd>B-Ware, Kundenrückläufer, geprüft</dd></dl></div></main></body></html>`,
  },
  {
    trait: "de, bookshop: sold out and never printed again",
    url: "https://www.antiqua-buch-de.example/titel/978-3-00-071234-5",
    product: { title: "Atlas der Moore gebunden" },
    expected: { price: [4800], availability: ["out_of_stock", "discontinued"] },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Atlas der Moore | Antiqua</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Atlas der Moore gebunden","offers":{"@type":"Offer","price":"48.00","priceCurrency":"EUR"}}</script></head><body><div class="aq"><h1>Atlas der Moore gebunden</h1><p class="aq-autor">Hanne Brodersen</p><div class="aq-kauf"><span class="aq-preis">48,00 €</span><span class="aq-bind">gebunden, inkl. MwSt.</span><div class="aq-verf">Vergriffen, keine Neuauflage</div><a class="aq-merk">Auf den Merkzettel</a></div></div></body></html>`,
  },
  {
    trait: "de, lighting: deliverable again from a date on",
    url: "https://www.leuchtkraft-de.example/pendelleuchte-orlo-messing",
    product: { title: "Pendelleuchte Orlo Messing" },
    expected: { price: [27900], availability: ["back_order", "pre_order", "out_of_stock"] },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Pendelleuchte Orlo Messing | Leuchtkraft</title></head><body><main><div class="lk-pdp"><h1>Pendelleuchte Orlo Messing</h1><div class="lk-preis">279,00 €</div><div class="lk-klein">inkl. MwSt., versandkostenfrei</div><div class="lk-liefer"><i class="gelb"></i>Lieferbar ab 18.01.2027</div><button>Vorbestellen</button></div></main></body></html>`,
  },
  {
    trait: "en, the shop itself sells and dispatches, other sellers below are cheaper",
    url: "https://www.harrowgate-en.example/p/linnet-kettle-17l/220981",
    product: { title: "Linnet 1.7L Kettle Slate" },
    expected: { price: [4500], isThirdParty: false, availability: ["in_stock", "limited"] },
    html:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Linnet 1.7L Kettle Slate | Harrowgate</title><meta property="og:site_name" content="Harrowgate"></head><body><div class="hg"><h1>Linnet 1.7L Kettle Slate</h1><div class="hg-main"><span class="hg-price">£45.00</span><p>Sold and dispatched by Harrowgate</p><p>Only 2 left in stock</p><button>Add to basket</button></div><div class="hg-others"><h2>Other sellers</h2><ul><li>£43.50 + £3.99 delivery – sold by KettleCo</li><li>£44.20 – sold by HomeNook</li></ul></div></div></body></html>`,
  },
];
