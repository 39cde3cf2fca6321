import type { CDPSession, Page } from "@playwright/test";

/** Where an element or pseudo-element stands (`html/body1/main2/::before`), and the number of its styles. */
type Element = [path: string, style: number];

/** What each element looks like in a state: its styles by number, and those styles, each combination once. */
export type Look = { properties: string[]; elements: Record<string, Element[]>; styles: string[] };

/** Neither has a place among the elements that are seen; how many there are is no look of the page. */
const UNSEEN = new Set(["SCRIPT", "STYLE", "TEMPLATE", "LINK"]);
/** Where its box lies is compared like a property, so that a change is found where text alone moves it. */
const BOX = "(box)";

/** Other names of what is recorded anyway, and what follows from the box. */
const REPEATED = /^(--|-webkit-)|(^|-)(inline|block)(-|$)|-origin$/;

const KEPT = new Set(["-webkit-line-clamp", "-webkit-box-orient", "-webkit-text-fill-color"]);

/** Collects the computed styles of one page in several states. */
export class StyleRecord {
  readonly look: Look = { properties: [], elements: {}, styles: [] };
  readonly #numbers = new Map<string, number>();
  readonly #session: CDPSession;
  readonly #page: Page;

  constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** Records every element that is rendered now, those inside native controls included. */
  async add(state: string): Promise<void> {
    const all = await this.#page.evaluate(() => {
      // A running animation is at another point each time.
      for (const animation of document.getAnimations())
        if (animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY) animation.cancel();
        else animation.finish();
      return [...getComputedStyle(document.documentElement)].sort();
    });
    const properties = all.filter((name) => !REPEATED.test(name) || KEPT.has(name));
    const { documents, strings } = await this.#session.send("DOMSnapshot.captureSnapshot", {
      computedStyles: properties,
    });
    const { nodes, layout } = documents[0]!;
    const paths: string[] = [];
    const children: number[] = [];
    nodes.nodeName!.forEach((nameIndex, at) => {
      const parent = nodes.parentIndex![at]!;
      const name = strings[nameIndex]!;
      const isElement = nodes.nodeType![at] === 1 && !UNSEEN.has(name);
      const number = isElement && parent >= 0 ? (children[parent] ?? 0) : 0;
      if (isElement && parent >= 0) children[parent] = number + 1;
      paths[at] = `${paths[parent] ?? ""}/${name.toLowerCase()}${number}`;
    });
    this.look.properties = [...properties, BOX];
    const seen = new Set<number>();
    this.look.elements[state] = layout.nodeIndex.flatMap((node, at): Element[] => {
      // The first box of an element is its own; others are those of its text and marker.
      if (nodes.nodeType![node] !== 1 || seen.has(node)) return [];
      seen.add(node);
      const values = layout.styles[at]!.map((index) => strings[index]);
      const text = [...values, layout.bounds[at]!.join(" ")].join("\n");
      const known = this.#numbers.get(text);
      if (known !== undefined) return [[paths[node]!, known]];
      this.#numbers.set(text, this.look.styles.length);
      this.look.styles.push(text);
      return [[paths[node]!, this.look.styles.length - 1]];
    });
  }
}
