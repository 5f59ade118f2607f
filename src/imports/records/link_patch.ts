import { readFlag } from "../../base/flag_de.ts";
import { shortened } from "../finding.ts";
import type { LinkPatch } from "../product_patch.ts";
import { LINK_SLOTS } from "./compiled_profile.ts";
import type { Frame, FramePool } from "./raw_record.ts";
import { placeOf, type RecordFindings } from "./record_findings.ts";

/** A product has so many links. */
const LINKS_MAX = 200;
const URL_CHARS_MAX = 2_048;
const NAME_CHARS_MAX = 200;
const HOSTS_KEPT_MAX = 4_096;

/** An address whose host is a plain name: nothing but the host needs to be judged. */
const PLAIN = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)(?:[/?#]|$)/i;

/** Judges the addresses of an upload; hosts repeat, so that answers are kept. */
export class WebAddresses {
  readonly #isPublic: (url: URL) => boolean;
  readonly #answers = new Map<string, boolean>();

  /** `isPublic` refuses hosts that are private address literals. */
  constructor(isPublic: (url: URL) => boolean) {
    this.#isPublic = isPublic;
  }

  /** True for http and https without credentials, at most 2,048 characters, on a public host. */
  accepts(text: string): boolean {
    if (text.length > URL_CHARS_MAX) return false;
    const host = PLAIN.exec(text)?.[1];
    if (host === undefined) return this.#judge(text);
    const known = this.#answers.get(host);
    if (known !== undefined) return known;
    const answer = this.#judge(text);
    if (this.#answers.size < HOSTS_KEPT_MAX) this.#answers.set(host, answer);
    return answer;
  }

  #judge(text: string): boolean {
    const url = URL.parse(text);
    if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
    return url.username === "" && url.password === "" && this.#isPublic(url);
  }
}

/** The links of a record; a bad address is a warning on that link alone (decisions §7.1, "Links"). */
export function readLinks(
  links: FramePool,
  addresses: WebAddresses,
  findings: RecordFindings,
): LinkPatch[] {
  const found: LinkPatch[] = [];
  for (let index = 0; index < links.count; index++) {
    const frame = links.at(index);
    const url = frame.values[LINK_SLOTS.url] ?? "";
    if (!addresses.accepts(url)) {
      const message = `"${shortened(url)}" is not a public web address`;
      findings.warn("invalid_url", message, placeOf(frame, LINK_SLOTS.url));
    } else if (found.length === LINKS_MAX) {
      const message = `A product has at most ${LINKS_MAX} links`;
      findings.warnOnce("too_long", message, placeOf(frame, LINK_SLOTS.url));
    } else {
      found.push(linkOf(frame, url));
    }
  }
  return found;
}

function linkOf(frame: Frame, url: string): LinkPatch {
  const enabled = frame.values[LINK_SLOTS.enabled] ?? null;
  return {
    url,
    name: frame.values[LINK_SLOTS.name]?.slice(0, NAME_CHARS_MAX) || null,
    domain: frame.values[LINK_SLOTS.domain]?.toLowerCase() || null,
    enabled: enabled === null || readFlag(enabled) !== false,
  };
}
