// Folding of all cards, and copying of commands.
(() => {
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
})();
