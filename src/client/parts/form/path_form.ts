/**
 * Forms for documents. A value has the same path in the form as in the document. Numbers are texts
 * in the form, so that the form keeps invalid input as typed.
 */
import type { ComponentChildren } from "preact";
import { type FlagBinding, type FormOptions, type TextBinding, useForm } from "./fields.tsx";

export type Value = string | boolean | readonly Value[] | Values;
export interface Values {
  readonly [name: string]: Value;
}

function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

export function isValues(value: Value | undefined): value is Values {
  return typeof value === "object" && !isList(value);
}

export function valueAt(of: Value | undefined, path: string): Value | undefined {
  return path.split(".").reduce(
    (one, name) => isList(one) ? one[Number(name)] : isValues(one) ? one[name] : undefined,
    of,
  );
}

export function textAt(of: Value | undefined, path: string): string {
  const value = valueAt(of, path);
  return typeof value === "string" ? value : "";
}

export function isOnAt(of: Value | undefined, path: string): boolean {
  return valueAt(of, path) === true;
}

export function listAt(of: Value | undefined, path: string): readonly Value[] {
  const value = valueAt(of, path);
  return isList(value) ? value : [];
}

export function withValue(values: Values, path: string, value: Value): Values {
  const [name = "", ...rest] = path.split(".");
  return { ...values, [name]: replaced(values[name], rest, value) };
}

function replaced(of: Value | undefined, path: readonly string[], value: Value): Value {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (isList(of)) return of.with(Number(name), replaced(of[Number(name)], rest, value));
  const values = isValues(of) ? of : {};
  return { ...values, [name]: replaced(values[name], rest, value) };
}

export type PathForm = ReturnType<typeof usePathForm>;

export function usePathForm(options: FormOptions<Values>) {
  const form = useForm(options);
  const { values: draft, set, errorOf } = form;
  const put = (path: string, value: Value) => set(withValue(draft, path, value));
  return {
    ...form,
    draft,
    put,
    at: (path: string, label: string, hint?: ComponentChildren): TextBinding => ({
      ...{ name: path, label, hint },
      value: textAt(draft, path),
      error: errorOf(path),
      onValue: (value) => put(path, value),
    }),
    flagAt: (path: string, label: string, hint?: ComponentChildren): FlagBinding => ({
      ...{ name: path, label, hint },
      isOn: isOnAt(draft, path),
      onChange: (isOn) => put(path, isOn),
    }),
    /**
     * Connects a check box with a list at a path: the checked box adds the text `one` to the list.
     */
    pickAt: (path: string, all: readonly string[], one: string, label: string): FlagBinding => {
      const chosen = listAt(draft, path);
      return {
        name: `${path}.${one}`,
        label,
        isOn: chosen.includes(one),
        onChange: (isOn) =>
          put(path, all.filter((each) => each === one ? isOn : chosen.includes(each))),
      };
    },
  };
}
