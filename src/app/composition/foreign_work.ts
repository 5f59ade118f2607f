/** Declares the functions that a Web Worker runs on untrusted content, such as shop pages. */
import { extractorErrors } from "../../engine/extraction/extractors.ts";
import { readLinks, readSitemap } from "../../scraping/discovery/read_addresses.ts";
import { judgeAnswer, readRobots } from "../../scraping/page/read_answer.ts";

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
