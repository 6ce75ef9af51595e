// Adds copy buttons, the shortcut to the search field, menus, and filters that apply at once. Every page works without
// this script.

for (const block of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${block.dataset.copy}`);
  const say = document.createElement('span');
  say.className = 'hidden';
  say.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    const text = block.querySelector('pre, code, input');
    try {
      await navigator.clipboard.writeText(text.value ?? text.textContent);
      button.textContent = 'Copied';
    } catch {
      // Without permission for the clipboard, select the text, so that the keyboard can copy it.
      getSelection().selectAllChildren(text);
      button.textContent = 'Selected';
    }
    say.textContent = button.textContent;
    setTimeout(() => {
      button.textContent = 'Copy';
      say.textContent = '';
    }, 2000);
  });
  block.append(button, say);
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const field =
    document.querySelector('main input[type=search]') ?? document.querySelector('input[type=search]');
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
});

for (const choice of document.querySelectorAll('select[data-submits]')) {
  choice.addEventListener('change', () => choice.form.requestSubmit());
}

for (const field of document.querySelectorAll('input[data-filters]')) {
  const list = document.getElementById(field.dataset.filters);
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const filter = () => {
    const asked = words(field.value);
    for (const entry of list.querySelectorAll('li')) {
      entry.hidden = !asked.every((word) => entry.textContent.toLowerCase().includes(word));
    }
    for (const part of list.querySelectorAll('section'))
      part.hidden = !part.querySelector('li:not([hidden])');
  };
  // Do not filter by the query that opened the page: its results contain more than the list.
  field.addEventListener('input', filter);
}

// Close a menu by Escape, which returns the focus to its button, or by a click outside.
const openMenus = () => document.querySelectorAll('details[name][open]');
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of openMenus()) {
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus();
    menu.open = false;
  }
});
document.addEventListener('click', (event) => {
  for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
});

// Show suggestions under a search field, as a combobox. Without them, the form still searches.
let lists = 0;
for (const field of document.querySelectorAll('input[data-suggest]')) {
  const list = document.createElement('ul');
  list.id = `suggestions-${++lists}`;
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  const say = document.createElement('span');
  say.className = 'hidden';
  say.setAttribute('role', 'status');
  field.after(list, say);
  for (const [name, value] of Object.entries({
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
  }))
    field.setAttribute(name, value);

  let waiting;
  let asking;
  const options = () => [...list.children];
  const active = () => options().findIndex((option) => option.getAttribute('aria-selected') === 'true');
  const choose = (place) => {
    for (const [at, option] of options().entries()) option.setAttribute('aria-selected', `${at === place}`);
    const chosen = options()[place];
    if (chosen) field.setAttribute('aria-activedescendant', chosen.id);
    else field.removeAttribute('aria-activedescendant');
    chosen?.scrollIntoView({ block: 'nearest' });
  };
  const close = () => {
    clearTimeout(waiting);
    asking?.abort();
    list.hidden = true;
    list.replaceChildren();
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
    say.textContent = '';
  };
  const show = (suggestions) => {
    list.replaceChildren(
      ...suggestions.map(({ text, kind, about, stars, verdict, path }, at) => {
        const option = document.createElement('li');
        option.id = `${list.id}-${at}`;
        option.dataset.path = path;
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', 'false');
        const name = document.createElement('bdi');
        name.textContent = text;
        const rest = document.createElement('span');
        rest.className = 'muted small';
        rest.textContent = [kind, about, stars].filter(Boolean).join(' · ');
        option.append(name, ' ', rest);
        if (verdict) {
          const word = document.createElement('span');
          word.className = `small verdict ${verdict.state}`;
          word.textContent = verdict.text;
          rest.append(' · ', word);
        }
        return option;
      }),
    );
    list.hidden = suggestions.length === 0;
    field.setAttribute('aria-expanded', `${!list.hidden}`);
    field.removeAttribute('aria-activedescendant');
    const count = suggestions.length;
    say.textContent = count === 0 ? 'No suggestions' : `${count} suggestion${count === 1 ? '' : 's'}`;
  };
  const ask = async (text) => {
    // Abort the request for the previous text.
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      const answer = await fetch(`/suggest?q=${encodeURIComponent(text)}`, { signal });
      if (!answer.ok) return close();
      const { suggestions } = await answer.json();
      if (!signal.aborted && document.activeElement === field) show(suggestions);
    } catch {
      if (!signal.aborted) close();
    }
  };
  field.addEventListener('input', () => {
    clearTimeout(waiting);
    const text = field.value.trim();
    if (text === '') return close();
    waiting = setTimeout(() => ask(text), 120);
  });
  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const text = field.value.trim();
    if (list.hidden) {
      // Opens them again, after Escape for example.
      if (event.key !== 'ArrowDown' || text === '') return;
      event.preventDefault();
      ask(text);
      return;
    }
    const count = options().length;
    const place = active();
    if (event.key === 'ArrowDown') choose(place + 1 < count ? place + 1 : -1);
    else if (event.key === 'ArrowUp') choose(place < 0 ? count - 1 : place - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && place >= 0) location.assign(options()[place].dataset.path);
    else return;
    event.preventDefault();
  });
  // Handle mousedown, which comes before the field loses the focus.
  list.addEventListener('mousedown', (event) => {
    const option = event.target.closest('[role=option]');
    event.preventDefault();
    if (option) location.assign(option.dataset.path);
  });
  field.addEventListener('blur', close);
  field.form.addEventListener('submit', close);
}
