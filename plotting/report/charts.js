// Makes the figures of a page interactive: hover, legend, zoom, axes, downloads. Their static
// drawings stay for print, and for readers without scripts. `spcaVega` is the bundle of
// plotting/interactive/.
'use strict';
(() => {
  const vega = globalThis.spcaVega;
  if (!vega) return;

  const darkness = matchMedia('(prefers-color-scheme: dark)');
  const DARK_FOR = { '#000000': '#e7e9ee', '#bbbbbb': '#5d6470' }; // colours that would vanish or glare on dark ground
  const MOST_ROWS = 2000; // of a table of numbers: a browser lays out more too slowly
  const ZOOM = 1.5;
  const BELOW = ['shortfall', 'excess']; // ends of the titles of panels that are placed below the previous one
  const NUMBER = /^(x|y|bound|low|high)$/;
  // The outlines of the markers in a legend, around 0, 0.
  const OUTLINES = {
    circle: 'M4,0A4,4,0,1,1,-4,0A4,4,0,1,1,4,0Z',
    square: 'M-3.5,-3.5h7v7h-7Z',
    'triangle-up': 'M0,-4L4,3.5L-4,3.5Z',
    'triangle-down': 'M0,4L4,-3.5L-4,-3.5Z',
    'triangle-left': 'M-4,0L3.5,-4L3.5,4Z',
    'triangle-right': 'M4,0L-3.5,-4L-3.5,4Z',
    diamond: 'M0,-4.5L4,0L0,4.5L-4,0Z',
  };

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    made.append(...children);
    return made;
  }

  const sixDigits = (value) => {
    if (typeof value !== 'number') return String(value);
    const text = String(Number(value.toPrecision(6)));
    return text.replace(/^-/, '−').replace(/e-/, 'e−');
  };
  const firstLine = (title) => (Array.isArray(title) ? title[0] : title);
  const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function config() {
    const quiet = colourOf('--quiet');
    const line = colourOf('--line');
    return {
      aria: false, // the panel around it has a name
      background: 'transparent',
      font: getComputedStyle(document.body).fontFamily,
      view: { stroke: null },
      axis: {
        labelColor: quiet, titleColor: colourOf('--ink'), gridColor: line, domainColor: quiet, tickColor: quiet,
        labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal', gridOpacity: 0.7, labelOverlap: 'greedy', labelSeparation: 6,
      },
      axisX: { tickCount: { signal: 'ceil(width / 65)' } },
    };
  }

  /** Calls `visit` with the encoding of a panel, and with that of each of its layers. */
  function eachEncoding(panel, visit) {
    visit(panel.encoding);
    panel.layer.forEach((layer) => layer.encoding && visit(layer.encoding));
  }

  const LOOKS = ['color', 'strokeDash', 'shape'];

  function viewOf(specification, options) {
    const { spec } = vega.compile(specification, { logger: vega.logger(vega.Warn) });
    // A legend's samples are shapes, whose outlines would be dashed.
    [spec, ...(spec.marks || [])].forEach(({ legends = [] }) => legends.forEach((legend) => { delete legend.strokeDash; }));
    // An abstract syntax tree and an interpreter, because the page's policy allows no script to be made from words.
    const runtime = vega.parse(spec, null, { ast: true });
    // A figure whose curves are all hidden has no range, which is nothing to warn of.
    return new vega.View(runtime, { expr: vega.expressionInterpreter, logLevel: vega.Error, ...options });
  }

  const hint = element('div', { class: 'hint', 'aria-hidden': 'true', hidden: '' });

  function showHint(_handler, event, _item, value) {
    const known = value && typeof value === 'object' ? Object.entries(value) : [];
    const lines = known.filter(([, text]) => text !== null && text !== 'null' && text !== undefined);
    hint.hidden = lines.length === 0;
    if (hint.hidden) return;
    hint.replaceChildren(...lines.flatMap(([name, text]) => [element('b', {}, name), element('span', {}, sixDigits(text))]));
    const room = 12;
    const { width, height } = hint.getBoundingClientRect();
    const left = Math.min(event.clientX + room, document.documentElement.clientWidth - width - room);
    const below = event.clientY + room + height < innerHeight;
    hint.style.left = `${Math.max(room, left)}px`;
    hint.style.top = `${below ? event.clientY + room : Math.max(0, event.clientY - room - height)}px`;
  }

  function download(name, type, text) {
    const link = element('a', { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  class Chart {
    constructor(figure) {
      this.figure = figure;
      this.spec = JSON.parse(figure.querySelector('script.chart-data').textContent);
      this.name = figure.dataset.name;
      this.title = figure.dataset.label;
      this.hidden = new Set();
      this.views = [];
      this.scales = {};
      for (const axis of ['x', 'y']) this.scales[axis] = this.spec.concat[0].encoding[axis].scale.type;
      this.color = this.lookOf('color');
      this.strokeDash = this.lookOf('strokeDash');
      this.shape = this.lookOf('shape');
      this.names = this.spec.concat.flatMap((panel) => panel.layer).find((layer) => layer.encoding.color).encoding.color.scale.domain;
      this.build();
    }

    lookOf(channel) {
      const found = new Map();
      this.spec.concat.forEach((panel) => eachEncoding(panel, (encoding) => {
        const scale = encoding[channel] && encoding[channel].scale;
        if (scale) scale.domain.forEach((name, i) => found.set(name, scale.range[i]));
      }));
      return found;
    }

    build() {
      this.places = this.spec.concat.map(() => element('div', { class: 'view', 'aria-hidden': 'true' }));
      const panels = this.spec.concat.map((panel, i) => {
        const { x, y } = panel.encoding;
        const words = `${panel.title}: ${[y.title].flat().join(' ')} against ${[x.title].flat().join(' ')}`;
        const title = element('p', { class: 'panel-title' }, panel.title);
        return element('div', { class: 'panel' }, title, element('div', { role: 'img', 'aria-label': words }, this.places[i]));
      });
      this.chart = element('div', { class: 'chart', role: 'group', 'aria-label': this.title });
      const columns = this.columnsOf(panels);
      const shape = panels.length === 1 ? 'panels alone' : columns.length === 1 ? 'panels one' : 'panels';
      const drawn = element('div', { class: shape }, ...columns);
      this.chart.append(element('div', { class: 'drawn' }, drawn, this.legend()), this.tools(), this.numbers());
      this.figure.querySelector('.drawing').before(this.chart);
      this.figure.classList.add('charted');
    }

    legend() {
      this.entries = new Map(this.names.map((name) => [name, this.entry(name)]));
      const list = element('div', { class: 'legend', role: 'group', 'aria-label': `Curves of the figure ${this.title}` });
      if (this.names.length > 4) {
        const all = (words, hidden) => {
          const button = element('button', { type: 'button' }, words);
          button.addEventListener('click', () => this.hide(hidden));
          return button;
        };
        list.append(element('span', { class: 'all' }, all('Show all', []), all('Hide all', this.names)));
      }
      list.append(...this.entries.values());
      return list;
    }

    entry(name) {
      const button = element('button', { type: 'button', 'aria-pressed': 'true', title: 'Shift and click: this one alone' });
      button.append(this.sample(name), element('span', {}, name));
      button.addEventListener('click', (event) => {
        if (event.shiftKey) return this.hide(this.names.filter((other) => other !== name));
        const hidden = new Set(this.hidden);
        if (!hidden.delete(name)) hidden.add(name);
        return this.hide([...hidden]);
      });
      return button;
    }

    sample(name) {
      const space = 'http://www.w3.org/2000/svg';
      const drawing = document.createElementNS(space, 'svg');
      drawing.setAttribute('viewBox', '-16 -7 32 14');
      drawing.setAttribute('aria-hidden', 'true');
      const shape = this.shape.get(name);
      const bound = this.isBound(name);
      const paths = [['M-16,0H16', bound ? '5' : '1.8', this.strokeDash.get(name).join(' ')]];
      if (!bound) paths.push([OUTLINES[shape] || shape, '1.4', '']);
      paths.forEach(([d, width, dash], i) => {
        const path = document.createElementNS(space, 'path');
        path.setAttribute('d', d);
        path.setAttribute('stroke-width', width);
        path.setAttribute('stroke-dasharray', dash === '1 0' ? '' : dash);
        if (i && !OUTLINES[shape]) path.setAttribute('transform', 'scale(4)');
        path.setAttribute('vector-effect', 'non-scaling-stroke');
        drawing.append(path);
      });
      drawing.dataset.colour = this.color.get(name);
      return drawing;
    }

    isBound(name) {
      return this.spec.concat.some((panel) => panel.data.values.some((row) => row.curve === name && row.kind !== 'curve'));
    }

    tools() {
      const bar = element('div', { class: 'tools', role: 'group', 'aria-label': `Tools of the figure ${this.title}` });
      for (const axis of ['x', 'y']) {
        if (this.canBeLogarithmic(axis)) bar.append(this.scaleSwitch(axis));
      }
      const button = (words, act) => {
        const made = element('button', { type: 'button' }, words);
        made.addEventListener('click', act);
        bar.append(made);
      };
      button('Zoom in', () => this.zoom(1 / ZOOM));
      button('Zoom out', () => this.zoom(ZOOM));
      button('Whole range', () => this.zoom(0));
      button('SVG', () => this.downloadSvg());
      button('CSV', () => download(`${this.name}.csv`, 'text/csv', this.csv()));
      return bar;
    }

    canBeLogarithmic(axis) {
      const values = this.spec.concat.flatMap((panel) => panel.data.values.flatMap((row) => row[axis]));
      return this.scales[axis] === 'log' || values.every((value) => value === null || value > 0);
    }

    scaleSwitch(axis) {
      const box = element('input', { type: 'checkbox' });
      box.checked = this.scales[axis] === 'log';
      box.addEventListener('change', () => {
        this.scales[axis] = box.checked ? 'log' : 'linear';
        this.draw();
      });
      const label = element('label', {}, box);
      label.append(` logarithmic: ${firstLine(this.spec.concat[0].encoding[axis].title)}`);
      return label;
    }

    /** Returns the panels in columns. A panel titled "TITLE: shortfall" or "TITLE: excess" is below
     *  the panel TITLE. */
    columnsOf(panels) {
      const titles = this.spec.concat.map((panel) => panel.title);
      const columns = [];
      panels.forEach((panel, i) => {
        if (i > 0 && BELOW.some((word) => titles[i] === `${titles[i - 1]}: ${word}`)) columns.at(-1).append(panel);
        else columns.push(element('div', { class: 'column' }, panel));
      });
      return columns;
    }

    numbers() {
      const details = element('details', { class: 'numbers' }, element('summary', {}, 'Numbers of this figure'));
      details.addEventListener('toggle', () => this.fillNumbers());
      this.details = details;
      return details;
    }

    /** Returns the head and the rows of the numbers that are shown: those of curves that are not
     *  hidden, at points within the zoom. */
    shown() {
      const several = this.spec.concat.length > 1;
      const [first] = this.spec.concat;
      const keys = Object.keys(first.data.values[0]).filter((key) => NUMBER.test(key));
      const titleOf = (panel, axis) => firstLine(panel.encoding[axis].title).replaceAll('\n', ' ');
      const quantities = [...new Set(this.spec.concat.map((panel) => titleOf(panel, 'y')))];
      const titles = { x: [titleOf(first, 'x')], y: quantities, bound: ['upper bound'], low: ['low end'], high: ['high end'] };
      const head = [...(several ? ['panel'] : []), 'curve', ...keys.flatMap((key) => titles[key])];
      const rows = this.spec.concat.flatMap((panel, i) => {
        const within = this.range(i);
        const place = quantities.indexOf(titleOf(panel, 'y'));
        const { labelExpr, values } = panel.encoding.y.axis;
        // The first value of such an axis is the position of answers without a shortfall.
        const numberAt = (value) => (value !== null && labelExpr && value <= values[0] ? 0 : value);
        const cells = (key, value) => (key === 'y' ? quantities.map((_, at) => (at === place ? numberAt(value) : null)) : [value]);
        return panel.data.values.filter((row) => !this.hidden.has(row.curve)).flatMap((row) => row.x
          .map((_, j) => j)
          .filter((j) => within(row.x[j], row.y[j]))
          .map((j) => [...(several ? [panel.title] : []), row.curve, ...keys.flatMap((key) => cells(key, row[key] ? row[key][j] : null))]));
      });
      return { head, rows };
    }

    range(i) {
      const view = this.views[i];
      const zoomed = view && ['x', 'y'].map((axis) => view.signal(`zoom${i}_${axis}`));
      if (!zoomed || !zoomed[0]) return () => true;
      const [xs, ys] = zoomed.map((domain) => [Math.min(...domain), Math.max(...domain)]);
      return (x, y) => x >= xs[0] && x <= xs[1] && y >= ys[0] && y <= ys[1];
    }

    csv() {
      const { head, rows } = this.shown();
      const field = (value) => {
        const text = value === null ? '' : String(value);
        return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      };
      return [head, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
    }

    fillNumbers() {
      if (!this.details.open) return;
      const { head, rows } = this.shown();
      const table = element('table', { 'aria-label': `Numbers of the figure ${this.title}` });
      const line = (tag, cells, of) => element('tr', {}, ...cells.map((cell, i) => of(tag, cell, i)));
      const isWord = (i) => ['panel', 'curve'].includes(head[i]);
      const cellOf = (tag, cell, i) => element(tag, isWord(i) ? { class: 'word' } : {}, cell === null ? '' : sixDigits(cell));
      const headCell = (tag, cell, i) => element(tag, { scope: 'col', ...(isWord(i) ? { class: 'word' } : {}) }, cell);
      table.append(element('thead', {}, line('th', head, headCell)));
      table.append(element('tbody', {}, ...rows.slice(0, MOST_ROWS).map((row) => line('td', row, cellOf))));
      const box = element('div', { class: 'scroll long', tabindex: '0', role: 'region', 'aria-label': `Numbers of the figure ${this.title}` }, table);
      const more = rows.length > MOST_ROWS ? [element('p', { class: 'notes' }, `The first ${MOST_ROWS} of ${rows.length} rows; CSV has them all.`)] : [];
      this.details.replaceChildren(this.details.firstElementChild, box, ...more);
    }

    hide(names) {
      this.hidden = new Set(names);
      this.entries.forEach((button, name) => button.setAttribute('aria-pressed', String(!this.hidden.has(name))));
      this.views.forEach((view) => view.signal('hidden', [...this.hidden]).runAsync());
      this.fillNumbers();
    }

    /** Returns the scale of an axis: that of the switch if the axis has the first panel's title,
     *  else its own. */
    scaleOf(i, axis) {
      const { title, scale } = this.spec.concat[i].encoding[axis];
      const isSwitched = firstLine(title) === firstLine(this.spec.concat[0].encoding[axis].title);
      return isSwitched ? this.scales[axis] : scale.type;
    }

    /** Returns the specification with the chosen scales, the hidden curves, and the colours for a
     *  light or dark page. */
    specification(dark) {
      let text = JSON.stringify(this.spec);
      if (dark) Object.entries(DARK_FOR).forEach(([one, other]) => { text = text.replaceAll(`"${one}"`, `"${other}"`); });
      const spec = JSON.parse(text);
      spec.params.find((one) => one.name === 'hidden').value = [...this.hidden];
      spec.concat.forEach((panel, i) => eachEncoding(panel, (encoding) => {
        for (const axis of ['x', 'y']) {
          const scale = encoding[axis] && encoding[axis].scale;
          const type = this.scaleOf(i, axis);
          if (scale && scale.type !== type) {
            const { zero, ...rest } = scale;
            encoding[axis].scale = { ...rest, type, ...(type === 'log' ? {} : { zero: false }) };
          }
        }
      }));
      return spec;
    }

    panelSpecification(i, spec) {
      const panel = spec.concat[i];
      eachEncoding(panel, (encoding) => LOOKS.forEach((look) => {
        if (encoding[look]) encoding[look].legend = null;
      }));
      const { title, ...rest } = panel;
      const height = spec.concat.length === 1 ? 330 : 230;
      return {
        $schema: spec.$schema, params: spec.params, ...rest, width: 'container', height,
        autosize: { type: 'fit', contains: 'padding', resize: true }, config: config(),
      };
    }

    async draw() {
      this.views.forEach((view) => view.finalize());
      this.chart.querySelectorAll('.legend svg').forEach((drawing) => {
        const colour = drawing.dataset.colour;
        drawing.style.setProperty('stroke', (darkness.matches && DARK_FOR[colour]) || colour);
      });
      const spec = this.specification(darkness.matches);
      this.views = this.places.map((place, i) => viewOf(this.panelSpecification(i, structuredClone(spec)), {
        renderer: 'svg', container: place, hover: true, tooltip: showHint,
      }));
      await Promise.all(this.views.map((view) => view.runAsync()));
      this.chart.dataset.drawn = 'true';
      this.fillNumbers();
    }

    /** Scales the shown ranges by `factor` about their middles. 0 shows the whole range. */
    zoom(factor) {
      this.views.forEach((view, i) => {
        for (const axis of ['x', 'y']) {
          view.signal(`zoom${i}_${axis}`, factor ? this.zoomed(view.scale(axis).domain(), this.scaleOf(i, axis), factor) : null);
        }
        view.runAsync().then(() => this.fillNumbers());
      });
    }

    zoomed([low, high], scale, factor) {
      const [to, from] = scale === 'log' ? [Math.log, Math.exp] : [(value) => value, (value) => value];
      const middle = (to(low) + to(high)) / 2;
      return [from(middle + (to(low) - middle) * factor), from(middle + (to(high) - middle) * factor)];
    }

    async downloadSvg() {
      const spec = this.specification(false);
      spec.concat.forEach((panel, i) => {
        const ranges = Object.fromEntries(['x', 'y'].map((axis) => [axis, this.views[i].signal(`zoom${i}_${axis}`)]));
        panel.layer.forEach((layer) => { delete layer.params; });
        panel.layer = panel.layer.filter((layer) => !layer.encoding.tooltip);
        eachEncoding(panel, (encoding) => {
          for (const axis of ['x', 'y']) {
            if (ranges[axis] && encoding[axis] && encoding[axis].scale) {
              const { type } = encoding[axis].scale;
              encoding[axis].scale = { type, ...(type === 'log' ? {} : { zero: false }), nice: false, domain: ranges[axis] };
            }
          }
          LOOKS.forEach((look) => encoding[look] && this.keepShown(encoding[look].scale));
        });
        panel.layer.forEach((layer) => { layer.mark.clip = Boolean(ranges.x); });
      });
      spec.config = { background: '#ffffff', legend: { labelLimit: 400, columns: 1, symbolStrokeWidth: 1.8 }, view: { stroke: null } };
      const view = viewOf(spec, { renderer: 'none' });
      await view.runAsync();
      download(`${this.name}.svg`, 'image/svg+xml', await view.toSVG());
      view.finalize();
    }

    keepShown(scale) {
      const kept = scale.domain.map((name, i) => i).filter((i) => !this.hidden.has(scale.domain[i]));
      scale.range = kept.map((i) => scale.range[i]);
      scale.domain = kept.map((i) => scale.domain[i]);
    }
  }

  // A page has many figures: each is drawn when it comes near.
  const charts = new Map();
  const near = new IntersectionObserver((seen) => seen.forEach(({ isIntersecting, target }) => {
    if (!isIntersecting) return;
    near.unobserve(target);
    charts.get(target).draw();
  }), { rootMargin: '800px' });
  document.querySelectorAll('figure').forEach((figure) => {
    if (!figure.querySelector('script.chart-data')) return;
    charts.set(figure, new Chart(figure));
    near.observe(figure);
  });
  document.body.append(hint);
  darkness.addEventListener('change', () => charts.forEach((chart) => chart.views.length && chart.draw()));
})();
