import { isRecord } from "../api/call.ts";
import { type Show, spokenMinutes } from "../../engine/wording/show.ts";
import type { Speaker } from "../app/app.ts";
import { labelIn } from "../words/label.ts";
import type { Words } from "../words/words.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** The displayed name, such as `Farbe` for the field `attributes.Farbe`. */
export function fieldName({ fields }: Words, name: string): string {
  return labelIn(fields, name).replace(/^attributes\./, "");
}

/** Amounts such as `ourPriceCents` are shown in minor units if `currency` is missing. */
export function fieldText(
  { words, show }: Speaker,
  name: string,
  value: unknown,
  currency: string | null | undefined,
): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "number") {
    const minutes = name.endsWith("Minutes") ? value : name.endsWith("Hours") ? 60 * value : null;
    if (minutes !== null) return spokenMinutes(minutes, show.number(minutes), show.locale);
    if (!/(Cents|Price)$/.test(name)) return show.number(value);
    return currency ? show.money(value, currency) : words.minorUnits(value);
  }
  if (typeof value === "string") {
    return INSTANT.test(value) ? show.dateTime(value) : valueWords(words, name)[value] ?? value;
  }
  if (!Array.isArray(value)) return JSON.stringify(value);
  const codes = valueWords(words, name);
  return value.map((one) => codes[one] ?? partText(show, one)).join("; ") || "–";
}

function valueWords(words: Words, name: string): Readonly<Record<string, string>> {
  const { discovery, links, product: { identity }, settings, webhooks } = words;
  const codes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    mode: discovery.modes,
    scopes: settings.keys.scopeTexts,
    events: webhooks.events,
    role: settings.people.roles,
    secondFactorRoles: settings.people.roles,
    disabledBy: links.disablers,
    said: { confirmed: identity.isConfirmed, rejected: identity.isRejected },
  };
  return codes[name] ?? {};
}

function partText(show: Show, part: unknown): string {
  if (typeof part === "string") return part;
  if (!isRecord(part) || typeof part.amountCents !== "number") return JSON.stringify(part);
  const price = show.money(
    part.amountCents,
    typeof part.currency === "string" ? part.currency : null,
  );
  return typeof part.tier === "string" ? `${part.tier} ${price}` : price;
}

export function actorText(
  { auditLog: { actors } }: Words,
  { actor }: { readonly actor: Readonly<Record<"type" | "id" | "name", string>> },
): string {
  if (actor.type !== "system") return actor.name;
  return actor.id === "rules" ? actors.rules : actor.id === "erp" ? actors.erp : actors.system;
}
