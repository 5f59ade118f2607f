import type { AlertFacts } from "../../../src/engine/wording/alert_facts.ts";
import { languageOf } from "../../../src/base/language.ts";
import { createShow } from "../../../src/engine/wording/show.ts";
import { toStoredAlert } from "../../../src/messages/alerts/alert.ts";
import { composeMail } from "../../../src/messages/alerts/send_mails.ts";
import { alertOf, UNDERCUT } from "./alert_bench.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const CHEAPER = {
  ...UNDERCUT,
  ruleName: "Unterbieten",
  sku: "4711-A",
  productTitle: "Kühlschrank\r\nBcc: x@evil.example",
  currentCents: 123_456,
  proposedCents: 119_900,
  competitorCents: 119_900,
};
const OVERDUE: AlertFacts = {
  code: "import_overdue",
  hours: 26,
  lastAt: "2026-03-29T01:30:00.000Z",
};

function mailIn(locale: string, facts: readonly AlertFacts[]) {
  const rest = { id: "1", createdAt: "2026-03-30T00:00:00.000Z", mailId: "2", isMailOff: false };
  const alerts = facts.map((fact) => toStoredAlert(alertOf(1, { facts: fact }), rest));
  const settings = { locale, timeZone: "Europe/Berlin", currency: "EUR" };
  const show = createShow(settings, () => 0);
  const publicUrl = "https://prices.shop.example";
  const to = { language: languageOf(locale), show, workspace: "Muster", publicUrl };
  const { subject, text } = composeMail(alerts, to);
  return { subject, text: text.replaceAll(/[\u00a0\u202f]/g, " ") };
}

Deno.test("a German mail states the rule's facts and result in German, with German amounts", () => {
  assertEquals(mailIn("de-DE", [CHEAPER]), {
    subject: "[Muster] 4711-A Kühlschrank Bcc: x@evil.example",
    text: "4711-A Kühlschrank\r\nBcc: x@evil.example\nDringlichkeit: mittel\n\n" +
      "Unterbieten: acme.example verlangt 1.199,00 €, 2,9 % weniger als wir (1.234,56 €). " +
      "Vorschlag: 1.199,00 €.\n\n--\n\nAlle Meldungen: https://prices.shop.example\n",
  });
});

Deno.test("all other locales read English, with their own format of amounts and times", () => {
  const { subject, text } = mailIn("en-GB", [CHEAPER, OVERDUE]);
  assertEquals(subject, "[Muster] 2 alerts");
  const said = [
    "acme.example charges €1,199.00, 2.9% less than we do (€1,234.56). Proposal: €1,199.00.",
    "No import for 26 hours\nSeverity: medium\n\nThe last successful import was at 29 Mar 2026, 03:30.",
  ];
  assertEquals(said.filter((wanted) => !text.includes(wanted)), []);
});

Deno.test("a digest shows 20 alerts in full and names the others", () => {
  const { subject, text } = mailIn("de-DE", Array.from({ length: 1_022 }, () => OVERDUE));
  assertEquals(subject, "[Muster] 1.022 Meldungen");
  assertEquals(text.match(/Dringlichkeit: mittel/g)?.length, 20);
  assertEquals(text.match(/^- Seit 26 Stunden kein Import$/gm)?.length, 1_002);
  assertEquals(text.includes("Und 1.002 weitere:"), true);
});
