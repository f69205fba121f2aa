'use strict';
// What every page has: the choice of a theme, and everything unfolded for print. Pages are whole
// without it.
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

  let folded = [];
  window.addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:not([open])')];
    for (const card of folded) card.open = true;
  });
  window.addEventListener('afterprint', () => { for (const card of folded) card.open = false; });
})();
