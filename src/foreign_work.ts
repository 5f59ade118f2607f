/** All work on what strangers wrote: plain functions, for the Worker that does it. */
import { type ExtractorPrograms, misfitsOfExtractor } from "./competitors/extractor_misfits.ts";
import { type LinksQuestion, readLinks } from "./discovery/searches/read_links.ts";
import { readSitemap, type SitemapQuestion } from "./discovery/sitemaps/read_sitemap.ts";
import { judgeAnswer, type ShopAnswer } from "./scraping/page/judge_answer.ts";
import { createRobotsMemory, type RobotsQuestion } from "./scraping/robots/ask_robots.ts";
import { type DirectivesQuestion, robotsDirectives } from "./scraping/robots/robots_directives.ts";

/** What can be asked for. */
export type ForeignJob =
  | { readonly name: "page"; readonly input: ShopAnswer }
  | { readonly name: "robots"; readonly input: RobotsQuestion }
  | { readonly name: "directives"; readonly input: DirectivesQuestion }
  | { readonly name: "sitemap"; readonly input: SitemapQuestion }
  | { readonly name: "links"; readonly input: LinksQuestion }
  | { readonly name: "extractor"; readonly input: ExtractorPrograms };

/** What does it; `robots` remembers the files that it has read. */
export function createForeignWork() {
  return {
    page: judgeAnswer,
    robots: createRobotsMemory(),
    directives: robotsDirectives,
    sitemap: readSitemap,
    links: readLinks,
    extractor: misfitsOfExtractor,
  };
}
