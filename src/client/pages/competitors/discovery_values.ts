/** How pages of a shop are found, as a form holds it and as the service takes it. */
import type { Wire } from "../../api/wire.ts";

export type DiscoverySettings = Omit<Wire<"Discovery">, "state">;

const FEED_FORMATS = ["merchant_xml", "csv"] as const;
const [USUAL_FORMAT] = FEED_FORMATS;

export function settingsOf(discovery: Wire<"Discovery">): DiscoverySettings {
  const { state: _state, ...settings } = discovery;
  return settings;
}

/** Lists have one entry on each line. */
export function discoveryValues(settings: DiscoverySettings) {
  const { mode, pagesPerDay, sitemaps, include, exclude, feeds, searchTemplate } = settings;
  return {
    mode: String(mode),
    pagesPerDay: String(pagesPerDay),
    sitemaps: sitemaps === "robots" ? "" : sitemaps.join("\n"),
    feeds: feeds.map(({ url, format }) => `${format} ${url}`).join("\n"),
    searchTemplate: searchTemplate ?? "",
    include: include.join("\n"),
    exclude: exclude.join("\n"),
  };
}

type DiscoveryValues = ReturnType<typeof discoveryValues>;

/** The request body: the service refuses invalid numbers. */
export function discoveryBody(
  values: DiscoveryValues,
  mode: DiscoverySettings["mode"],
): DiscoverySettings {
  const sitemaps = linesOf(values.sitemaps);
  return {
    mode,
    pagesPerDay: Number(values.pagesPerDay.trim().replaceAll(".", "") || NaN),
    sitemaps: sitemaps.length === 0 ? "robots" : sitemaps,
    include: linesOf(values.include),
    exclude: linesOf(values.exclude),
    feeds: linesOf(values.feeds).map(feedOf),
    searchTemplate: values.searchTemplate.trim() || null,
  };
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

function feedOf(line: string): DiscoverySettings["feeds"][number] {
  const [first = "", ...rest] = line.split(/\s+/);
  const format = FEED_FORMATS.find((one) => one === first.toLowerCase());
  return format === undefined
    ? { url: line, format: USUAL_FORMAT }
    : { url: rest.join(" "), format };
}
