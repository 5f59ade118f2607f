import { Dialog } from "../parts/dialog.tsx";
import { useApp } from "../app/app.ts";
import { NAV } from "./nav.ts";

/** Keys that no other list knows. */
const INBOX_KEYS: ReadonlySet<string> = new Set(["a", "r", "e", "s", "u"]);

/** Which keys do what. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const { words, usesKeys } = useApp();
  const { keys } = words;
  const rows: readonly (readonly [string, string])[] = [
    [words.palette.key, words.palette.open],
    ["/", keys.search],
    ["j  k", keys.move],
    ["Enter", keys.open],
    ["x", keys.select],
    ["Esc", keys.close],
    ...words.proposals.keysHint.filter(([key]) => INBOX_KEYS.has(key))
      .map(([key, text]) => [key, `${words.proposals.title}: ${text}`] as const),
    ...NAV.map(({ key, label }) => [`g ${key}`, keys.goTo(label(words))] as const),
    ["?", keys.title],
  ];
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl class="key-list">
        {rows.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <label class="menu-check">
        <input
          type="checkbox"
          checked={usesKeys.value}
          onChange={(event) => {
            usesKeys.value = event.currentTarget.checked;
          }}
        />
        {keys.areOn}
      </label>
    </Dialog>
  );
}
