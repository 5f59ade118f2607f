/**
 * Reads pages and robots.txt files (RFC 9309) of shops. Runs in the sandbox, because shops may be
 * hostile. Robots.txt rules are limited in number, and matched without backtracking, to save time.
 */
import {
  type AnswerVerdict,
  failed,
  type RobotsQuestion,
  type RobotsReport,
  type ShopAnswer,
} from "./visit_tools.ts";
import type { Availability } from "../../base/codes.ts";
import { extractPrice } from "../../engine/extraction/extract_price.ts";
import { decodePage } from "../../engine/extraction/page/extraction_page.ts";
import { NO_FACTS } from "../../engine/extraction/page_facts.ts";

interface Rule {
  readonly allows: boolean;
  readonly pattern: string;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  /** Minimum number of seconds between two requests to the site; null if the file sets none. */
  crawlDelay: number | null;
}

interface RobotsRules {
  readonly groups: readonly Group[];
  readonly sitemaps: readonly string[];
}

/** After this many rules and agent names, the rest of a robots.txt file is ignored. */
export const RULES_MAX = 20_000;

export function parseRobots(text: string): RobotsRules {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let isOpen = false;
  let left = RULES_MAX;
  for (const line of linesOf(text)) {
    const field = fieldOf(line);
    if (field === null) continue;
    if (field.name === "user-agent") {
      if (!isOpen) groups.push({ agents: [], rules: [], crawlDelay: null });
      groups.at(-1)?.agents.push(agentOf(field.value));
      isOpen = true;
      left -= 1;
    } else if (field.name === "allow" || field.name === "disallow") {
      const rules = rulesOf(field.name === "allow", field.value);
      groups.at(-1)?.rules.push(...rules);
      isOpen = false;
      left -= rules.length;
    } else if (field.name === "crawl-delay") {
      const group = groups.at(-1);
      if (group) group.crawlDelay ??= secondsOf(field.value);
      isOpen = false;
    } else if (field.name === "sitemap" && sitemaps.length < 500) {
      if (field.value.length <= 2_048) sitemaps.push(field.value);
    }
    if (left <= 0) break;
  }
  return { groups, sitemaps };
}

function* linesOf(text: string): Generator<string> {
  const begin = text.startsWith("\ufeff") ? 1 : 0;
  // RFC 9309 §2.5 requires that at least 500 KiB are read.
  for (const line of text.slice(begin, begin + 512_000).split(/[\r\n]/)) {
    // Limits the length of a line, as Google's parser of robots.txt does.
    if (line !== "") yield line.slice(0, 16_664);
  }
}

/** Parses a line `name: value`; some files have a blank instead of the colon. */
function fieldOf(line: string): { name: string; value: string } | null {
  const comment = line.indexOf("#");
  const text = (comment < 0 ? line : line.slice(0, comment)).trimStart();
  const name = /^[a-z-]+/i.exec(text)?.[0];
  if (name === undefined) return null;
  const rest = text.slice(name.length);
  const bare = rest.trimStart();
  if (bare.startsWith(":")) return { name: name.toLowerCase(), value: bare.slice(1).trim() };
  return rest === bare ? null : { name: name.toLowerCase(), value: bare.trim() };
}

function agentOf(value: string): string {
  if (/^\*(\s|$)/.test(value)) return "*";
  return (/^[a-z_-]*/i.exec(value)?.[0] ?? "").toLowerCase();
}

/** A rule that allows `/folder/index.html` also allows `/folder/`. */
function rulesOf(allows: boolean, value: string): Rule[] {
  if (value === "") return [];
  const pattern = normalised(value);
  const name = pattern.lastIndexOf("/") + 1;
  const isIndex = allows && name > 0 && pattern.startsWith("index.htm", name);
  return [
    { allows, pattern },
    ...(isIndex ? [{ allows, pattern: `${pattern.slice(0, name)}$` }] : []),
  ];
}

export function allowsUrl({ groups }: RobotsRules, token: string, url: string): boolean {
  const { pathname = "/", search = "" } = URL.parse(url) ?? {};
  if (pathname === "/robots.txt") return true;
  const path = normalised(pathname + search);
  const rules = groupsFor(groups, token).flatMap((group) => group.rules);
  let best: Rule = { allows: true, pattern: "" };
  for (const rule of rules) {
    const { length } = rule.pattern;
    const isBetter = length > best.pattern.length ||
      (length === best.pattern.length && rule.allows);
    if (isBetter && matches(rule.pattern, path)) best = rule;
  }
  return best.allows;
}

