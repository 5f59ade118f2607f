import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SentencePart } from "../../../engine/wording/price_sentence.ts";
import { useDocument, useList } from "../../app/app.ts";
import type { References } from "./rule_draft.ts";
import { get, where } from "../../api/call.ts";

export interface ClauseCount {
  readonly text: string;
  readonly title: string;
}

interface ClauseProps {
  readonly lead: string;
  /** Each part of the sentence is a button that opens a field. */
  readonly parts: readonly SentencePart[];
  /** The text of the button if there is no sentence, or if a part of the sentence is empty. */
  readonly none: string;
  readonly isOpen?: boolean;
  readonly count?: ClauseCount | null;
  /**
   * True if the service refused a field of the clause. A clause with an error always shows its
   * fields.
   */
  readonly hasError?: boolean;
  readonly children: ComponentChildren;
}

export function Clause(props: ClauseProps) {
  const { lead, parts, none, isOpen = false, hasError = false, count, children } = props;
  const id = useId();
  const body = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(isOpen);
  const [wanted, setWanted] = useState<string | null>(null);
  const isShown = isAsked || hasError;
  // A layout effect runs before the next key press, so that the key reaches the field.
  useLayoutEffect(() => {
    if (wanted !== null && body.current) fieldAt(body.current, wanted)?.focus();
  }, [wanted]);
  const press = (path: string) => {
    const isSecond = isAsked && wanted === path;
    setAsked(!isSecond);
    setWanted(isSecond ? null : path);
  };
  const pieces = parts.length === 0 ? [{ path: "", text: none }] : parts;
  return (
    <div class="clause" role="group" aria-labelledby={id}>
      <span class="clause-lead" id={id}>{lead}</span>
      <div class="pieces flow gap-6">
        {pieces.map(({ path, text }) => (
          <button
            key={path + text}
            type="button"
            class={parts.length === 0 ? "piece unset" : "piece"}
            aria-expanded={isShown}
            aria-controls={`${id}-body`}
            onClick={() => press(path)}
          >
            {text === "" ? none : text}
          </button>
        ))}
      </div>
      {count && (
        <span class="clause-count" title={count.title}>
          <span aria-hidden="true">{count.text}</span>
          <span class="sr-only">{count.title}</span>
        </span>
      )}
      <div class="clause-body" id={`${id}-body`} ref={body}>{isShown && children}</div>
    </div>
  );
}

/** The field at `path`; else one below this path, else one above it, else the first field. */
function fieldAt(body: HTMLElement, path: string): HTMLElement | null {
  const fields = [...body.querySelectorAll<HTMLElement>("[name], [data-name]")];
  const nameOf = (field: HTMLElement) =>
    field.getAttribute("name") ?? field.getAttribute("data-name") ?? "";
  return fields.find((field) => nameOf(field) === path) ??
    fields.find((field) => `${nameOf(field)}.`.startsWith(`${path}.`)) ??
    fields.find((field) => path.startsWith(`${nameOf(field)}.`)) ?? fields[0] ?? null;
}

interface FoundReferences {
  readonly references: References | null;
  readonly error: unknown;
  again(): void;
}

export function useReferences(): FoundReferences {
  const triggers = useDocument(get("/api/rules/triggers"));
  const actions = useDocument(get("/api/rules/actions"));
  return {
    references: triggers.data && actions.data
      ? { triggers: triggers.data.data, actions: actions.data.data }
      : null,
    error: triggers.error ?? actions.error,
    again: () => {
      void triggers.refetch();
      void actions.refetch();
    },
  };
}

/** Reads only the first 200 competitors. */
export function useCompetitors() {
  return useList((page) => get("/api/competitors", where(page)), { limit: 200 });
}

/** Returns the name of a competitor; an unknown competitor is named by its id. */
export function useCompetitorNames(): (id: string) => string {
  const { rows } = useCompetitors();
  const names = new Map(rows.map(({ id, displayName }) => [id, displayName]));
  return (id) => names.get(id) ?? id;
}
