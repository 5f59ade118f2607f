/** The `type` attribute for each kind of input, as an object to spread into JSX. */
export const INPUT_KINDS = {
  text: { type: "text" },
  email: { type: "email" },
  password: { type: "password" },
  url: { type: "url" },
  search: { type: "search" },
  date: { type: "date" },
} as const;

export type InputKind = keyof typeof INPUT_KINDS;
