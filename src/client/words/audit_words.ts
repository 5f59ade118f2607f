import type { AuditedKind, AuditTag, AuditVerb } from "../../accounts/audit/audit_actions.ts";
import { codes, type Labels, say } from "./label.ts";

const resources: Labels<AuditedKind> = codes.audited;

const verbs: Labels<AuditVerb> = codes.auditVerbs;

export const auditWords = {
  auditLog: {
    title: say("Protokoll", "Audit log"),
    emptyText: say(
      "Jede Änderung steht hier. Leeren Sie den Filter, um alle zu sehen.",
      "Every change is listed here. Clear the filter to see all of them.",
    ),
    about: say(
      "Was sich geändert hat, durch wen und warum",
      "What changed, by whom and why",
    ),
    columns: {
      at: say("Zeit", "Time"),
    },
    nearDays: say(["Heute", "Gestern"], ["Today", "Yesterday"]),
    undo: say("Zurücknehmen", "Undo"),
    undoHow: say(
      "Stellt den Stand davor wieder her. Das geht, bis er sich wieder ändert.",
      "Restores what was there before. Possible until it changes again.",
    ),
    undoMany: say("Für {count} Produkte zurücknehmen?", "Undo it for {count} products?"),
    undoChanges: say("{count} Änderungen zurücknehmen?", "Undo {count} changes?"),
    undoManyText: say(
      "Was andere seither geändert haben, bleibt.",
      "Changes that others have made since then stay.",
    ),
    undoneBut: say(
      "{count} zurückgenommen, {left} seither geändert und geblieben",
      "{count} undone, {left} changed since then and left as they are",
    ),
    overtaken: say(
      "Das hat sich seither geändert: es bleibt beim neuen.",
      "This has changed since then: the newer value stays.",
    ),
    search: say("Produkt, Person oder Grund", "Product, person or reason"),
    chips: say("Nur diese Einträge", "Only these entries"),
    week: say("letzte 7 Tage", "last 7 days"),
    tags: {
      price: say("Preise", "prices"),
      people: say("von Menschen", "by people"),
      rules: say("von Regeln", "by rules"),
      reason: say("mit Grund", "with a reason"),
      beyond: say("außerhalb der Grenzen", "outside limits"),
      undone: say("zurückgenommen", "undone"),
    } satisfies Labels<AuditTag>,
    rule: say("Regel", "Rule"),
    ofRule: say("Regel „{name}“", "rule “{name}”"),
    quote: say("„{text}“", "“{text}”"),
    free: say("frei", "free"),
    heldUntil: say("gehalten bis {date}", "held until {date}"),
    errorNeverShown: say("Fehler, nie gezeigt", "error, never shown"),
    error: say("Fehler", "error"),
    valid: say("gilt", "valid"),
    more: say(
      "und {count} {count|weiteres Feld|weitere Felder}",
      "and {count} more {count|field|fields}",
    ),
    actors: {
      system: "Kurant",
      rules: say("Regel", "Rule"),
      erp: say("Warenwirtschaft", "ERP"),
    },
    done: {
      price: say("Preis geändert", "Price changed"),
      hold: say("Preis gehalten", "Price held"),
      unhold: say("Preis freigegeben", "Price released"),
      mark: say("Als Fehler gekennzeichnet", "Marked as an error"),
      unmark: say("Kennzeichnung zurückgenommen", "Mark removed"),
    },
    sentences: {
      price: say("änderte den Preis", "changed the price"),
      hold: say("hielt den Preis", "held the price"),
      unhold: say("gab den Preis frei", "released the price"),
      mark: say("kennzeichnete einen Fehler", "marked an error"),
      unmark: say("nahm die Kennzeichnung zurück", "removed the mark"),
    },
    many: {
      price: say("{count} Preise gesetzt", "{count} prices set"),
      approve: say("{count} Vorschläge angenommen", "{count} proposals accepted"),
      reject: say("{count} Vorschläge abgelehnt", "{count} proposals rejected"),
      later: say("{count} Vorschläge zurückgestellt", "{count} proposals snoozed"),
      reopen: say("{count} Vorschläge wieder geöffnet", "{count} proposals reopened"),
      rollback: say("{count} Preise zurückgenommen", "{count} prices rolled back"),
      other: (count: string, action: string) => `${count} × ${action}`,
    },
    andMore: say("und {count} {count|weiteres|weitere}", "and {count} more"),
    showAll: say("Alle {count} zeigen", "Show all {count}"),
    showLess: say("Weniger zeigen", "Show less"),
    average: say("im Mittel {change}", "{change} on average"),
    zone: say("Zeiten: {zone}", "Times: {zone}"),
    action: say("Aktion", "Action"),
    actor: say("Durch wen", "By whom"),
    stays: say(
      "bleibt\u00a0{price} (Vorschlag\u00a0{proposed})",
      "kept\u00a0at\u00a0{price} (proposed\u00a0{proposed})",
    ),
    resource: say("Gegenstand", "About"),
    resources,
    verbs,
    newest: say("Neueste zuerst", "Newest first"),
    oldest: say("Älteste zuerst", "Oldest first"),
    before: say("Vorher", "Before"),
    after: say("Nachher", "After"),
    detail: say("Eintrag", "Entry"),
  },
};
