/** The pure functions that the Worker runs on foreign content. */
import { extractorErrors } from "../../shops/extractor_errors.ts";
import { readLinks } from "../../scraping/discovery/read_links.ts";
import { readSitemap } from "../../scraping/discovery/read_sitemap.ts";
import { judgeAnswer } from "../../scraping/page/judge_answer.ts";
import { createRobotsCache, robotsDirectives } from "../../scraping/page/robots_rules.ts";

export function createForeignWork() {
  return {
    page: judgeAnswer,
    robots: createRobotsCache(),
    directives: robotsDirectives,
    sitemap: readSitemap,
    links: readLinks,
    extractor: extractorErrors,
  };
}

type Functions = ReturnType<typeof createForeignWork>;

export type ForeignInputs = { readonly [Name in keyof Functions]: Parameters<Functions[Name]>[0] };

export type ForeignWork = {
  readonly [Name in keyof Functions]: (input: ForeignInputs[Name]) => ReturnType<Functions[Name]>;
};

export type ForeignJob<Asked extends keyof ForeignWork = keyof ForeignWork> = {
  readonly [Name in Asked]: { readonly name: Name; readonly input: ForeignInputs[Name] };
}[Asked];
