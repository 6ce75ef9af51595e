/**
 * Marks one text of each look with `data-look`: texts with the same tags, classes, font, colour and background. Removes
 * earlier marks. Runs in the page.
 */
export function markDistinctLooks(): number {
  for (const marked of Array.from(document.querySelectorAll('[data-look]')))
    marked.removeAttribute('data-look');
  /** Looks of elements, including their ancestors' styles. */
  const looks = new Map<Element, string>();
  const lookOf = (element: Element): string => {
    const known = looks.get(element);
    if (known !== undefined) return known;
    const style = getComputedStyle(element);
    const look = [
      element.parentElement ? lookOf(element.parentElement) : '',
      element.tagName,
      element.getAttribute('class') ?? '',
      ...[style.color, style.fill, style.backgroundColor, style.backgroundImage, style.opacity],
      ...[style.fontSize, style.fontWeight, style.textShadow, style.position, style.visibility, style.filter],
    ].join('|');
    looks.set(element, look);
    return look;
  };
  const seen = new Set<string>();
  const hasText = (element: Element) =>
    /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(element.tagName) ||
    Array.from(element.childNodes).some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && (nodeValue ?? '').trim() !== '',
    );
  for (const element of Array.from(document.body.querySelectorAll('*'))) {
    if (!hasText(element) || !element.checkVisibility({ visibilityProperty: true })) continue;
    const look = `${lookOf(element)}|${element.matches(':disabled')}`;
    if (seen.has(look)) continue;
    seen.add(look);
    element.setAttribute('data-look', '');
  }
  return seen.size;
}
