
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
