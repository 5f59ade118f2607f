/** Further amounts that are not sale prices, and real prices next to such words. */
import { noSale, offer, productItem, productLd, type Template } from "./made_page.ts";

export const MORE_VETOES: readonly Template[] = [
  {
    trait: "big rate, bare",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(500, 900);
      return {
        system: "shopify",
        amounts: { price, rate: Math.ceil(price / 36) },
        buy:
          `<div class="price price--large"><strong>[[ab|from]] {rate}</strong><small>[[/Monat, 36 Raten, 0 %
eff. Jahreszins|/month for 36 months, 0% APR]]</small></div><p class="cash-price">[[Barpreis|Cash price]] {price}</p>
{tax}{form}`,
        expected: { price: [price], mayRefuse: true },
      };
    },
  },
  {
    trait: "subscription choice",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(20, 40);
      return {
        system: "woo",
        amounts: { price, abo: Math.round(price * 0.9) },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<p class="price"><span class="amount">{price}</span></p>{tax}<ul class="wcsatt-options"><li><input
type="radio" checked> [[Einmalig kaufen|One-time|Achat unique]] {price}</li><li><input type="radio"> [[Im Abo, jeden
Monat|Subscribe|Abonnement mensuel]] {abo} (-10 %)</li></ul>{form}`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "one with tariff",
    tongues: ["de", "en"],
    make(draw) {
      const monthly = draw.cents(30, 70);
      return {
        system: "nuxt",
        amounts: { monthly, once: 100 },
        head: productLd(draw, offer(draw, 100)),
        buy:
          `<div class="device-price text-3xl">{once}</div><p>[[Gerätepreis im Tarif|Device price with plan]] Mobil
M, {monthly} [[monatlich, Mindestlaufzeit 24 Monate|a month, 24 month minimum term]]</p>{form}`,
        expected: noSale(100, monthly),
      };
    },
  },
  {
    trait: "leasing in markup",
    tongues: ["de", "en"],
    make(draw) {
      const [price, rate] = [draw.cents(2500, 3900), draw.cents(70, 99)];
      return {
        system: "shopware",
        amounts: { price, rate },
        head: productLd(draw, offer(draw, rate)),
        buy:
          `<div class="leasing-box"><b>{rate}</b> [[Leasingrate pro Monat|lease, per month]]</div><p
class="product-detail-price">[[Kaufpreis|Purchase price]] {price}</p>{tax}{form}`,
        expected: { ...noSale(rate), price: [price], mayRefuse: true },
      };
    },
  },
  {
    trait: "reservation fee",
    tongues: ["de", "fr"],
    make(draw) {
      const fee = draw.pick([5000, 9900, 10_000]);
      return {
        system: "presta",
        amounts: { fee },
        head: productLd(draw, offer(draw, fee)),
        buy:
          `<div class="current-price"><span class="current-price-value">{fee}</span></div><p>[[Reservierungsgebühr,
wird auf den Kaufpreis angerechnet|Reservation fee|Acompte de réservation, déduit du prix d’achat]].</p>{form}`,
        expected: noSale(fee),
      };
    },
  },
  {
    trait: "auction start",
    tongues: ["de", "en"],
    make(draw) {
      const start = draw.cents(10, 40);
      return {
        system: "gambio",
        amounts: { start },
        buy: `${
          productItem(draw, start, "InStock")
        }<div class="current-price-container">[[Startpreis|Starting bid]]: {start}</div><p>[[Auktion endet in
2 Tagen|Auction ends in 2 days]]</p><button class="btn">[[Jetzt bieten|Bid now]]</button>`,
        expected: noSale(start),
      };
    },
  },
  {
    trait: "net beside gross",
    tongues: ["de", "fr"],
    make(draw) {
      const net = draw.cents(100, 400);
      const gross = Math.round(net * (draw.tongue === "fr" ? 1.2 : 1.19));
      return {
        system: "magento",
        amounts: { net, gross },
        head: productLd(draw, offer(draw, net)),
        buy:
          `<div class="price-box"><span class="price-excluding-tax"><span class="price">{net}</span> [[netto|excl.
VAT|HT]]</span><span class="price-including-tax"><span class="price">{gross}</span> [[inkl. MwSt.|incl.
VAT|TTC]]</span></div>{form}`,
        footer: "[[Alle Angaben ohne Gewähr.|E&amp;OE.|Photos non contractuelles.]]",
        expected: { ...noSale(net), price: [gross] },
      };
    },
  },
  {
    trait: "net, box footer",
    tongues: ["de", "en"],
    make(draw) {
      const net = draw.cents(100, 400);
      return {
        system: "next",
        amounts: { net },
        head: productLd(draw, offer(draw, net)),
        buy: `<div class="BuyBox_root__2x"><span data-testid="price">{net}</span>{form}<p
class="BuyBox_note__9a">[[Alle Preise verstehen sich netto, zuzüglich der gesetzlichen Mehrwertsteuer.|All prices
exclude VAT, which is added at checkout.]]</p></div>`,
        footer: "[[Nur für Gewerbekunden.|Business customers only.]]",
        expected: { ...noSale(net), says: "net_only" },
      };
    },
  },
  {
    trait: "harmless words",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(8, 30);
      return {
        system: "oxid",
        amounts: { price, bottle: 25 },
        buy: `${
          productItem(draw, price, "InStock")
        }<div class="detailPrice"><strong>{price}</strong></div><small>[[zzgl. Pfand|plus bottle return|hors
consigne]] {bottle}</small>{tax}{form}<a href="/raten">[[Finanzierung möglich|Finance|Paiement en plusieurs fois]]</a>`,
        footer:
          `[[Alle Preise inkl. MwSt. <a href="/k">Verträge hier kündigen</a>|Prices include VAT|Prix TTC.
<a href="/k">Résilier un contrat</a>]]`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "rent monthly",
    tongues: ["de", "en"],
    make(draw) {
      const monthly = draw.cents(15, 50);
      return {
        system: "next",
        amounts: { monthly },
        head: productLd(draw, offer(draw, monthly)),
        buy:
          `<div class="Rent_box__1a"><b>{monthly}</b><span>/[[Monat|mo]]</span></div><p>[[Mindestmietdauer 12
Monate, danach Rückgabe oder Kauf|12 month minimum rental, then return or buy]]</p><button>[[Jetzt mieten|Rent
now]]</button>`,
        expected: noSale(monthly),
      };
    },
  },
  {
    trait: "login for price",
    tongues: ["de", "fr"],
    make: (draw) => ({
      system: "shopware",
      head: productLd(draw, offer(draw, 0)),
      buy:
        `<p class="product-detail-price-login">[[Preise sind nur für angemeldete Kunden sichtbar.|Log in to see
prices.|Connectez-vous pour voir les prix.]]</p><a class="btn" href="/login">[[Anmelden|Log in|Se connecter]]</a>`,
      expected: { price: [] },
    }),
  },
  {
    trait: "net markup, gross",
    tongues: ["de", "fr"],
    make(draw) {
      const net = draw.cents(100, 400);
      const gross = Math.round(net * (draw.tongue === "fr" ? 1.2 : 1.19));
      const { priceCurrency, price } = offer(draw, net);
      const priceSpecification = {
        "@type": "UnitPriceSpecification",
        price,
        priceCurrency,
        valueAddedTaxIncluded: false,
      };
      return {
        system: "woo",
        amounts: { gross },
        head: productLd(draw, offer(draw, net, { priceSpecification })),
        buy:
          `<p class="price"><span class="amount">{gross}</span> <small>[[inkl. MwSt.|incl. VAT|TTC]]</small></p>
{form}`,
        expected: { ...noSale(net), price: [gross] },
      };
    },
  },
];
