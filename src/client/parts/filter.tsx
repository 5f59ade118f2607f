/** A list's filter, which is stored in the page's URL. */
import { fromKeys } from "../../base/collections.ts";
import { useLocation } from "preact-iso";
import { addressOf } from "../api/call.ts";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Button } from "./controls.tsx";
import { INPUT_KINDS, OptionList, type Options } from "./options.tsx";
import { useApp } from "../app/app.ts";

export type Filter<Name extends string> = ReturnType<typeof useFilter<Name>>;

export function useFilter<Name extends string>(names: readonly Name[]) {
  const { path, query, route } = useLocation();
  const values = fromKeys(names, (name) => query[name] ?? "");
  const key = JSON.stringify(values);
  // Reads the URL now, because another field may have changed it since the last rendering.
  const change = (changed: Readonly<Partial<Record<Name, string>>>) => {
    const now = Object.fromEntries(new URLSearchParams(location.search));
    route(addressOf(path, { ...now, ...changed }), true);
  };
  const set = (name: Name, value: string) => change(fromKeys([name], () => value));
  return {
    values,
    key,
    isAny: names.some((name) => values[name] !== ""),
    set,
    at: (name: Name) => ({ value: values[name], onValue: (value: string) => set(name, value) }),
    setAll: change,
    clear: () => change(fromKeys(names, () => "")),
  };
}

const PAUSE_MS = 250;

interface FilterTextProps {
  readonly label: string;
  readonly value: string;
  readonly type?: "search" | "text" | "date";
  readonly isMain?: boolean;
  /** An invalid text marks the field and does not reach `onValue`. */
  isValid?(text: string): boolean;
  onValue(value: string): void;
}

export function FilterText(
  { label, value, type = "text", isMain = false, isValid, onValue }: FilterTextProps,
) {
  const { words } = useApp();
  const id = useId();
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const isWrong = text.trim() !== "" && isValid?.(text) === false;
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === reported.current || isWrong) return;
    const timer = setTimeout(() => {
      reported.current = wanted;
      onValue(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class={isMain ? "filter row gap-6 main" : "filter row gap-6"}>
      <label for={id} class={isMain ? "sr-only" : undefined}>{label}</label>
      <input
        id={id}
        {...INPUT_KINDS[type]}
        value={text}
        placeholder={isMain ? label : undefined}
        aria-invalid={isWrong}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!isMain || event.key !== "Escape") return;
          event.preventDefault();
          setText("");
          reported.current = "";
          onValue("");
          document.querySelector<HTMLElement>("main")?.focus();
        }}
      />
      {isWrong && <small class="field-error" role="alert">{words.form.noNumber}</small>}
    </div>
  );
}

interface FilterChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: Options;
  readonly none?: string;
  onValue(value: string): void;
}

export function FilterChoice({ label, value, options, none, onValue }: FilterChoiceProps) {
  const id = useId();
  return (
    <div class="filter row gap-6">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        <OptionList options={options} none={none} />
      </select>
    </div>
  );
}

export function ClearFilter({ filter }: { filter: Pick<Filter<string>, "isAny" | "clear"> }) {
  const { words } = useApp();
  if (!filter.isAny) return null;
  return (
    <Button kind="quiet" icon="close" onClick={filter.clear}>{words.products.clearFilter}</Button>
  );
}

export function MainSearch({ label, filter }: { label: string; filter: Pick<Filter<"q">, "at"> }) {
  return <FilterText label={label} type="search" isMain {...filter.at("q")} />;
}

interface ChoiceBarProps<Name extends string> {
  readonly filter: Filter<Name>;
  readonly name: Name;
  readonly label: string;
  readonly options: Options;
}

export function ChoiceBar<Name extends string>(
  { filter, name, label, options }: ChoiceBarProps<Name>,
) {
  const { words } = useApp();
  return (
    <search class="filter-bar row flow gap-8">
      <FilterChoice label={label} {...filter.at(name)} options={options} none={words.all} />
      <ClearFilter filter={filter} />
    </search>
  );
}
