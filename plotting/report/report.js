// Sorts and filters the tables, and shows below a number's row what is known of the number. Without
// this script the page is complete, in the order of the experiment. The address keeps the state of
// the table that was changed last:
// #TABLE?sort=COLUMN,descending&filter=WORDS&COLUMN=VALUE
'use strict';
(() => {
  const collator = new Intl.Collator('en', { numeric: true });
  const textOf = (cell) => cell.textContent.trim();
  const numberOf = (text) => parseFloat(text.replace('−', '-').replace(/^[+]/, ''));

  // Compares numbers by size, and words and equal numbers by their letters. Numbers come before
  // words, in either direction (`fixed`).
  function compareTexts(a, b) {
    const x = numberOf(a);
    const y = numberOf(b);
    if (Number.isNaN(x) !== Number.isNaN(y)) return { order: Number.isNaN(x) ? 1 : -1, fixed: true };
    return { order: x < y ? -1 : x > y ? 1 : collator.compare(a, b), fixed: false };
  }

  class SortableTable {
    constructor(table) {
      this.table = table;
      this.body = table.tBodies[0];
      this.rows = [...this.body.rows];
      this.heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
      this.keys = this.heads.map((head) => head.dataset.key || textOf(head));
      this.texts = this.rows.map((row) => [...row.cells].map(textOf));
      this.sorted = { column: -1, direction: 'none' };
      this.selects = new Map();
      this.heads.forEach((head, column) => this.addButton(head, column));
      this.addTools();
    }

    addButton(head, column) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      button.addEventListener('click', () => {
        const next = { none: 'ascending', ascending: 'descending', descending: 'none' };
        this.sort(column, next[head.getAttribute('aria-sort') || 'none']);
        this.remember();
      });
      head.append(button);
      head.setAttribute('aria-sort', 'none');
    }

    addTools() {
      const tools = document.createElement('div');
      tools.className = 'tools';
      this.heads.forEach((head, column) => {
        if ('choices' in head.dataset) this.addSelect(tools, column);
      });
      this.input = document.createElement('input');
      this.input.type = 'search';
      this.input.addEventListener('input', () => this.filterAndRemember());
      tools.append(this.labelled('Filter rows', this.input));
      this.status = document.createElement('span');
      this.status.setAttribute('role', 'status');
      tools.append(this.status);
      if (this.rows.length > 10) this.table.parentElement.before(tools);
      this.filter();
    }

    labelled(words, control) {
      const label = document.createElement('label');
      label.append(words + ' ', control);
      return label;
    }

    addSelect(tools, column) {
      const values = [...new Set(this.texts.map((row) => this.choiceOf(row[column])))].sort(collator.compare);
      if (values.length < 2) return;
      const select = document.createElement('select');
      select.append(new Option('all', ''), ...values.map((value) => new Option(value, value)));
      select.addEventListener('change', () => this.filterAndRemember());
      this.selects.set(column, select);
      tools.append(this.labelled(this.keys[column], select));
    }

    // Returns a cell's text as a choice of a select: "lower" for "▼ lower [1]".
    choiceOf(text) {
      return text.replace(/^[✓▲▼≠~?–…] /, '').replace(/( \[\d+\])+$/, '');
    }

    sort(column, direction) {
      this.unsay();
      this.sorted = { column, direction };
      this.heads.forEach((head, i) => head.setAttribute('aria-sort', i === column ? direction : 'none'));
      const order = this.rows.map((_, i) => i);
      if (direction !== 'none') {
        const sign = direction === 'descending' ? -1 : 1;
        order.sort((i, j) => {
          const compared = compareTexts(this.texts[i][column], this.texts[j][column]);
          return (compared.fixed ? compared.order : sign * compared.order) || i - j;
        });
      }
      this.body.append(...order.map((i) => this.rows[i]));
      this.say();
    }

    filter() {
      this.unsay();
      const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
      this.shown = 0;
      this.rows.forEach((row, i) => {
        const text = this.texts[i].join(' ').toLowerCase();
        const chosen = [...this.selects].every(
          ([column, select]) => !select.value || this.choiceOf(this.texts[i][column]) === select.value);
        row.hidden = !chosen || !words.every((word) => text.includes(word));
        this.shown += row.hidden ? 0 : 1;
      });
      this.say();
    }

    filterAndRemember() {
      this.filter();
      this.remember();
    }

    unsay() {
      if (this.said) {
        this.said.previousElementSibling?.classList.remove('spoken');
        this.said.remove();
      }
      this.said = null;
    }

    /** Shows this row, whatever the filter, with its words below it, and goes there. `origin` is the link that leads here. */
    show(row, origin) {
      if (row.hidden) {
        this.input.value = '';
        this.selects.forEach((select) => { select.value = ''; });
        this.filter();
      }
      this.unsay();
      this.said = this.body.insertRow(row.sectionRowIndex + 1);
      this.said.className = 'said';
      const cell = this.said.insertCell();
      cell.colSpan = this.heads.length;
      cell.append(...this.wordsOf(row).map((words) => {
        const paragraph = document.createElement('p');
        paragraph.textContent = words;
        return paragraph;
      }));
      if (origin) cell.append(this.wayBack(origin));
      row.classList.add('spoken');
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: 'center' });
    }

    wordsOf(row) {
      const value = (key) => {
        const column = this.keys.indexOf(key);
        return column < 0 ? '' : textOf(row.cells[column]);
      };
      const compared = `${this.choiceOf(value('verdict'))}: published ${value('published')}, ours ${value('ours')}, `
        + `difference ${value('ours − published')}, tolerance ${value('tolerance')}.`;
      const notes = [...row.querySelectorAll('a[href*="-note"]')];
      return [compared, ...notes.map((link) => textOf(document.getElementById(link.hash.slice(1))))];
    }

    wayBack(origin) {
      const paragraph = document.createElement('p');
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Back';
      button.addEventListener('click', () => {
        origin.focus({ preventScroll: true });
        origin.scrollIntoView({ block: 'center' });
      });
      paragraph.append(button);
      return paragraph;
    }

    say() {
      const { column, direction } = this.sorted;
      const order = direction === 'none' ? '' : `, ${direction} by ${this.keys[column]}`;
      this.status.textContent = `${this.shown} of ${this.rows.length} rows${order}`;
    }

    remember() {
      const state = new URLSearchParams();
      const { column, direction } = this.sorted;
      if (direction !== 'none') state.set('sort', `${this.keys[column]},${direction}`);
      if (this.input.value) state.set('filter', this.input.value);
      this.selects.forEach((select, i) => select.value && state.set(this.keys[i], select.value));
      history.replaceState(null, '', `#${this.table.id}?${state}`);
    }

    recall(state) {
      const sort = /^(.*),(ascending|descending)$/.exec(state.get('sort') || '');
      const column = sort ? this.keys.indexOf(sort[1]) : -1;
      this.input.value = state.get('filter') || '';
      this.selects.forEach((select, i) => { select.value = state.get(this.keys[i]) || ''; });
      this.sort(column, column < 0 ? 'none' : sort[2]);
      this.filter();
      this.table.scrollIntoView();
    }
  }

  const tables = new Map();
  document.querySelectorAll('table.sortable').forEach((table) => tables.set(table.id, new SortableTable(table)));

  /** Shows the row of a number with what is known of the number. Returns false if the id is of
   *  anything else: then the browser goes there. */
  function showRow(id, origin) {
    const row = document.getElementById(id);
    const table = row && row.matches('tr[id*="-number"]') && tables.get(row.closest('table').id);
    if (table) table.show(row, origin);
    return Boolean(table);
  }
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!showRow(link.hash.slice(1), link)) return;
    event.preventDefault();
    history.pushState(null, '', link.hash);
  });

  function recall() {
    const [id, state] = location.hash.slice(1).split(/\?(.*)/s);
    if (tables.has(id) && state !== undefined) tables.get(id).recall(new URLSearchParams(state));
    else showRow(id, null);
  }
  addEventListener('hashchange', recall);
  recall();

  // On paper nothing can be opened.
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((part) => { part.open = true; }));
})();
