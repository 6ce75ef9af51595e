// Searches the directory when a visitor presses Enter. Public reads need no key, and a page must never contain one,
// because every visitor could read it.
import { TrustDirectory } from '@trust-directory/sdk';

const baseUrl = new URLSearchParams(location.search).get('directory') ?? 'http://127.0.0.1:4000';
const client = new TrustDirectory({ baseUrl, apiKey: null, timeoutMs: 10_000 });
const form = document.querySelector('form');
const status = document.querySelector('output');
const list = document.querySelector('ul');
let running = new AbortController();

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  // A new search aborts the previous one, so that a late answer cannot replace a newer one.
  running.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    const q = new FormData(form).get('q');
    const { data, total, totalIsLowerBound } = await client.agents.list({ q, limit: 10 }, { signal });
    // If there are many matches, only a part is counted: the total is then a lower bound.
    status.textContent = `${total}${totalIsLowerBound ? '+' : ''} found`;
    list.replaceChildren(...data.map(itemOf));
  } catch (error) {
    if (!signal.aborted) status.textContent = error.message;
  }
});

// Anyone may choose a name, so insert names as text, never as HTML.
function itemOf({ name, trustScore, confidence }) {
  const item = document.createElement('li');
  const score = trustScore === null ? 'not scored yet' : `trust ${trustScore}, confidence ${confidence}`;
  item.textContent = `${name}: ${score}`;
  return item;
}
