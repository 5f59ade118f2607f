/** What a robots.txt says beside its rules; plain functions, for the text of a stranger. */
import { crawlDelayMs, parseRobots } from "./robots_rules.ts";

/** A file, and the product token that it knows the crawler by. */
export interface DirectivesQuestion {
  readonly text: string;
  readonly token: string;
}

export interface RobotsDirectives {
  /** As the file names them. */
  readonly sitemaps: readonly string[];
  /** Null where it asks for none. */
  readonly crawlDelayMs: number | null;
}

export function robotsDirectives({ text, token }: DirectivesQuestion): RobotsDirectives {
  const rules = parseRobots(text);
  return { sitemaps: rules.sitemaps, crawlDelayMs: crawlDelayMs(rules, token) };
}
