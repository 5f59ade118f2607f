/** Eight English and six French pages full of other amounts, by the same hand as the German ones. */
import { type Kind, openVariant } from "../made_pages/made_page.ts";
import type { UnreadPage } from "./unread_page.ts";

export const NOISY_ABROAD: Readonly<Record<Kind, readonly UnreadPage[]>> = {
  variants: [
    {
      trait: "en, Wix: one-time purchase or a subscription, both are options of one product",
      url: "https://www.larkspur-candles-en.example/product-page/fig-and-cedar-candle",
      product: { title: "Fig & Cedar Candle" },
      expected: { price: [1800], currency: "GBP", availability: ["in_stock"] },
      html:
        `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Fig &amp; Cedar Candle | Larkspur Candles</title><meta property="og:title" content="Fig &amp; Cedar Candle | Larkspur Candles"><meta property="og:type" content="product"><meta property="product:price:amount" content="18"><meta property="product:price:currency" content="GBP"><script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","name":"Fig & Cedar Candle","description":"Hand poured soy wax.","image":[{"@type":"ImageObject","contentUrl":"https://static.example/fig.jpg"}],"Offers":{"@type":"Offer","url":"https://www.larkspur-candles-en.example/product-page/fig-and-cedar-candle","priceCurrency":"GBP","price":"18","Availability":"https://schema.org/InStock"}}</script></head><body><div id="SITE_CONTAINER"><div data-hook="cart-icon">Cart: 0</div><main><div data-hook="product-page"><h1 data-hook="product-title">Fig &amp; Cedar Candle</h1><div data-hook="sku">SKU: FC-220</div><div data-hook="product-price"><span data-hook="formatted-primary-price" data-wix-price="£18.00">£18.00</span><span data-hook="sr-formatted-primary-price">Price</span></div><div data-hook="product-price-base-unit">£8.18 per 100g</div><fieldset data-hook="subscription-plans"><legend>Price Options</legend><label><input type="radio" checked>One-time purchase<span data-hook="plan-price">£18.00</span></label><label><input type="radio">Monthly candle<span data-hook="plan-price">£15.30</span><span>every month until cancelled</span></label></fieldset><button data-hook="add-to-cart">Add to Cart</button><div data-hook="info-section-description">Free UK delivery over £40, otherwise £3.95.</div></div></main><section data-hook="related-products"><h2>Related Products</h2><ul><li><span data-hook="product-item-name">Sea Salt Candle</span><span data-hook="product-item-price-to-pay">£16.00</span></li></ul></section></div></body></html>`,
    },
    {
      trait: "fr, Nuxt: three capacities on buttons, our EAN is one of the payload",
      url: "https://www.randonnee-vercors-fr.example/sac-a-dos-cretes",
      product: { title: "Sac à dos Crêtes 50 L", ean: "3614790200504" },
      expected: { price: [15990], currency: "EUR" },
      alone: openVariant([11990, 13990, 15990]),
      html:
        `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Sac à dos Crêtes | Randonnée Vercors</title></head><body><div id="__nuxt"><header><span>Panier</span> <span>0,00 €</span></header><main><h1>Sac à dos Crêtes</h1><p class="pdp-price">À partir de 119,90 €</p><p>Volume</p><div role="radiogroup"><button role="radio">30 L</button><button role="radio">40 L</button><button role="radio">50 L</button></div><button disabled>Choisissez un volume</button><p>Livraison offerte dès 60 €, sinon 5,90 €</p><p>Paiement en 3 fois sans frais à partir de 100 €</p></main><aside><h2>Vous aimerez aussi</h2><div>Housse de pluie <b>19,90 €</b></div></aside></div><script>window.__NUXT__={state:{product:{id:"cretes",name:"Sac à dos Crêtes",variants:[{ean:"3614790200306",label:"30 L",price:{value:119.9,currency:"EUR"},stock:4},{ean:"3614790200405",label:"40 L",price:{value:139.9,currency:"EUR"},stock:0},{ean:"3614790200504",label:"50 L",price:{value:159.9,currency:"EUR"},stock:11}]}}}</script></body></html>`,
    },
  ],
  vetoes: [
    {
      trait: "en, WooCommerce: price without VAT in large, the one with VAT in brackets",
      url: "https://www.northgate-tools-en.example/product/hydraulic-trolley-jack-3t/",
      product: { title: "Hydraulic Trolley Jack 3T" },
      expected: { price: [14388], currency: "GBP", availability: ["in_stock", "limited"] },
      html:
        `<!DOCTYPE html><html lang="en-GB"><head><meta charset="UTF-8"><title>Hydraulic Trolley Jack 3T - Northgate Tools</title></head><body class="single-product"><div class="vat-toggle">Show prices: <a>ex VAT</a> <a>inc VAT</a></div><a class="cart-contents"><span class="amount">£0.00</span> 0 items</a><div class="product"><div class="summary"><h1 class="product_title entry-title">Hydraulic Trolley Jack 3T</h1><p class="price"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&pound;</span>119.90</bdi></span> <small>ex VAT</small> <span class="woocommerce-price-suffix">(<span class="woocommerce-Price-amount amount">&pound;143.88</span> inc VAT)</span></p><p class="stock in-stock">7 in stock</p><p>Delivery &pound;9.95, free over &pound;150</p><p>Pay in 3 interest-free instalments of &pound;47.96</p><form class="cart"><input type="number" value="1"><button class="single_add_to_cart_button">Add to basket</button></form></div><section class="up-sells"><h2>You may also like&hellip;</h2><ul class="products"><li class="product"><h2>Axle Stands 3T (pair)</h2><span class="price"><span class="amount">&pound;34.90</span> ex VAT</span></li></ul></section></div></body></html>`,
    },
    {
      trait: "en, Next.js grocery: price for members beside the regular one, both per kg",
      url: "https://www.harvest-and-hill-en.example/groceries/mature-cheddar-250g",
      product: { title: "Mature Cheddar 250g", ean: "5012345250013" },
      expected: { price: [475], currency: "GBP" },
      html:
        `<!DOCTYPE html><html lang="en-GB"><head><meta charSet="utf-8"/><title>Mature Cheddar 250g | Harvest &amp; Hill</title></head><body><div id="__next"><header>Basket £23.40 · Minimum order £25.00</header><main><h1 class="css-1x2y">Mature Cheddar 250g</h1><div class="css-8sk1"><p class="css-91aa">£4.75</p><p class="css-77bc">£19.00/kg</p></div><div class="css-promo" aria-label="Offer"><strong>£3.50 with HillCard</strong><span>£14.00/kg · Offer valid until 08/12/2026</span></div><button>Add</button><p>Any 3 for £10 - selected cheese</p></main><section><h2>Customers also bought</h2><article><h3>Oat Crackers 200g</h3><p>£1.85</p><p>£9.25/kg</p></article></section></div><script>self.__next_f.push([1,"4:{\\"item\\":{\\"title\\":\\"Mature Cheddar 250g\\",\\"gtin\\":\\"5012345250013\\",\\"price\\":{\\"actual\\":4.75,\\"unitPrice\\":19.0,\\"unitOfMeasure\\":\\"kg\\"},\\"promotions\\":[{\\"description\\":\\"£3.50 with HillCard\\"}]}}"])</script></body></html>`,
    },
    {
      trait: "en, price on application, with accessories that have prices",
      url: "https://www.kiln-and-clay-en.example/kilns/front-loader-k230",
      product: { title: "Front Loading Kiln K230" },
      expected: { price: [] },
      html:
        `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Front Loading Kiln K230 | Kiln &amp; Clay</title></head><body><main><h1>Front Loading Kiln K230</h1><p class="price">POA</p><p>Please call 01632 960 144 or request a quote. Installation from £350.00. Leasing from £89.00 per month, subject to status.</p><a class="btn" href="/quote?p=K230">Request a quote</a><h2>Accessories</h2><table><tr><td>Shelf 450 x 450 mm</td><td>£62.50</td><td><button>Add to cart</button></td></tr><tr><td>Prop kit</td><td>£38.00</td><td><button>Add to cart</button></td></tr></table></main></body></html>`,
    },
    {
      trait: "en, Ireland: a pre-order with a deposit, microdata",
      url: "https://www.boardroom-games-ie.example/preorder/harbour-masters",
      product: { title: "Harbour Masters (2nd Edition)", ean: "5391234567899" },
      expected: { price: [6999], currency: "EUR", availability: ["pre_order"] },
      html:
        `<!DOCTYPE html><html lang="en-IE"><head><meta charset="utf-8"><title>Harbour Masters (2nd Edition) - Pre-order</title></head><body><div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Harbour Masters (2nd Edition)</h1><meta itemprop="gtin13" content="5391234567899"><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><p class="deposit">Pay only <b>€10.00</b> deposit today</p><p>Full price <span itemprop="priceCurrency" content="EUR">€</span><span itemprop="price" content="69.99">69.99</span></p><p>Balance of €59.99 due on release</p><link itemprop="availability" href="http://schema.org/PreOrder"><p>Release date: 12 February 2027</p></div><button>Pre-order now</button></div><h2>Expansions</h2><p>Harbour Masters: Storms €29.99</p></body></html>`,
    },
    {
      trait: "fr, WooCommerce: price HT for professionals first, then TTC",
      url: "https://www.materiel-chr-lyon-fr.example/produit/trancheuse-220-mm/",
      product: { title: "Trancheuse à jambon 220 mm" },
      expected: { price: [28680], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="fr-FR"><head><meta charset="UTF-8"><title>Trancheuse à jambon 220 mm – Matériel CHR Lyon</title></head><body class="single-product"><a class="cart-contents">0 article – <span class="amount">0,00&nbsp;€</span></a><div class="product"><div class="summary entry-summary"><h1 class="product_title entry-title">Trancheuse à jambon 220 mm</h1><p class="price"><span class="prix-ht"><span class="woocommerce-Price-amount amount">239,00&nbsp;€</span> HT</span> <span class="prix-ttc"><span class="woocommerce-Price-amount amount">286,80&nbsp;€</span> TTC</span></p><p class="stock in-stock">En stock</p><p>dont 1,20&nbsp;€ d'éco-participation</p><p>Location à partir de 9,80&nbsp;€ HT / mois</p><button class="single_add_to_cart_button">Ajouter au panier</button></div><section class="related products"><h2>Produits similaires</h2><ul><li><h3>Trancheuse 250 mm</h3><span class="price">319,00&nbsp;€ HT</span></li></ul></section></div></body></html>`,
    },
  ],
  words: [
    {
      trait: "en, Magento 2: refurbished beside the new one, JSON-LD is that of the new one",
      url:
        "https://www.secondwind-audio-en.example/noise-cancelling-headphones-q45-refurbished.html",
      product: { title: "Noise Cancelling Headphones Q45 Refurbished", shopSku: "Q45-RF-A" },
      expected: { price: [18900], currency: "GBP", condition: "refurbished" },
      html:
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Noise Cancelling Headphones Q45 (Refurbished, Grade A)</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Noise Cancelling Headphones Q45","sku":"Q45","offers":{"@type":"Offer","price":"279.00","priceCurrency":"GBP","itemCondition":"https://schema.org/NewCondition","availability":"https://schema.org/InStock","url":"https://www.secondwind-audio-en.example/noise-cancelling-headphones-q45.html"}}</script></head><body class="catalog-product-view"><div class="column main"><div class="product-info-main"><h1 class="page-title"><span class="base">Noise Cancelling Headphones Q45 (Refurbished, Grade A)</span></h1><div class="product-info-price"><div class="price-box price-final_price" data-product-id="8812"><span class="price-wrapper" data-price-amount="189" data-price-type="finalPrice"><span class="price">£189.00</span></span></div></div><div class="product attribute sku">SKU <b>Q45-RF-A</b></div><p>Condition: Refurbished – like new. 12 month warranty.</p><p class="also-new">Also available <a href="/noise-cancelling-headphones-q45.html">new for £279.00</a></p><div class="stock available">In stock</div><button id="product-addtocart-button">Add to Basket</button></div></div></body></html>`,
    },
    {
      trait: "fr, PrestaShop without markup: out of stock, a pack, an eco tax",
      url: "https://www.electro-bastide-fr.example/bouilloires/311-bouilloire-17-l-inox.html",
      product: { title: "Bouilloire 1,7 L inox" },
      expected: { price: [3990], currency: "EUR", availability: ["out_of_stock"] },
      html:
        `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Bouilloire 1,7 L inox - Electro Bastide</title></head><body id="product" class="lang-fr country-fr currency-eur"><div class="currency-selector"><span>EUR €</span><ul><li>CHF</li><li>GBP £</li></ul></div><section id="main"><h1 class="h1">Bouilloire 1,7 L inox</h1><div class="product-prices"><div class="product-price h5"><div class="current-price"><span>39,90 €</span></div></div><p class="price-ecotax">Dont 0,50 € d'éco-participation</p><div class="tax-shipping-delivery-label">TTC</div></div><span id="product-availability"><i class="material-icons">block</i> Rupture de stock</span><button class="btn btn-primary add-to-cart" disabled>Ajouter au panier</button><form><input type="email" placeholder="votre@email.com"><button>Prévenez-moi lorsque le produit est disponible</button></form><section class="product-pack"><p class="h4">Ce produit fait partie du pack</p><article><a>Pack petit déjeuner : bouilloire + grille-pain</a><span class="price">74,90 €</span></article></section></section><section class="featured-products"><h2>16 autres produits dans la même catégorie :</h2><article class="product-miniature"><a>Bouilloire 1 L</a><span class="price">24,90 €</span></article></section></body></html>`,
    },
    {
      trait: "fr, marketplace: a refurbished offer of a seller, new ones from more on",
      url: "https://www.reconforme-fr.example/p/console-portable-vela-256-go",
      product: { title: "Console portable Vela 256 Go", ean: "3760259932567" },
      expected: {
        price: [31490],
        currency: "EUR",
        condition: "refurbished",
        seller: "PlanèteReco",
        isThirdParty: true,
      },
      html:
        `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Console portable Vela 256 Go reconditionnée | Reconforme</title></head><body><main><h1>Console portable Vela 256 Go</h1><p>État : Reconditionné - Très bon état</p><div class="buy"><p class="buy__price">314,90 €</p><p>TTC, livraison gratuite</p><p>Vendu et expédié par <a href="/vendeur/planetereco">PlanèteReco</a> (4,8/5)</p><button>Ajouter au panier</button><p>ou 4 x 78,73 € avec paiement fractionné</p><p>Reprise de votre ancienne console jusqu'à 120 €</p></div><ul class="grades"><li>État correct <span>289,90 €</span></li><li aria-current="true">Très bon état <span>314,90 €</span></li><li>Parfait état <span>344,90 €</span></li></ul><p><a href="?etat=neuf">Neuf à partir de 449,00 €</a></p><p>Assurance casse 2 ans : 39,99 €</p></main></body></html>`,
    },
  ],
  bare: [
    {
      trait: "en, Shopify: pounds are shown, JSON-LD is in euros from another market",
      url: "https://www.kestrel-knitwear-en.example/products/lambswool-scarf",
      product: { title: "Lambswool Scarf" },
      expected: { price: [4995], currency: "GBP" },
      html:
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lambswool Scarf – Kestrel Knitwear</title><script type="application/ld+json">{"@context":"http://schema.org/","@type":"Product","name":"Lambswool Scarf","offers":[{"@type":"Offer","availability":"http://schema.org/InStock","price":59.95,"priceCurrency":"EUR","url":"https://www.kestrel-knitwear-en.example/products/lambswool-scarf?variant=1"}]}</script><script>window.Shopify=window.Shopify||{};Shopify.currency={"active":"GBP","rate":"1.0"};Shopify.country="GB";</script></head><body><header><details class="localization"><summary>United Kingdom (GBP £)</summary><ul><li>Germany (EUR €)</li><li>United States (USD $)</li></ul></details></header><main><h1 class="product__title">Lambswool Scarf</h1><div class="price"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular">£49.95 GBP</span></div><small>Tax included. Shipping calculated at checkout.</small><button name="add">Add to cart</button><p>10% off your first order when you join our list</p></main><section><h2>You may also like</h2><a>Lambswool Beanie</a><span class="price-item">£29.95 GBP</span></section></body></html>`,
    },
    {
      trait: "fr, Shopify without markup: three payments, a voucher, a threshold of free delivery",
      url: "https://www.maison-galet-fr.example/products/lampe-a-poser-galet",
      product: { title: "Lampe à poser Galet" },
      expected: { price: [12999], currency: "EUR" },
      html:
        `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Lampe à poser Galet | Maison Galet</title></head><body><p class="bar">Livraison offerte dès 150 € d'achat</p><main><div class="pdp"><h1>Lampe à poser Galet</h1><p class="money">129,99€</p><p class="alma">Payez en 3x 43,33 € sans frais</p><p>Taxes incluses. Frais de livraison : 4,90 €</p><label>Quantité <input value="1"></label><button>Ajouter au panier</button><p>Ajoutez l'ampoule E14 pour 6,90 € <button>+</button></p></div></main><section class="reco"><h2>Complétez votre intérieur</h2><div><a>Suspension Galet</a> <span class="money">189,00€</span></div><div><a>Applique Galet</a> <span class="money">99,00€</span></div></section><footer>Newsletter : 10 € offerts sur votre première commande</footer></body></html>`,
    },
  ],
  former: [
    {
      trait: "en, BigCommerce, dollars: MSRP, was, now, bulk prices in a window",
      url: "https://www.trailhead-outfitters-us.example/summit-camp-stove/",
      product: { title: "Summit Camp Stove", mpn: "TH-SCS-2" },
      expected: { price: [6495], currency: "USD", availability: ["in_stock"] },
      html:
        `<!DOCTYPE html><html lang="en"><head><title>Summit Camp Stove - Trailhead Outfitters</title><meta property="product:price:amount" content="64.95"><meta property="product:price:currency" content="USD"><meta property="og:type" content="product"><meta property="og:title" content="Summit Camp Stove"><meta property="og:availability" content="instock"></head><body><header>FREE SHIPPING OVER $99</header><div class="productView"><h1 class="productView-title">Summit Camp Stove</h1><div class="productView-price"><div class="price-section price-section--withoutTax rrp-price--withoutTax">MSRP: <span class="price price--rrp">$89.95</span></div><div class="price-section price-section--withoutTax non-sale-price--withoutTax">Was: <span class="price price--non-sale">$79.95</span></div><div class="price-section price-section--withoutTax"><span class="price-now-label">Now:</span> <span class="price price--withoutTax">$64.95</span></div><div class="price-section price-section--saving">(You save <span class="price price--saving">$15.00</span>)</div></div><dl class="productView-info"><dt>SKU:</dt><dd data-product-sku>TH-SCS-2</dd><dt>Bulk Pricing:</dt><dd><div id="bulk-modal"><ul><li>Buy 5 - 9 and pay only $59.95 each</li><li>Buy 10 or above and pay only $54.95 each</li></ul></div></dd></dl><input id="form-action-addToCart" type="submit" value="Add to Cart"><p>Pay in 4 interest-free payments of $16.24</p></div><ul class="productGrid"><li><h4 class="card-title">Fuel Canister 230 g</h4><span class="price price--withoutTax">$7.95</span></li></ul></body></html>`,
    },
    {
      trait: "fr, PrestaShop: a discount is shown, JSON-LD has the price before it",
      url: "https://www.epicerie-mistral-fr.example/huiles/88-huile-d-olive-aop-75-cl.html",
      product: { title: "Huile d'olive AOP 75 cl", ean: "3760123450881" },
      expected: { price: [1512], currency: "EUR", availability: ["in_stock"], wasPrice: 1890 },
      html:
        `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Huile d'olive AOP 75 cl - Épicerie Mistral</title><script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","name":"Huile d'olive AOP 75 cl","gtin13":"3760123450881","offers":{"@type":"Offer","priceCurrency":"EUR","price":"18.9","availability":"https://schema.org/InStock"}}</script></head><body id="product"><section id="main"><h1 class="h1">Huile d'olive AOP 75 cl</h1><div class="product-prices"><div class="product-discount"><span class="regular-price">18,90 €</span></div><div class="product-price h5 has-discount"><div class="current-price"><span class="current-price-value" content="15.12">15,12 €</span><span class="discount discount-percentage">Économisez 20%</span></div><p class="product-unit-price">(20,16 € le litre)</p></div><div class="tax-shipping-delivery-label">TTC <span class="delivery-information">Livraison sous 48 h</span></div></div><span id="product-availability">En stock</span><button class="btn btn-primary add-to-cart">Ajouter au panier</button></section><section class="product-accessories"><p class="h5">Vous aimerez aussi</p><article><a>Tapenade noire 90 g</a><span class="price">4,50 €</span></article><article><a>Coffret trois huiles</a><span class="regular-price">54,00 €</span><span class="price">45,90 €</span></article></section></body></html>`,
    },
  ],
};
