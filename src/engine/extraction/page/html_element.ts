/** An element; its text stands between its child elements as strings. */
export interface HtmlElement {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
  /** Null for the document alone, which is no element of the page. */
  readonly parent: HtmlElement | null;
}

export type HtmlNode = HtmlElement | string;
