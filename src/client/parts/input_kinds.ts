/**
 * The `type` of each kind of text field. A single object with a union would not fit JSX, whose
 * types differ by `type`.
 */
export const INPUT_KINDS = {
  text: { type: "text" },
  email: { type: "email" },
  password: { type: "password" },
  url: { type: "url" },
  search: { type: "search" },
  date: { type: "date" },
} as const;

export type InputKind = keyof typeof INPUT_KINDS;
