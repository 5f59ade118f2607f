/** The kinds of text fields, each as attributes of its own: the types of JSX tell them apart. */
export const INPUT_KINDS = {
  text: { type: "text" },
  email: { type: "email" },
  password: { type: "password" },
  url: { type: "url" },
  search: { type: "search" },
  date: { type: "date" },
} as const;

export type InputKind = keyof typeof INPUT_KINDS;