export function crawlDelayMs({ groups }: RobotsRules, token: string): number | null {
  const delays = groupsFor(groups, token).flatMap(({ crawlDelay }) => crawlDelay ?? []);
  return delays.length === 0 ? null : Math.round(Math.max(...delays) * 1_000);
}

function secondsOf(value: string): number | null {
  const seconds = /^\d{1,6}(?:\.\d{1,3})?$/.test(value) ? Number(value) : NaN;
  return Number.isNaN(seconds) ? null : seconds;
}

function groupsFor(groups: readonly Group[], token: string): Group[] {
  const of = (agent: string) => groups.filter(({ agents }) => agents.includes(agent));
  const own = of(token.toLowerCase());
  return own.length > 0 ? own : of("*");
}

function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith("$");
  const pieces = (isAnchored ? pattern.slice(0, -1) : pattern).split("*");
  const [first = "", ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !isAnchored || path.length === first.length;
  const last = isAnchored ? rest.pop() ?? "" : "";
  let at = first.length;
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !isAnchored || (path.length - last.length >= at && path.endsWith(last));
}

/** Normalises percent-encoding (RFC 9309 §2.2.2). */
function normalised(text: string): string {
  return text
    .replaceAll(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(parseInt(octet.slice(1), 16));
      return /[a-z0-9._~-]/i.test(character) ? character : octet.toUpperCase();
    })
    .replaceAll(/\P{ASCII}+/gu, (run) => encodeURIComponent(run.toWellFormed()));
}

export function readRobots({ text, token, url }: RobotsQuestion): RobotsReport {
  const rules = parseRobots(text);
  return {
    isAllowed: allowsUrl(rules, token, url),
    sitemaps: rules.sitemaps,
    crawlDelayMs: crawlDelayMs(rules, token),
  };
}

/** A page that answers 404 may come back; a page that answers 410 is gone for good. */
const GONE: ReadonlyMap<number, Availability> = new Map([[404, "unknown"], [410, "discontinued"]]);

export function judgeAnswer(answer: ShopAnswer): AnswerVerdict {
  const { url, askedUrl, status, contentType, isChallenge, extractor, product } = answer;
  const { learning } = answer;
  const text = decodePage(answer.body, contentType);
  if (status < 200 || status >= 300) {
    const isBlocked = status === 403 || status === 429 || isChallenge || isBotWall(text);
    if (isBlocked) return blocked(status);
    const availability = GONE.get(status);
    const message = `The shop answers ${status}`;
    return availability === undefined
      ? failed(status, "http_error", message)
      : failed(status, "gone", message, [], { ...NO_FACTS, pageStatus: "gone", availability });
  }
  const { result, facts, recipe, digest, trace } = extractPrice(
    { url, contentType, text },
    { extractor, product, askedUrl, ...learning },
  );
  const lesson = { recipe, digest };
  if ("price" in result) {
    return { kind: "priced", httpStatus: status, found: result, facts, lesson, trace };
  }
  const { errorCode, message, alternatives } = result;
  const isPlain = errorCode === "no_price" || errorCode === "gone";
  if (isPlain && (isChallenge || isBotWall(text))) return blocked(status);
  return { ...failed(status, errorCode, message, alternatives, facts), lesson, trace };
}

function blocked(status: number): AnswerVerdict {
  const why = status === 429 ? "asks for fewer requests" : "lets no programs in";
  const facts = { ...NO_FACTS, pageStatus: "blocked" } as const;
  return failed(status, "blocked", `The shop ${why} (${status})`, [], facts);
}

const CHALLENGE_MARKS = [
  /<title>\s*(?:just a moment|attention required! \| cloudflare)/i,
  /\bcf-chl-|challenge-error-text|window\._cf_chl_opt/,
  /geo\.captcha-delivery\.com|captcha-delivery\.com\/c\.js/,
  /_Incapsula_Resource|Incapsula incident ID/,
  /id=["']px-captcha|_pxCaptcha/,
  /<title>\s*pardon our interruption/i,
  /errors\.edgesuite\.net/,
  /awsWafCookieDomainList|AwsWafIntegration\.(?:getToken|saveReferrer)/,
  /<title>\s*(?:access denied|zugriff verweigert|bot verification|robot check|sind sie ein mensch)/i,
];

const CHARACTERS_READ = 100_000;

/** True if a page looks like bot protection. Call it only for pages that show no price. */
function isBotWall(text: string): boolean {
  const begin = text.slice(0, CHARACTERS_READ);
  return CHALLENGE_MARKS.some((mark) => mark.test(begin));
}
