import { jsonpath, type JSONPathQuery, TokenKind } from "json-p3";

const { expressions, selectors } = jsonpath;

const DESCENTS_MAX = 2;
const SEGMENTS_MAX = 30;
const SELECTORS_MAX = 50;
const WAYS_MAX = 64;
const FILTERS_DEEP_MAX = 2;
const EXPRESSION_DEPTH_MAX = 20;

/** True for a segment with two dots. */
export function isDescent(segment: jsonpath.JSONPathSegment): boolean {
  return segment.token.kind === TokenKind.DDOT;
}

/** The limit that a path goes beyond, as a sentence; null when it keeps them all. */
export function excessOf(query: JSONPathQuery): string | null {
  const count = new PathCount();
  count.addQuery(query, { filters: 0, isBehindDescent: false });
  return count.excess();
}

/** Where in a path a part of it stands. */
interface Place {
  /** In how many filters, one within the other. */
  readonly filters: number;
  /** True in a filter that is tried on all that a descent finds. */
  readonly isBehindDescent: boolean;
}

class PathCount {
  #descents = 0;
  #segments = 0;
  #selectors = 0;
  #ways = 1;
  #filters = 0;
  #depth = 0;
  #descendsAgain = false;
  #startsAgain = false;

  excess(): string | null {
    const counted: [boolean, string][] = [
      [this.#descents > DESCENTS_MAX, `".." more than ${DESCENTS_MAX} times`],
      [this.#descendsAgain, '".." in a filter behind another ".."'],
      [this.#startsAgain, 'a second "$"'],
      [this.#segments > SEGMENTS_MAX, `more than ${SEGMENTS_MAX} segments`],
      [this.#selectors > SELECTORS_MAX, `more than ${SELECTORS_MAX} selectors`],
      [this.#ways > WAYS_MAX, `lists in brackets that combine to more than ${WAYS_MAX} ways`],
      [this.#filters > FILTERS_DEEP_MAX, `more than ${FILTERS_DEEP_MAX} filters in each other`],
      [this.#depth > EXPRESSION_DEPTH_MAX, `a condition nested beyond ${EXPRESSION_DEPTH_MAX}`],
    ];
    const first = counted.find(([isBeyond]) => isBeyond);
    return first ? `Must not hold ${first[1]}` : null;
  }

  addQuery(query: JSONPathQuery, { filters, isBehindDescent }: Place): void {
    let isBehind = isBehindDescent;
    for (const segment of query.segments) {
      this.#segments += 1;
      this.#selectors += segment.selectors.length;
      this.#ways *= Math.max(1, segment.selectors.length);
      if (isDescent(segment)) {
        this.#descents += 1;
        this.#descendsAgain ||= filters > 0 && isBehind;
        isBehind = true;
      }
      for (const selector of segment.selectors) {
        if (!(selector instanceof selectors.FilterSelector)) continue;
        this.#filters = Math.max(this.#filters, filters + 1);
        const place = { filters: filters + 1, isBehindDescent: isBehind };
        this.#addExpression(selector.expression, place, 0);
      }
    }
  }

  #addExpression(
    expression: jsonpath.expressions.FilterExpression,
    place: Place,
    depth: number,
  ): void {
    this.#depth = Math.max(this.#depth, depth);
    if (expression instanceof expressions.RootQuery) this.#startsAgain = true;
    if (expression instanceof expressions.FilterQuery) this.addQuery(expression.path, place);
    for (const part of partsOf(expression)) this.#addExpression(part, place, depth + 1);
  }
}

function partsOf(
  expression: jsonpath.expressions.FilterExpression,
): readonly jsonpath.expressions.FilterExpression[] {
  if (expression instanceof expressions.LogicalExpression) return [expression.expression];
  if (expression instanceof expressions.PrefixExpression) return [expression.right];
  if (expression instanceof expressions.InfixExpression) return [expression.left, expression.right];
  return expression instanceof expressions.FunctionExtension ? expression.args : [];
}
