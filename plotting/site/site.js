
// A link may lead to a row inside of what is folded away.
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

// The words of a square, shown on hover; written twice, they would be half of the first page.
document.addEventListener('pointerover', (event) => {
  const square = event.target.closest('a.square[aria-label]');
  if (square) square.title = square.getAttribute('aria-label');
});
