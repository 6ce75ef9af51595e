/** Returns descriptions of layout faults at this screen size; empty if there are none. Runs in the page. */
export function findLayoutFaults(): string[] {
  const faults: string[] = [];
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()}${element.className && typeof element.className === 'string' ? `.${element.className.replaceAll(' ', '.')}` : ''} “${(element.textContent ?? '').trim().slice(0, 40)}”`;
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    faults.push(`the page is ${document.documentElement.scrollWidth} wide on a screen of ${width}`);
  }

  /** Rendered lines of text, with their elements. */
  const lines: { box: DOMRect; owner: Element }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (
      !owner ||
      (node.textContent ?? '').trim() === '' ||
      !owner.checkVisibility({ visibilityProperty: true })
    )
      continue;
    if (owner.closest('.hidden, .skip, svg title, script, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const isShortWord = /^\s*[\p{L}-]{2,14}\s*$/u.test(node.textContent ?? '');
    if (isShortWord && new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) {
      faults.push(`is broken in the middle of a word: ${name(owner)}`);
    }
    const shown = owner.closest('.clamp')?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY;
    for (const box of Array.from(range.getClientRects())) {
      if (box.width > 1 && box.height > 1 && box.bottom < shown + 3) lines.push({ box, owner });
    }
  }

  /**
   * Visible area of an element that clips its content; null if it does not clip. Cached, because many lines share one.
   */
  const clips = new Map<Element, DOMRect | null>();
  const clipOf = (element: Element) => {
    const known = clips.get(element);
    if (known !== undefined) return known;
    const { overflowX, overflowY } = getComputedStyle(element);
    const showsAll = overflowX === 'visible' && overflowY === 'visible';
    const clip = showsAll ? null : element.getBoundingClientRect();
    clips.set(element, clip);
    return clip;
  };
  for (const { box, owner } of lines) {
    // Scrolling or intentionally truncated content may exceed its box.
    const frame = owner.closest('.scroll, .clamp, .facets dd');
    if (frame) continue;
    if (box.right > width + 1 || box.left < -1) faults.push(`runs off the screen: ${name(owner)}`);
    for (
      let parent: Element | null = owner;
      parent && parent !== document.body;
      parent = parent.parentElement
    ) {
      const clip = clipOf(parent);
      if (!clip) continue;
      const isCut =
        box.right > clip.right + 1 ||
        box.bottom > clip.bottom + 3 ||
        box.left < clip.left - 1 ||
        box.top < clip.top - 3;
      if (isCut && !(parent instanceof SVGElement)) faults.push(`is cut by ${name(parent)}: ${name(owner)}`);
    }
  }

  lines.sort((one, other) => one.box.top - other.box.top);
  for (const [index, first] of lines.entries()) {
    for (let next = index + 1; next < lines.length; next += 1) {
      const second = lines[next] as (typeof lines)[number];
      // All following lines begin below this one.
      if (second.box.top >= first.box.bottom) break;
      if (
        first.owner === second.owner ||
        first.owner.contains(second.owner) ||
        second.owner.contains(first.owner)
      )
        continue;
      const across = Math.min(first.box.right, second.box.right) - Math.max(first.box.left, second.box.left);
      const down = Math.min(first.box.bottom, second.box.bottom) - Math.max(first.box.top, second.box.top);
      // Line boxes of large letters are higher than the letters.
      if (across > 2 && down > Math.min(first.box.height, second.box.height) * 0.35) {
        faults.push(`lie on each other: ${name(first.owner)} and ${name(second.owner)}`);
      }
    }
  }

  // Labels of lines between boxes belong to neither box.
  for (const box of Array.from(document.querySelectorAll('svg g, svg a'))) {
    const frame = box.querySelector('rect')?.getBoundingClientRect();
    for (const text of frame ? Array.from(box.querySelectorAll('text:not(.equity)')) : []) {
      if (frame && text.getBoundingClientRect().right > frame.right)
        faults.push(`leaves its box: ${name(text)}`);
    }
  }
  return [...new Set(faults)];
}
