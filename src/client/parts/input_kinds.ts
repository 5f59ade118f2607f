/**
 * Attributes of each kind of text field. They are separate objects because the types of JSX distinguish
 * the kinds.
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
