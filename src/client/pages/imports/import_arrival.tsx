import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp } from "../../app/app.ts";

/** Whether the prices that the ERP had fetched came back with this file; nothing where none was awaited. */
export function ImportArrival({ arrival }: Pick<ImportDocument, "arrival">) {
  const { words, show } = useApp();
  const texts = words.priceArrivals;
  if (arrival === null || arrival.expected === 0) return null;
  const { expected, arrived, missing } = arrival;
  return (
    <p class={missing > 0 ? "note warn" : "note good"}>
      {texts.ofImport(show.number(arrived), show.number(expected))}{" "}
      {missing > 0 && (
        <a href="/imports/arrivals">{texts.notArrived(show.number(missing), missing)}</a>
      )}
    </p>
  );
}
