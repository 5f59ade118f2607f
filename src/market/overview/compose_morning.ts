/** The morning mail in the language of the workspace. */

import { changePct, sharePct } from "../../base/percent.ts";
import type { Audience } from "../../engine/wording/show.ts";
import { morningWordsOf } from "../../engine/wording/morning_words.ts";
import type { MailText } from "../../messages/alerts/mail_store.ts";
import type { MorningFacts, MorningMove } from "./morning_facts.ts";

interface MorningReaders extends Audience {
  readonly workspace: string;
  /** Base URL of the web client; `null` when unknown. */
  readonly publicUrl: string | null;
  /** The date as people of the workspace write it, such as `20.11.2026`. */
  readonly day: string;
}

/** True if nothing waits, nothing is missing and nothing has moved. */
export function isQuiet({ open, lateHours, failingShops, moves }: MorningFacts): boolean {
  return open === 0 && lateHours === null && failingShops.length === 0 && moves.total === 0;
}

/** Composes the mail, also for a quiet day. */
export function composeMorning(facts: MorningFacts, to: MorningReaders): MailText {
  const { show, day } = to;
  const words = morningWordsOf(to.language);
  const number = (count: number) => show.number(count);
  const { open, expiring, moves, lateHours, failingShops } = facts;
  const counts = [
    ...(open > 0 ? [words.proposals(open, number(open))] : []),
    ...(expiring > 0 ? [words.expiring(expiring, number(expiring))] : []),
    ...(moves.total > 0 ? [words.moved(moves.total, number(moves.total))] : []),
  ];
  const missing = [
    ...(lateHours === null ? [] : [words.late(number(lateHours))]),
    ...failingShops.map(words.failing),
  ];
  const quiet = isQuiet(facts);
  const what = quiet ? words.quietSubject : counts.join(", ") || words.dataTitle;
  const parts = [
    ...(quiet ? [words.quiet] : []),
    ...(counts.length > 0 ? [`${counts.join(", ")}.`] : []),
    ...section(words.dataTitle, missing),
    ...section(words.standTitle, positionOf(facts, to)),
    ...section(words.movesTitle, moves.groups.map((move) => moveLine(move, to))),
    ...section(
      words.proposalsTitle,
      facts.proposals.map(({ sku, title, currentCents, proposedCents, currency }) => {
        const change = currentCents === 0
          ? ""
          : ` (${show.percentChange(changePct(currentCents, proposedCents))})`;
        const step = `${show.money(currentCents, currency)} → ${
          show.money(proposedCents, currency)
        }`;
        return `${sku} ${title}: ${step}${change}`;
      }),
    ),
    ...(to.publicUrl === null ? [] : [words.open(to.publicUrl)]),
    words.unsubscribe,
  ];
  // A line break would end the header of the mail.
  const subject = `[${to.workspace}] ${words.subject(day, what)}`.replace(/\p{Cc}+/gu, " ");
  return { subject, text: `${parts.join("\n\n")}\n` };
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}\n${lines.map((line) => `- ${line}`).join("\n")}`];
}

function positionOf({ stand }: MorningFacts, { show, language }: MorningReaders): string[] {
  if (stand === null || stand.compared === 0) return [];
  const words = morningWordsOf(language);
  const { compared, cheapest, middle, dearest, indexPct } = stand;
  const share = (count: number) => show.percent(sharePct(count / compared, 0));
  return [
    words.stand(show.number(compared), share(cheapest), share(middle), share(dearest)),
    ...(indexPct === null ? [] : [words.index(show.tenths(indexPct))]),
  ];
}

function moveLine(
  { kind, competitor, category, products, changePct: pct }: MorningMove,
  { show, language }: MorningReaders,
): string {
  const words = morningWordsOf(language);
  const text = words.group[kind](competitor, show.number(products), show.percentChange(pct ?? 0));
  return category === null ? text : words.within(text, category);
}
