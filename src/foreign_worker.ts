/** The module of the Worker that reads what strangers wrote. */
import { createForeignWork, type ForeignJob } from "./foreign_work.ts";
import { serveSandbox } from "./platform/sandbox/serve_sandbox.ts";

const work = createForeignWork();

serveSandbox(({ name, input }: ForeignJob) => {
  switch (name) {
    case "page":
      return work.page(input);
    case "robots":
      return work.robots(input);
    case "directives":
      return work.directives(input);
    case "sitemap":
      return work.sitemap(input);
    case "links":
      return work.links(input);
    case "extractor":
      return work.extractor(input);
  }
});
