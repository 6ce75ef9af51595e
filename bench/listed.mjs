const LISTED_AT_ONCE = 100;

/** Reads up to `most` entries of the directory, in the default order. */
export async function listed(baseUrl, most, query = '') {
  const entries = [];
  for (let offset = 0; entries.length < most; offset += LISTED_AT_ONCE) {
    const page = await fetch(`${baseUrl}/api/agents?limit=${LISTED_AT_ONCE}&offset=${offset}${query}`);
    if (!page.ok) throw new Error(`${page.status} ${await page.text()}`);
    const { data } = await page.json();
    if (data.length === 0) break;
    entries.push(...data);
  }
  return entries.slice(0, most);
}

/** Returns the ids of agents among the first `most` entries. */
export async function agentIds(baseUrl, most) {
  const entries = await listed(baseUrl, most);
  return entries.filter(({ type }) => type === 'agent').map(({ id }) => id);
}
