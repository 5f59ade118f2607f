/** Pages whose plainest amount is no sale price, and pages that only look so. */
import { noSale } from "../made_pages/made_page.ts";
import type { UnreadPage } from "./unread_page.ts";

export const VETOES: readonly UnreadPage[] = [
  {
    trait: "de, phone shop: one euro once, with a contract",
    url: "https://www.funknetz-de.example/handys/arvo-p9-pro/tarif-m",
    product: { title: "Arvo P9 Pro 256 GB schwarz", ean: "4250176031377" },
    expected: noSale(100, 3999),
    html:
      `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Arvo P9 Pro 256 GB mit Tarif M | funknetz</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Arvo P9 Pro 256 GB schwarz","gtin13":"4250176031377","brand":{"@type":"Brand","name":"Arvo"},"offers":{"@type":"Offer","price":"1.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head>
<body><div class="fn-cookie">Deine Privatsphäre <button>Alles klar</button></div><main class="fn-pdp"><section class="fn-device"><h1>Arvo P9 Pro 256 GB</h1><p class="fn-sub">schwarz · 5G · Dual-SIM</p></section><section class="fn-bundle"><div class="fn-bundle__tariff"><h2>funknetz M</h2><ul><li>40 GB mit bis zu 300 MBit/s</li><li>Laufzeit 24 Monate</li></ul></div>
<div class="fn-pricebox"><div class="fn-pricebox__monthly"><span class="int">39</span><span class="dec">,99 €</span><span class="unit">mtl.</span></div><div class="fn-pricebox__once"><strong>1,00 €</strong> einmalig</div><div class="fn-pricebox__fee">Versand 3,99 €</div><a class="fn-btn fn-btn--buy" href="/checkout">In den Warenkorb</a></div></section>
<section class="fn-faq"><h3>Kann ich das Gerät ohne Vertrag kaufen?</h3><p>Nein, alle Preise gelten nur in Verbindung mit einem Mobilfunkvertrag.</p></section></main></body></html>`,
  },
  {
    trait: "de, bicycles: the markup has the monthly leasing rate, the buying price is shown",
    url: "https://www.radhof-de.example/e-bikes/trekking/cavalo-tour-7",
    product: { title: "Cavalo Tour 7 Trekking-E-Bike 625 Wh" },
    expected: { price: [329900], tolerated: { price: [7900], confidenceMax: 0.6 } },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Cavalo Tour 7 | Radhof</title><script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","name":"Cavalo Tour 7","brand":"Cavalo","offers":{"@type":"Offer","price":"79.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head>
<body class="rh"><div class="rh-top">0 % Finanzierung · JobRad-Partner</div><main><div class="rh-grid"><div class="rh-gallery"></div><div class="rh-buy"><h1 class="rh-title">Cavalo Tour 7</h1><p class="rh-claim">Trekking-E-Bike, 625 Wh, Modell 2026</p>
<div class="rh-tabs" role="tablist"><button role="tab" aria-selected="true">Kaufen</button><button role="tab">Leasen</button></div><div role="tabpanel" class="rh-panel"><span class="rh-label">Kaufpreis</span><span class="rh-amount">3.299,00 €</span><span class="rh-legal">inkl. MwSt., versandkostenfrei</span><button class="rh-cta">In den Warenkorb</button></div>
<div role="tabpanel" class="rh-panel" hidden><span class="rh-label">Leasing ab</span><span class="rh-amount">79,00 €</span><span class="rh-legal">pro Monat, 36 Monate Laufzeit</span><a class="rh-cta">Leasing anfragen</a></div><p class="rh-stock">In Größe M und L sofort lieferbar</p></div></div>
<section class="rh-more"><h2>Ähnliche Räder</h2><div class="rh-card"><b>Cavalo Tour 5</b><span>2.799,00 €</span></div><div class="rh-card"><b>Velmo City</b><span>2.199,00 €</span></div></section></main></body></html>`,
  },
  {
    trait: "en, tool hire: a day's rate and a deposit",
    url: "https://www.hireyard-en.example/equipment/breakers/maddox-mb30",
    product: { title: "Maddox MB30 Hydraulic Breaker", mpn: "MB30" },
    expected: noSale(4500, 9600, 13500),
    html:
      `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Maddox MB30 Breaker Hire | HireYard</title><meta property="og:type" content="product"><meta property="product:price:amount" content="45.00"><meta property="product:price:currency" content="GBP"></head>
<body><header class="site"><a>HireYard</a><span>Depots</span></header><div class="page"><div class="eq-detail"><h1>Maddox MB30 Hydraulic Breaker</h1><div class="eq-code">Code: MB30</div><table class="eq-rates"><thead><tr><th>1 day</th><th>3 days</th><th>Week</th></tr></thead><tbody><tr><td>£45.00</td><td>£96.00</td><td>£135.00</td></tr></tbody></table>
<div class="eq-headline"><span class="eq-price">£45.00</span> <span class="eq-per">per day</span></div><p class="eq-dep">Refundable deposit £150.00. Damage waiver 10%.</p><form class="eq-form"><label>Hire from <input type="date"></label><button class="btn-book">Add to hire basket</button></form></div></div></body></html>`,
  },
  {
    trait: "de, auctions: the highest bid of a running auction",
    url: "https://www.hammerplatz-de.example/los/2291834-kamera-lyra-35",
    product: { title: "Lyra 35 Messsucherkamera" },
    expected: noSale(8100),
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Kamera Lyra 35 – Los 2291834 – Hammerplatz</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Kamera Lyra 35","offers":{"@type":"Offer","price":"81.00","priceCurrency":"EUR","availability":"https://schema.org/InStock","itemCondition":"https://schema.org/UsedCondition"}}</script></head>
<body><div class="hp-wrap"><nav class="hp-crumb">Foto › Analog</nav><article class="hp-lot"><h1>Kamera Lyra 35</h1><div class="hp-timer">Endet in 1 T 04:12:33</div><div class="hp-bid"><div class="hp-bid__label">Aktuelles Gebot</div><div class="hp-bid__value">EUR 81,00</div><div class="hp-bid__count">[ 14 Gebote ]</div>
<form><label>Ihr Maximalgebot</label><input name="max" placeholder="86,00"><span>Bieten Sie mindestens EUR 86,00</span><button class="hp-btn">Bieten</button></form></div><dl><dt>Artikelzustand</dt><dd>Gebraucht</dd><dt>Versand</dt><dd>EUR 6,99 DHL Paket</dd></dl></article></div></body></html>`,
  },
  {
    trait:
      "de, kitchen studio: price on request, beside priced tiles and a markup price of nothing",
    url: "https://www.herdhaus-de.example/Haubner-Kombidaempfer-CD90.html",
    product: { title: "Haubner Kombidämpfer CD90 Edelstahl" },
    expected: { price: [], says: "on_request" },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Haubner Kombidämpfer CD90</title><script type="application/ld+json">{"@context":"http://schema.org","@type":"Product","name":"Haubner Kombidämpfer CD90","offers":{"@type":"Offer","price":"0.00","priceCurrency":"EUR"}}</script></head>
<body><div id="page"><div id="buybox-wrap"><h1>Haubner Kombidämpfer CD90</h1><p class="kurz">Einbaugerät, 60 cm, Edelstahl</p><div class="preisblock"><span class="anfrage">Preis auf Anfrage</span></div><p>Dieses Gerät beraten und verkaufen wir nur in unserer Ausstellung.</p><a class="button" href="/kontakt?artikel=CD90">Angebot anfordern</a></div>
<div class="boxen"><h3>Zubehör</h3><div class="box"><a>Garbehälter gelocht</a><em>64,90 €</em></div><div class="box"><a>Entkalker 4er</a><em>24,90 €</em></div></div><div class="boxen"><h3>Zuletzt angesehen</h3><div class="box"><a>Haubner Backofen B60</a><em>1.099,00 €</em></div></div></div></body></html>`,
  },
  {
    trait: "en, pianos: price on application with a penny in the markup",
    url: "https://www.keysandco-en.example/grand-pianos/aldermann-170",
    product: { title: "Aldermann 170 Grand Piano Ebony" },
    expected: { price: [], says: "on_request" },
    html:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Aldermann 170 – Keys & Co</title></head><body class="product-template woocommerce"><div itemscope itemtype="https://schema.org/Product" class="product"><h1 itemprop="name" class="entry-title">Aldermann 170</h1><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="0.01"><meta itemprop="priceCurrency" content="GBP"><p class="price"><span class="poa">Price on application</span></p></div>
<p>Call us on 020 7946 0000 or visit the showroom. Finance from £149 per month subject to status.</p><a class="btn" href="/enquire">Enquire about this piano</a></div><aside class="widget"><h4>Piano stools</h4><ul><li>Adjustable stool, black – £129.00</li></ul></aside></body></html>`,
  },
  {
    trait: "de, trade shop: net price beside its note, no rate is said",
    url: "https://www.lagertechnik-de.example/hubwagen/hw-2500-standard/",
    product: { title: "Forlift Hubwagen HW 2500", mpn: "HW2500-S" },
    expected: { ...noSale(34900), says: "net_only" },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Hubwagen HW 2500 Standard | Lagertechnik Profi</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Forlift Hubwagen HW 2500","mpn":"HW2500-S","offers":{"@type":"Offer","price":"349.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head>
<body><div class="b2b-hint">Verkauf nur an Gewerbetreibende</div><div class="shell"><section class="art"><h1 class="art__name">Forlift Hubwagen HW 2500</h1><div class="art__no">Art.-Nr. 771 200</div><div class="art__order"><div class="art__price"><b>349,00 €</b> / Stück</div><div class="art__note">zzgl. MwSt. | frei Haus ab 250 €</div><div class="art__staffel"><table><tr><td>ab 3 Stück</td><td>329,00 €</td></tr><tr><td>ab 10 Stück</td><td>309,00 €</td></tr></table></div><button class="btn--order">In den Warenkorb</button><span class="art__deliv">Lieferzeit: 5 Arbeitstage</span></div></section></div><footer><small>Alle Preise zzgl. gesetzlicher Mehrwertsteuer.</small></footer></body></html>`,
  },
  {
    trait: "fr, trade shop: the markup is net, both prices are shown",
    url: "https://www.bureaupro-fr.example/sieges/fauteuil-ergo-delta.html",
    product: { title: "Fauteuil ergonomique Delta résille noir" },
    expected: { price: [49500], tolerated: { price: [41250], confidenceMax: 0.6 } },
    html:
      `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Fauteuil ergonomique Delta | BureauPro</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Fauteuil ergonomique Delta","offers":{"@type":"Offer","price":"412.50","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head>
<body><div id="tarteaucitronRoot">Gestion des cookies</div><div class="pp-product"><h1 class="pp-h1">Fauteuil ergonomique Delta</h1><ul class="pp-feat"><li>Résille noire</li><li>Garantie 5 ans</li></ul><div class="pp-cart"><div class="pp-price pp-price--ht">412,50 € <sup>HT</sup></div><div class="pp-price pp-price--ttc">495,00 € <sup>TTC</sup></div><div class="pp-eco">dont éco-participation 2,10 €</div><button class="pp-add">Ajouter au panier</button><div class="pp-dispo">En stock, livré sous 72 h</div></div></div><div class="pp-cross"><h2>Produits associés</h2><a>Repose-pieds Delta <span>39,90 € HT</span></a></div></body></html>`,
  },
  {
    trait: "en, trade counter: ex VAT is large, inc VAT is small",
    url: "https://www.sparkline-en.example/p/ferro-consumer-unit-12way/88412",
    product: { title: "Ferro 12-Way Consumer Unit", ean: "5012017598987" },
    expected: { price: [11274], tolerated: { price: [9395], confidenceMax: 0.6 } },
    html:
      `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Ferro 12-Way Consumer Unit | Sparkline Electrical</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Ferro 12-Way Consumer Unit","gtin13":"5012017598987","offers":{"@type":"Offer","availability":"https://schema.org/InStock","priceSpecification":{"@type":"UnitPriceSpecification","price":"93.95","priceCurrency":"GBP","valueAddedTaxIncluded":"false"}}}</script></head>
<body><div class="vat-switch"><label><input type="radio" name="vat" checked> Ex VAT</label><label><input type="radio" name="vat"> Inc VAT</label></div><main><h1 data-qaid="pdp-product-name">Ferro 12-Way Consumer Unit</h1><div class="lYqXs" data-qaid="pdp-price"><span class="_3Mxa2">£93.95</span><span class="_1kPo9">ex VAT</span></div><div class="kQ02d" data-qaid="pdp-price-inc"><span>£112.74</span> <span>inc VAT</span></div><button data-qaid="add-to-trolley">Add to trolley</button><div class="_7fgC">Click &amp; Collect in as little as 5 minutes</div></main></body></html>`,
  },
  {
    trait: "de, sold out toy with a fantasy price",
    url: "https://www.spieltraum-de.example/artikel/holzeisenbahn-startset",
    product: { title: "Bricklund Holzeisenbahn Startset 48 Teile" },
    expected: noSale(999999),
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Holzeisenbahn Startset 48 Teile | Spieltraum</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Bricklund Holzeisenbahn Startset 48 Teile","offers":{"@type":"Offer","price":9999.99,"priceCurrency":"EUR","availability":"https://schema.org/OutOfStock"}}</script></head><body><div class="st-body"><div class="st-detail"><div class="st-detail-r"><h1>Bricklund Holzeisenbahn Startset 48 Teile</h1><span class="st-price">9.999,99 €</span><span class="st-tax">inkl. MwSt. zzgl. Versand</span><div class="st-out">Zurzeit nicht lieferbar</div><a class="st-notify">Benachrichtigen, wenn wieder da</a></div></div></div></body></html>`,
  },
  {
    trait: "fr, water filters: a subscription by the month",
    url: "https://www.eauclaire-fr.example/fontaines/abonnement-fontaine-lys",
    product: { title: "Fontaine à eau Lys" },
    expected: noSale(1990),
    html:
      `<!doctype html><html lang="fr-FR"><head><meta charset="utf-8"><title>Fontaine Lys en location | Eau Claire</title><meta property="product:price:amount" content="19.90"><meta property="product:price:currency" content="EUR"></head><body><div class="ec-hero"><div class="ec-hero-t"><h1>Fontaine à eau Lys</h1><p class="ec-tag">Louez, nous entretenons</p><div class="ec-tarif"><span class="ec-num">19,90&nbsp;€</span><span class="ec-per">/ mois</span></div><p class="ec-cond">Engagement 24 mois, filtres compris</p><button class="ec-btn">Je m’abonne</button></div></div><section class="ec-faq"><h2>Questions</h2><p>Puis-je acheter la fontaine ? Pas encore.</p></section></body></html>`,
  },
  {
    trait: "de, party hire: fee and deposit of a dispenser",
    url: "https://verleih-brandner-de.example/zapfanlage-2-leitig",
    product: { title: "Zapfanlage Frostmann 2-leitig" },
    expected: noSale(3500),
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Zapfanlage 2-leitig mieten - Verleih Brandner</title></head><body class="wp-singular product-template"><div class="elementor"><h1 class="elementor-heading-title">Zapfanlage Frostmann 2-leitig</h1><div class="elementor-widget-text"><p><strong>Leihgebühr: 35,00 €</strong> pro Wochenende</p><p>Kaution: 100,00 € (bar bei Abholung)</p></div><div class="elementor-widget-button"><a class="elementor-button">Jetzt reservieren</a></div></div></body></html>`,
  },
  {
    trait: "de, drinks: the bottle's deposit is extra",
    url: "https://www.kistenweise-de.example/p/waldquell-medium-12x1l",
    product: { title: "Waldquell Mineralwasser Medium 12 x 1 l", ean: "4017432319484" },
    expected: { price: [749], currency: "EUR" },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Waldquell Medium 12 x 1 l Kasten | kistenweise</title></head><body><div id="app"><div class="MuiContainer-root css-1qsxih2"><h1 class="MuiTypography-root css-h1">Waldquell Mineralwasser Medium 12 x 1 l</h1><div class="MuiStack-root css-j7qwjs"><div class="MuiBox-root css-k008qs"><span class="MuiTypography-root css-big">7,49 €</span><span class="MuiTypography-root css-cap">0,62 €/l</span></div><span class="MuiTypography-root css-cap">+ 3,30 € Pfand</span><button class="MuiButtonBase-root MuiButton-containedPrimary">In den Warenkorb</button><span class="css-cap">Preis inkl. MwSt.</span></div></div></div>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Waldquell Mineralwasser Medium 12 x 1 l","gtin":"4017432319484","offers":{"@type":"Offer","price":7.49,"priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></body></html>`,
  },
  {
    trait: "en, marketplace: an auction with a price for buying at once",
    url: "https://www.barrowmarket-en.example/itm/30577120114",
    product: { title: "Wexham 8x42 Binoculars" },
    expected: { price: [26000], tolerated: { price: [12000], confidenceMax: 0.6 } },
    html:
      `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Wexham 8x42 Binoculars | Barrow Market</title></head><body><div class="x-item-title"><h1 class="x-item-title__mainTitle"><span>Wexham 8x42 Binoculars, new in box</span></h1></div><div class="x-buybox"><div class="x-bid-price"><div class="x-bid-price__label">Starting bid:</div><div class="x-price-primary"><span>£120.00</span></div><span>0 bids · 2d 4h left</span><button>Place bid</button></div><div class="x-bin-price"><div class="x-bin-price__label">Buy it now:</div><div class="x-price-primary"><span>£260.00</span></div><button class="ux-call-to-action">Buy it now</button><button>Add to basket</button></div><div class="ux-shipping">Postage: £4.20 Royal Mail</div></div></body></html>`,
  },
  {
    trait: "fr, pre-order: the markup has the instalment that reserves",
    url: "https://www.atelier-velocargo-fr.example/produits/longtail-brume",
    product: { title: "Vélo cargo Longtail Brume" },
    expected: { price: [429000], tolerated: { price: [30000], confidenceMax: 0.6 } },
    html:
      `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Longtail Brume – Atelier Vélo Cargo</title><script type="application/ld+json">{"@context":"http://schema.org/","@type":"Product","name":"Longtail Brume","offers":[{"@type":"Offer","availability":"http://schema.org/PreOrder","price":300.0,"priceCurrency":"EUR"}]}</script></head><body><main><div class="pdp"><div class="pdp__col"><h1>Longtail Brume</h1><p class="pdp__total"><span class="lbl">Prix du vélo</span> <span class="amt">4 290,00 €</span> <span class="ttc">TTC</span></p><p class="pdp__resa">Réservez maintenant avec un acompte de <b>300,00 €</b>, solde à la livraison.</p><form action="/cart/add"><button type="submit">Réserver</button></form><p>Livraison prévue : avril 2027</p></div></div></main></body></html>`,
  },
  {
    trait: "en, pet food: subscribing is cheaper than buying once",
    url: "https://www.pawpantry-en.example/dog/kibble/moorland-lamb-12kg",
    product: { title: "Moorland Adult Lamb 12kg" },
    expected: { price: [5299], tolerated: { price: [4769], confidenceMax: 0.7 } },
    html:
      `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Moorland Adult Lamb 12kg | Paw Pantry</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Moorland Adult Lamb 12kg","offers":[{"@type":"Offer","price":"47.69","priceCurrency":"GBP","availability":"https://schema.org/InStock","name":"Subscribe & Save"},{"@type":"Offer","price":"52.99","priceCurrency":"GBP","availability":"https://schema.org/InStock","name":"One-time purchase"}]}</script></head>
<body><main class="pp"><h1>Moorland Adult Lamb 12kg</h1><div class="pp-options"><label class="pp-opt pp-opt--on"><input type="radio" name="plan" checked><span>One-time purchase</span><span class="pp-amt">£52.99</span></label><label class="pp-opt"><input type="radio" name="plan"><span>Subscribe &amp; Save 10%</span><span class="pp-amt">£47.69</span><small>Deliver every 4 weeks</small></label></div><button class="pp-add">Add to basket</button><p class="pp-unit">£4.42 / kg</p></main></body></html>`,
  },
  {
    trait: "de, rented electronics: a monthly amount split over elements",
    url: "https://www.leihwerk-de.example/p/orbix-vr-brille-2",
    product: { title: "Orbix VR-Brille 2 128 GB" },
    expected: noSale(2490),
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Orbix VR-Brille 2 mieten | leihwerk</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Orbix VR-Brille 2 128 GB","offers":{"@type":"Offer","price":"24.90","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script></head><body><div class="ds-layout"><div class="ds-info"><h1 class="ds-h1">Orbix VR-Brille 2 128 GB</h1><div class="ds-terms"><button>1 Monat</button><button>3 Monate</button><button aria-pressed="true">12 Monate</button></div><div class="ds-price"><span class="ds-amount">24,90 €</span><span class="ds-period"> pro Monat</span></div><p>Leihwerk Care inklusive: 90 % der Schäden sind abgedeckt.</p><button class="ds-cta">Jetzt mieten</button></div></div></body></html>`,
  },
  {
    trait: "en, appliances: finance and installation beside the full price",
    url: "https://www.whitegoods-barn-en.example/washers/hollin-w9-heat-pump",
    product: { title: "Hollin W9 Heat Pump Washer Dryer", ean: "5012848372619" },
    expected: { price: [114900], currency: "GBP", availability: ["in_stock"] },
    html:
      `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Hollin W9 Washer Dryer | White Goods Barn</title></head><body><div class="wg-usp">Price match promise</div><div class="wg-pdp"><h1>Hollin W9 Heat Pump Washer Dryer</h1><div class="wg-buy"><div class="wg-finance">From <b>£32.10</b> per month <a>Representative 19.9% APR</a></div><div class="wg-price">£1,149.00</div><div class="wg-stock">In stock for delivery tomorrow</div><fieldset><legend>Services</legend><label><input type="checkbox"> Install my new appliance £40.00</label><label><input type="checkbox"> Recycle my old one £25.00</label><label><input type="checkbox"> 5 year care plan £129.00</label></fieldset><button>Add to basket</button></div></div><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Hollin W9 Heat Pump Washer Dryer","gtin13":"5012848372619","offers":{"@type":"Offer","price":"1149","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></body></html>`,
  },
];
