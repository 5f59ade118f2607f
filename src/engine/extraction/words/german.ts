/**
 * German words of shops, grouped by what they say about an amount, the stock, the condition or the
 * seller. Each word is a regular expression in lower case that matches whole words. A pattern does
 * not match words with another meaning: `Nettogewicht` does not mean a price without tax.
 */

export const GERMAN = {
  monthly: [
    "(?:pro|im|je|/) ?monat",
    "/ ?mon",
    "/? ?mtl",
    "monatl(?:ich\\p{L}*)?",
    "monats(?:raten?|preis|beitrag|gebühr)",
    "(?:ihre|deine|mtl\\.?|monatliche) rate",
    "rate ?:",
    "raten (?:à|zu|von)",
  ],
  rent: [
    "(?:pro|je|am|/) ?(?:tag|woche|wochenende|stunde|nacht|kalendertag|miettag|std)",
    "(?:tages|wochen|wochenend)(?:miete|preis|satz|tarif)",
    "miete",
    "miet(?:preis|gebühr|kosten|dauer|rate|artikel)e?",
    "leih(?:gebühr|preis|dauer|weise)",
    "zu[rm] (?:miete|mieten|leihen)",
  ],
  deposit: [
    "anzahlung(?:sbetrag)?",
    "(?:miet)?kaution",
    "sicherheitsleistung",
    "reservierungsgebühr",
    "\\p{L}*pfand(?:betrag)?",
  ],
  /** Words for a statutory charge that is part of the price. */
  levy: [
    "vrg",
    "vorgezogene\\p{L}* recyclinggebühr",
    "recycling(?:gebühr|beitrag)",
    "entsorgungs(?:gebühr|beitrag)",
    "umweltabgabe",
    "urheber(?:rechts)?abgabe",
    "schutzgebühr",
  ],
  service: [
    "(?:anschluss|hersteller)?garantie(?:verlängerung)?",
    "(?:geräte)?versicherung",
    "geräteschutz",
    "schutzbrief",
    "(?:montage|aufbau|einbau|anschluss)(?:service)?",
    "altgeräte?\\p{L}*",
    "geschenkverpackung",
    "gravur",
  ],
  delivery: [
    "(?:speditions|express|standard)?(?:lieferung|versand)",
    "(?:versand|liefer)kosten",
    "\\p{L}*zuschlag",
    "\\p{L}*pauschale",
  ],
  bid: ["(?:höchst|mindest|start|aktuelles )?gebote?", "startpreis", "ausrufpreis", "schätzpreis"],
  contract: [
    "mit (?:\\p{L}+[- ]?){0,2}(?:vertrag|tarif|mobilfunkvertrag|laufzeitvertrag)",
    "(?:in verbindung|zusammen) mit (?:\\p{L}+ ){0,3}\\p{L}*(?:vertrag|tarif)",
    "(?:bei|mit) \\p{L}*vertrags(?:abschluss|bindung|laufzeit)",
    "(?:mit|bei|nach) inzahlungnahme",
    "(?:nur )?im tarif",
    "zum tarif",
    "\\d+ monate (?:mindest)?(?:vertrags)?laufzeit",
  ],
  member: [
    "(?:nur )?mit (?:\\p{L}+[- ])?(?!(?:sd|micro|smart|game|gift|credit|sim|sound|memory|id)card)\\p{L}+card",
    "(?:nur )?mit (?:kunden|club|plus|bonus|vorteils|family|treue|mitglieds)[- ]?karte",
    "(?:club|mitglieder|member|kundenkarten?|app)[- ]?preis",
    "nur für (?:\\p{L}+[- ]){0,2}mitglieder",
  ],
  net: [
    "netto(?:preis|betrag)?(?![- ]?(?:gewicht|inhalt|volumen))",
    "(?:zzgl|zuzügl(?:ich)?|plus|ex[kc]l(?:usive)?|ohne|\\+)\\.? ?(?:der |die )?(?:\\d{1,2}(?:[.,]\\d)? ?% ?)?(?:d(?:er|ie) )?(?:ges(?:etzl)?\\p{L}*\\.? )?(?:mwst|mw\\.?st|ust|u\\.st|mehrwertsteuer|umsatzsteuer)",
  ],
  gross: [
    "brutto",
    "(?:in[kc]l(?:usive)?|einschl(?:ießlich)?|enth(?:ält|alten)|mit)\\.? ?(?:\\d{1,2}(?:[.,]\\d)? ?% ?)?(?:d(?:er|ie) )?(?:ges(?:etzl)?\\p{L}*\\.? )?(?:mwst|mw\\.?st|ust|u\\.st|mehrwertsteuer|umsatzsteuer)",
  ],
  /** The start of a sentence that says whether all prices of the shop include tax. */
  allNet: ["(?:alle )?(?:unsere )?(?:preise|preisangaben)"],
  onRequest: [
    "preise? (?:nur |gerne )?(?:auf|per|nach) (?:an|nach)?(?:frage|absprache|vereinbarung)",
    "preis anfragen",
    "(?:preis|angebot) anfordern",
    "unverbindlich anfragen",
    "preise? (?:erst |nur )?nach (?:\\p{L}+ )?(?:anmeldung|login|registrierung)",
    "(?:anmelden|einloggen|(?:melden sie sich|melde dich) (?:\\p{L}+ )?an|loggen sie sich ein),? um (?:\\p{L}+ )?preise (?:zu sehen|zu erfahren|anzuzeigen|einzusehen)",
  ],
  /** Phrases that mean "price on request" only if the text contains nothing else. */
  onRequestAlone: ["auf anfrage", "preis:? auf anfrage"],
  /** Words after which `Kaution`, `Vertrag` and the like do not describe the amount. */
  without: [
    ..."zzgl zuzügl zuzüglich plus und inkl inklusive exkl keine? ohne kein weder".split(" "),
  ],
  rentedName: [
    "^(?:miet|leih)(?:gerät|artikel|maschine|wagen|e)?(?: |:|-)",
    "^(?:miete|verleih|vermietung)(?: |:|-)",
    "(?:mieten|leihen|ausleihen|zur miete|zum mieten|im verleih)$",
    "^leihgebühr",
  ],
  paidAheadName: ["^(?:anzahlung|kaution|pfand)(?: |:|-|$)", "[-–:(] ?(?:anzahlung|kaution)\\)?$"],
  rentControl: ["(?:jetzt )?(?:mieten|leihen|ausleihen|anmieten)"],
  bidControl: ["(?:jetzt )?bieten", "gebot abgeben"],
  buyControl: ["(?:jetzt |sofort[- ]?)?kaufen", "(?:in den )?(?:waren|einkaufs)korb"],
  stockLabel: [
    "(?:artikel)?verfügbarkeit",
    "(?:lager|liefer)(?:status|bestand)",
    "status",
    "bestand",
    "online(?:shop)?",
    "lieferung nach hause",
    "(?:dieser|der|das|dieses) (?:artikel|produkt|modell)(?: ist| wird| wurde)?(?: vom hersteller)?",
    ..."leider noch aktuell zurzeit derzeit momentan vorübergehend voraussichtlich bereits".split(
      " ",
    ),
    ..."schon restlos komplett ausreichend genügend reichlich".split(" "),
  ],
  /**
   * Words in texts that are not about the stock, but about branches, other variants or payments.
   */
  notTheStock: [
    "filialen?",
    "in (?:unserem |deinem |ihrem )?markt",
    "abhol\\p{L}*",
    "click (?:&|and) collect",
    "(?:verfügbar|erhältlich|lieferbar) in (?:\\p{L}+ )?(?:\\d+ |vielen |mehreren |verschiedenen )?(?:farben|größen|varianten|ausführungen)",
    "ratenkauf",
    "gutschein\\p{L}*",
    "rabatt",
    "zubehör",
    "größe \\S{1,6}:?",
    "farbe",
  ],
  stock: {
    in_stock: [
      "sofort (?:lieferbar|verfügbar|versandfertig|versandbereit|ab lager)",
      "(?:auf|ab|am|an) lager",
      "lagernd",
      "(?:online |wieder )?(?:lieferbar|verfügbar|vorrätig)",
    ],
    limited: [
      "nur noch (?:wenige|\\d+)(?! ?(?:tage?|stunden?|std|min|h|wochen?|%|€|euro))(?! verpackungs)",
      "noch \\d+ (?:stück|stk|artikel|exemplare?|auf lager|verfügbar|lieferbar|vorrätig|vorhanden)",
      "wenige (?:stück|exemplare|artikel|verfügbar)",
      "(?:geringer|niedriger|knapper) (?:lager)?bestand",
      "(?:geringe|begrenzte) (?:stückzahl|menge|anzahl|verfügbarkeit)",
      "(?:begrenzt|knapp) (?:verfügbar|vorrätig|lieferbar)",
      "(?:bald|fast|beinahe) (?:ausverkauft|vergriffen)",
      "letzte[srn]? (?:stück|exemplare?|artikel)",
      "restbestand",
    ],
    out_of_stock: [
      "(?:zur zeit )?(?:nicht|kein\\p{L}*) (?:\\p{L}+ ){0,2}(?:verfügbar|lieferbar|vorrätig|auf lager|bestellbar|bestand)",
      "(?<!(?:bald|fast|beinahe) )(?:ausverkauft|vergriffen)",
      "(?<!\\d)0 (?:stück |stk )?(?:auf lager|verfügbar|lieferbar|vorrätig)",
      "benachrichtig\\p{L}* (?:mich|sie mich)?,? ?(?:sobald|wenn)",
      "nicht mehr vorrätig",
    ],
    pre_order: ["vorbestell\\p{L}*", "erscheint am", "jetzt vorbestellen"],
    back_order: [
      "(?:wird )?nachbestellt",
      "nachlieferung",
      "(?:lieferbar|verfügbar) ab(?= (?:dem )?(?:\\d{1,2}\\. ?[\\d\\p{L}]|kw|anfang|mitte|ende))",
      "(?:bald|demnächst|in kürze) wieder",
      "lieferrückstand",
    ],
    discontinued: [
      "nicht (?:mehr|länger) (?:lieferbar|erhältlich|verfügbar|im (?:sortiment|programm)|produziert|hergestellt|gefertigt|angeboten|verkauft)",
      "(?:artikel|produkt|produktion) (?:wurde (?:\\p{L}+ ){0,2})?eingestellt",
      "(?:ausgelaufen|eingestellt)",
      "auslaufmodell",
    ],
  },
  /** Delivery times, which show that an article is in stock if no other words state the stock. */
  deliveryTime: [
    "(?:versandfertig|lieferbar) in \\d",
    "(?:lieferzeit|lieferung|versand):? (?:in |ca\\. |etwa )*\\d+(?: ?(?:-|–|bis) ?\\d+)? (?:werk|arbeits)?tage",
    "in \\d+(?: ?(?:-|–|bis) ?\\d+)? (?:werk)?tagen (?:bei ihnen|bei dir|lieferbar|versandbereit)",
  ],
  condition: {
    new: ["neu(?:ware|teile?)?", "fabrikneu", "original ?verpackt"],
    refurbished: [
      "(?:general|wieder|rund)?(?:überholt|aufbereitet|erneuert)(?:e[srn]?)?",
      "refurbished",
    ],
    used: [
      "gebraucht(?:e[srn]?|ware|gerät|artikel)?",
      "aus zweiter hand",
      "second[- ]?hand",
      "ausstellungsstück",
      "ausstellungsware",
      "vorführ(?:gerät|modell|ware|er)",
      "rückläufer",
      "kundenretoure",
      "retouren?ware",
      "zweite wahl",
      "geöffnete ovp",
    ],
    damaged: ["[bc][- ]?ware", "defekt(?:e[srn]?)?", "beschädigt(?:e[srn]?)?"],
  },
  conditionLabel: ["(?:artikel)?zustand", "produktzustand"],
  soldBy: [
    "verkauft?(?: (?:und|&) (?:versand|versendet|versandt|lieferung|geliefert))? (?:durch|von)",
    "versand (?:und|&) verkauf durch",
    "ange(?:boten|bot) (?:von|durch)",
  ],
  sellerLabel: ["verkäufer", "händler", "anbieter"],
  afterSeller: [
    "(?:und )?(?:versendet|versandt|verschickt|geliefert)",
    "und (?:der )?(?:versand|lieferung)",
    "(?:versand|lieferung) (?:durch|von|aus|ab|in)",
    "bewertung",
    "zum shop",
    "impressum",
  ],
  us: ["uns", "unserem lager"],
  lowest: [
    "(?:niedrigste|tiefste|beste|günstigste)[rnsm]? (?:\\p{L}+[- ])?(?:verkaufs|gesamt|einzel)?preis\\p{L}* (?:\\p{L}+ ){0,3}30 tagen?",
    "(?:beste|niedrigste)[rnsm]? 30[- ]tage[- ]preis",
    "30[- ]tage[- ](?:best|tief|tiefst|niedrigst)?preis",
    "(?:best|tiefst)preis (?:\\p{L}+ ){0,3}30 tagen?",
    "letzter niedrigster preis",
  ],
  old: [
    "statt",
    "früher\\p{L}*",
    "bisher\\p{L}*",
    "vorher\\p{L}*",
    "zuvor",
    "alter preis",
    "ursprünglich\\p{L}*",
    "ehemals",
    "(?:normal|original|alt)preis",
    "regulär\\p{L}*",
    "war",
  ],
  recommended: ["uvp", "unverb\\p{L}*", "listenpreis", "empf\\p{L}*"],
};

export type ShopLanguage = typeof GERMAN;
