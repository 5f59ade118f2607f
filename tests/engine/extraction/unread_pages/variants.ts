/** Pages with several variants, of which our product is one, none, or an unsaid one. */
import { openVariant } from "../made_pages/made_page.ts";
import type { UnreadPage } from "./unread_page.ts";

export const VARIANTS: readonly UnreadPage[] = [
  {
    trait: "de, Shopify: the barcode in the product's script is that of the second size",
    url: "https://www.bettwerk-de.example/products/merino-decke-solvang",
    product: { title: "Lunheim Merino-Decke Solvang 155 x 220 cm", ean: "4006526018150" },
    expected: { price: [21900], currency: "EUR" },
    alone: { price: [17900], mayRefuse: true },
    html: `<!doctype html><html class="no-js" lang="de"><head><meta charset="utf-8">
<title>Merino-Decke Solvang – Bettwerk</title><link rel="canonical" href="https://www.bettwerk-de.example/products/merino-decke-solvang">
<meta property="og:site_name" content="Bettwerk"><meta property="og:type" content="product">
<meta property="og:title" content="Merino-Decke Solvang"><meta property="og:price:amount" content="179,00"><meta property="og:price:currency" content="EUR">
<script>window.Shopify = window.Shopify || {};Shopify.shop = "bettwerk.myshopify.com";Shopify.currency = {"active":"EUR","rate":"1.0"};</script>
<script type="application/ld+json">{"@context":"http://schema.org/","@type":"Product","name":"Merino-Decke Solvang",
"url":"https://www.bettwerk-de.example/products/merino-decke-solvang","brand":{"@type":"Brand","name":"Lunheim"},
"offers":[{"@type":"Offer","sku":"LH-SOL-135","availability":"http://schema.org/InStock","price":179.0,"priceCurrency":"EUR","url":"https://www.bettwerk-de.example/products/merino-decke-solvang?variant=44817201135"},
{"@type":"Offer","sku":"LH-SOL-155","availability":"http://schema.org/InStock","price":219.0,"priceCurrency":"EUR","url":"https://www.bettwerk-de.example/products/merino-decke-solvang?variant=44817201155"}]}</script></head>
<body class="gradient"><a class="skip-to-content-link" href="#MainContent">Direkt zum Inhalt</a>
<div class="announcement-bar" role="region"><p>Kostenloser Versand ab 80 € – 30 Tage Probeschlafen</p></div>
<header class="header"><a href="/" class="header__heading-link">Bettwerk</a><a href="/cart" class="header__icon--cart">Warenkorb <span class="visually-hidden">0,00 €</span></a></header>
<main id="MainContent"><section class="product-section"><div class="product product--large"><media-gallery><img src="//cdn.example/solvang.jpg" alt="Merino-Decke Solvang"></media-gallery>
<product-info class="product__info-wrapper"><p class="product__text">Lunheim</p><div class="product__title"><h1>Merino-Decke Solvang</h1></div>
<div id="price-template"><div class="price price--large"><div class="price__container"><div class="price__regular"><span class="visually-hidden visually-hidden--inline">Normaler Preis</span>
<span class="price-item price-item--regular">€179,00 EUR</span></div><div class="price__sale"><span class="visually-hidden">Normaler Preis</span><span><s class="price-item price-item--regular"></s></span></div></div></div></div>
<div class="product__tax caption rte">Inkl. Steuern. <a href="/policies/shipping-policy">Versand</a> wird beim Checkout berechnet</div>
<variant-selects><fieldset class="product-form__input--pill"><legend>Größe</legend><input type="radio" id="g1" name="Größe" value="135 x 200 cm" checked><label for="g1">135 x 200 cm</label>
<input type="radio" id="g2" name="Größe" value="155 x 220 cm"><label for="g2">155 x 220 cm</label></fieldset>
<script type="application/json" data-all-variants>[{"id":44817201135,"title":"135 x 200 cm","option1":"135 x 200 cm","sku":"LH-SOL-135","price":17900,"compare_at_price":null,"available":true,"barcode":"4006908301665"},
{"id":44817201155,"title":"155 x 220 cm","option1":"155 x 220 cm","sku":"LH-SOL-155","price":21900,"compare_at_price":null,"available":true,"barcode":"4006526018150"}]</script></variant-selects>
<product-form><form action="/cart/add" method="post"><input type="hidden" name="id" value="44817201135"><button type="submit" name="add" class="product-form__submit button">In den Warenkorb legen</button></form></product-form>
</product-info></div></section><section class="related-products"><h2>Das könnte dir auch gefallen</h2><ul class="grid"><li class="grid__item"><div class="card-wrapper"><h3 class="card__heading"><a href="/products/kissen">Daunenkissen Fjell</a></h3><span class="price-item price-item--regular">€49,00 EUR</span></div></li>
<li class="grid__item"><div class="card-wrapper"><h3 class="card__heading"><a href="/products/topper">Topper Vik</a></h3><span class="price-item price-item--regular">Ab €129,00 EUR</span></div></li></ul></section></main></body></html>`,
  },
  {
    trait: "de, WooCommerce: our shop number is that of the third variation, the range is shown",
    url: "https://imkereibedarf-de.example/produkt/edelstahl-abfuellkanne/",
    product: { title: "Hornwald Abfüllkanne Edelstahl 50 kg", shopSku: "HW-AK-50" },
    expected: { price: [18990], currency: "EUR" },
    alone: openVariant([8990, 12990, 18990]),
    html:
      `<!DOCTYPE html><html lang="de-DE"><head><meta charset="UTF-8"><title>Edelstahl-Abfüllkanne - Imkereibedarf Hornwald</title>
<meta name="generator" content="WooCommerce 9.8.1"><script type="application/ld+json" class="rank-math-schema">{"@context":"https://schema.org","@graph":[{"@type":"Organization","name":"Imkereibedarf Hornwald"},
{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Abfüllen"}]},
{"@type":"Product","name":"Edelstahl-Abfüllkanne","sku":"HW-AK","category":"Abfüllen","offers":{"@type":"AggregateOffer","lowPrice":"89.90","highPrice":"189.90","offerCount":"3","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}]}</script></head>
<body class="product-template-default single-product woocommerce theme-astra"><div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner">Wir verwenden Cookies <button>Akzeptieren</button></div></div>
<nav class="woocommerce-breadcrumb"><a href="/">Start</a> / Abfüllen / Edelstahl-Abfüllkanne</nav>
<div id="product-4711" class="product type-product product-type-variable"><div class="woocommerce-product-gallery"><img src="/wp-content/uploads/kanne.jpg" alt=""></div>
<div class="summary entry-summary"><h1 class="product_title entry-title">Edelstahl-Abfüllkanne</h1>
<p class="price"><span class="woocommerce-Price-amount amount"><bdi>89,90&nbsp;<span class="woocommerce-Price-currencySymbol">&euro;</span></bdi></span> – <span class="woocommerce-Price-amount amount"><bdi>189,90&nbsp;<span class="woocommerce-Price-currencySymbol">&euro;</span></bdi></span></p>
<div class="legal-price-info"><p class="wc-gzd-additional-info tax-info">inkl. 19 % MwSt.</p><p class="wc-gzd-additional-info shipping-costs-info">zzgl. <a href="/versand/">Versandkosten</a></p></div>
<form class="variations_form cart" data-product_id="4711" data-product_variations="[{&quot;attributes&quot;:{&quot;attribute_pa_inhalt&quot;:&quot;12-kg&quot;},&quot;display_price&quot;:89.9,&quot;display_regular_price&quot;:89.9,&quot;is_in_stock&quot;:true,&quot;sku&quot;:&quot;HW-AK-12&quot;,&quot;variation_id&quot;:4712},{&quot;attributes&quot;:{&quot;attribute_pa_inhalt&quot;:&quot;25-kg&quot;},&quot;display_price&quot;:129.9,&quot;display_regular_price&quot;:129.9,&quot;is_in_stock&quot;:true,&quot;sku&quot;:&quot;HW-AK-25&quot;,&quot;variation_id&quot;:4713},{&quot;attributes&quot;:{&quot;attribute_pa_inhalt&quot;:&quot;50-kg&quot;},&quot;display_price&quot;:189.9,&quot;display_regular_price&quot;:189.9,&quot;is_in_stock&quot;:true,&quot;sku&quot;:&quot;HW-AK-50&quot;,&quot;variation_id&quot;:4714}]">
<table class="variations"><tr><th><label for="pa_inhalt">Inhalt</label></th><td><select id="pa_inhalt" name="attribute_pa_inhalt"><option value="">Wähle eine Option</option><option value="12-kg">12 kg</option><option value="25-kg">25 kg</option><option value="50-kg">50 kg</option></select></td></tr></table>
<div class="single_variation_wrap"><div class="quantity"><input type="number" class="qty" value="1"></div><button type="submit" class="single_add_to_cart_button button alt disabled">In den Warenkorb</button></div></form>
<div class="product_meta"><span class="sku_wrapper">Artikelnummer: <span class="sku">HW-AK</span></span></div></div></div></body></html>`,
  },
  {
    trait:
      "en, Magento: our title's capacity is an option of the configuration, the page says as low as",
    url: "https://www.caravanstore-en.example/tellus-power-station.html",
    product: { title: "Tellus Portable Power Station 1024Wh" },
    expected: { price: [74900], currency: "GBP" },
    alone: openVariant([29900, 74900, 129900]),
    html:
      `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Tellus Portable Power Station | Caravan Store</title>
<meta property="product:price:amount" content="299"><meta property="product:price:currency" content="GBP"></head>
<body data-container="body" id="html-body" itemtype="http://schema.org/Product" itemscope="itemscope" class="catalog-product-view page-product-configurable">
<div class="cookie-status-message">The store will not work correctly when cookies are disabled.</div><header class="page-header"><div class="panel header"><span class="greet">Free delivery over £75</span></div></header>
<main id="maincontent" class="page-main"><div class="columns"><div class="column main"><div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper" itemprop="name">Tellus Portable Power Station</span></h1></div>
<div class="product-info-price"><div class="price-box price-final_price" data-role="priceBox" data-product-id="880"><span class="normal-price"><span class="price-container price-final_price tax weee"><span class="price-label">As low as</span>
<span id="product-price-880" data-price-amount="299" data-price-type="finalPrice" class="price-wrapper"><span class="price">£299.00</span></span></span></span></div><div class="stock available"><span>In stock</span></div></div>
<div class="product-add-form"><form id="product_addtocart_form" method="post"><div class="swatch-opt" data-role="swatch-options"></div><div class="field configurable required"><label class="label"><span>Capacity</span></label><select name="super_attribute[144]" class="super-attribute-select"><option value="">Choose an Option...</option></select></div>
<script type="text/x-magento-init">{"#product_addtocart_form":{"configurable":{"spConfig":{"attributes":{"144":{"id":"144","code":"capacity","label":"Capacity","options":[{"id":"51","label":"288Wh","products":["881"]},{"id":"52","label":"1024Wh","products":["882"]},{"id":"53","label":"2048Wh","products":["883"]}],"position":"0"}},"template":"£<%- data.price %>","currencyFormat":"£%s","optionPrices":{"881":{"oldPrice":{"amount":299},"basePrice":{"amount":249.17},"finalPrice":{"amount":299},"tierPrices":[]},"882":{"oldPrice":{"amount":749},"basePrice":{"amount":624.17},"finalPrice":{"amount":749},"tierPrices":[]},"883":{"oldPrice":{"amount":1299},"basePrice":{"amount":1082.5},"finalPrice":{"amount":1299},"tierPrices":[]}},"prices":{"oldPrice":{"amount":299},"finalPrice":{"amount":299}},"productId":"880","index":{"881":{"144":"51"},"882":{"144":"52"},"883":{"144":"53"}}}}}}</script>
<button type="submit" title="Add to Basket" class="action primary tocart" id="product-addtocart-button"><span>Add to Basket</span></button></form></div></div>
<div class="block upsell"><strong>We found other products you might like!</strong><ol class="products list"><li class="item product"><a class="product-item-link">Tellus Solar Panel 200W</a><span class="price">£219.00</span></li></ol></div></div></div></main></body></html>`,
  },
  {
    trait: "de, Shopware 6: sizes with their prices on the buttons, the page is that of our size",
    url: "https://www.naturkost-de.example/Olivenoel-Kalamon/SW10233.2",
    product: { title: "Kalamon Olivenöl extra nativ 1 l", ean: "4017786579756" },
    expected: { price: [1990], currency: "EUR", availability: ["in_stock"] },
    html:
      `<!DOCTYPE html><html lang="de-DE" itemscope="itemscope" itemtype="https://schema.org/WebPage"><head><meta charset="utf-8"><title>Kalamon Olivenöl extra nativ | 1 l | SW10233.2</title>
<meta property="og:type" content="product"><meta property="product:price:amount" content="19.90"><meta property="product:price:currency" content="EUR"></head>
<body class="is-ctl-product is-act-index"><header class="header-main"><a class="header-cart" href="/checkout/cart"><span class="header-cart-total">0,00 €*</span></a></header>
<main class="content-main"><div class="container-main"><div class="cms-page"><div class="product-detail" itemscope itemtype="https://schema.org/Product"><h1 class="product-detail-name" itemprop="name">Kalamon Olivenöl extra nativ</h1>
<meta itemprop="gtin13" content="4017786579756"><div class="row product-detail-main"><div class="col-lg-5 product-detail-buy"><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="url" content="https://www.naturkost-de.example/Olivenoel-Kalamon/SW10233.2"><meta itemprop="priceCurrency" content="EUR">
<div class="product-detail-price-container"><meta itemprop="price" content="19.9"><p class="product-detail-price"> 19,90 €* </p><div class="product-detail-price-unit"><span class="price-unit-label"> Inhalt: </span><span class="price-unit-content"> 1 Liter </span></div></div>
<div class="product-detail-tax-container"><p class="product-detail-tax"><button class="btn btn-link-inline">*Preise inkl. MwSt. zzgl. Versandkosten</button></p></div>
<div class="product-detail-delivery-information"><link itemprop="availability" href="https://schema.org/InStock"><p class="delivery-information delivery-available"><span class="delivery-status-indicator bg-success"></span> Sofort verfügbar, Lieferzeit: 1-3 Tage</p></div></div>
<div class="product-detail-configurator-container"><form class="product-detail-configurator"><div class="product-detail-configurator-group-title">Inhalt wählen</div><div class="product-detail-configurator-options">
<input type="radio" class="btn-check" id="o1" value="0,5 l"><label class="product-detail-configurator-option-label" for="o1">0,5 l <small>12,90 €</small></label><input type="radio" class="btn-check" id="o2" checked><label class="product-detail-configurator-option-label" for="o2">1 l <small>19,90 €</small></label>
<input type="radio" class="btn-check" id="o3"><label class="product-detail-configurator-option-label" for="o3">5 l Kanister <small>84,50 €</small></label></div></form></div>
<form class="buy-widget" action="/checkout/line-item/add" method="post"><select class="quantity-select"><option>1</option><option>2</option></select><button class="btn btn-buy">In den Warenkorb</button></form>
<div class="product-detail-ordernumber-container"><span class="product-detail-ordernumber-label">Produktnummer:</span><span class="product-detail-ordernumber" itemprop="sku">SW10233.2</span></div></div></div></div>
<div class="product-cross-selling-tab-content"><div class="card product-box box-standard"><a class="product-name">Tafelsalz Fleur de Sel</a><span class="product-price"> 6,49 €*</span></div><div class="card product-box"><a class="product-name">Balsamico bianco</a><span class="product-price with-list-price"> 8,99 €* <span class="list-price"><span class="list-price-price">10,99 €*</span></span></span></div></div></div></div></main>
<footer class="footer-main"><p>* Alle Preise inkl. gesetzl. Mehrwertsteuer zzgl. Versandkosten, wenn nicht anders angegeben.</p></footer></body></html>`,
  },
  {
    trait:
      "en, Next: variants with their part numbers and pence in the page's state, another is shown",
    url: "https://www.tidewater-en.example/p/halden-dry-bag",
    product: { title: "Halden Dry Bag 40L Orange", mpn: "HLD-DB40-OR" },
    expected: { price: [4250], currency: "GBP" },
    alone: { price: [2950], mayRefuse: true },
    html:
      `<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><meta name="viewport" content="width=device-width"/><title>Halden Dry Bag - Tidewater Outdoor</title><link rel="preload" as="style" href="/_next/static/css/7a31.css"/></head>
<body class="__className_d65c78"><div id="__next"><div class="Banner_root__xE9k2"><p>Members get 10% off their first order</p></div><div class="Header_bar__1o2Yq"><a href="/">Tidewater</a><button aria-label="Basket, 0 items"></button></div>
<main class="Pdp_grid__Zk3aP"><div class="Gallery_wrap__m0Qd1"><img alt="Halden Dry Bag" src="/img/db20.avif"/></div><div class="Pdp_info__9vWc4"><span class="Pdp_brand__iU2s1">Halden</span><h1 class="Pdp_title__T5b0x">Dry Bag</h1>
<div class="Price_row__pQ8d3"><span class="Price_now__V1k6e">£29.50</span></div><fieldset class="Sizes_set__f3"><legend>Volume</legend><label><input type="radio" name="vol" checked=""/>20L</label><label><input type="radio" name="vol"/>40L</label><label><input type="radio" name="vol"/>60L</label></fieldset>
<button class="Button_primary__aa81" data-testid="add-to-basket">Add to basket</button><p class="Pdp_delivery__u3">Standard delivery £3.95, free over £50</p></div></main>
<section class="Recs_strip__k1"><h2>Paddlers also bought</h2><a class="Recs_card__2p"><span>Halden Throw Line 20m</span><span class="Recs_price__9x">£24.00</span></a><a class="Recs_card__2p"><span>Roof strap pair</span><span class="Recs_price__9x">£17.50</span></a></section></div>
<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"product":{"id":"p_8813","name":"Dry Bag","brand":"Halden","defaultVariantId":"v1","variants":[
{"id":"v1","manufacturerPartNumber":"HLD-DB20-OR","ean":"5012222791807","options":{"volume":"20L","colour":"Orange"},"price":{"centAmount":2950,"currencyCode":"GBP"},"inStock":true},
{"id":"v2","manufacturerPartNumber":"HLD-DB40-OR","ean":"5012588871809","options":{"volume":"40L","colour":"Orange"},"price":{"centAmount":4250,"currencyCode":"GBP"},"inStock":true},
{"id":"v3","manufacturerPartNumber":"HLD-DB60-OR","ean":"5012334018786","options":{"volume":"60L","colour":"Orange"},"price":{"centAmount":5500,"currencyCode":"GBP"},"inStock":false}]}},"__N_SSP":true},"page":"/p/[slug]","query":{"slug":"halden-dry-bag"},"buildId":"q8Zt1","locale":"en-GB"}</script></body></html>`,
  },
  {
    trait: "fr, Nuxt: our GTIN is that of the larger pot in the state, the smaller is shown",
    url: "https://www.verdure-fr.example/produit/engrais-agrumes",
    product: { title: "Terrafine Engrais agrumes 1,5 kg", ean: "3360148525382" },
    expected: { price: [1790], currency: "EUR" },
    alone: { price: [890], mayRefuse: true },
    html:
      `<!DOCTYPE html><html lang="fr" data-capo=""><head><meta charset="utf-8"><title>Engrais agrumes Terrafine | Verdure</title><link rel="modulepreload" href="/_nuxt/DkA3.js"></head><body><div id="__nuxt"><div class="layout" data-v-1f3c>
<header data-v-77a0><nav><ul><li>Jardin</li><li>Potager</li></ul></nav></header><div class="consent" data-v-cc>Nous utilisons des cookies. <button>Tout refuser</button></div>
<main data-v-90ab><ol class="fil" data-v-90ab><li>Accueil</li><li>Engrais</li></ol><div class="fiche" data-v-90ab><h1 data-v-90ab>Engrais agrumes</h1><p class="marque" data-v-90ab>Terrafine</p>
<div class="formats" role="radiogroup" data-v-4411><button role="radio" aria-checked="true">500 g</button><button role="radio" aria-checked="false">1,5 kg</button></div>
<p class="tarif" data-v-4411><strong>8,90 €</strong> <small>soit 17,80 € / kg</small></p><button class="btn-achat" data-v-4411>Ajouter au panier</button><p class="livr">Livraison en point relais 4,90 €</p></div></main></div></div>
<script type="application/json" data-nuxt-data="nuxt-app" data-ssr="true" id="__NUXT_DATA__">[["ShallowReactive",1],{"data":2,"state":20},["ShallowReactive",3],{"product-engrais-agrumes":4},{"name":5,"brand":6,"variants":7},"Engrais agrumes","Terrafine",[8,14],{"gtin":9,"label":10,"price":11,"currency":12,"available":13},"3360885393367","500 g",8.9,"EUR",true,{"gtin":15,"label":16,"price":17,"currency":12,"available":13},"3360148525382","1,5 kg",17.9,"unused","unused2",["Reactive",21],{}]</script></body></html>`,
  },
  {
    trait: "fr, PrestaShop: the address has our combination, whose price and number are shown",
    url: "https://www.atelierduthe-fr.example/theieres/118-642-theiere-fonte-hosui.html",
    product: { title: "Théière fonte Hosui 1,2 L bleu nuit", ean: "3360338750044" },
    expected: { price: [8450], currency: "EUR", availability: ["in_stock"] },
    html:
      `<!doctype html><html lang="fr-FR"><head><meta charset="utf-8"><title>Théière fonte Hosui - Atelier du thé</title>
<script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","name":"Théière fonte Hosui","category":"Théières","sku":"HOS-12-BN","mpn":"HOS-12-BN","gtin13":"3360338750044","brand":{"@type":"Brand","name":"Hosui"},"offers":{"@type":"Offer","priceCurrency":"EUR","name":"Théière fonte Hosui","price":"84.5","url":"https://www.atelierduthe-fr.example/theieres/118-642-theiere-fonte-hosui.html","availability":"https://schema.org/InStock"}}</script></head>
<body id="product" class="lang-fr currency-eur"><div id="lgcookieslaw_banner">Ce site utilise des cookies</div><section id="main"><div class="row product-container"><div class="col-md-6"><h1 class="h1">Théière fonte Hosui</h1>
<div class="product-prices js-product-prices"><div class="product-price h5"><div class="current-price"><span class="current-price-value" content="84.5">84,50&nbsp;€</span></div></div><div class="tax-shipping-delivery-label">TTC <span>Expédié sous 24h</span></div></div>
<div class="product-variants js-product-variants"><span class="control-label">Contenance : 1,2 L</span><select data-product-attribute="3"><option value="21">0,8 L</option><option value="22" selected>1,2 L</option></select><span class="control-label">Couleur : bleu nuit</span></div>
<div class="product-add-to-cart"><button class="btn btn-primary add-to-cart">Ajouter au panier</button><span id="product-availability"><i class="material-icons product-available"></i> En stock</span></div>
<div id="product-details" class="js-product-details" data-product="{&quot;id_product&quot;:118,&quot;id_product_attribute&quot;:642,&quot;price_amount&quot;:84.5,&quot;ean13&quot;:&quot;3360338750044&quot;,&quot;reference&quot;:&quot;HOS-12-BN&quot;,&quot;attributes&quot;:{&quot;3&quot;:{&quot;name&quot;:&quot;1,2 L&quot;}}}"><span class="label">Référence</span> <span>HOS-12-BN</span></div></div></div>
<section class="product-accessories"><p class="h5">Vous aimerez aussi</p><article class="product-miniature"><h3><a>Dessous-de-plat fonte</a></h3><span class="price">14,90&nbsp;€</span></article><article class="product-miniature"><h3><a>Coffret de 4 tasses</a></h3><span class="price">32,00&nbsp;€</span></article></section></section></body></html>`,
  },
  {
    trait: "de, headless: a group of variants in JSON-LD, our GTIN is none of the shown",
    url: "https://www.werkbank-de.example/artikel/schraubzwinge-trivo",
    product: { title: "Trivo Schraubzwinge TZ 600 mm", ean: "4031291703420" },
    expected: { price: [3495], currency: "EUR", availability: ["limited", "in_stock"] },
    alone: { price: [2195], mayRefuse: true },
    html:
      `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Trivo Schraubzwinge TZ online kaufen | werkbank</title><script type="application/ld+json">[{"@context":"https://schema.org","@type":"WebSite","name":"werkbank","url":"https://www.werkbank-de.example"},
{"@context":"https://schema.org","@type":"ProductGroup","name":"Trivo Schraubzwinge TZ","productGroupID":"TZ","variesBy":["https://schema.org/size"],"brand":{"@type":"Brand","name":"Trivo"},"hasVariant":[
{"@type":"Product","name":"Trivo Schraubzwinge TZ 300 mm","size":"300 mm","gtin13":"4031366712760","sku":"100331","offers":{"@type":"Offer","price":"21.95","priceCurrency":"EUR","availability":"https://schema.org/InStock","itemCondition":"https://schema.org/NewCondition"}},
{"@type":"Product","name":"Trivo Schraubzwinge TZ 600 mm","size":"600 mm","gtin13":"4031291703420","sku":"100332","offers":{"@type":"Offer","price":"34.95","priceCurrency":"EUR","availability":"https://schema.org/LimitedAvailability","itemCondition":"https://schema.org/NewCondition"}},
{"@type":"Product","name":"Trivo Schraubzwinge TZ 1000 mm","size":"1000 mm","gtin13":"4031842684659","sku":"100333","offers":{"@type":"Offer","price":"49.95","priceCurrency":"EUR","availability":"https://schema.org/OutOfStock"}}]}]</script></head>
<body><div id="usercentrics-root"></div><app-root ng-version="19.1.3"><app-header><span class="tagline">Profi-Werkzeug seit 1962</span></app-header><app-pdp><div class="pdp__main"><div class="pdp__head"><app-brand>Trivo</app-brand><h1 class="pdp__headline">Trivo Schraubzwinge TZ</h1></div>
<div class="pdp__buybox"><div class="buybox__price" data-test="price">21,95 €</div><div class="buybox__vat">inkl. MwSt., zzgl. <a>Versand</a></div><mat-chip-listbox aria-label="Spannweite"><mat-chip-option class="mdc-evolution-chip--selected">300 mm</mat-chip-option><mat-chip-option>600 mm</mat-chip-option><mat-chip-option>1000 mm</mat-chip-option></mat-chip-listbox>
<button mat-flat-button class="buybox__cta">In den Warenkorb</button><p class="buybox__delivery">Lieferung Fr., 27.11. – Mo., 30.11.</p></div></div>
<app-slider title="Passendes Zubehör"><div class="tile"><span class="tile__name">Schutzkappen-Set TZ</span><span class="tile__price">4,95 €</span></div><div class="tile"><span class="tile__name">Zwingenständer</span><span class="tile__price">79,00 €</span></div></app-slider></app-pdp></app-root></body></html>`,
  },
  {
    trait: "de, WooCommerce: our 32 cm is no size of the pan",
    url: "https://gusseisen-de.example/shop/pfanne-rustik/",
    product: { title: "Eisenhof Gusspfanne Rustik 32 cm" },
    expected: { price: [4490, 5490, 6490], confidenceMax: 0.6, mayRefuse: true },
    alone: openVariant([4490, 5490, 6490]),
    html:
      `<!DOCTYPE html><html lang="de"><head><title>Gusspfanne Rustik kaufen – gusseisen</title><meta charset="utf-8"><script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","@id":"https://gusseisen-de.example/shop/pfanne-rustik/#product","name":"Eisenhof Gusspfanne Rustik","sku":2201,"brand":{"@type":"Brand","name":"Eisenhof"},"offers":[{"@type":"AggregateOffer","lowPrice":"44.90","highPrice":"64.90","offerCount":3,"priceCurrency":"EUR","availability":"http://schema.org/InStock","seller":{"@type":"Organization","name":"gusseisen"}}]}</script></head>
<body class="single-product woocommerce-page kadence"><main class="site-main"><div class="product entry content-bg"><div class="summary"><h1 class="product_title">Eisenhof Gusspfanne Rustik</h1><p class="price">ab <span class="woocommerce-Price-amount amount"><bdi>44,90&nbsp;€</bdi></span></p><span class="mwst">inkl. MwSt. · versandfrei ab 60&nbsp;€</span>
<form class="variations_form cart" data-product_variations="[{&quot;attributes&quot;:{&quot;attribute_pa_durchmesser&quot;:&quot;20-cm&quot;},&quot;display_price&quot;:44.9,&quot;sku&quot;:&quot;2201-20&quot;,&quot;is_in_stock&quot;:true,&quot;variation_id&quot;:1},{&quot;attributes&quot;:{&quot;attribute_pa_durchmesser&quot;:&quot;24-cm&quot;},&quot;display_price&quot;:54.9,&quot;sku&quot;:&quot;2201-24&quot;,&quot;is_in_stock&quot;:true,&quot;variation_id&quot;:2},{&quot;attributes&quot;:{&quot;attribute_pa_durchmesser&quot;:&quot;28-cm&quot;},&quot;display_price&quot;:64.9,&quot;sku&quot;:&quot;2201-28&quot;,&quot;is_in_stock&quot;:true,&quot;variation_id&quot;:3}]"><ul class="variable-items-wrapper button-variable-items-wrapper"><li data-value="20-cm">20 cm</li><li data-value="24-cm">24 cm</li><li data-value="28-cm">28 cm</li></ul><button type="submit" class="single_add_to_cart_button button alt">In den Warenkorb</button></form></div>
<section class="related products"><h2>Ähnliche Produkte</h2><ul class="products"><li class="product"><h2 class="woocommerce-loop-product__title">Eisenhof Grillpfanne 32 cm</h2><span class="price"><bdi>72,90&nbsp;€</bdi></span></li></ul></section></div></main></body></html>`,
  },
  {
    trait: "de, OXID: a list of fabrics with two prices, and nothing says which is ours",
    url: "https://www.wohnhaus-de.example/Sessel/Ohrensessel-Malmoe.html",
    product: { title: "Nordahl Ohrensessel Malmö" },
    expected: openVariant([49900, 64900]),
    html:
      `<!DOCTYPE html><html lang="de"><head><title>Ohrensessel Malmö | Wohnhaus</title><meta charset="utf-8"></head><body class="cl-details"><header id="header"><div class="minibasket-menu-box">Warenkorb 0,00 €</div></header>
<div id="details_container"><div class="detailsInfo clear" itemscope itemtype="http://schema.org/Product"><div class="row"><div class="col-12 col-md-8 details-col-middle"><h1 id="productTitle" class="details-title" itemprop="name">Ohrensessel Malmö</h1><span class="small text-muted">Art.Nr.: 30-4471</span>
<div class="price-wrapper" itemprop="offers" itemscope itemtype="http://schema.org/Offer"><label id="productPrice" class="price h2"><span class="price-from">ab</span> <span><span class="price">499,00</span> <span class="currency">€</span> *</span></label><meta itemprop="price" content="499.00"><meta itemprop="priceCurrency" content="EUR"></div>
<div id="variants" class="selectorsBox js-fnSubmit clear"><label>Bezug</label><select class="form-control"><option>Bitte wählen</option><option>Webstoff Sand 499,00 €</option><option>Webstoff Moos 499,00 €</option><option>Leder Cognac 649,00 €</option></select></div>
<div class="tobasket"><button id="toBasket" type="submit" class="btn btn-primary submitButton largeButton" disabled>In den Warenkorb</button></div><span class="stockFlag">Auf Lager, Lieferzeit 2-3 Wochen</span></div></div></div></div>
<footer><span class="small">* inkl. MwSt., zzgl. Versandkosten</span></footer></body></html>`,
  },
  {
    trait: "de, Gambio: our longer one costs a surcharge to the shown price",
    url: "https://www.aquaristik-de.example/product_info.php?info=p412_led-leiste-nyx.html",
    product: { title: "Nyx LED-Leiste 120 cm", shopSku: "NYX-LED" },
    expected: {
      price: [6490],
      mayRefuse: true,
      tolerated: { price: [4990], confidenceMax: 0.6 },
    },
    alone: { price: [4990], mayRefuse: true },
    html:
      `<!DOCTYPE html><html lang="de" dir="ltr"><head><meta charset="utf-8"><title>Nyx LED-Leiste - Aquaristik Rohde</title></head><body class="page-product-info"><div id="outer-wrapper"><header id="header" class="navbar"><div id="topbar-container">Hotline 0800 000000</div></header>
<div id="wrapper"><div class="container"><article class="product-info-content"><form action="product_info.php" class="form-horizontal js-product-form product-info"><div class="product-info-title-mobile"><span>Nyx LED-Leiste</span></div><div class="product-info-details"><h1 class="product-info-title-desktop">Nyx LED-Leiste</h1>
<dl class="dl-horizontal"><dt class="text-left">Lieferzeit:</dt><dd><img src="grün.png" alt="3-4 Tage">3-4 Tage</dd><dt>Art.Nr.:</dt><dd class="model-number">NYX-LED</dd></dl>
<fieldset class="attributes"><div class="modifier-group"><label>Länge</label><select name="modifiers[attribute][4]" class="form-control"><option value="11" selected>60 cm</option><option value="12">90 cm ( + 8,00 € )</option><option value="13">120 cm ( + 15,00 € )</option></select></div></fieldset>
<div class="price-container"><div class="price-calc-container" id="attributes-calc-price"><div class="current-price-container">49,90 EUR</div><p class="tax-shipping-text text-small">inkl. 19% MwSt. zzgl. <a href="versand">Versand</a></p></div></div>
<div class="row"><input type="text" name="products_qty" value="1"><button name="btn-add-to-cart" class="btn btn-lg btn-buy">In den Warenkorb</button></div></div></form></article>
<div class="swiper-container"><h3>Kunden kauften auch</h3><div class="product-container"><div class="title">Nyx Dimmer</div><div class="price">19,90 EUR</div></div></div></div></div></div></body></html>`,
  },
  {
    trait: "de, JTL: packs of one, six and twelve, the page's maker's number is that of our pack",
    url: "https://www.getraenke-jansen-de.example/Fassbrause-Zitrone-6er?vk=88213",
    product: { title: "Ruhrquell Fassbrause Zitrone 6 x 0,5 l", mpn: "RQ-FZ-6" },
    expected: { price: [894], currency: "EUR" },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Ruhrquell Fassbrause Zitrone 6 x 0,5 l</title></head><body data-page="1"><main id="main-wrapper"><div id="content"><div id="result-wrapper" data-wrapper="true"><div id="product-offer" class="row" itemprop="mainEntity" itemscope itemtype="https://schema.org/Product">
<meta itemprop="sku" content="88213"><meta itemprop="mpn" content="RQ-FZ-6"><div class="col product-info"><h1 class="fn product-title" itemprop="name">Ruhrquell Fassbrause Zitrone 6 x 0,5 l</h1><ul class="info-essential list-unstyled"><li class="product-sku">Artikelnummer: <span>88213</span></li><li>Hersteller-Nr.: RQ-FZ-6</li></ul>
<div class="product-offer" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><div class="variations"><dl><dt>Gebinde: <span class="swatches-selected">6er</span></dt><dd><a class="variation" href="?vk=88212">Einzelflasche <span class="badge">1,59 €</span></a><a class="variation active" href="?vk=88213">6er <span class="badge">8,94 €</span></a><a class="variation" href="?vk=88214">12er <span class="badge">16,68 €</span></a></dd></dl></div>
<div class="price_wrapper"><div class="price h1"><span class="">8,94 €</span> <meta itemprop="price" content="8.94"><meta itemprop="priceCurrency" content="EUR"></div><div class="base-price text-nowrap-util"><span class="value">2,98 € pro 1 l</span></div><div class="vat_info text-muted">inkl. 19% USt., zzgl. <a>Versand</a>, zzgl. 0,90 € Pfand</div></div>
<div class="basket-details"><div class="input-group"><input type="number" value="1"></div><button name="inWarenkorb" class="btn btn-primary">In den Warenkorb</button></div><div class="delivery-status"><span class="status status-2"><i class="fa fa-truck"></i> sofort verfügbar</span></div></div></div></div></div></div></main></body></html>`,
  },
  {
    trait: "en, Shopify: the link names a variant whose price the page shows, siblings cost less",
    url: "https://ridgeandpine-en.example/products/camp-stove-duo?variant=40911872",
    product: { title: "Ridge & Pine Camp Stove Duo with Piezo" },
    expected: { price: [8800], currency: "GBP", availability: ["in_stock"] },
    html:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Camp Stove Duo | Ridge &amp; Pine</title><link rel="canonical" href="https://ridgeandpine-en.example/products/camp-stove-duo">
<script type="application/ld+json">{"@context":"http://schema.org/","@id":"/products/camp-stove-duo#product","@type":"ProductGroup","brand":{"@type":"Brand","name":"Ridge & Pine"},"name":"Camp Stove Duo","productGroupID":"7719","url":"https://ridgeandpine-en.example/products/camp-stove-duo","hasVariant":[
{"@id":"/products/camp-stove-duo?variant=40911871#variant","@type":"Product","name":"Camp Stove Duo - Manual","offers":{"@id":"/products/camp-stove-duo?variant=40911871#offer","@type":"Offer","availability":"http://schema.org/InStock","price":"72.00","priceCurrency":"GBP","url":"https://ridgeandpine-en.example/products/camp-stove-duo?variant=40911871"},"sku":"CSD-M"},
{"@id":"/products/camp-stove-duo?variant=40911872#variant","@type":"Product","name":"Camp Stove Duo - Piezo","offers":{"@id":"/products/camp-stove-duo?variant=40911872#offer","@type":"Offer","availability":"http://schema.org/InStock","price":"88.00","priceCurrency":"GBP","url":"https://ridgeandpine-en.example/products/camp-stove-duo?variant=40911872"},"sku":"CSD-P"}]}</script></head>
<body><cart-drawer class="drawer"><p>Your cart is empty</p><p class="totals__total-value">£0.00</p></cart-drawer><main role="main"><div class="shopify-section"><div class="product-block-list"><h1 class="product-title h3">Camp Stove Duo</h1><div class="price-list"><sale-price class="text-lg"><span class="sr-only">Sale price</span>£88.00</sale-price></div>
<div class="variant-picker"><fieldset><legend>Ignition: Piezo</legend><label class="block-swatch">Manual</label><label class="block-swatch is-selected">Piezo</label></fieldset></div><buy-buttons><form action="/cart/add"><input type="hidden" name="id" value="40911872"><button class="button w-full">Add to cart</button></form></buy-buttons><p class="inventory text-success">In stock, ready to ship</p></div></div>
<product-recommendations><h2>Pairs well with</h2><div class="product-card"><a class="product-title">Gas Canister 230g</a><sale-price>£7.50</sale-price></div><div class="product-card"><a class="product-title">Windshield</a><sale-price>£16.00</sale-price></div></product-recommendations></main></body></html>`,
  },
  {
    trait:
      "en, hashed classes: swatches with prices of their own, our title names the chosen colour",
    url: "https://www.lanternhouse-en.example/shop/osk-armchair/forest-green",
    product: { title: "Osk Armchair Forest Green" },
    expected: { price: [38900], currency: "GBP" },
    html:
      `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Osk armchair in forest green velvet | Lantern House</title><meta name="description" content="Osk armchair from £349. Free returns."></head>
<body><div class="css-1x0a"><div class="css-9kq2">Black Friday: up to 40% off lighting</div></div><div class="css-u81z"><div class="css-3c4d"><img alt="Osk Armchair, Forest Green" src="/osk-fg.webp"></div><div class="css-77bq"><h1 class="css-b2m1">Osk Armchair, Forest Green</h1><div class="css-p1n9" aria-live="polite"><span class="css-e0r5">£389</span></div>
<div role="radiogroup" aria-label="Colour" class="css-kk12"><button role="radio" aria-checked="false" aria-label="Oatmeal, £349" class="css-s0"><span class="css-s1"></span></button><button role="radio" aria-checked="true" aria-label="Forest Green, £389" class="css-s0"></button><button role="radio" aria-checked="false" aria-label="Rust, £389" class="css-s0"></button></div>
<div class="css-dd01">Delivered by 3 – 8 December · <a>£29 room of choice</a></div><button class="css-add9" type="button">Add to bag</button></div></div><div class="css-rr00"><h2>Complete the look</h2><article class="css-r1"><h3>Osk Footstool</h3><p class="css-e0r5">£149</p></article><article class="css-r1"><h3>Pebble Rug 160 x 230</h3><p class="css-e0r5">£229</p></article></div></body></html>`,
  },
  {
    trait: "fr, Magento: simple numbers in the configuration, our maker's number is one of them",
    url: "https://www.montagne-et-nous-fr.example/sac-a-dos-cime.html",
    product: { title: "Altipic Sac à dos Cime 38 L femme", mpn: "AP-CIME-38F" },
    expected: { price: [14900], currency: "EUR" },
    alone: openVariant([12900, 14900]),
    html:
      `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Sac à dos Cime - Montagne & nous</title></head><body class="page-product-configurable catalog-product-view"><div class="panel-cms">Retours gratuits 60 jours</div><div class="product-info-main"><h1 class="page-title"><span class="base">Sac à dos Cime</span></h1><div class="product attribute sku"><strong class="type">Réf.</strong><div class="value">AP-CIME</div></div><div class="price-box price-final_price" data-product-id="512"><span class="normal-price"><span class="price-label">À partir de</span><span data-price-amount="129" data-price-type="finalPrice" class="price-wrapper"><span class="price">129,00 €</span></span></span></div>
<div class="swatch-opt"></div><script type="text/x-magento-init">{"[data-role=swatch-options]":{"Magento_Swatches/js/swatch-renderer":{"jsonConfig":{"attributes":{"93":{"id":"93","code":"volume","label":"Volume","options":[{"id":"7","label":"30 L","products":["513"]},{"id":"8","label":"38 L","products":["514"]}]}},"optionPrices":{"513":{"finalPrice":{"amount":129},"oldPrice":{"amount":129}},"514":{"finalPrice":{"amount":149},"oldPrice":{"amount":149}}},"sku":{"513":"AP-CIME-30F","514":"AP-CIME-38F"},"index":{"513":{"93":"7"},"514":{"93":"8"}}}}}}</script><button class="action primary tocart">Ajouter au panier</button><div class="stock available">En stock</div></div></body></html>`,
  },
  {
    trait: "de, a shop of its own: numbers at the offers of one product, the page says from",
    url: "https://www.kabelkontor-de.example/hdmi/hdmi-kabel-axon-8k",
    product: { title: "Axon HDMI-Kabel 8K 5 m", ean: "4031907866662" },
    expected: { price: [2990], currency: "EUR" },
    alone: openVariant([1490, 1990, 2990]),
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Axon HDMI-Kabel 8K in drei Längen | Kabelkontor</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Axon HDMI-Kabel 8K","offers":[{"@type":"Offer","sku":"AX8-1","gtin13":"4031685995288","price":"14.90","priceCurrency":"EUR","availability":"https://schema.org/InStock"},{"@type":"Offer","sku":"AX8-2","gtin13":"4250962459576","price":"19.90","priceCurrency":"EUR","availability":"https://schema.org/InStock"},{"@type":"Offer","sku":"AX8-5","gtin13":"4031907866662","price":"29.90","priceCurrency":"EUR","availability":"https://schema.org/InStock"}]}</script></head><body><div class="kk-page"><div class="kk-art"><h1>Axon HDMI-Kabel 8K</h1><div class="kk-preis"><small>ab</small> 14,90 €</div><div class="kk-mwst">inkl. MwSt., zzgl. Versand</div><div class="kk-laenge"><button>1 m</button><button>2 m</button><button>5 m</button></div><button class="kk-korb" disabled>In den Warenkorb</button></div></div></body></html>`,
  },
];
