// Searches the directory as a reader types a word and presses enter. Public reads need no key, and a page must never hold
// one: anyone who opens it could take it.
import { TrustDirectory } from '@trust-directory/sdk';

const baseUrl = new URLSearchParams(location.search).get('directory') ?? 'http://127.0.0.1:4000';
const client = new TrustDirectory({ baseUrl, apiKey: null, timeoutMs: 10_000 });
const form = document.querySelector('form');
const status = document.querySelector('output');
const list = document.querySelector('ul');
let running = new AbortController();

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  // A newer search ends the one before it, so that its late answer can't cover the newer one.
  running.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    const q = new FormData(form).get('q');
    const { data, total, totalIsLowerBound } = await client.agents.list({ q, limit: 10 }, { signal });
    // Many matches are not counted to the last one: the total is then a lower bound.
    status.textContent = `${total}${totalIsLowerBound ? '+' : ''} found`;
    list.replaceChildren(...data.map(itemOf));
  } catch (error) {
    if (!signal.aborted) status.textContent = error.message;
  }
});

// Names are chosen by strangers: they are put in as text, never as HTML.
function itemOf({ name, trustScore, confidence }) {
  const item = document.createElement('li');
  const score = trustScore === null ? 'not scored yet' : `trust ${trustScore}, confidence ${confidence}`;
  item.textContent = `${name}: ${score}`;
  return item;
}
