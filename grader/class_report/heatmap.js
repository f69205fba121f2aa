// The checks × students heatmap: a strip for each check, drawn, with the students of the table from
// the highest score to the lowest. Where there are more students than dots, a dot is the mixture of
// its students.
(() => {
  const root = document.getElementById('heatmap');
  if (!root) return;
  const reader = document.getElementById('heat-reader');
  const reading = document.getElementById('heat-reading');
  const places = [...root.querySelectorAll('.strip')];
  const strips = places.map((place) => {
    const canvas = element('canvas', '', { 'aria-hidden': 'true' });
    place.replaceChildren(canvas);
    return canvas;
  });
  let students = [];   // those with a scorecard, the best first
  let at = null;       // {student, check} that is read
  let last = { student: 0, check: 0 };   // that was read last
  let paint = {};

  // Colours of the page's theme, as [red, green, blue] over what lies behind.
  const readColors = () => {
    const probe = root.appendChild(element('span'));
    const color = (name, share = 1) => {
      probe.style.color = name;
      const [r, g, b] = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number);
      return [r, g, b].map((value, i) => value * share + (paint.back ? paint.back[i] : 255) * (1 - share));
    };
    paint = {};
    paint.back = color('var(--back)');
    paint.p = color('rgb(var(--high))', 0.3);
    paint.f = color('rgb(var(--low))');
    paint.c = paint.t = color('var(--bad)');
    paint.n = color('var(--edge)');
    paint.mark = color('var(--text)');
    probe.remove();
  };
  const css = (color) => 'rgb(' + color.map(Math.round).join(',') + ')';

  const drawStrip = (canvas, column) => {
    const density = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(canvas.clientWidth * density));
    const height = Math.max(1, Math.round(canvas.clientHeight * density));
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d');
    if (!students.length) return;
    const each = width / students.length;
    const gap = each >= 6 * density ? density : 0;
    const dots = Math.min(width, students.length);
    for (let dot = 0; dot < dots; ++dot) {
      const from = Math.floor(dot * students.length / dots);
      const to = Math.max(from + 1, Math.floor((dot + 1) * students.length / dots));
      const mixed = [0, 0, 0];
      for (let student = from; student < to; ++student) {
        const color = paint[students[student].cells[column]];
        for (let i = 0; i < 3; ++i) mixed[i] += color[i] / (to - from);
      }
      const left = Math.round(dot * width / dots);
      const right = Math.round((dot + 1) * width / dots);
      context.fillStyle = css(mixed);
      context.fillRect(left, 0, Math.max(1, right - left - gap), height);
    }
    if (at && at.check === column) {
      const middle = (at.student + 0.5) * each;
      const half = Math.max(each / 2, 2 * density);
      context.strokeStyle = css(paint.mark);
      context.lineWidth = 2 * density;
      context.strokeRect(Math.max(middle - half, density), density,
        Math.min(2 * half, width - 2 * density), height - 2 * density);
    }
  };
  const draw = () => { readColors(); strips.forEach(drawStrip); };

  const read = (next) => {
    const before = at;
    at = next;
    last = at || last;
    for (const seen of [before, at]) if (seen) drawStrip(strips[seen.check], seen.check);
    if (!at) { reading.textContent = ''; return; }
    const student = students[at.student];
    const score = countingScore(student);
    reading.textContent = shownName(student) + (score === undefined ? '' : ', score ' + number(score))
      + ': ' + classData.checks[at.check].id + ' ' + cellWords[student.cells[at.check]] + '.';
  };

  const fill = () => {
    students = studentTable.shown().map((place) => classData.students[place])
      .filter((student) => student.cells)
      .sort((a, b) => (countingScore(b) ?? -Infinity) - (countingScore(a) ?? -Infinity)
        || (a.cells < b.cells ? 1 : a.cells > b.cells ? -1 : 0));
    at = null;
    last = { student: 0, check: 0 };
    reading.textContent = '';
    draw();
  };

  reader.addEventListener('focus', () => { if (students.length) read(last); });
  reader.addEventListener('blur', () => read(null));
  reader.addEventListener('keydown', (event) => {
    if (!students.length || event.altKey || event.ctrlKey || event.metaKey) return;
    const limited = (value, size) => Math.max(0, Math.min(size - 1, value));
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
      PageUp: [-25, 0], PageDown: [25, 0], Home: [-Infinity, 0], End: [Infinity, 0] }[event.key];
    if (step) {
      const from = at || last;
      read({ student: limited(from.student + step[0], students.length),
        check: limited(from.check + step[1], strips.length) });
      strips[at.check].scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && at) {
      showDetail(students[at.student]);
    } else if (event.key === 'Escape' && at) {
      read(null);
    } else {
      return;
    }
    event.preventDefault();
  });
  strips.forEach((canvas, check) => {
    const under = (event) => {
      const box = canvas.getBoundingClientRect();
      const student = Math.floor((event.clientX - box.left) / box.width * students.length);
      return students[student] ? { student, check } : null;
    };
    canvas.addEventListener('pointermove', (event) => read(under(event)));
    canvas.addEventListener('pointerleave', () => read(null));
    canvas.addEventListener('click', (event) => {
      const cell = under(event);
      if (cell) showDetail(students[cell.student]);
    });
  });

  const legend = document.getElementById('heat-legend');
  for (const [letter, words] of [['p', 'passed'], ['f', 'failed'], ['c', 'crashed or timed out'], ['n', 'could not be judged']]) {
    const entry = element('li', ' ' + words);
    entry.prepend(element('span', '', { class: 'swatch swatch-' + letter }));
    legend.append(entry);
  }

  fill();
  studentTable.onFilter(fill);
  new ResizeObserver(draw).observe(root);
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  window.addEventListener('beforeprint', draw);
  window.addEventListener('afterprint', draw);
})();
