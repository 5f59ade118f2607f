/** Reads the competitor links of a record. */

import { readFlag } from "../../base/german_values.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { FileLink } from "../../shops/matches/link_plan.ts";
import { MATCHES_PER_PRODUCT_MAX } from "../../shops/matches/match.ts";
import { parseMatchUrl } from "../../shops/matches/match_url.ts";
import { shortened } from "../files/finding.ts";
import { LINK_SLOTS } from "./compiled_profile.ts";
import { type Frame, type FramePool, placeOf, type RecordFindings } from "./raw_record.ts";

const NAME_CHARS_MAX = 200;
const HOSTS_KEPT_MAX = 4_096;
const PLAIN_CHARS_MAX = 2_048;

/**
 * An address in plain ASCII whose host is a plain name: nothing but the host needs to be judged.
 */
const PLAIN = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/i;

/** Judges the addresses of an upload; hosts repeat, so that answers are kept. */
export class WebAddresses {
  readonly #allowed: AddressAllowList;
  readonly #answers = new Map<string, boolean>();

  constructor(allowed: AddressAllowList) {
    this.#allowed = allowed;
  }

  /** True for an address that a match may have. */
  accepts(text: string): boolean {
    const host = text.length <= PLAIN_CHARS_MAX ? PLAIN.exec(text)?.[1] : undefined;
    if (host === undefined) return "target" in parseMatchUrl(text, this.#allowed);
    const known = this.#answers.get(host);
    if (known !== undefined) return known;
    const answer = "target" in parseMatchUrl(text, this.#allowed);
    if (this.#answers.size < HOSTS_KEPT_MAX) this.#answers.set(host, answer);
    return answer;
  }
}

/**
 * The links of a record; a bad address is a warning on that link alone (docs/decisions/imports.md,
 * "Links").
 */
export function readLinks(
  links: FramePool,
  addresses: WebAddresses,
  findings: RecordFindings,
): FileLink[] {
  const found: FileLink[] = [];
  for (let index = 0; index < links.count; index++) {
    const frame = links.at(index);
    const url = frame.values[LINK_SLOTS.url] ?? "";
    if (!addresses.accepts(url)) {
      const message = `"${shortened(url)}" is not a public web address`;
      findings.warn("invalid_url", message, placeOf(frame, LINK_SLOTS.url));
    } else if (found.length === MATCHES_PER_PRODUCT_MAX) {
      const message = `A product has at most ${MATCHES_PER_PRODUCT_MAX} links`;
      findings.warnOnce("too_long", message, placeOf(frame, LINK_SLOTS.url));
    } else {
      found.push(linkOf(frame, url));
    }
  }
  return found;
}

function linkOf(frame: Frame, url: string): FileLink {
  const enabled = frame.values[LINK_SLOTS.enabled] ?? null;
  return {
    url,
    name: frame.values[LINK_SLOTS.name]?.slice(0, NAME_CHARS_MAX) || null,
    domain: frame.values[LINK_SLOTS.domain]?.toLowerCase() || null,
    enabled: enabled === null || readFlag(enabled) !== false,
  };
}
