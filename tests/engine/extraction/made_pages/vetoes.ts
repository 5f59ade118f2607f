/** Amounts that are not sale prices, and real prices next to such words. */
import { noSale, offer, productItem, productLd, type Template } from "./made_page.ts";

export const VETOES: readonly Template[] = [
  {
    trait: "per month, contract",
    tongues: ["de", "en"],
    make(draw) {
      const monthly = draw.cents(20, 60);
      return {
        system: "next",
        amounts: { monthly },
        head: productLd(draw, offer(draw, monthly)),
        buy:
          `<div class="TariffBox_price__8kLs"><strong>{monthly}</strong> <span>[[mtl.|per month]]</span>
<p>[[mit Vertrag, 24 Monate Laufzeit, einmalig 1,00 €|with 24 month contract, £1.00 upfront]]</p></div>{form}`,
        expected: noSale(monthly, 100),
      };
    },
  },
  {
    trait: "instalment beside price",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(500, 900);
      return {
        system: "shopware",
        amounts: { price, rate: Math.ceil(price / 24) },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<p class="product-detail-price">{price}*</p>{tax}<div class="installments">[[oder ab|or from|ou dès]]
<b>{rate}</b> [[im Monat bei 24 Raten|a month in 24 instalments|par mois en 24 fois]]</div>{form}`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "deposit as offer",
    tongues: ["de", "en"],
    make(draw) {
      const deposit = draw.cents(100, 300);
      return {
        system: "woo",
        amounts: { deposit },
        head: productLd(draw, offer(draw, deposit)),
        buy:
          `<p class="price">[[Anzahlung|Deposit]]: <span class="amount">{deposit}</span></p><p>[[Den Rest zahlen
Sie nach dem Aufmaß.|The balance is due after we have measured.]]</p>{form}`,
        expected: noSale(deposit),
      };
    },
  },
  {
    trait: "rental per day",
    tongues: ["de", "fr"],
    make(draw) {
      const day = draw.cents(15, 60);
      return {
        system: "gambio",
        amounts: { day, bond: 15_000 },
        buy: `${
          productItem(draw, day, "InStock")
        }<div class="current-price-container">{day} [[pro Tag|per day|par jour]]</div><p>[[Leihgebühr,
Kaution|Rental fee, security deposit|Location, caution]] {bond}</p><label>[[Mietbeginn|Start|Début]]<input
type="date"></label>{form}`,
        expected: noSale(day, 15_000),
      };
    },
  },
  {
    trait: "current bid",
    tongues: ["de", "en"],
    make(draw) {
      const bid = draw.cents(40, 90);
      return {
        system: "market",
        amounts: { bid },
        head: productLd(draw, offer(draw, bid)),
        buy:
          `<div class="bid-box"><span>[[Aktuelles Gebot|Current bid]]</span> <span class="bid-price">{bid}</span>
<a href="/bids">[7 [[Gebote|bids]]]</a><form><input name="maxbid"><button>[[Bieten|Place bid]]</button></form></div>`,
        expected: noSale(bid),
      };
    },
  },
  {
    trait: "request, placeholder",
    tongues: ["de", "en"],
    make(draw) {
      const amount = draw.pick([1, 99_999_900, 999_999]);
      return {
        system: "magento",
        head: productLd(draw, offer(draw, amount)),
        buy:
          `<div class="price-box"><span class="price">[[Preis auf Anfrage|Price on request]]</span></div>
<a class="action primary" href="/anfrage">[[Angebot anfordern|Request a quote]]</a>`,
        expected: { ...noSale(amount), says: "on_request" },
      };
    },
  },
  {
    trait: "net, rate known",
    tongues: ["de", "de"],
    make(draw) {
      const net = draw.cents(100, 400);
      return {
        system: "oxid",
        amounts: { net },
        buy: `${
          productItem(draw, net, "InStock")
        }<div class="price"><strong>{net}</strong></div><p class="tax-note">zzgl. 19 % MwSt. und Versand</p>
{form}<p>Verkauf nur an Gewerbetreibende.</p>`,
        footer: "Alle Preise zzgl. der gesetzlichen MwSt.",
        expected: { ...noSale(net), price: [Math.round(net * 1.19)], mayRefuse: true },
      };
    },
  },
  {
    trait: "net, no rate",
    tongues: ["en", "fr"],
    make(draw) {
      const net = draw.cents(100, 400);
      return {
        system: "presta",
        amounts: { net },
        head: productLd(draw, offer(draw, net)),
        buy:
          `<div class="product-prices"><div class="current-price"><span class="current-price-value"
content="{net:plain}">{net}</span> <span class="tax-shipping-delivery-label">[[netto|excl. VAT|HT]]</span></div></div>
{form}`,
        footer: "[[Netto|Trade customers only.|Réservé aux professionnels.]]",
        expected: { ...noSale(net), says: "net_only" },
      };
    },
  },
  {
    trait: "price of area",
    tongues: ["de", "fr"],
    make(draw) {
      const pack = draw.cents(40, 90);
      return {
        system: "jtl",
        amounts: { pack, area: Math.round(pack / 2.2) },
        head: productLd(draw, offer(draw, pack)),
        buy:
          `<div class="price h1">{area} <small>[[/ m²|/ m²|/ m²]]</small></div><p>[[Paket mit 2,2 m²|Pack of 2.2
m²|Paquet de 2,2 m²]]: <strong class="price">{pack}</strong></p>{tax}{form}`,
        expected: { price: [pack] },
      };
    },
  },
];
