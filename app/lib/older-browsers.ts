/* Adds the functions that pages call and that Chrome 90 or Safari 14 lack. Older phones get no newer browser. */

// biome-ignore lint/suspicious/noExplicitAny: each function names the type of its object
type Method = (this: any, ...given: any[]) => unknown;

function add(type: { prototype: object } | undefined, name: string, value: Method): void {
  if (type && !(name in type.prototype)) Object.defineProperty(type.prototype, name, { value });
}

add(Array, "at", function (this: unknown[], at: number) {
  return this[at < 0 ? this.length + at : at];
});
add(Array, "findLast", function (this: unknown[], test: (item: unknown) => boolean) {
  return [...this].reverse().find(test);
});
add(Array, "toReversed", function (this: unknown[]) {
  return [...this].reverse();
});
add(globalThis.Element, "checkVisibility", function (this: Element) {
  return this.getClientRects().length > 0;
});
// A dialog that the browser does not know is part of the page.
if (!globalThis.HTMLDialogElement)
  for (const name of ["showModal", "close"])
    add(globalThis.HTMLElement, name, function (this: Element) {
      this.toggleAttribute("open", name === "showModal");
    });
// Safari before 15.4 does not name the button that submits a form. Enter in a field clicks the form's first button.
if (globalThis.document && !("submitter" in (globalThis.SubmitEvent ?? Event).prototype)) {
  let clicked: HTMLButtonElement | null = null;
  const remember = ({ target }: Event) => {
    clicked = (target as Element).closest("button");
  };
  document.addEventListener("click", remember, true);
  Object.defineProperty(Event.prototype, "submitter", {
    get(this: Event) {
      return clicked?.form === this.target ? clicked : null;
    },
  });
}
