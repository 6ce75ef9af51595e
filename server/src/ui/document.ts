import type { VNode } from 'preact';
import { renderMarkup } from './render-markup.ts';

/** A whole document as text; whatever stands in it was escaped by the renderer. */
export function toDocument(page: VNode): string {
  return `<!doctype html>${renderMarkup(page)}`;
}
