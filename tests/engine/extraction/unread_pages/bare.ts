/** Pages without structured markup of the price. */
import type { UnreadPage } from "./unread_page.ts";

export const BARE: readonly UnreadPage[] = [
  {
    trait: "de, a shop system of 2009 with tables",
    url: "http://www.modellbahn-kessler-de.example/shop/artikel.php?nr=44120",
    product: { title: "Rotek Diesellok V 60 Spur H0 44120", mpn: "44120" },
    expected: { price: [12950], currency: "EUR", availability: ["in_stock"] },
    html:
      `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>Modellbahn Kessler - Rotek 44120</title></head><body bgcolor="#ffffff"><table width="980" align="center"><tr><td width="180" valign="top"><b>Kategorien</b><br><a href="?k=1">Spur H0</a><br><a href="?k=2">Spur N</a><br><br><b>Angebot der Woche</b><br>Gleisset C<br><font color="red">39,90 EUR</font></td>
<td valign="top"><h1>Rotek Diesellok V 60 Spur H0 44120</h1><table cellpadding="4"><tr><td><img src="44120.jpg" width="300"></td><td><b>Unser Preis:</b> <font size="4"><b>129,50 EUR</b></font><br><small>inkl. 19% MwSt. zzgl. <a href="versand.html">Versandkosten</a></small><br><br>Lieferstatus: <font color="green">ab Lager lieferbar</font><br><br><form action="korb.php" method="post"><input name="menge" size="2" value="1"> <input type="submit" value="in den Warenkorb"></form></td></tr></table>
<p>Vorbild: Die V 60 wurde ab 1956 gebaut. Ein ähnliches Modell kostete bei Erscheinen 98,00 DM.</p></td></tr></table></body></html>`,
  },
  {
    trait: "de, hashed classes, legal note at the price and adjacent cheaper accessory",
    url: "https://www.schlafgut-de.example/p/nackenkissen-aria",
    product: { title: "Aria Nackenstützkissen Visco 40 x 80 cm" },
    expected: { price: [5990], currency: "EUR" },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Nackenstützkissen Aria</title></head><body><div class="_a8s _x1"><div class="_top">Gratis Versand ab 50 €</div><div class="_q2w"><div class="_e3r"><h1 class="_t5y">Aria Nackenstützkissen Visco 40 x 80 cm</h1><div class="_u7i">★★★★☆ (212)</div><div class="_o9p"><div class="_z1x">59,90 €</div><div class="_c2v">inkl. MwSt. zzgl. Versand</div></div><label class="_b3n"><input type="checkbox"> + Ersatzbezug für 14,90 €</label><button class="_m4k">In den Warenkorb</button></div></div><div class="_l5j"><h2>Weitere Kissen</h2><div class="_h6g"><a>Seitenschläferkissen Bo</a><div class="_z1x">69,90 €</div></div><div class="_h6g"><a>Reisekissen Nox</a><div class="_z1x">24,90 €</div></div></div></div></body></html>`,
  },
  {
    trait: "de, the old price is crossed out by the style sheet alone",
    url: "https://shop-keramik-de.example/produkte/teeservice-lotte",
    product: { title: "Teeservice Lotte 15-teilig" },
    expected: { price: [11900], wasPrice: 14900, currency: "EUR" },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Teeservice Lotte</title><style>.kp span:first-child{text-decoration:line-through;color:#999}.kp span+span{font-weight:700;color:#b00}</style></head><body><header>Keramik Ost</header><main><article><h1>Teeservice Lotte 15-teilig</h1><p class="kp"><span>149,00 €</span> <span>119,00 €</span></p><p class="fein">inkl. MwSt., versandkostenfrei</p><button>In den Warenkorb</button><p>Handgedreht in der Lausitz. Einzelne Tassen erhalten Sie für 12,50 € im Werksverkauf.</p></article></main></body></html>`,
  },
  {
    trait: "de, number without currency in a page that says EUR once",
    url: "https://www.dentalversand-de.example/detail?id=90031",
    product: { title: "Mundspiegel Set Klarix 10 Stück" },
    expected: { price: [2480], confidenceMax: 0.8, mayRefuse: false, currency: "EUR" },
    html:
      `<!DOCTYPE html><html lang="de-DE"><head><meta charset="utf-8"><title>Klarix Mundspiegel Set</title></head><body><div class="kopf"><span class="waehrung">Preise in EUR inkl. MwSt.</span></div><div class="artikel"><h1>Mundspiegel Set Klarix 10 Stück</h1><div class="zeile"><span class="bez">Bestell-Nr.</span><span>90031</span></div><div class="zeile preis"><span class="bez">Preis</span><span class="wert">24,80</span></div><div class="zeile"><span class="bez">Gewicht</span><span>0,42 kg</span></div><button type="submit">In den Warenkorb</button></div></body></html>`,
  },
  {
    trait: "de, raised cents and a price in the sticky bar",
    url: "https://www.grillmeister-de.example/gasgrill/brutzel-x4",
    product: { title: "Brutzel X4 Gasgrill 4 Brenner" },
    expected: { price: [44999], currency: "EUR", availability: ["in_stock", "limited"] },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Brutzel X4 Gasgrill | Grillmeister</title></head><body><div class="sticky-buy"><span>Brutzel X4 Gasgrill</span><b>449<sup>99</sup> €</b><button>Kaufen</button></div><div class="hero"><h1>Brutzel X4 Gasgrill 4 Brenner</h1><div class="hero-price"><span class="euro">449</span><sup class="cent">99</sup><span class="cur">€</span></div><div class="hero-sub">inkl. MwSt. zzgl. 29,90 € Speditionsversand</div><button class="hero-btn">In den Einkaufswagen</button><div class="hero-stock">Noch 7 Stück sofort versandfertig</div></div><div class="bundle"><h3>Im Set sparen</h3><p>Grill + Abdeckhaube <b>489,90 €</b></p><button>Set kaufen</button></div></body></html>`,
  },
  {
    trait: "en, utility classes only, a finance line under the price",
    url: "https://www.nestwell-en.example/sofas/marlow-3-seater",
    product: { title: "Orrin 3 Seater Sofa Sage" },
    expected: { price: [89900], currency: "GBP" },
    html:
      `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Orrin 3 Seater Sofa | Nestwell</title></head><body class="bg-white text-gray-900"><div class="bg-black text-white text-center py-2">Sale now on. Ends Sunday</div><main class="mx-auto max-w-7xl px-4"><div class="lg:grid lg:grid-cols-2"><div class="aspect-square"></div><div class="mt-10"><h1 class="text-3xl font-bold tracking-tight">Orrin 3 Seater Sofa Sage</h1><div class="mt-3"><p class="text-3xl tracking-tight">£899</p><p class="text-sm text-gray-500">or 36 payments of £24.97 at 0% APR</p></div><form class="mt-6"><button type="submit" class="flex bg-indigo-600 px-8 py-3 text-white">Add to basket</button></form><p class="mt-2 text-sm">Delivery from £49</p></div></div><section class="mt-16"><h2 class="text-xl">You may also like</h2><div class="grid grid-cols-4"><a><p>Orrin Armchair</p><p class="text-gray-700">£549</p></a><a><p>Orrin Footstool</p><p class="text-gray-700">£199</p></a></div></section></main></body></html>`,
  },
  {
    trait: "en, a definition list with RRP and our price",
    url: "https://www.pondandgarden-en.example/pumps/aquaflo-6000.htm",
    product: { title: "Aquaflo 6000 Pond Pump" },
    expected: { price: [12495], wasPrice: 15999, currency: "GBP" },
    html:
      `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Aquaflo 6000 Pond Pump</title></head><body><div id="container"><div id="nav"><a>Pumps</a><a>Filters</a></div><div id="content"><h1>Aquaflo 6000 Pond Pump</h1><dl class="facts"><dt>RRP</dt><dd>£159.99</dd><dt>Our price</dt><dd>£124.95</dd><dt>You save</dt><dd>£35.04 (22%)</dd><dt>Code</dt><dd>AQ6000</dd></dl><form><input type="submit" value="Buy now"></form><p>Running costs about £68 a year at 28p per unit.</p></div></div></body></html>`,
  },
  {
    trait: "en, custom elements with the amount in an attribute and as text",
    url: "https://www.brewbarn-en.example/espresso/velluto-pro-700",
    product: { title: "Velluto Pro 700 Espresso Machine" },
    expected: { price: [109500], currency: "GBP" },
    html:
      `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Velluto Pro 700 - Brew Barn</title></head><body><bb-header></bb-header><bb-product-page product-id="7700"><div slot="title"><h1>Velluto Pro 700 Espresso Machine</h1></div><bb-price slot="price" amount="1095.00" currency="GBP"><span>£1,095.00</span></bb-price><bb-add slot="action"><button>Add to cart</button></bb-add><div slot="usp">2 year warranty · Free barista course worth £120</div></bb-product-page><bb-carousel heading="Grinders to match"><bb-tile><span>Velluto Mill</span><bb-price amount="349.00"><span>£349.00</span></bb-price></bb-tile><bb-tile><span>Macina One</span><bb-price amount="229.00"><span>£229.00</span></bb-price></bb-tile></bb-carousel></body></html>`,
  },
  {
    trait: "fr, price with spaces and a unit price below",
    url: "https://www.carreaux-du-sud-fr.example/terrasse/dalle-ceramique-ardenne",
    product: { title: "Dalle céramique Ardenne 60 x 60 cm, le colis" },
    expected: { price: [4728], currency: "EUR" },
    html:
      `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Dalle céramique Ardenne | Carreaux du Sud</title></head><body><div class="entete">Showroom à Nîmes</div><div class="produit-fiche"><h1>Dalle céramique Ardenne 60 x 60 cm, le colis</h1><div class="bloc-prix"><p class="prix-colis">47,28 € TTC <span>le colis</span></p><p class="prix-m2">65,67 € / m²</p></div><p class="conditionnement">1 colis = 0,72 m² (2 dalles)</p><button class="ajout">Ajouter au panier</button><p class="port">Livraison sur palette : 89,00 €</p></div></body></html>`,
  },
  {
    trait: "fr, hashed classes, thousands with a narrow space",
    url: "https://www.litetcie-fr.example/literie/matelas-nuage-160",
    product: { title: "Matelas Nuage 160 x 200 cm" },
    expected: { price: [119000], wasPrice: 149000, currency: "EUR" },
    html:
      `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Matelas Nuage 160x200 - Lit & Cie</title></head><body><div id="didomi-host"></div><main class="s-3kd9"><h1 class="s-8fj2">Matelas Nuage 160 x 200 cm</h1><div class="s-91ka"><s class="s-20dk">1 490,00 €</s><span class="s-7ajd">1 190,00 €</span><span class="s-tag">-20 %</span></div><p class="s-4x">ou 4 x 297,50 € sans frais</p><button class="s-btn">Ajouter au panier</button></main><section class="s-reco"><h2>Complétez votre chambre</h2><div class="s-item"><p>Sommier Brise</p><p class="s-7ajd">390,00 €</p></div><div class="s-item"><p>Oreiller Brume</p><p class="s-7ajd">59,00 €</p></div></section></body></html>`,
  },
  {
    trait:
      "de, client-rendered page whose state has the product, and the price is in the served text",
    url: "https://www.babyland-de.example/kinderwagen/mira-trio",
    product: { title: "Mira Trio Kombikinderwagen", ean: "4250215901098" },
    expected: { price: [54999], currency: "EUR" },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Mira Trio | babyland</title></head><body><div id="app" data-server-rendered="true"><div class="c-header"></div><div class="c-pdp"><h1 class="c-pdp__title">Mira Trio Kombikinderwagen</h1><div class="c-pdp__cta"><span class="c-money">549,99&nbsp;€</span><span class="c-hint">inkl. gesetzl. MwSt.</span><button class="c-btn">In den Warenkorb</button></div><div class="c-voucher">Code BABY20: 20 € Rabatt ab 400 € Einkaufswert</div></div><div class="c-rec"><div class="c-rec__i">Mira Wickeltasche <span class="c-money">69,99&nbsp;€</span></div></div></div><script>window.__STATE__={"pdp":{"sku":"771230","ean":"4250215901098","title":"Mira Trio Kombikinderwagen","price":{"value":54999,"currency":"EUR","fraction":2},"freeShippingFrom":3900}};</script></body></html>`,
  },
  {
    trait: "de, website builder: the price is a paragraph before the shop button",
    url: "https://www.imkerei-lindhof-de.example/honig/lindenhonig",
    product: { title: "Lindenhonig 500 g" },
    expected: { price: [790], currency: "EUR" },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Lindenhonig | Imkerei Lindhof</title><meta name="generator" content="Website Builder"></head><body><div class="wb-section"><div class="wb-text"><h2>Lindenhonig 500 g</h2><p>Kräftig, leicht minzig, aus eigener Ernte.</p><p><strong>7,90 €</strong></p><p>(15,80 € / kg, inkl. 7 % MwSt., zzgl. Versand)</p></div><div class="wb-shop"><select><option>1 Glas</option><option>2 Gläser</option></select><a class="wb-btn" href="#">In den Warenkorb</a></div></div><div class="wb-section"><h2>Besuchen Sie uns</h2><p>Führungen samstags, 5,00 € pro Person.</p></div></body></html>`,
  },
  {
    trait: "en, prices with and without tax, and one per metre",
    url: "https://www.timberline-en.example/decking/larch-board-28x145-4m",
    product: { title: "Siberian Larch Decking Board 28 x 145mm 4.0m" },
    expected: { price: [2640], currency: "GBP", tolerated: { price: [2200], confidenceMax: 0.6 } },
    html:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Larch Decking Board 4.0m | Timberline</title></head><body><main><h1>Siberian Larch Decking Board 28 x 145mm 4.0m</h1><div class="tl-price"><div class="tl-inc"><strong>£26.40</strong> inc. VAT</div><div class="tl-exc">£22.00 exc. VAT</div><div class="tl-lm">£6.60 per metre</div></div><div class="tl-buy"><input type="number" value="1"><button>Add to basket</button></div><table class="tl-other"><tr><th>Length</th><th>Price</th></tr><tr><td>3.0m</td><td>£19.80</td></tr><tr><td>5.0m</td><td>£33.00</td></tr></table></main></body></html>`,
  },
  {
    trait: "de, long page: questions, reviews and a guide full of amounts around the price",
    url: "https://www.werkraum-de.example/kappsaege-tk-254",
    product: { title: "Torbek Kapp- und Gehrungssäge TK 254" },
    expected: { price: [28900], currency: "EUR", availability: ["in_stock"] },
    html:
      `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Torbek TK 254 kaufen</title></head><body><header><nav><a>Sägen</a><a>Sale bis -50 %</a><a>Gutschein 10 €</a></nav></header><main><p class="ratgeber">Gute Kappsägen gibt es ab 150 €. Mit Zugfunktion sollten Sie 250 bis 400 € einplanen.</p><section class="kopf"><div class="bild"></div><div class="rechts"><h1>Torbek Kapp- und Gehrungssäge TK 254</h1><div class="sterne">4,6 (88)</div><div class="geld"><span class="betrag">289,-</span><span class="eur">€</span></div><div class="steuer">inkl. 19 % MwSt., Versand 6,90 €</div><div class="da">Auf Lager</div><button class="rein">In den Warenkorb</button></div></section>
<section class="fragen"><h2>Fragen</h2><p>Passt das Untergestell UG 2 für 79,90 €? Ja, das passt.</p></section><section class="meinungen"><h2>Meinungen</h2><blockquote>Für 259 € im Angebot gekauft, läuft bestens.</blockquote><blockquote>Im Baumarkt 319 €!</blockquote></section></main></body></html>`,
  },
  {
    trait: "fr, marketplace page with a table of other offers",
    url: "https://www.occazneuf-fr.example/offre/casque-moto-vela-gt",
    product: { title: "Casque moto Vela GT noir mat taille L" },
    expected: { price: [24990], currency: "EUR" },
    html:
      `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Casque moto Vela GT noir mat taille L</title></head><body><main class="f-page"><h1>Casque moto Vela GT noir mat taille L</h1><div class="f-buybox"><div class="f-prix">249€90</div><div class="f-liv">Livraison gratuite</div><button>Ajouter au panier</button></div><table class="f-offres"><caption>Autres offres</caption><tr><td>239,00 €</td><td>Occasion – très bon état</td></tr><tr><td>255,00 €</td><td>Neuf</td></tr></table></main></body></html>`,
  },
];
