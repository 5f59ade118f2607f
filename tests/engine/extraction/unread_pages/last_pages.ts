/** The last 24 pages: of other shop systems than all before, written after the others were used up. */
import { type Kind, type MadePage, noSale, openVariant } from "../made_pages/made_page.ts";
import { type UnreadPage, unreadPages } from "./unread_page.ts";

const PAGES: Readonly<Record<Kind, readonly UnreadPage[]>> = {
  variants: [
    {
      trait: "de, Shopware 5: the address has the number of our variant, which is shown",
      url: "https://www.fahrradkeller-de.example/zubehoer/satteltasche-rund?number=SW10071.3",
      product: { title: "Kavelin Satteltasche Rund 1,2 l schwarz", ean: "4006123456782" },
      expected: { price: [3490], currency: "EUR", availability: ["in_stock"] },
      html:
        `<!DOCTYPE html><html class="no-js" lang="de" itemscope="itemscope" itemtype="http://schema.org/WebPage"><head><meta charset="utf-8"><title>Satteltasche Rund | Satteltaschen | Fahrradkeller</title><meta name="description" content="Satteltasche Rund ab 24,90 €"></head>
<body class="is--ctl-detail is--act-index"><div class="page-wrap"><header class="header-main"><div class="cart--amount">0,00&nbsp;€ *</div></header><section class="content-main container block-group"><div class="content product--details" itemscope itemtype="http://schema.org/Product"><header class="product--header"><h1 class="product--title" itemprop="name">Satteltasche Rund</h1></header>
<div class="product--detail-upper block-group"><div class="product--buybox block"><meta itemprop="brand" content="Kavelin"/><meta itemprop="gtin13" content="4006123456782"/><div itemprop="offers" itemscope itemtype="http://schema.org/Offer" class="buybox--inner"><meta itemprop="priceCurrency" content="EUR"/>
<div class="product--price price--default"><span class="price--content content--default"><meta itemprop="price" content="34.90">34,90&nbsp;€ *</span></div><p class="product--tax" data-content="">inkl. MwSt. <a title="Versandkosten" href="/versand">zzgl. Versandkosten</a></p><div class="product--delivery"><link itemprop="availability" href="http://schema.org/InStock"/><p class="delivery--information"><span class="delivery--text delivery--text-available"><i class="delivery--status-icon delivery--status-available"></i> Sofort versandfertig, Lieferzeit ca. 1-3 Werktage</span></p></div>
<div class="product--configurator"><form method="post" class="configurator--form upprice--form"><p class="configurator--label">Volumen:</p><div class="select-field"><select name="group[5]" data-ajax-select-variants="true"><option value="11">0,6 l</option><option selected="selected" value="12">1,2 l</option><option value="13">2,0 l</option></select></div></form></div>
<form name="sAddToBasket" method="post" class="buybox--form"><input type="hidden" name="sAdd" value="SW10071.3"/><button class="buybox--button block btn is--primary is--large">In den <span>Warenkorb</span></button></form></div><ul class="product--base-info list--unstyled"><li class="base-info--entry entry--sku"><strong>Artikel-Nr.:</strong><span itemprop="sku">SW10071.3</span></li></ul></div></div></div>
<div class="tab-menu--cross-selling"><div class="product-slider"><div class="product--box box--slider"><a class="product--title">Lenkertasche Kubus</a><div class="product--price-info"><span class="price--default is--nowrap">49,90&nbsp;€ *</span></div></div></div></div></section><footer><p>* Alle Preise inkl. gesetzl. Mehrwertsteuer zzgl. Versandkosten</p></footer></div></body></html>`,
    },
    {
      trait: "en, BigCommerce: a range is shown, and nothing says what our size costs",
      url: "https://www.pillarandpine-en.example/wool-throw-heron/",
      product: { title: "Pillar & Pine Wool Throw Heron Large" },
      expected: openVariant([4500, 6500]),
      html:
        `<!DOCTYPE html><html class="no-js" lang="en"><head><title>Wool Throw Heron - Pillar &amp; Pine</title><meta property="og:type" content="product"><meta property="product:price:amount" content="45"><meta property="product:price:currency" content="GBP"><meta property="og:title" content="Wool Throw Heron"></head>
<body><header class="header" role="banner"><span class="countPill cart-quantity">0</span></header><div class="body"><div class="container"><ul class="breadcrumbs"><li><a>Home</a></li><li><a>Throws</a></li></ul><div class="productView" data-price-range="true"><section class="productView-details"><div class="productView-product"><h1 class="productView-title">Wool Throw Heron</h1><div class="productView-price"><div class="price-section price-section--withTax"><span data-product-price-with-tax class="price price--withTax">£45.00 - £65.00</span> <abbr title="Including Tax">(Inc. VAT)</abbr></div></div></div></section>
<section class="productView-details"><div class="productView-options"><form class="form" method="post" action="/cart.php" data-cart-item-add><div data-product-option-change><div class="form-field" data-product-attribute="set-rectangle"><label class="form-label form-label--alternate">Size: <small>Required</small></label><input class="form-radio" type="radio" id="a1" name="attribute[117]" value="101"><label class="form-option" for="a1"><span class="form-option-variant">Small</span></label><input class="form-radio" type="radio" id="a2" name="attribute[117]" value="102"><label class="form-option" for="a2"><span class="form-option-variant">Large</span></label></div></div>
<div class="form-action"><input id="form-action-addToCart" class="button button--primary" type="submit" value="Add to Cart"></div></form></div></section></div><div class="tab-content"><article class="productView-description">Woven in Wales from lambswool.</article></div>
<section class="productCarousel"><article class="card"><h4 class="card-title"><a>Linen Cushion Wren</a></h4><div class="card-text"><span class="price price--withTax">£28.00</span></div></article></section></div></div><script>var BCData = {"product_attributes":{"sku":null,"upc":null,"mpn":null,"gtin":null,"weight":null,"base":true,"image":null,"price":{"with_tax":{"formatted":"£45.00","value":45,"currency":"GBP"},"tax_label":"VAT","price_range":{"min":{"with_tax":{"formatted":"£45.00","value":45}},"max":{"with_tax":{"formatted":"£65.00","value":65}}}},"stock":null,"instock":true,"available_modifier_values":[],"in_stock_attributes":[101,102]}};</script></body></html>`,
    },
    {
      trait:
        "de, plentymarkets: the page's data have our number, pieces in other packs are in a select",
      url: "https://www.stallbedarf-de.example/pflege/huffett-classic_2042_1042",
      product: { title: "Equinol Huffett Classic 2.500 ml", ean: "4007234567893" },
      expected: { price: [3295], currency: "EUR", availability: ["in_stock"] },
      html:
        `<!DOCTYPE html><html lang="de" data-framework="vue"><head><meta charset="utf-8"><title>Huffett Classic 2.500 ml | Stallbedarf</title><script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","@id":"1042","mpn":"EQ-HF-25","name":"Equinol Huffett Classic","category":"Hufpflege","releaseDate":"","image":"https://cdn.example/hf.jpg","identifier":"1042","description":"","disambiguatingDescription":"","manufacturer":{"@type":"Organization","name":"Equinol"},"sku":"1042","gtin":"4007234567893","gtin13":"4007234567893","offers":{"@type":"Offer","priceCurrency":"EUR","price":"32.95","url":"https://www.stallbedarf-de.example/pflege/huffett-classic_2042_1042","priceSpecification":[{"@type":"UnitPriceSpecification","priceCurrency":"EUR","price":"32.95","priceType":"SalePrice","referenceQuantity":{"@type":"QuantitativeValue","value":"2500","unitCode":"MLT"}}],"availability":"https://schema.org/InStock","itemCondition":"https://schema.org/NewCondition"}}</script></head>
<body id="page-body" class="page-singleitem item-1042"><div id="vue-app"><header id="page-header"><span class="badge badge-right">0,00 EUR</span></header><div id="page-body"><main><div class="single container-max page-content"><div class="row"><div class="col-12 col-md-5"><div class="single-rightside"><h1 class="h2 title-outer">Equinol Huffett Classic 2.500 ml</h1><div class="articlenumber small text-muted"><b>Artikelnummer </b><span>EQ-HF-25</span></div><hr>
<div class="widget-attributes"><div class="input-unit"><select id="attribute-select-8" class="custom-select"><option>500 ml</option><option>1.000 ml</option><option selected>2.500 ml</option></select><label>Inhalt</label></div></div>
<div class="price"><div class="price-base"><span class="price h1"><span class="text-primary"> 32,95 EUR </span><sup>*</sup></span></div></div><div class="base-price text-muted my-3"><div> Inhalt <span>2.500 </span><span>Milliliter</span></div><div class="base-price-value"> Grundpreis <span> 13,18 EUR / Liter </span></div></div><div class="vat small text-muted"> * inkl. ges. MwSt. zzgl. <a>Versandkosten</a></div>
<span class="availability badge badge-success"><span> Sofort lieferbar </span></span><div class="add-to-basket-container"><input type="text" value="1" class="qty-input"><button class="btn btn-block btn-primary btn-appearance"> In den Warenkorb </button></div></div></div></div></div></main></div></div></body></html>`,
    },
    {
      trait: "en, Remix: variants with barcodes in the loader's data, the address asks for ours",
      url: "https://www.saltmarsh-en.example/products/deckhand-smock?Size=XL&Colour=Navy",
      product: { title: "Saltmarsh Deckhand Smock Navy XL", ean: "5012345671239" },
      expected: { price: [9200], currency: "GBP" },
      alone: { price: [9200], mayRefuse: true },
      html:
        `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><title>Deckhand Smock | Saltmarsh</title></head><body><a href="#mainContent" class="sr-only">Skip to content</a><header role="banner"><a href="/">Saltmarsh</a><button class="relative flex">0</button></header><main role="main" id="mainContent"><section class="w-full gap-4 md:gap-8 grid px-0"><div class="grid items-start"><div class="sticky flex flex-col"><h1 class="whitespace-normal font-bold text-heading">Deckhand Smock</h1><span class="font-medium opacity-50">Saltmarsh</span><form class="grid gap-10"><div><legend>Size</legend><a href="/products/deckhand-smock?Size=M&Colour=Navy" class="leading-none py-1 border-b">M</a><a href="/products/deckhand-smock?Size=XL&Colour=Navy" class="leading-none py-1 border-b border-primary">XL</a></div>
<button type="submit" class="inline-block rounded w-full"><span class="flex gap-2"><span>Add to Cart</span> <span>·</span> <div>£92.00</div></span></button></form><details><summary>Shipping</summary><p>Orders over £100 ship free, otherwise £4.95.</p></details></div></div></section><section><h2>Related Products</h2><div><a><h3>Galley Apron</h3><div>£34.00</div></a></div></section></main>
<script>window.__remixContext = {"url":"/products/deckhand-smock","state":{"loaderData":{"routes/products.$handle":{"product":{"id":"gid://shopify/Product/1","title":"Deckhand Smock","vendor":"Saltmarsh","variants":{"nodes":[{"id":"gid://shopify/ProductVariant/11","sku":"DHS-M-N","barcode":"5012345671116","availableForSale":true,"selectedOptions":[{"name":"Size","value":"M"},{"name":"Colour","value":"Navy"}],"price":{"amount":"88.0","currencyCode":"GBP"},"compareAtPrice":null},{"id":"gid://shopify/ProductVariant/12","sku":"DHS-XL-N","barcode":"5012345671239","availableForSale":true,"selectedOptions":[{"name":"Size","value":"XL"},{"name":"Colour","value":"Navy"}],"price":{"amount":"92.0","currencyCode":"GBP"},"compareAtPrice":null}]}}}}}};</script></body></html>`,
    },
    {
      trait: "de, Squarespace: sizes in an attribute of the form, the page says from",
      url: "https://www.druckwerk-nord-de.example/shop/p/plakat-leuchtturm",
      product: { title: "Plakat Leuchtturm 70 x 100 cm" },
      expected: { price: [5900], currency: "EUR" },
      alone: openVariant([2900, 3900, 5900]),
      html:
        `<!doctype html><html lang="de-DE"><head><meta charset="utf-8"><title>Plakat Leuchtturm — Druckwerk Nord</title><meta property="og:site_name" content="Druckwerk Nord"><meta property="og:title" content="Plakat Leuchtturm — Druckwerk Nord"><meta property="product:price:amount" content="29.00"><meta property="product:price:currency" content="EUR"></head>
<body id="item-6410" class="tweak-product-quick-view-button-style-floating"><div id="siteWrapper"><header id="header" class="header"><span class="Cart-inner"><span class="sqs-cart-quantity">0</span></span></header><main id="page"><article class="ProductItem hentry"><section class="ProductItem-details"><div class="ProductItem-details-checkout"><h1 class="ProductItem-details-title">Plakat Leuchtturm</h1><div class="product-price"><span class="from-price">ab <span class="sqs-money-native">29,00</span> €</span></div><div class="ProductItem-details-excerpt"><p>Risografie auf 250 g Papier, gerollt verschickt.</p></div>
<div class="product-variants" data-item-id="6410" data-variants="[{&quot;attributes&quot;:{&quot;Format&quot;:&quot;30 x 40 cm&quot;},&quot;optionValues&quot;:[{&quot;optionName&quot;:&quot;Format&quot;,&quot;value&quot;:&quot;30 x 40 cm&quot;}],&quot;id&quot;:&quot;a1&quot;,&quot;sku&quot;:&quot;SQ1&quot;,&quot;price&quot;:2900,&quot;priceMoney&quot;:{&quot;currency&quot;:&quot;EUR&quot;,&quot;value&quot;:&quot;29.00&quot;},&quot;onSale&quot;:false,&quot;qtyInStock&quot;:12},{&quot;attributes&quot;:{&quot;Format&quot;:&quot;50 x 70 cm&quot;},&quot;optionValues&quot;:[{&quot;optionName&quot;:&quot;Format&quot;,&quot;value&quot;:&quot;50 x 70 cm&quot;}],&quot;id&quot;:&quot;a2&quot;,&quot;sku&quot;:&quot;SQ2&quot;,&quot;price&quot;:3900,&quot;priceMoney&quot;:{&quot;currency&quot;:&quot;EUR&quot;,&quot;value&quot;:&quot;39.00&quot;},&quot;onSale&quot;:false,&quot;qtyInStock&quot;:7},{&quot;attributes&quot;:{&quot;Format&quot;:&quot;70 x 100 cm&quot;},&quot;optionValues&quot;:[{&quot;optionName&quot;:&quot;Format&quot;,&quot;value&quot;:&quot;70 x 100 cm&quot;}],&quot;id&quot;:&quot;a3&quot;,&quot;sku&quot;:&quot;SQ3&quot;,&quot;price&quot;:5900,&quot;priceMoney&quot;:{&quot;currency&quot;:&quot;EUR&quot;,&quot;value&quot;:&quot;59.00&quot;},&quot;onSale&quot;:false,&quot;qtyInStock&quot;:3}]"><div class="variant-option"><div class="variant-option-title">Format: </div><div class="variant-select-wrapper"><select aria-label="Format wählen"><option value="">Format wählen</option><option>30 x 40 cm</option><option>50 x 70 cm</option><option>70 x 100 cm</option></select></div></div></div><div class="sqs-add-to-cart-button-wrapper"><div class="sqs-add-to-cart-button sqs-suppress-edit-mode" role="button" tabindex="0"><div class="sqs-add-to-cart-button-inner">In den Warenkorb</div></div></div></div></section></article></main></div></body></html>`,
    },
  ],
  vetoes: [
    {
      trait: "de, ePages: the rate is large, the full price is in the line below",
      url:
        "https://www.moebelhaus-wendt-de.example/epages/wendt.sf/de_DE/?ObjectPath=/Shops/wendt/Products/BOX-180",
      product: { title: "Boxspringbett Valeria 180 x 200 cm" },
      expected: {
        price: [119500],
        currency: "EUR",
        tolerated: { price: [2490], confidenceMax: 0.6 },
      },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Boxspringbett Valeria 180 x 200 cm - Möbelhaus Wendt</title></head><body class="epages theme-clean"><div class="Layout1"><div class="NavBarTop"><a>Service 05931 00000</a><a>0 Artikel, 0,00 €</a></div><div class="ContentArea"><div class="InfoArea"><h1>Boxspringbett Valeria 180 x 200 cm</h1><div class="ProductTeaser">7-Zonen-Tonnentaschenfederkern, H3</div><div class="FinanceBox"><span class="FinanceBig">24,90 € mtl.</span><span class="FinanceSmall">48 Raten, eff. Jahreszins 0,00 %</span></div><div class="PriceArea">Barzahlungspreis: <span class="price-value">1.195,00 €</span><div class="TaxInfo">inkl. MwSt., Lieferung frei Bordsteinkante</div></div><div class="BasketArea"><input class="Quantity" value="1"><button class="AddToBasket">In den Warenkorb</button></div></div></div></div></body></html>`,
    },
    {
      trait: "en, broadband: a router that comes with a plan only",
      url: "https://www.fenwave-en.example/devices/fenwave-hub-pro",
      product: { title: "Fenwave Hub Pro WiFi 7 Router" },
      expected: noSale(3500, 3900, 995),
      html:
        `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Fenwave Hub Pro | Fenwave</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Fenwave Hub Pro WiFi 7 Router","brand":{"@type":"Brand","name":"Fenwave"},"offers":{"@type":"Offer","price":"35.00","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></head><body><div class="fw-root"><section class="fw-hero"><h1>Fenwave Hub Pro WiFi 7 Router</h1><ul><li>Included with Full Fibre 900</li></ul></section><section class="fw-plan"><div class="fw-plan__name">Full Fibre 900</div><div class="fw-plan__cost"><span class="fw-plan__pounds">£35</span><span class="fw-plan__per">a month</span></div><div class="fw-plan__terms">24 month contract. £9.95 setup fee. Price rises to £39 a month from April 2028.</div><button class="fw-btn">Choose this plan</button></section></div></body></html>`,
    },
    {
      trait: "de, office supplies: the markup is net, the price with tax is shown beside it",
      url: "https://www.kontorbedarf-de.example/ordner/hebelordner-80-20er-12345.html",
      product: { title: "Hebelordner 80 mm grau 20 Stück" },
      expected: {
        price: [9999],
        currency: "EUR",
        tolerated: { price: [8403], confidenceMax: 0.6 },
      },
      html:
        `<!DOCTYPE html><html lang="de-DE"><head><meta charset="utf-8"><title>Hebelordner 80 mm grau 20 Stück | Kontorbedarf</title><script type="application/ld+json">{"@context":"http://schema.org","@type":"Product","name":"Hebelordner 80 mm grau 20 Stück","sku":"12345","offers":{"@type":"Offer","price":"84.03","priceCurrency":"EUR","availability":"http://schema.org/InStock"}}</script></head><body class="is-b2b"><div class="kb-bar">Preise: <b>netto</b> | brutto</div><div class="kb-item"><h1>Hebelordner 80 mm grau 20 Stück</h1><p class="kb-no">Best.-Nr. 12345</p><div class="kb-cost"><div class="kb-net"><strong>84,03 €</strong> <span>netto</span></div><div class="kb-gross"><strong>99,99 €</strong> <span>inkl. 19 % MwSt.</span></div></div><div class="kb-per">4,20 € netto je Ordner</div><label>Menge <input value="1"></label><button class="kb-add">In den Warenkorb</button><p>Lieferbar in 24 Stunden</p></div></body></html>`,
    },
    {
      trait: "fr, tool hire on Odoo: a price by the day, from",
      url: "https://www.locamat-fr.example/shop/mini-pelle-18t-402",
      product: { title: "Mini-pelle 1,8 t Kogarek", mpn: "K018" },
      expected: noSale(14500, 50000),
      html:
        `<!DOCTYPE html><html lang="fr-FR" data-website-id="1"><head><meta charset="utf-8"/><meta name="generator" content="Odoo"/><title>Mini-pelle 1,8 t Kogarek | Locamat</title><meta property="og:type" content="website"/></head><body><div id="wrapwrap" class="o_wsale_product_page"><header id="top" class="o_header_standard"></header><main><div id="wrap" class="js_sale"><section id="product_detail" class="container oe_website_sale"><div class="row"><div id="product_details" class="col-lg-5"><h1 itemprop="name">Mini-pelle 1,8 t Kogarek</h1><form action="/shop/cart/update" method="POST"><div class="js_product js_main_product"><div itemprop="offers" itemscope="itemscope" itemtype="http://schema.org/Offer" class="product_price d-inline-block mt-2 mb-3"><h3 class="css_editable_mode_hidden"><span class="oe_price" style="white-space: nowrap;"><span class="oe_currency_value">145,00</span> €</span> <span>/ jour</span><span itemprop="price" style="display:none;">145.0</span><span itemprop="priceCurrency" style="display:none;">EUR</span></h3></div><div class="o_renting_dates"><label>Période de location</label><input type="datetime-local"></div><div class="o_deposit">Caution : <b>500,00 €</b></div><a role="button" id="add_to_cart" class="btn btn-primary">Ajouter au panier</a></div></form></div></div></section></div></main></div></body></html>`,
    },
    {
      trait: "de, Ecwid: the lower amount is for those who type a code",
      url: "https://www.teekontor-de.example/Matcha-Zeremonie-p51288",
      product: { title: "Matcha Zeremonie 100 g Dose" },
      expected: {
        price: [4500],
        currency: "EUR",
        tolerated: { price: [3600], confidenceMax: 0.6 },
      },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Matcha Zeremonie 100 g Dose</title></head><body><div id="my-store-8812" class="ecwid ecwid-shop"><div class="ec-size ec-store"><div class="ec-store__content-wrapper"><div class="product-details product-details--layout-1"><div class="product-details__sidebar"><h1 class="product-details__product-title ec-header-h3">Matcha Zeremonie 100 g Dose</h1><div class="product-details__product-price ec-price-item"><span class="details-product-price__value ec-price-item notranslate">45,00 €</span><div class="product-details__product-price-taxes ec-text-muted">inkl. MwSt.</div></div><div class="product-details__product-promo">Mit Code <b>HERBST20</b> nur 36,00 €</div><div class="product-details__action-block"><div class="details-product-purchase__add-to-bag"><button class="form-control__button"><span class="form-control__button-text">In den Warenkorb</span></button></div></div><div class="details-product-purchase__place">Auf Lager</div></div></div></div></div></div></body></html>`,
    },
  ],
  words: [
    {
      trait: "de, nopCommerce: two pieces are in the central store",
      url: "https://www.messtechnik-harz-de.example/bandmass-stahl-10m",
      product: { title: "Orvelo Bandmaß Stahl 10 m" },
      expected: { price: [1895], availability: ["limited", "in_stock"], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de" class="html-product-details-page"><head><title>Orvelo Bandmaß Stahl 10 m. Messtechnik Harz</title><meta charset="UTF-8"/><meta name="generator" content="nopCommerce"/></head><body><div class="master-wrapper-page"><div class="header"><span class="cart-qty">(0)</span></div><div class="master-wrapper-content"><div class="page product-details-page"><form method="post" id="product-details-form"><div class="product-essential"><div class="overview"><div class="product-name"><h1>Orvelo Bandmaß Stahl 10 m</h1></div><div class="availability"><div class="stock"><span class="label">Bestand:</span><span class="value" id="stock-availability-value-77">Noch 2 Stück im Zentrallager</span></div></div><div class="additional-details"><div class="sku"><span class="label">SKU:</span><span class="value">OV-10</span></div></div><div class="prices"><div class="product-price"><span id="price-value-77" class="price-value-77">18,95 €</span></div><div class="tax-shipping-info"><span>inkl. MwSt. zuzüglich <a>Versand</a></span></div></div><div class="add-to-cart"><div class="add-to-cart-panel"><input class="qty-input" value="1"/><button type="button" id="add-to-cart-button-77" class="button-1 add-to-cart-button">In den Warenkorb</button></div></div></div></div></form></div></div></div></body></html>`,
    },
    {
      trait: "en, OpenCart: temporarily sold out with a waiting list, the markup says in stock",
      url: "https://www.quillandink-en.example/index.php?route=product/product&product_id=318",
      product: { title: "Aldous Fountain Pen Medium Nib Green" },
      expected: { price: [6400], availability: ["out_of_stock"], currency: "GBP" },
      html:
        `<!DOCTYPE html><html dir="ltr" lang="en"><head><meta charset="UTF-8"/><title>Aldous Fountain Pen</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Aldous Fountain Pen Medium Nib Green","offers":{"@type":"Offer","price":"64.00","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></head><body><nav id="top"><button>£ GBP</button></nav><header><div id="cart"><button>0 item(s) - £0.00</button></div></header><div id="product-product" class="container"><div class="row"><div id="content" class="col-sm-12"><div class="row"><div class="col-sm-4"><h1>Aldous Fountain Pen Medium Nib Green</h1><ul class="list-unstyled"><li>Brand: <a>Aldous</a></li><li>Product Code: ALD-FG</li><li>Temporarily sold out</li></ul><ul class="list-unstyled"><li><h2>£64.00</h2></li><li>Ex Tax: £53.33</li></ul><div id="product"><button type="button" class="btn btn-default btn-lg btn-block">Join the waitlist</button></div></div></div></div></div></div></body></html>`,
    },
    {
      trait: "fr, marketplace for renewed devices: grade, seller and sender in words",
      url: "https://www.secondcycle-fr.example/p/lumio-phone-12-128-go/8812-ag",
      product: { title: "Lumio Phone 12 128 Go noir" },
      expected: {
        price: [32900],
        condition: "refurbished",
        seller: "RePhone Lyon",
        isThirdParty: true,
        confidenceMax: 0.8,
      },
      html:
        `<!DOCTYPE html><html lang="fr-FR"><head><meta charset="utf-8"><title>Lumio Phone 12 128 Go noir reconditionné | Second Cycle</title><meta property="og:site_name" content="Second Cycle"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lumio Phone 12 128 Go noir","offers":{"@type":"Offer","price":"329.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body><div id="__layout"><div class="md:grid"><div data-qa="product-head"><h1 class="heading-1">Lumio Phone 12 128 Go noir</h1><p class="body-2">Reconditionné - Très bon état</p></div><div data-qa="buy-box"><div data-qa="productpage-product-price"><span class="heading-2">329,00 €</span><span class="body-2-striked">Neuf 609,00 €</span></div><p>Livraison gratuite dès le 2 déc.</p><p data-qa="merchant">Vendu par <a href="/m/rephone">RePhone Lyon</a></p><button data-qa="add-to-cart">Ajouter au panier</button></div></div></div></body></html>`,
    },
    {
      trait: "de, portal for lamps: the merchant is in a table, the markup names it too",
      url: "https://www.lichtmarkt-de.example/angebot/stehleuchte-arko-messing",
      product: { title: "Stehleuchte Arko Messing" },
      expected: {
        price: [15900],
        seller: "Lampenladen Müller",
        isThirdParty: true,
        confidenceMax: 0.8,
      },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Stehleuchte Arko Messing kaufen bei Lichtmarkt</title><meta property="og:site_name" content="Lichtmarkt"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Stehleuchte Arko Messing","offers":{"@type":"Offer","price":"159.00","priceCurrency":"EUR","availability":"https://schema.org/InStock","seller":{"@type":"Organization","name":"Lampenladen Müller"}}}</script></head><body><main class="lm"><div class="lm-a"><h1>Stehleuchte Arko Messing</h1><div class="lm-p">159,00 €</div><table class="lm-t"><tr><th>Verkäufer</th><td>Lampenladen Müller</td></tr><tr><th>Versand</th><td>kostenfrei</td></tr><tr><th>Lieferzeit</th><td>3 – 5 Werktage</td></tr></table><button class="lm-b">In den Warenkorb</button></div></main></body></html>`,
    },
    {
      trait: "en, Webflow: to be ordered ahead, sent from a day on",
      url: "https://www.cobbleandclay-en.example/product/espresso-cup-set",
      product: { title: "Espresso Cup Set of Four Moss" },
      expected: { price: [4800], availability: ["pre_order"], currency: "GBP" },
      html:
        `<!DOCTYPE html><html data-wf-domain="www.cobbleandclay-en.example" lang="en"><head><meta charset="utf-8"/><title>Espresso Cup Set of Four Moss</title><meta content="Webflow" name="generator"/></head><body><div class="navbar w-nav"><a class="w-commerce-commercecartopenlink"><div class="w-commerce-commercecartopenlinkcount">0</div></a></div><div class="section"><div class="w-layout-grid grid-9"><div><h1 class="heading-14">Espresso Cup Set of Four Moss</h1><div data-wf-sku-bindings="%5B%5D" class="text-block-21">£&nbsp;48.00&nbsp;GBP</div><div class="text-block-22">Pre-order now. Dispatched from 14 February.</div><form data-node-type="commerce-add-to-cart-form" class="w-commerce-commerceaddtocartform"><input type="submit" value="Pre-order" class="w-commerce-commerceaddtocartbutton"/></form></div></div></div></body></html>`,
    },
  ],
  bare: [
    {
      trait: "de, a page built by hand: euros before the amount, no classes at all",
      url: "https://www.drechslerei-auer-de.example/schalen/eiche-35.html",
      product: { title: "Obstschale Eiche 35 cm gedrechselt" },
      expected: { price: [12900], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Obstschale Eiche 35 cm - Drechslerei Auer</title></head><body><p><a href="/">Start</a> | <a href="/schalen">Schalen</a> | <a href="/kurse">Kurse ab 85 Euro</a></p><h1>Obstschale Eiche 35 cm gedrechselt</h1><img src="eiche35.jpg"><p>Jede Schale ist ein Einzelstück aus heimischem Holz, mit Leinöl behandelt.</p><p><b>EUR 129,-</b></p><p>inkl. MwSt., Versand innerhalb Deutschlands EUR 6,90</p><form action="https://pay.example/korb"><button>In den Warenkorb</button></form><hr><p>Auch schön: <a href="ahorn-28.html">Obstschale Ahorn 28 cm</a>, EUR 98,-</p></body></html>`,
    },
    {
      trait: "en, Wix: the price in a hook element with its text for listeners",
      url: "https://www.thistlebakes-en.example/product-page/sourdough-starter-kit",
      product: { title: "Sourdough Starter Kit" },
      expected: { price: [4200], currency: "GBP" },
      html:
        `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><title>Sourdough Starter Kit | Thistle Bakes</title><meta name="generator" content="Wix.com Website Builder"/></head><body><div id="SITE_CONTAINER"><div id="main_MF"><header id="SITE_HEADER"><a aria-label="Cart with 0 items">0</a></header><main id="PAGES_CONTAINER"><section data-hook="product-page"><article class="nyYsF"><div data-hook="product-column"><h1 data-hook="product-title" class="sCJQjW">Sourdough Starter Kit</h1><div class="QZmgHQ" data-hook="sku">SKU: TB-01</div><div data-hook="product-price" class="mmwKLP"><div class="B_BWAw"><span class="soGdQP" data-hook="sr-formatted-primary-price">Price</span><span data-hook="formatted-primary-price" data-wix-price="£42.00" class="cfpn1d">£42.00</span></div><span data-hook="product-price-tax">VAT Included</span></div><div data-hook="quantity"><input type="number" value="1"></div><button data-hook="add-to-cart" class="sbwXWr"><span>Add to Cart</span></button><div data-hook="info-section"><h2>Refund policy</h2><p>We refund up to £15 of postage.</p></div></div></article></section></main></div></div></body></html>`,
    },
    {
      trait: "fr, an old shop: a table of characteristics with the price and two fees",
      url: "http://www.electromenager-vidal-fr.example/fiche.asp?ref=LV7714",
      product: { title: "Lave-vaisselle Brevia LV7714", mpn: "LV7714" },
      expected: { price: [54900], currency: "EUR" },
      html:
        `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta http-equiv="content-language" content="fr"><title>Lave-vaisselle Brevia LV7714</title></head><body><table width="100%"><tr><td colspan="2"><font size="5"><b>Electroménager Vidal</b></font> - Nîmes</td></tr><tr><td width="150"><a href="?f=1">Lavage</a><br><a href="?f=2">Froid</a></td><td><h1>Lave-vaisselle Brevia LV7714</h1><table border="1" cellpadding="3"><tr><td>Couverts</td><td>14</td></tr><tr><td>Niveau sonore</td><td>42 dB</td></tr><tr><td>Prix</td><td><b>549 €</b> TTC</td></tr><tr><td>Eco-participation</td><td>12 €</td></tr><tr><td>Livraison</td><td>39 €</td></tr></table><form action="panier.asp"><input type="submit" value="Ajouter au panier"></form></td></tr></table></body></html>`,
    },
    {
      trait: "de, Astro with utility classes: raised cents, samples and a list of other floors",
      url: "https://www.bodenliebe-de.example/vinyl/eiche-natur-zp12",
      product: { title: "Klickvinyl Eiche natur ZP12, Paket 2,2 m²" },
      expected: { price: [6578], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de" class="scroll-smooth"><head><meta charset="utf-8"><meta name="generator" content="Astro v5.1.2"><title>Klickvinyl Eiche natur ZP12 | Bodenliebe</title></head><body class="font-sans"><header class="flex justify-between p-4"><a href="/">Bodenliebe</a></header><main class="max-w-6xl mx-auto"><div class="grid md:grid-cols-2 gap-10"><astro-island><img src="/zp12.webp" alt=""></astro-island><div><h1 class="text-2xl">Klickvinyl Eiche natur ZP12, Paket 2,2 m²</h1><div class="flex items-baseline gap-2 mt-6"><span class="text-4xl font-black">65<sup class="text-lg">78</sup> €</span><span class="text-sm text-zinc-500">pro Paket</span></div><p class="text-sm text-zinc-500">29,90 € / m² inkl. MwSt.</p><div class="flex gap-3 mt-6"><button class="bg-emerald-700 text-white px-6 py-3">In den Warenkorb</button><button class="border px-6 py-3">Muster für 3,00 € bestellen</button></div></div></div><ul class="grid grid-cols-3 mt-20"><li><a href="/vinyl/zp14"><span>Eiche grau ZP14</span><span>29,90 € / m²</span></a></li><li><a href="/vinyl/zp20"><span>Nussbaum ZP20</span><span>34,90 € / m²</span></a></li></ul></main></body></html>`,
    },
    {
      trait: "en, web components: the price is in a declarative shadow root",
      url: "https://www.hollowaycycles-en.example/lights/beacon-800",
      product: { title: "Holloway Beacon 800 Front Light" },
      expected: { price: [7900], currency: "GBP" },
      html:
        `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Beacon 800 Front Light | Holloway Cycles</title></head><body><hc-shell><template shadowrootmode="open"><style>:host{display:block}</style><slot></slot></template><h1>Holloway Beacon 800 Front Light</h1><hc-offer><template shadowrootmode="open"><div part="box"><p part="amount">£79.00</p><p part="note">VAT included</p><button part="buy">Add to basket</button></div></template></hc-offer><hc-also><template shadowrootmode="open"><p>Beacon Rear <span>£39.00</span></p></template></hc-also></hc-shell></body></html>`,
    },
  ],
  former: [
    {
      trait: "de, sports shop on Intershop: recommended price and the lowest one before the cut",
      url: "https://www.bergundtal-de.example/wanderstock-carbon-faltbar-pr2231",
      product: { title: "Trekkin Wanderstock Carbon faltbar", ean: "4008345678911" },
      expected: { price: [4999], wasPrice: 6999, lowest30: 5499, currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Wanderstock Carbon faltbar | Berg und Tal</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Trekkin Wanderstock Carbon faltbar","gtin13":"4008345678911","offers":{"@type":"Offer","price":"49.99","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body><ish-app><main class="container"><div class="row product-details"><div class="col-md-6"><h1 class="product-title">Trekkin Wanderstock Carbon faltbar</h1><div class="price-container"><div class="current-price sale-price">49,99&nbsp;€</div><div class="list-price-note">UVP 69,99&nbsp;€ <span>(-28 %)</span></div><div class="omnibus-note">Niedrigster Preis der letzten 30 Tage vor der Reduzierung: 54,99&nbsp;€</div></div><button class="btn btn-lg btn-primary">In den Warenkorb</button></div></div></main></ish-app></body></html>`,
    },
    {
      trait: "fr, Sylius: a reference price, a percentage and the lowest of 30 days",
      url: "https://www.latelierdusac-fr.example/products/sac-week-end-cuir-cognac",
      product: { title: "Sac week-end cuir cognac" },
      expected: { price: [17430], wasPrice: 24900, lowest30: 18900, currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Sac week-end cuir cognac | L'Atelier du sac</title></head><body class="pushable"><div class="ui container"><div class="ui stackable grid"><div class="eight wide column"><h1 id="sylius-product-name" class="ui monster dividing header">Sac week-end cuir cognac</h1><div class="ui right aligned"><span id="sylius-product-original-price"><del>249,00 €</del></span> <span class="ui huge header" id="product-price">174,30 €</span> <span class="ui label">-30 %</span></div><div id="sylius-product-lowest-price-before-the-discount">Le prix le plus bas des 30 jours précédant la réduction était de 189,00 €</div><form name="sylius_add_to_cart"><button type="submit" class="ui huge primary icon labeled button">Ajouter au panier</button></form></div></div></div></body></html>`,
    },
    {
      trait: "en, department store on Salesforce: recommended, former and present price",
      url: "https://www.aldgate-stores-en.example/home/duvet-cover-linen-sage/771203.html",
      product: { title: "Linen Duvet Cover King Sage" },
      expected: { price: [7900], wasPrice: 9900, currency: "GBP" },
      html:
        `<!DOCTYPE html><html lang="en"><head><meta charset=UTF-8><title>Linen Duvet Cover King Sage | Aldgate Stores</title></head><body><div class="page" data-action="Product-Show"><div class="container product-detail product-wrapper" data-pid="771203"><div class="row"><div class="col-12 col-sm-6"><h1 class="product-name">Linen Duvet Cover King Sage</h1><div class="prices"><div class="price"><span class="rrp">RRP £120.00</span><span><del><span class="strike-through list"><span class="value" content="99.00"><span class="sr-only">Price reduced from </span>£99.00<span class="sr-only"> to </span></span></span></del><span class="sales"><span class="value" content="79.00">£79.00</span></span></span></div></div><div class="prices-add-to-cart-actions"><div class="cart-and-ipay"><button class="add-to-cart btn btn-primary" data-pid="771203">Add to Bag</button></div></div><div class="promotions"><div class="callout">Spend £100, save £10</div></div></div></div></div></div></body></html>`,
    },
    {
      trait: "de, SAP Spartacus: a struck price and a percentage, the saving in euro",
      url: "https://www.werkzeugwelt-de.example/product/300938/akku-winkelschleifer-aw18",
      product: { title: "Hamster AW18 Akku-Winkelschleifer 125 mm", mpn: "AW18-125" },
      expected: { price: [15999], wasPrice: 19999, currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de" dir="ltr"><head><meta charset="utf-8"><title>Hamster AW18 Akku-Winkelschleifer 125 mm | Werkzeugwelt</title><script id="json-ld" type="application/ld+json">[{"@context":"http://schema.org","@type":"Product","sku":"300938","name":"Hamster AW18 Akku-Winkelschleifer 125 mm","offers":{"@type":"Offer","price":159.99,"priceCurrency":"EUR","availability":"InStock"}}]</script></head><body><cx-storefront class="stop-navigating"><header><cx-mini-cart><a><span class="total">0,00 €</span></a></cx-mini-cart></header><main><cx-page-layout class="ProductDetailsPageTemplate"><cx-product-intro><h1 class="name">Hamster AW18 Akku-Winkelschleifer 125 mm</h1><div class="code">Art.-Nr. 300938</div></cx-product-intro><cx-product-summary><div class="price" aria-label="Preis"><span class="strike">199,99 €</span><span class="now">159,99 €</span><span class="pct">-20 %</span></div><div class="saved">Du sparst 40,00 €</div></cx-product-summary><cx-add-to-cart><form><cx-item-counter><input value="1"></cx-item-counter><div class="info"><span class="label">Auf Lager</span></div><button class="btn btn-primary btn-block" type="submit"> In den Warenkorb </button></form></cx-add-to-cart><cx-tab-paragraph-container><cx-product-details-tab>Lieferung ohne Akku und Ladegerät (Set: 279,99 €).</cx-product-details-tab></cx-tab-paragraph-container></cx-page-layout></main></cx-storefront></body></html>`,
    },
  ],
};

export const LAST_PAGES: readonly MadePage[] = [
  ...unreadPages("variants", PAGES.variants),
  ...unreadPages("vetoes", PAGES.vetoes),
  ...unreadPages("words", PAGES.words),
  ...unreadPages("bare", PAGES.bare),
  ...unreadPages("former", PAGES.former),
];
