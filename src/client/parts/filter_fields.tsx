import { useEffect, useId, useRef, useState } from "preact/hooks";
import { INPUT_KINDS } from "./input_kinds.ts";

const PAUSE_MS = 250;

interface FilterTextProps {
  readonly label: string;
  readonly value: string;
  readonly type?: "search" | "text" | "date";
  /** The search field of the list, whose label is its placeholder. */
  readonly isMain?: boolean;
  /** In the bar only while there is room, in a menu, or in a menu only while there is no room. */
  readonly place?: "only-wide" | "in-menu" | "in-menu only-narrow";
  onValue(value: string): void;
}

/** A field of a filter bar; what is typed counts after a short pause. */
export function FilterText(
  { label, value, type = "text", isMain, place, onValue }: FilterTextProps,
) {
  const id = useId();
  const [text, setText] = useState(value);
  // The last value given to the filter: its answer must not undo later typing.
  const told = useRef(value);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === told.current) return;
    const timer = setTimeout(() => {
      told.current = wanted;
      onValue(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class={`filter ${isMain ? "main" : place ?? ""}`}>
      <label for={id} class={isMain ? "sr-only" : undefined}>{label}</label>
      <input
        id={id}
        {...INPUT_KINDS[type]}
        value={text}
        placeholder={isMain ? label : undefined}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!isMain || event.key !== "Escape") return;
          event.preventDefault();
          setText("");
          told.current = "";
          onValue("");
          focusMain();
        }}
      />
    </div>
  );
}

/** Out of the search field, so that single keys count for the list that it searches. */
function focusMain(): void {
  document.querySelector<HTMLElement>("main")?.focus();
}

interface FilterChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  onValue(value: string): void;
}

export function FilterChoice({ label, value, options, onValue }: FilterChoiceProps) {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>{option.label}</option>
        ))}
      </select>
    </div>
  );
}
