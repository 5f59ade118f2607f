/** Fourteen German pages full of other amounts, written by somebody who had not seen the readers. */
import { type Kind, noSale, openVariant } from "../made_pages/made_page.ts";
import type { UnreadPage } from "./unread_page.ts";

export const NOISY_GERMAN: Readonly<Record<Kind, readonly UnreadPage[]>> = {
  variants: [
    {
      trait: "de, Shopify: our number is a variant, JSON-LD still has the price before the sale",
      url: "https://www.lederwerk-tann-de.example/products/aktentasche-tann?variant=48811220395",
      product: { title: "Aktentasche Tann cognac", ean: "4270001771022", shopSku: "TANN-COG" },
      expected: { price: [18900], currency: "EUR", availability: ["in_stock"], wasPrice: 22900 },
      alone: { price: [18900], currency: "EUR", mayRefuse: true },
      html:
        `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Aktentasche Tann – Lederwerk Tann</title><link rel="canonical" href="https://www.lederwerk-tann-de.example/products/aktentasche-tann"><meta property="og:type" content="product"><meta property="og:title" content="Aktentasche Tann"><meta property="og:price:amount" content="189,00"><meta property="og:price:currency" content="EUR"><script type="application/ld+json">{"@context":"http://schema.org/","@id":"/products/aktentasche-tann#product","@type":"ProductGroup","brand":{"@type":"Brand","name":"Lederwerk"},"hasVariant":[{"@id":"/products/aktentasche-tann?variant=48811220361#variant","@type":"Product","gtin":"4270001771015","name":"Aktentasche Tann - schwarz","offers":{"@id":"/products/aktentasche-tann?variant=48811220361#offer","@type":"Offer","availability":"http://schema.org/InStock","price":"249.00","priceCurrency":"EUR","url":"https://www.lederwerk-tann-de.example/products/aktentasche-tann?variant=48811220361"},"sku":"TANN-SCH"},{"@id":"/products/aktentasche-tann?variant=48811220395#variant","@type":"Product","gtin":"4270001771022","name":"Aktentasche Tann - cognac","offers":{"@id":"/products/aktentasche-tann?variant=48811220395#offer","@type":"Offer","availability":"http://schema.org/InStock","price":"189.00","priceCurrency":"EUR","url":"https://www.lederwerk-tann-de.example/products/aktentasche-tann?variant=48811220395"},"sku":"TANN-COG"}],"name":"Aktentasche Tann","productGroupID":"9001773"}</script></head><body><div class="announcement-bar">Newsletter: 15 € Gutschein ab 150 € Bestellwert</div><header><cart-drawer><span class="cart-count">2</span><span class="totals__subtotal-value">64,80 €</span></cart-drawer></header><main><product-info id="ProductInfo-main"><h1 class="product__title">Aktentasche Tann</h1><div id="price-main" role="status"><div class="price price--large price--on-sale"><div class="price__container"><div class="price__regular"><span class="visually-hidden">Normaler Preis</span><span class="price-item price-item--regular">189,00 €</span></div><div class="price__sale"><span class="visually-hidden">Normaler Preis</span><span><s class="price-item price-item--regular">229,00 €</s></span><span class="visually-hidden">Verkaufspreis</span><span class="price-item price-item--sale price-item--last">189,00 €</span></div></div><span class="badge price__badge-sale">Sale</span></div></div><div class="product__tax caption">inkl. MwSt. zzgl. <a href="/policies/shipping-policy">Versandkosten</a></div><shopify-payment-terms>Ab 17,06 €/Monat oder 3 Raten zu 63,00 € mit Klarna</shopify-payment-terms><fieldset><legend>Farbe</legend><input type="radio" name="Farbe" value="schwarz"><label>schwarz</label><input type="radio" name="Farbe" value="cognac" checked><label>cognac</label></fieldset><p class="product__inventory">Auf Lager</p><button type="submit" name="add">In den Warenkorb legen</button></product-info><product-recommendations><h2>Dazu passt</h2><ul><li><a href="/products/lederbalsam">Lederbalsam 150 ml</a><span class="price-item">14,90 €</span></li><li><a href="/products/schultergurt">Schultergurt</a><span class="price-item">39,00 €</span></li></ul></product-recommendations></main><script type="application/json" data-product-json>{"id":9001773,"title":"Aktentasche Tann","price":18900,"compare_at_price":22900,"variants":[{"id":48811220361,"sku":"TANN-SCH","barcode":"4270001771015","price":24900,"compare_at_price":null,"available":true},{"id":48811220395,"sku":"TANN-COG","barcode":"4270001771022","price":18900,"compare_at_price":22900,"available":true}]}</script></body></html>`,
    },
    {
      trait: "de, OXID: a list of sizes with their own numbers and prices, ours is one row",
      url: "https://www.werkstattbedarf-ohm-de.example/Schraubstoecke/Parallelschraubstock-PS.html",
      product: { title: "Parallelschraubstock PS 125 mm", mpn: "PS-125-X", shopSku: "40412-125" },
      expected: { price: [15995], currency: "EUR" },
      alone: openVariant([11995, 15995, 21995]),
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="UTF-8"><title>Parallelschraubstock PS | Werkstattbedarf Ohm</title></head><body class="cl-details"><div id="minibasket">Warenkorb: 3 Artikel, 87,40 €</div><div id="content"><div class="detailsInfo"><h1 id="productTitle">Parallelschraubstock PS</h1><div class="tprice">ab <label id="productPrice"><strong>119,95 €</strong></label>* <span class="uvp">UVP 139,00 €</span></div><p class="vat">* inkl. MwSt., zzgl. <a href="/Versand/">Versand</a> (5,90 €)</p><table class="table variantTable"><thead><tr><th>Art.-Nr.</th><th>Backenbreite</th><th>Spannweite</th><th>Preis</th><th></th></tr></thead><tbody><tr><td>40412-100</td><td>100 mm</td><td>125 mm</td><td>119,95 €</td><td><a class="btn" href="?fnc=tobasket&amp;aid=40412-100">kaufen</a></td></tr><tr><td>40412-125</td><td>125 mm</td><td>150 mm</td><td>159,95 €</td><td><a class="btn" href="?fnc=tobasket&amp;aid=40412-125">kaufen</a></td></tr><tr><td>40412-150</td><td>150 mm</td><td>200 mm</td><td>219,95 €</td><td><a class="btn" href="?fnc=tobasket&amp;aid=40412-150">kaufen</a></td></tr></tbody></table><p>Lieferzeit 2–3 Werktage</p></div><div class="widgetBox"><h3>Kunden kauften auch</h3><div class="listitem"><a href="/Schutzbacken.html">Schutzbacken 125 mm</a> <strong>24,95 €</strong></div></div></div></body></html>`,
    },
    {
      trait: "de, Gambio: an attribute adds to the price, pre-order, a voucher beside it",
      url: "https://www.modellbahn-sund-de.example/lok-br-212-spur-h0.html",
      product: { title: "Diesellok BR 212 Spur H0", ean: "4012501712120" },
      expected: { price: [23999], currency: "EUR", availability: ["pre_order"] },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Diesellok BR 212 Spur H0 - Modellbahn Sund</title><meta property="og:title" content="Diesellok BR 212 Spur H0"><meta property="product:price:amount" content="239.99"><meta property="product:price:currency" content="EUR"></head><body><main><section class="product-info-header"><h1 class="product-info-title-desktop">Diesellok BR 212 Spur H0</h1><dl><dt>Art.Nr.:</dt><dd>71212</dd><dt>GTIN/EAN:</dt><dd>4012501712120</dd><dt>Lieferzeit:</dt><dd>Vorbestellbar, erscheint im März 2027</dd></dl></section><div class="modifiers"><label>Ausführung</label><select name="modifiers[attribute][3]"><option selected>Gleichstrom analog</option><option>Digital (+ 35,00 EUR)</option><option>Digital mit Sound (+ 89,00 EUR)</option></select></div><div class="price-container"><div class="price-calc-container"><div class="current-price-container" id="attributes-calc-price">239,99 EUR</div><p class="tax-shipping-text">inkl. 19% MwSt. zzgl. <a href="/popup">Versand</a></p></div></div><button class="btn-add-to-cart">Jetzt vorbestellen</button><div class="voucher-box">10,00 EUR Neukunden-Gutschein bei Anmeldung zum Newsletter</div><div class="easycredit">Finanzieren ab 20,00 EUR / Monat mit easyCredit-Ratenkauf</div><section class="xselling"><h3>Passendes Zubehör</h3><div class="product-container"><a href="/gleis">Gleis gerade 230 mm</a><span class="current-price-container">4,49 EUR</span></div><div class="product-container"><a href="/decoder">Decoder 21-polig</a><span class="current-price-container">44,95 EUR</span></div></section></main></body></html>`,
    },
  ],
  vetoes: [
    {
      trait: "de, Shopware 6: prices by quantity, microdata from the lowest to the highest",
      url: "https://www.verpackung-nord-de.example/Faltkarton-400x300x200/KA-4032",
      product: { title: "Faltkarton 400 x 300 x 200 mm", mpn: "KA-4032" },
      expected: { price: [149], currency: "EUR", availability: ["in_stock"] },
      html:
        `<!DOCTYPE html><html lang="de-DE"><head><meta charset="UTF-8"><title>Faltkarton 400 x 300 x 200 mm | KA-4032</title><meta property="og:type" content="product"></head><body class="is-ctl-product is-act-index"><header><a class="header-cart" href="/checkout/cart"><span class="header-cart-total">0,00 €*</span></a></header><div class="product-detail" itemscope itemtype="https://schema.org/Product"><h1 class="product-detail-name" itemprop="name">Faltkarton 400 x 300 x 200 mm</h1><div class="product-detail-buy" itemprop="offers" itemscope itemtype="https://schema.org/AggregateOffer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="lowPrice" content="0.79"><meta itemprop="highPrice" content="1.49"><meta itemprop="offerCount" content="4"><div class="product-detail-price-container"><div class="product-block-prices"><table class="table product-block-prices-grid"><thead><tr><th>Anzahl</th><th>Stückpreis</th></tr></thead><tbody><tr itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="1.49"><link itemprop="availability" href="https://schema.org/InStock"><th>Bis <span>19</span></th><td>1,49 €*</td></tr><tr itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="1.19"><link itemprop="availability" href="https://schema.org/InStock"><th>Ab <span>20</span></th><td>1,19 €*</td></tr><tr itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="0.95"><link itemprop="availability" href="https://schema.org/InStock"><th>Ab <span>100</span></th><td>0,95 €*</td></tr><tr itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="0.79"><link itemprop="availability" href="https://schema.org/InStock"><th>Ab <span>500</span></th><td>0,79 €*</td></tr></tbody></table></div></div><p class="product-detail-tax">Preise inkl. MwSt. zzgl. Versandkosten</p><p class="delivery-information delivery-available">Sofort verfügbar, Lieferzeit: 1-3 Tage</p><button class="btn btn-buy">In den Warenkorb</button></div></div><div class="cross-selling"><div class="product-box"><a>Packband braun</a><span class="product-price">2,29 €*</span></div></div></body></html>`,
    },
    {
      trait: "de, WooCommerce: one-time price beside the subscription, base price per kg",
      url: "https://www.roesterei-elbhang-de.example/produkt/espresso-elbhang-750-g/",
      product: { title: "Espresso Elbhang 750 g ganze Bohne" },
      expected: { price: [2175], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="UTF-8"><title>Espresso Elbhang 750 g – Rösterei Elbhang</title></head><body class="single-product woocommerce"><div class="wc-block-mini-cart">Zwischensumme <span class="woocommerce-Price-amount amount">43,50&nbsp;€</span></div><div class="product type-product"><div class="summary entry-summary"><h1 class="product_title entry-title">Espresso Elbhang 750 g</h1><p class="price">21,75&nbsp;€ <small>oder im Abo ab 18,49&nbsp;€</small></p><p class="wc-gzd-additional-info price-unit"><span class="woocommerce-Price-amount amount">29,00&nbsp;€</span> / <span class="unit">kg</span></p><p class="tax-info">inkl. 7 % MwSt.</p><p class="shipping-costs-info">zzgl. <a href="/versand">Versandkosten</a>, frei ab 39 €</p><form class="cart"><ul class="wcsatt-options-product"><li><label><input type="radio" name="convert_to_sub" value="0" checked> Einmalkauf <span class="amount">21,75&nbsp;€</span></label></li><li><label><input type="radio" name="convert_to_sub" value="1_month"> Alle 4 Wochen liefern: <span class="amount">18,49&nbsp;€</span> (15 % sparen)</label></li></ul><select name="mahlgrad"><option>ganze Bohne</option><option>Siebträger</option></select><button class="single_add_to_cart_button button">In den Warenkorb</button></form></div><section class="related products"><h2>Ähnliche Produkte</h2><ul><li class="product"><h2>Crema Hafen 1 kg</h2><span class="price">27,90&nbsp;€</span></li><li class="product"><h2>Probierset 3 x 250 g</h2><span class="price"><del>26,70&nbsp;€</del> <ins>22,90&nbsp;€</ins></span></li></ul></section></div></body></html>`,
    },
    {
      trait: "de, Magento 2: net price first, gross beside it, JSON-LD has the net one",
      url: "https://www.elektro-partner-de.example/leitungsschutzschalter-b16-3p.html",
      product: { title: "Leitungsschutzschalter B16 3-polig", ean: "4011721160316" },
      expected: { price: [3558], currency: "EUR", availability: ["in_stock"] },
      html:
        `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Leitungsschutzschalter B16 3-polig</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Leitungsschutzschalter B16 3-polig","sku":"LS-B16-3","gtin13":"4011721160316","offers":{"@type":"Offer","price":29.9,"priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body class="catalog-product-view"><div class="column main"><div class="product-info-main"><h1 class="page-title"><span class="base">Leitungsschutzschalter B16 3-polig</span></h1><div class="product-info-price"><div class="price-box price-final_price"><span class="price-wrapper price-excluding-tax" data-label="zzgl. MwSt." data-price-amount="29.9" data-price-type="basePrice"><span class="price">29,90 €</span></span> <span class="tax-note">zzgl. MwSt.</span><br><span class="price-wrapper price-including-tax" data-label="inkl. MwSt." data-price-amount="35.581" data-price-type="finalPrice"><span class="price">35,58 €</span></span> <span class="tax-note">inkl. 19 % MwSt.</span></div></div><div class="stock available"><span>Auf Lager</span></div><p>Versand 5,95 € · ab 120 € frei Haus</p><button id="product-addtocart-button">In den Warenkorb</button></div><div class="block upsell"><strong>Das könnte Ihnen auch gefallen</strong><ol><li><a>Fehlerstromschutzschalter 40 A</a><span class="price-excluding-tax"><span class="price">38,50 €</span></span><span class="price-including-tax"><span class="price">45,82 €</span></span></li></ol></div></div></body></html>`,
    },
    {
      trait: "de, marketplace: the chosen seller among four, JSON-LD from the cheapest used one on",
      url: "https://www.allesmarkt-de.example/p/bohrhammer-bh-26-pro-1299331",
      product: { title: "Bohrhammer BH 26 Pro", ean: "4059952612266" },
      expected: {
        price: [17449],
        currency: "EUR",
        seller: "Werkzeug Brandt GmbH",
        isThirdParty: true,
        condition: "new",
      },
      html:
        `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Bohrhammer BH 26 Pro günstig kaufen | Allesmarkt</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Bohrhammer BH 26 Pro","gtin13":"4059952612266","offers":{"@type":"AggregateOffer","lowPrice":"118.00","highPrice":"199.00","offerCount":4,"priceCurrency":"EUR"}}</script></head><body><div id="consent">Wir verwenden Cookies. <button>Alle akzeptieren</button></div><main><h1>Bohrhammer BH 26 Pro</h1><p>EAN 4059952612266</p><aside class="buybox"><div class="buybox-price">174,49 €</div><div>inkl. MwSt., zzgl. 4,99 € Versand</div><div>Zustand: Neu</div><div>Lieferung bis Samstag, 28. November</div><div>Verkauf und Versand durch <a href="/seller/werkzeug-brandt">Werkzeug Brandt GmbH</a></div><button>In den Warenkorb</button><div>oder 12 Monatsraten ab 15,38 €</div></aside><section id="offers"><h2>Weitere Angebote (3)</h2><ul><li><b>118,00 €</b> + 6,90 € Versand · Gebraucht – gut · Verkäufer: Second Tool <button>Zum Angebot</button></li><li><b>179,00 €</b> versandkostenfrei · Neu · Verkäufer: Allesmarkt <button>Zum Angebot</button></li><li><b>199,00 €</b> versandkostenfrei · Neu · Verkäufer: Baufuchs24 <button>Zum Angebot</button></li></ul></section><section><h2>Wird oft zusammen gekauft</h2><p>SDS-Bohrer-Set 5-tlg. 19,99 €</p><p>Gesamtpreis: 194,48 €</p></section></main></body></html>`,
    },
    {
      trait:
        "de, Shopware 6: dealers see prices after login, JSON-LD has 0, accessories have prices",
      url: "https://www.friseurgrosshandel-de.example/Haartrockner-Salon-2200/91120",
      product: { title: "Haartrockner Salon 2200 W" },
      expected: { price: [] },
      html:
        `<!DOCTYPE html><html lang="de-DE"><head><meta charset="UTF-8"><title>Haartrockner Salon 2200 W | Friseurgroßhandel</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Haartrockner Salon 2200 W","sku":"91120","offers":{"@type":"Offer","price":"0.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body class="is-ctl-product"><div class="product-detail"><h1 class="product-detail-name">Haartrockner Salon 2200 W</h1><div class="product-detail-buy"><div class="alert alert-info">Bitte <a href="/account/login">melden Sie sich an</a>, um Preise zu sehen. Nur für Gewerbetreibende.</div><p class="delivery-information">Sofort lieferbar</p><a class="btn btn-primary" href="/account/login">Zum Login</a></div><div class="promo">Bei Registrierung bis 31.12.: 25 € Startguthaben</div></div><div class="cross-selling"><h2>Zubehör für Endkunden</h2><div class="card product-box"><a class="product-name">Diffusor universal</a><div class="product-price-info"><span class="product-price">12,90 €*</span></div><button class="btn btn-buy">In den Warenkorb</button></div><div class="card product-box"><a class="product-name">Rundbürste 43 mm</a><div class="product-price-info"><span class="product-price">9,50 €*</span></div><button class="btn btn-buy">In den Warenkorb</button></div></div></body></html>`,
    },
    {
      trait: "de, auction: a bid and the time left, og has the bid",
      url: "https://www.hammerschlag-de.example/los/77120-kaminuhr-um-1890",
      product: { title: "Kaminuhr um 1890" },
      expected: noSale(4100),
      html:
        `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Kaminuhr um 1890 – Los 77120</title><meta property="og:type" content="product"><meta property="og:title" content="Kaminuhr um 1890"><meta property="product:price:amount" content="41.00"><meta property="product:price:currency" content="EUR"></head><body><main><h1>Kaminuhr um 1890</h1><div class="lot"><p>Aktuelles Gebot</p><p class="price">41,00 €</p><p>7 Gebote · endet in 1 T 4 Std · Startpreis 1,00 €</p><p>Nächstes Mindestgebot: 43,00 €</p><button>Gebot abgeben</button><p>zzgl. 18 % Aufgeld und Versand 9,90 €</p></div><section><h2>Weitere Lose</h2><p>Taschenuhr Silber – 85,00 €</p></section></main></body></html>`,
    },
    {
      trait: "de, Next.js: club price in large, the normal price below it, a streamed state",
      url: "https://www.gartenfreund-plus-de.example/p/akku-heckenschere-ahs-55",
      product: { title: "Akku-Heckenschere AHS 55", ean: "4250881900551" },
      expected: { price: [12999], currency: "EUR" },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charSet="utf-8"/><title>Akku-Heckenschere AHS 55 | Gartenfreund Plus</title></head><body><header><a href="/warenkorb">Warenkorb <span>0,00 €</span></a></header><main class="grid md:grid-cols-2"><div><h1 class="text-2xl font-bold">Akku-Heckenschere AHS 55</h1><div class="rounded-lg bg-lime-100 p-4"><p class="text-sm">Mit PlusCard</p><p class="text-4xl font-extrabold">99,<sup>99</sup> €</p><p class="text-xs">nur für PlusCard-Mitglieder (Beitrag 29,90 € / Jahr)</p></div><div class="mt-2"><p class="text-sm text-gray-600">Preis ohne PlusCard</p><p class="text-xl">129,99 €</p></div><p class="text-xs">inkl. MwSt. zzgl. Versandkosten</p><p>Online verfügbar</p><button class="bg-lime-700 text-white">In den Warenkorb</button></div></main><section><h2>Ersatzteile</h2><a>Akku 18 V 4 Ah <span>69,99 €</span></a></section><script>self.__next_f.push([1,"7:[\\"$\\",\\"main\\",null,{\\"product\\":{\\"name\\":\\"Akku-Heckenschere AHS 55\\",\\"gtin\\":\\"4250881900551\\",\\"price\\":129.99,\\"clubPrice\\":99.99,\\"currency\\":\\"EUR\\",\\"inStock\\":true}}]\\n"])</script></body></html>`,
    },
  ],
  words: [
    {
      trait: "de, JTL: sold out, microdata still says in stock",
      url: "https://www.angelhaus-mueritz-de.example/Stationaerrolle-Bream-4000",
      product: { title: "Stationärrolle Bream 4000", ean: "4038507040002" },
      expected: { price: [8495], currency: "EUR", availability: ["out_of_stock"] },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Stationärrolle Bream 4000, 84,95 €</title></head><body data-page="1"><main><div id="result-wrapper" itemprop="mainEntity" itemscope itemtype="https://schema.org/Product"><h1 class="product-title h2" itemprop="name">Stationärrolle Bream 4000</h1><ul class="info-essential"><li>Artikelnummer: <span itemprop="sku">BR4000</span></li><li>GTIN: <span itemprop="gtin13">4038507040002</span></li></ul><div class="product-offer" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><link itemprop="availability" href="https://schema.org/InStock"><meta itemprop="price" content="84.95"><meta itemprop="priceCurrency" content="EUR"><div class="price_wrapper"><div class="price h1"><span>84,95 €</span></div><div class="price-note"><span class="vat_info">inkl. 19% USt., zzgl. <a href="/Versand">Versand</a></span><div class="suggested-price">UVP des Herstellers: 99,95 €</div></div></div><div class="delivery-status"><span class="status status-0"><i class="fa fa-truck"></i> momentan nicht verfügbar</span></div><button type="button" class="btn" data-toggle="modal">Benachrichtigen, wenn verfügbar</button></div></div><section class="product-slider"><div class="slider-header">Kunden kauften dazu folgende Artikel</div><div class="product-wrapper"><a>Geflochtene Schnur 300 m</a><div class="price_wrapper"><span>18,95 €</span></div></div></section></main></body></html>`,
    },
  ],
  bare: [
    {
      trait: "de, hand-written: a table with dashes for no cents, shipping in the text",
      url: "http://www.imkerei-waldblick-de.example/smoker.htm",
      product: { title: "Smoker Edelstahl groß" },
      expected: { price: [4800], currency: "EUR" },
      html:
        `<html><head><title>Imkerei Waldblick - Smoker</title></head><body bgcolor="#fff8e0"><table width="760" align="center"><tr><td width="160"><a href="index.htm">Start</a><br><a href="honig.htm">Honig</a><br><a href="geraete.htm">Geräte</a><br><a href="agb.htm">AGB</a></td><td><h2>Smoker Edelstahl groß</h2><img src="smoker.jpg" width="240"><p>Der große Smoker mit Lederbalg, Durchmesser 100 mm, mit Schutzgitter. Best.-Nr. 214</p><p><b>Preis: EUR 48,--</b> inkl. MwSt.</p><p>Dazu empfehlen wir Rauchtabak, 1-kg-Beutel, EUR 6,50.<br>Versand innerhalb Deutschlands EUR 6,90, ab EUR 100,-- Bestellwert frei.</p><p>Bestellung per Telefon oder <a href="mailto:info@imkerei-waldblick-de.example">E-Mail</a>.</p></td></tr></table></body></html>`,
    },
    {
      trait:
        "de, Nuxt: energy label, lowest price of 30 days, extra warranty, a payload of references",
      url: "https://www.kuechengeraete-rhein-de.example/kuehl-gefrier-kombination-kgk-380",
      product: { title: "Kühl-Gefrier-Kombination KGK 380", ean: "4242003803801" },
      expected: { price: [64900], currency: "EUR", wasPrice: 79900, lowest30: 62900 },
      html:
        `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Kühl-Gefrier-Kombination KGK 380 – Küchengeräte Rhein</title></head><body><div id="__nuxt"><div class="usp">Kostenlose Lieferung ab 50 €</div><main><h1 class="headline">Kühl-Gefrier-Kombination KGK 380</h1><a class="energy" href="/eprel/1400212">Energieeffizienzklasse C</a><p>Produktdatenblatt</p><div class="p-box"><span class="p-old">UVP <s>799,00 €</s></span><span class="p-badge">-19 %</span><strong class="p-now">649,00 €</strong><small>Niedrigster Preis der letzten 30 Tage: 629,00 €</small><small>inkl. MwSt., inkl. Versand</small></div><p>0 % Finanzierung: 24 x 27,04 €</p><ul class="services"><li><label><input type="checkbox"> 5 Jahre Garantie + 89,00 €</label></li><li><label><input type="checkbox"> Altgerät mitnehmen + 15,00 €</label></li><li><label><input type="checkbox"> Lieferung bis Verwendungsstelle + 29,90 €</label></li></ul><p class="stock">Lieferbar in 3–5 Werktagen</p><button>In den Warenkorb</button><div class="cashback">50 € Cashback vom Hersteller bis 31.12.2026</div></main><section><h2>Alternativen</h2><div class="tile">KGK 360 <b>579,00 €</b></div><div class="tile">KGK 400 XL <b>749,00 €</b></div></section></div><script type="application/json" id="__NUXT_DATA__" data-ssr="true">[["ShallowReactive",1],{"data":2},{"product-kgk-380":3},{"title":4,"ean":5,"price":6,"strikePrice":7,"currency":8,"services":9},"Kühl-Gefrier-Kombination KGK 380","4242003803801",64900,79900,"EUR",[10],{"title":11,"price":12},"5 Jahre Garantie",8900]</script></body></html>`,
    },
  ],
  former: [
    {
      trait: "de, Shopware 6 without markup: list price, lowest of 30 days, per kg, Klarna",
      url: "https://www.tierfutter-anker-de.example/Trockenfutter-Lamm-12-kg/TL-12",
      product: { title: "Trockenfutter Lamm 12 kg" },
      expected: { price: [4679], currency: "EUR", wasPrice: 5499, lowest30: 4899 },
      html:
        `<!DOCTYPE html><html lang="de-DE"><head><meta charset="UTF-8"><title>Trockenfutter Lamm 12 kg | TL-12</title></head><body class="is-ctl-product is-act-index"><div class="top-bar">Nur heute: 5 € Rabatt ab 60 € mit Code LAMM5</div><div class="product-detail"><h1 class="product-detail-name">Trockenfutter Lamm 12 kg</h1><div class="product-detail-buy"><div class="product-detail-price-container"><p class="product-detail-price with-list-price">46,79 €*</p><span class="list-price-badge">%</span><span class="product-detail-list-price-wrapper"><span class="list-price-price">54,99 €*</span><span class="list-price-percentage">(14.91% gespart)</span></span><p class="regulation-price">Niedrigster Preis der letzten 30 Tage: 48,99 €*</p></div><div class="product-detail-price-unit"><span class="price-unit-label">Inhalt:</span> <span class="price-unit-content">12 kg</span> <span class="price-unit-reference-content">(3,90 €* / 1 kg)</span></div><p class="product-detail-tax">Preise inkl. MwSt. zzgl. Versandkosten</p><div class="klarna-placement">In 3 Raten à 15,60 €</div><p class="delivery-information delivery-available">Sofort verfügbar</p><button class="btn btn-buy">In den Warenkorb</button></div></div><div class="cross-selling"><div class="product-box"><a>Trockenfutter Lamm 3 kg</a><span class="product-price with-list-price">14,99 €*<span class="list-price">16,99 €*</span></span><span class="price-unit-reference">(5,00 €* / 1 kg)</span></div></div></body></html>`,
    },
  ],
};
