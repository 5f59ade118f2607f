import type { MethodList } from "../../../scraping/runs/run.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";

/** What the ways to a price are called, by their codes; a code is shown until the names are there. */
export function useMethodNames(): (code: string) => string {
  const { language } = useApp();
  const { data } = useDocument<MethodList>({
    key: ["references", "methods"],
    path: "/api/scrape-methods",
  });
  return (code) => data?.data.find(({ value }) => value === code)?.label[language.value] ?? code;
}
