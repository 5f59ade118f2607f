/**
 * robots.txt files that are very expensive to parse or match. Each file is about as long as
 * allowed.
 */
export function hostileRobots(): readonly { readonly name: string; readonly text: string }[] {
  const rules = (line: string) => `User-agent: *\n${line}`;
  const many = (count: number, line: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => line(n)).join("\n");
  const all = "User-agent: *\nDisallow: /";
  return [
    { name: "blanks within a value", text: rules(`Disallow: /a${" ".repeat(450_000)}b`) },
    { name: "tabs within a value", text: rules(`Disallow: /a${"\t".repeat(450_000)}b`) },
    { name: "blanks before a name", text: `${" ".repeat(450_000)}x\n${all}` },
    { name: "blanks behind a name", text: rules(`Disallow${" ".repeat(450_000)}`) },
    {
      name: "blanks in every line",
      text: rules(`Disallow: /a${" ".repeat(4_000)}b\n`.repeat(120)),
    },
    { name: "a name without end", text: "a".repeat(480_000) },
    { name: "empty lines", text: "\r".repeat(480_000) },
    { name: "comments", text: "#".repeat(480_000) },
    { name: "agents without rules", text: many(35_000, (n) => `User-agent: ${n}`) },
    { name: "groups", text: many(12_000, (n) => `User-agent: *\nAllow: /${n}`) },
    { name: "rules", text: rules(many(35_000, (n) => `Disallow: /${n}`)) },
    {
      name: "rules of stars",
      text: rules(many(300, (n) => `Disallow: /${"*a".repeat(800)}${n}$`)),
    },
    { name: "one rule of stars", text: rules(`Disallow: /${"*a".repeat(230_000)}$`) },
    {
      name: "pieces that almost match",
      text: rules(many(400, (n) => `Disallow: /*b${"a".repeat(1_000)}${n}`)),
    },
    {
      name: "pieces that match late",
      text: rules(many(400, (n) => `Disallow: /*${"a".repeat(500)}b*${"a".repeat(500)}${n}`)),
    },
    { name: "index pages", text: rules(`Allow: ${"/index.htm".repeat(46_000)}`) },
    { name: "octets", text: rules(`Disallow: /${"%c3%a4".repeat(78_000)}`) },
    { name: "letters beyond ASCII", text: rules(many(20_000, () => "Disallow: /ä/ö/ü/")) },
    { name: "octets that are none", text: rules(`Disallow: /${"%".repeat(470_000)}`) },
    { name: "lone surrogates", text: rules(`Disallow: /${"\ud800".repeat(200_000)}`) },
  ];
}

/** Long paths, up to the maximum length of a match's URL. */
export const HOSTILE_PATHS: readonly string[] = [
  `/${"a".repeat(2_000)}`,
  `/${"ab".repeat(1_000)}`,
  `/index.htm${"/index.htm".repeat(190)}`,
  `/%C3%A4${"%c3%a4".repeat(300)}?q=${"%".repeat(100)}`,
];
