/** Evaluates answers of shops. Runs in the sandbox, because an answer may be hostile. */
import type { Availability } from "../../base/codes.ts";
import { extractPrice } from "../../engine/extraction/extract_price.ts";
import { decodePage } from "../../engine/extraction/page/extraction_page.ts";
import { NO_FACTS } from "../../engine/extraction/page_facts.ts";
import { type AnswerVerdict, failed, type ShopAnswer } from "./visit_tools.ts";

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

/** A shop's bot protection may mark all its pages, so only pages without a price are tested. */
function isBotWall(text: string): boolean {
  const begin = text.slice(0, CHARACTERS_READ);
  return CHALLENGE_MARKS.some((mark) => mark.test(begin));
}
