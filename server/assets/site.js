// Copy buttons, the key to the search field, menus, and lists that follow their order or what is typed. Every page works without it.

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
      // Without the right to the clipboard the text is marked, so that the keyboard can copy it.
      getSelection().selectAllChildren(text);
      button.textContent = 'Marked';
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
  // Not what a search brought along: its page shows more than the list has.
  field.addEventListener('input', filter);
}

// A menu closes by Escape, which leads back to what opened it, and by a click anywhere else.
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
