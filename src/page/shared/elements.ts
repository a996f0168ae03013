/** Creates elements. Text only ever becomes a text node, so nothing in a row can become markup. */

/** The content of an element; null means none. */
export type Child = Node | string | null;

/** Attributes by name: false and null omit one, true leaves it empty; a function listens to the event of that name. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | null | ((event: Event) => void)>
>;

/** A new HTML element. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** A new SVG element. */
export function drawing<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else setAttribute(made, name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** The key that does what its button does, for the eyes. */
export function keySign(key: string): HTMLElement {
  return element('kbd', { 'aria-hidden': 'true' }, key);
}

/** Sets an attribute, or removes it where the value is null or false. */
export function setAttribute(target: Element, name: string, value: string | number | boolean | null): void {
  if (value === null || value === false) target.removeAttribute(name);
  else target.setAttribute(name, value === true ? '' : String(value));
}

/**
 * Gives the parent these children in this order without moving those in place, which keeps focus, scrolling and videos.
 */
export function arrange(parent: Element, children: readonly Element[]): void {
  const wanted = new Set<Element>(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}

/** Sets the text only if it differs. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
