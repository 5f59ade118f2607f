import { type ComponentChild, render } from "preact";
import { AppContext, useApp } from "../../app/app.ts";

/** What a cell says to who sees it, as one line of text. */
export function useCellText(): (cell: ComponentChild) => string {
  const app = useApp();
  return (cell) => {
    const box = document.createElement("div");
    render(<AppContext.Provider value={app}>{cell}</AppContext.Provider>, box);
    for (const small of box.querySelectorAll("small")) small.before(" ");
    const text = box.textContent?.replace(/\s+/g, " ").trim() ?? "";
    render(null, box);
    return text;
  };
}
