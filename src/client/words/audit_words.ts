import type { AuditedKind, AuditTag, AuditVerb } from "../../accounts/audit/audit_actions.ts";
import { codes, de, type Labels } from "./label.ts";

const resources: Labels<AuditedKind> = codes.audited;

const verbs: Labels<AuditVerb> = codes.auditVerbs;

export const auditWords = {
  auditLog: {
    title: de("Protokoll").en("Audit log"),
    emptyText: de("Jede Änderung steht hier. Leeren Sie den Filter, um alle zu sehen.")
      .en("Every change is listed here. Clear the filter to see all of them."),
    about: de("Was sich geändert hat, durch wen und warum").en("What changed, by whom and why"),
    columns: { at: de("Zeit").en("Time") },
    nearDays: de(["Heute", "Gestern"]).en(["Today", "Yesterday"]),
    undo: de("Zurücknehmen").en("Undo"),
    undoHow: de("Stellt den Stand davor wieder her. Das geht, bis er sich wieder ändert.")
      .en("Restores what was there before. Possible until it changes again."),
    undoMany: de("Für {count} Produkte zurücknehmen?").en("Undo it for {count} products?"),
    undoChanges: de("{count} Änderungen zurücknehmen?").en("Undo {count} changes?"),
    undoManyText: de("Was andere seither geändert haben, bleibt.")
      .en("Changes that others have made since then stay."),
    undoneBut: de("{count} zurückgenommen, {left} seither geändert und geblieben")
      .en("{count} undone, {left} changed since then and left as they are"),
    overtaken: de("Das hat sich seither geändert: es bleibt beim neuen.")
      .en("This has changed since then: the newer value stays."),
    search: de("Produkt, Person oder Grund").en("Product, person or reason"),
    chips: de("Nur diese Einträge").en("Only these entries"),
    week: de("letzte 7 Tage").en("last 7 days"),
    tags: {
      price: de("Preise").en("prices"),
      people: de("von Menschen").en("by people"),
      rules: de("von Regeln").en("by rules"),
      reason: de("mit Grund").en("with a reason"),
      beyond: de("außerhalb der Grenzen").en("outside limits"),
      undone: de("zurückgenommen").en("undone"),
    } satisfies Labels<AuditTag>,
    ofRule: de("Regel „{name}“").en("rule “{name}”"),
    quote: de("„{text}“").en("“{text}”"),
    free: de("frei").en("free"),
    errorNeverShown: de("Fehler, nie gezeigt").en("error, never shown"),
    error: de("Fehler").en("error"),
    valid: de("gilt").en("valid"),
    more: de("und {count} {count|weiteres Feld|weitere Felder}")
      .en("and {count} more {count|field|fields}"),
    actors: {
      system: "Kurant",
      rules: de("Regel").en("Rule"),
      erp: de("Warenwirtschaft").en("ERP"),
    },
    done: {
      price: de("Preis geändert").en("Price changed"),
      hold: de("Preis gehalten").en("Price held"),
      unhold: de("Preis freigegeben").en("Price released"),
      mark: de("Als Fehler gekennzeichnet").en("Marked as an error"),
      unmark: de("Kennzeichnung zurückgenommen").en("Mark removed"),
    },
    sentences: {
      price: de("änderte den Preis").en("changed the price"),
      hold: de("hielt den Preis").en("held the price"),
      unhold: de("gab den Preis frei").en("released the price"),
      mark: de("kennzeichnete einen Fehler").en("marked an error"),
      unmark: de("nahm die Kennzeichnung zurück").en("removed the mark"),
    },
    many: {
      price: de("{count} Preise gesetzt").en("{count} prices set"),
      approve: de("{count} Vorschläge angenommen").en("{count} proposals accepted"),
      reject: de("{count} Vorschläge abgelehnt").en("{count} proposals rejected"),
      later: de("{count} Vorschläge zurückgestellt").en("{count} proposals snoozed"),
      reopen: de("{count} Vorschläge wieder geöffnet").en("{count} proposals reopened"),
      rollback: de("{count} Preise zurückgenommen").en("{count} prices rolled back"),
      other: de("{count} × {action}").en("{count} × {action}"),
    },
    andMore: de("und {count} {count|weiteres|weitere}").en("and {count} more"),
    showAll: de("Alle {count} zeigen").en("Show all {count}"),
    showLess: de("Weniger zeigen").en("Show less"),
    average: de("im Mittel {change}").en("{change} on average"),
    zone: de("Zeiten: {zone}").en("Times: {zone}"),
    action: de("Aktion").en("Action"),
    actor: de("Durch wen").en("By whom"),
    stays: de("bleibt\u00a0{price} (Vorschlag\u00a0{proposed})")
      .en("kept\u00a0at\u00a0{price} (proposed\u00a0{proposed})"),
    resource: de("Gegenstand").en("About"),
    resources,
    verbs,
    newest: de("Neueste zuerst").en("Newest first"),
    oldest: de("Älteste zuerst").en("Oldest first"),
    before: de("Vorher").en("Before"),
    after: de("Nachher").en("After"),
    detail: de("Eintrag").en("Entry"),
  },
};
