import type { Preview } from "../../../imports/preview_upload.ts";
import { useApp } from "../../app/app.ts";

const SHOWN = 3;

/** Findings in a column, one line per kind with its count. */
export function FindingTallies({ tallies }: { tallies: Preview["tallies"] }) {
  const { words, show } = useApp();
  if (tallies.length === 0) return null;
  return (
    <ul class="tallies">
      {tallies.slice(0, SHOWN).map(({ severity, code, count, value }) => (
        <li key={`${severity} ${code}`} class={severity === "error" ? "loss" : undefined}>
          {words.mapping.times(show.number(count), words.service.findings[code] ?? code)}
          {value && (
            <>
              <code>{value}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
