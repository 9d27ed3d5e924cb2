
// Opens the folded parts around the target of a link.
(() => {
  const show = () => {
    const id = decodeURIComponent(location.hash.slice(1).split('?')[0]);
    const target = id && document.getElementById(id);
    for (let part = target; part; part = part.parentElement) {
      if (part.tagName === 'DETAILS') part.open = true;
    }
    if (target) target.scrollIntoView();
  };
  addEventListener('hashchange', show);
  show();
})();

// Shows the words of a square on hover, from its aria-label: as a second attribute in the file,
// they would be half of the first page.
document.addEventListener('pointerover', (event) => {
  const square = event.target.closest('a.square[aria-label]');
  if (square) square.title = square.getAttribute('aria-label');
});
