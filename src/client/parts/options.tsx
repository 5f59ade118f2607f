export const INPUT_KINDS = {
  text: { type: "text" },
  email: { type: "email" },
  password: { type: "password" },
  url: { type: "url" },
  search: { type: "search" },
  date: { type: "date" },
} as const;

export type InputKind = keyof typeof INPUT_KINDS;

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** An object maps each option's value to its label. */
export type Options = readonly Option[] | Readonly<Record<string, string>>;

const isList = (options: Options): options is readonly Option[] => Array.isArray(options);

export function OptionList({ options, none }: { options: Options; none?: string | undefined }) {
  const list = isList(options)
    ? options
    : Object.entries(options).map(([value, label]) => ({ value, label }));
  return (
    <>
      {none !== undefined && <option value="">{none}</option>}
      {list.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
    </>
  );
}

type Named = { id: string } & ({ readonly name: string } | { readonly displayName: string });

export function optionsOf(rows: readonly Readonly<Named>[]): Option[] {
  return rows.map((row) => ({
    value: row.id,
    label: "displayName" in row ? row.displayName : row.name,
  }));
}
