import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";

/** Names of the extraction methods by code; “…” until they are loaded. */
export function useMethodNames(): (code: string) => string {
  const { language } = useApp();
  const { data } = useDocument({
    key: ["references", "methods"],
    read: (api) => api.GET("/api/scrape-methods"),
  });
  return (code) => {
    if (data === undefined) return "…";
    return data.data.find(({ value }) => value === code)?.label[language.value] ?? code;
  };
}
