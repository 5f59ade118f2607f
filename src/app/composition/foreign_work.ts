/** The pure functions that the Worker runs on untrusted content. */
import { extractorErrors } from "../../engine/extraction/extractors.ts";
import { readLinks } from "../../scraping/discovery/read_links.ts";
import { readSitemap } from "../../scraping/discovery/read_sitemap.ts";
import { judgeAnswer } from "../../scraping/page/judge_answer.ts";
import { readRobots } from "../../scraping/page/robots_rules.ts";

const FUNCTIONS = {
  page: judgeAnswer,
  robots: readRobots,
  sitemap: readSitemap,
  links: readLinks,
  extractor: extractorErrors,
};

type Functions = typeof FUNCTIONS;

export type ForeignInputs = { readonly [Name in keyof Functions]: Parameters<Functions[Name]>[0] };

export type ForeignWork = {
  readonly [Name in keyof Functions]: (input: ForeignInputs[Name]) => ReturnType<Functions[Name]>;
};

export const FOREIGN_WORK: ForeignWork = FUNCTIONS;

export type ForeignJob<Asked extends keyof ForeignWork = keyof ForeignWork> = {
  readonly [Name in Asked]: { readonly name: Name; readonly input: ForeignInputs[Name] };
}[Asked];
