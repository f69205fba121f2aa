'use strict';
// The page is whole without this: it adds a choice of theme, folding of all cards, copying of
// commands, and unfolds everything for print.
(() => {
  const root = document.documentElement;
  const themes = ['', 'light', 'dark'];
  const names = { '': 'as the system', light: 'light', dark: 'dark' };
  const key = 'attention-grader-theme';
  const stored = () => { try { return localStorage.getItem(key) || ''; } catch { return ''; } };
  const store = (theme) => { try { localStorage.setItem(key, theme); } catch { /* asked again next time */ } };

  document.querySelector('.tools').hidden = false;
  const themeButton = document.getElementById('theme');
  const apply = (theme) => {
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    themeButton.textContent = 'Theme: ' + names[theme];
  };
  let theme = themes.includes(stored()) ? stored() : '';
  apply(theme);
  themeButton.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    store(theme);
    apply(theme);
  });

  const cards = [...document.querySelectorAll('details.failure')];
  const foldButton = document.getElementById('unfold');
  if (foldButton) {
    const show = () => {
      const open = cards.some((card) => card.open);
      foldButton.textContent = open ? 'Fold all' : 'Unfold all';
      foldButton.setAttribute('aria-pressed', String(open));
    };
    foldButton.addEventListener('click', () => {
      const open = !cards.some((card) => card.open);
      for (const card of cards) card.open = open;
      show();
    });
    for (const card of cards) card.addEventListener('toggle', show);
  }

  // A link to a folded card unfolds it.
  const unfoldTarget = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const card = target && target.closest('details');
    if (card) { card.open = true; target.scrollIntoView(); }
  };
  window.addEventListener('hashchange', unfoldTarget);
  unfoldTarget();

  if (navigator.clipboard) {
    for (const button of document.querySelectorAll('button.copy')) {
      button.hidden = false;
      button.addEventListener('click', async () => {
        const command = button.parentElement.querySelector('.command').textContent;
        try {
          await navigator.clipboard.writeText(command);
          button.textContent = 'Copied';
        } catch {
          button.textContent = 'Select it to copy';
        }
      });
    }
  }

  let folded = [];
  window.addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:not([open])')];
    for (const card of folded) card.open = true;
  });
  window.addEventListener('afterprint', () => { for (const card of folded) card.open = false; });
})();
