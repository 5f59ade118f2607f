/** Amounts that are not sale prices, and real prices next to such words. */
import { offer, productLd, type Template } from "./made_page.ts";
import { buyForm, shopPage, taxNote } from "./shop_frame.ts";

/** No price, or a doubtful one. */
const noSale = (...amounts: readonly number[]) =>
  ({ price: [], tolerated: { price: amounts, confidenceMax: 0.6 } }) as const;

export const VETOES: readonly Template[] = [
  {
    trait: "per month, contract",
    tongues: ["de", "en"],
    make(draw) {
      const monthly = draw.cents(20, 60);
      return {
        html: shopPage(draw, "next", {
          head: productLd(draw, offer(draw, monthly)),
          buy: `<div class="TariffBox_price__8kLs"><strong>${draw.money(monthly)}</strong> <span>${
            draw.say("mtl.", "per month", "par mois")
          }</span><p>${
            draw.say(
              "mit Vertrag, 24 Monate Laufzeit, einmalig 1,00 €",
              "with 24 month contract, £1.00 upfront",
              "avec engagement de 24 mois",
            )
          }</p></div>${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: noSale(monthly, 100),
      };
    },
  },
  {
    trait: "instalment beside price",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(500, 900);
      const rate = Math.ceil(price / 24);
      return {
        html: shopPage(draw, "shopware", {
          head: productLd(draw, offer(draw, price)),
          buy: `<p class="product-detail-price">${draw.money(price)}*</p>${
            taxNote(draw)
          }<div class="installments">${draw.say("oder ab", "or from", "ou dès")} <b>${
            draw.money(rate)
          }</b> ${
            draw.say("im Monat bei 24 Raten", "a month in 24 instalments", "par mois en 24 fois")
          }</div>${buyForm(draw)}`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "woo", {
          head: productLd(draw, offer(draw, deposit)),
          buy: `<p class="price">${
            draw.say("Anzahlung", "Deposit", "Acompte")
          }: <span class="amount">${draw.money(deposit)}</span></p><p>${
            draw.say(
              "Den Rest zahlen Sie nach dem Aufmaß.",
              "The balance is due after we have measured.",
              "Le solde est dû après la prise de mesures.",
            )
          }</p>${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: noSale(deposit),
      };
    },
  },
  {
    trait: "rental per day",
    tongues: ["de", "fr"],
    make(draw) {
      const day = draw.cents(15, 60);
      const bond = 15_000;
      return {
        html: shopPage(draw, "gambio", {
          head: productLd(draw, offer(draw, day)),
          buy: `<div class="current-price-container">${draw.money(day)} ${
            draw.say("pro Tag", "per day", "par jour")
          }</div><p>${draw.say("Leihgebühr", "Rental fee", "Location")}, ${
            draw.say("Kaution", "security deposit", "caution")
          } ${draw.money(bond)}</p><label>${
            draw.say("Mietbeginn", "Start", "Début")
          }<input type="date"></label>${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: noSale(day, bond),
      };
    },
  },
  {
    trait: "current bid",
    tongues: ["de", "en"],
    make(draw) {
      const bid = draw.cents(40, 90);
      return {
        html: shopPage(draw, "market", {
          head: productLd(draw, offer(draw, bid)),
          buy: `<div class="bid-box"><span>${
            draw.say("Aktuelles Gebot", "Current bid", "Enchère")
          }</span> <span class="bid-price">${draw.money(bid)}</span> <a href="/bids">[ 7 ${
            draw.say("Gebote", "bids", "offres")
          } ]</a><form><input name="maxbid"><button>${
            draw.say("Bieten", "Place bid", "Enchérir")
          }</button></form></div>`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "magento", {
          head: productLd(draw, offer(draw, amount)),
          buy: `<div class="price-box"><span class="price">${
            draw.say("Preis auf Anfrage", "Price on request", "Prix sur demande")
          }</span></div><a class="action primary" href="/anfrage">${
            draw.say("Angebot anfordern", "Request a quote", "Demander un devis")
          }</a>`,
        }),
        product: { title: draw.title },
        expected: { ...noSale(amount), says: "on_request" },
      };
    },
  },
  {
    trait: "net, rate known",
    tongues: ["de", "de"],
    make(draw) {
      const net = draw.cents(100, 400);
      const gross = Math.round(net * 1.19);
      return {
        html: shopPage(draw, "oxid", {
          head: productLd(draw, offer(draw, net)),
          buy: `<div class="price"><strong>${
            draw.money(net)
          }</strong></div><p class="tax-note">zzgl. 19 % MwSt. und Versand</p>${
            buyForm(draw)
          }<p>Verkauf nur an Gewerbetreibende.</p>`,
          footer: "Alle Preise zzgl. der gesetzlichen MwSt.",
        }),
        product: { title: draw.title },
        expected: {
          price: [gross],
          tolerated: { price: [net], confidenceMax: 0.6 },
          mayRefuse: true,
        },
      };
    },
  },
  {
    trait: "net, no rate",
    tongues: ["en", "fr"],
    make(draw) {
      const net = draw.cents(100, 400);
      return {
        html: shopPage(draw, "presta", {
          head: productLd(draw, offer(draw, net)),
          buy:
            `<div class="product-prices"><div class="current-price"><span class="current-price-value" content="${
              net / 100
            }">${draw.money(net)}</span> <span class="tax-shipping-delivery-label">${
              draw.say("exkl. MwSt.", "excl. VAT", "HT")
            }</span></div></div>${buyForm(draw)}`,
          footer: draw.say("", "Trade customers only.", "Réservé aux professionnels."),
        }),
        product: { title: draw.title },
        expected: {
          price: [],
          tolerated: { price: [net], confidenceMax: 0.6 },
          says: "net_only",
        },
      };
    },
  },
];
