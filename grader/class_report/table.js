// The table of students: sorted, filtered, and only as many rows in the document as are seen.
const studentTable = (() => {
  const root = document.getElementById('students');
  if (!root) return { onFilter: () => {}, shown: () => [] };
  const students = classData.students;
  const some = (key) => students.some((student) => student[key] !== undefined);

  // How many checks did not pass.
  const lost = (student) => student.cells === undefined ? undefined
    : [...student.cells].filter((cell) => cell !== 'p').length;
  const notes = (student) => [student.attention, student.overridden ? (student.adjustments || []).join(' ') : '']
    .filter(Boolean).join(' ');
  // How each column is read, and whether it is there at all. Numbers sort from the highest first.
  const columns = [
    { title: 'Student', look: 'name', text: shownName, shown: true },
    { title: 'Report', look: 'report', text: (s) => s.report ? 'report' : '', shown: some('report') },
    { title: 'Id', look: 'id', text: (s) => s.id, shown: some('name') },
    { title: 'Section', look: 'section', text: (s) => s.section || '', shown: some('section') },
    { title: 'Result', look: 'result', text: (s) => classData.statuses[s.status], shown: true },
    { title: 'Score', look: 'number', value: countingScore, shown: true },
    { title: 'Raw', hint: 'As computed, before penalties and overrides', look: 'number', value: (s) => s.score,
      shown: students.some((s) => s.final !== undefined && s.final !== s.score) },
    { title: 'Lost', hint: 'Checks that did not pass', look: 'number', value: lost, shown: some('cells') },
    { title: 'Misconceptions', look: 'ids', text: (s) => (s.diagnoses || []).join(' '),
      shown: some('diagnoses') },
    { title: 'Late', hint: 'Days', look: 'number', value: (s) => s.late, shown: some('late') },
    { title: 'Attempt', look: 'number', value: (s) => s.attempt,
      shown: students.some((s) => s.attempt > 1) },
    { title: 'Notes', look: 'notes', text: notes, shown: students.some(notes) },
  ].filter((column) => column.shown);

  // What each student is found by, and the place of each student in each order, found once.
  const haystacks = students.map((s) => [shownName(s), s.id, s.section, classData.statuses[s.status],
    ...(s.diagnoses || [])].join('\n').toLocaleLowerCase());
  const collator = new Intl.Collator(undefined, { numeric: true });
  const orders = new Map();
  const orderOf = (column) => {
    if (!orders.has(column)) {
      const keys = students.map(column.text || ((s) => column.value(s) ?? -Infinity));
      const before = column.text ? (a, b) => collator.compare(keys[a], keys[b])
        : (a, b) => keys[b] === keys[a] ? a - b : keys[b] - keys[a];
      orders.set(column, students.map((_, place) => place).sort(before));
    }
    return orders.get(column);
  };

  // Search and choices.
  const search = element('input', '', { type: 'search', id: 'search', placeholder: 'Name, id, section …' });
  const choice = (name, options) => {
    const select = element('select', '', { id: 'choose-' + name.toLowerCase().replace(/ /g, '-') });
    select.append(element('option', 'any', { value: '' }));
    for (const [value, words] of options) select.append(element('option', words, { value }));
    return { name, select };
  };
  const present = new Set(students.map((s) => s.status));
  const found = new Map();
  for (const student of students) {
    for (const id of new Set(student.diagnoses || [])) found.set(id, (found.get(id) || 0) + 1);
  }
  const results = Object.entries(classData.statuses).filter(([status]) => present.has(status));
  if (some('attention')) results.unshift(['attention', 'needs attention']);
  const byResult = choice('Result', results);
  const byCheck = choice('Check not passed', classData.checks.map((check) => [check.id, check.id]));
  const byMisconception = choice('Misconception', [...found].sort((a, b) => b[1] - a[1])
    .map(([id, count]) => [id, id + (classData.misconceptions[id] ? ' ' + classData.misconceptions[id] : '')
      + ' (' + count + ')']));
  const controls = element('div', '', { class: 'controls' });
  const labelled = (name, control) => {
    const label = element('label', name + ' ', { for: control.id });
    label.append(control);
    controls.append(label);
  };
  labelled('Find', search);
  for (const { name, select } of [byResult, byCheck, byMisconception]) {
    if (select.options.length > 1) labelled(name, select);
  }
  const clear = element('button', 'Clear', { type: 'button' });
  controls.append(clear);
  const count = element('p', '', { class: 'quiet', role: 'status', id: 'students-count' });

  // The table itself: a window over the rows, between two rows that stand for those out of sight.
  const viewport = element('div', '', { class: 'viewport', tabindex: '0', role: 'region', 'aria-labelledby': 'students-title' });
  const table = element('table', '', { class: 'students', 'aria-describedby': 'students-count' });
  const head = table.createTHead().insertRow();
  const body = table.createTBody();
  const above = element('tr', '', { 'aria-hidden': 'true', class: 'spacer' });
  const below = above.cloneNode();
  above.append(element('td', '', { colspan: columns.length }));
  below.append(element('td', '', { colspan: columns.length }));
  body.append(above, below);
  viewport.append(table);
  root.append(controls, count, viewport);

  let sorted = columns[0];
  let isReversed = false;
  let shown = [];            // places in `students`, in the order of the table
  const rows = new Map();    // place in `students` → its row, for those in the document
  const listeners = [];
  let isPrinting = false;

  const rowOf = (place) => {
    const student = students[place];
    const row = element('tr');
    for (const column of columns) {
      const cell = element(column.look === 'name' ? 'th' : 'td', '', { class: column.look });
      const text = column.text ? column.text(student) : number(column.value(student));
      if (column.look === 'name') {
        cell.setAttribute('scope', 'row');
        const open = element('button', text, { type: 'button', class: 'open', title: text });
        open.addEventListener('click', () => showDetail(student));
        cell.append(open);
      } else if (column.look === 'report') {
        if (student.report) {
          const link = linkTo(student, 'report');
          link.append(element('span', ' of ' + shownName(student), { class: 'unseen' }));
          cell.append(link);
        }
      } else {
        cell.textContent = text;
        if (text.length > 12) cell.title = text;
      }
      if (column.look === 'result') cell.classList.add('is-' + student.status);
      row.append(cell);
    }
    return row;
  };

  const heightOfRow = () => parseFloat(getComputedStyle(table).getPropertyValue('--row'))
    * parseFloat(getComputedStyle(document.documentElement).fontSize);

  const draw = () => {
    const height = heightOfRow();
    const spare = 8;
    const first = isPrinting ? 0 : Math.max(0, Math.floor(viewport.scrollTop / height) - spare);
    const last = isPrinting ? shown.length
      : Math.min(shown.length, Math.ceil((viewport.scrollTop + viewport.clientHeight) / height) + spare);
    const wanted = shown.slice(first, last);
    const kept = new Set(wanted);
    for (const [place, row] of rows) {
      if (!kept.has(place)) { row.remove(); rows.delete(place); }
    }
    let before = above;
    wanted.forEach((place, offset) => {
      if (!rows.has(place)) rows.set(place, rowOf(place));
      const row = rows.get(place);
      row.setAttribute('aria-rowindex', first + offset + 2);
      // A row that stands where it should is not moved: it may hold the focus.
      if (before.nextSibling !== row) before.after(row);
      before = row;
    });
    above.firstChild.style.height = first * height + 'px';
    below.firstChild.style.height = Math.max(0, shown.length - last) * height + 'px';
  };

  // What the table shows: those who match, in the order that is chosen.
  const matching = () => {
    const words = search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const column = classData.checks.findIndex((check) => check.id === byCheck.select.value);
    const matches = (place) => {
      const student = students[place];
      const status = byResult.select.value;
      if (status === 'attention' ? !student.attention : status && student.status !== status) return false;
      if (column >= 0 && (!student.cells || student.cells[column] === 'p')) return false;
      const id = byMisconception.select.value;
      if (id && !(student.diagnoses || []).includes(id)) return false;
      return words.every((word) => haystacks[place].includes(word));
    };
    return orderOf(sorted).filter(matches);
  };

  const update = () => {
    shown = matching();
    if (isReversed) shown.reverse();
    table.setAttribute('aria-rowcount', shown.length + 1);
    count.textContent = shown.length === students.length ? plural(students.length, 'student')
      : plural(shown.length, 'student') + ' of ' + students.length.toLocaleString('en');
    for (const cell of head.cells) {
      const isSorted = cell.column === sorted;
      if (!isSorted) cell.removeAttribute('aria-sort');
      else cell.setAttribute('aria-sort', (sorted.value ? !isReversed : isReversed) ? 'descending' : 'ascending');
    }
    viewport.scrollTop = 0;
    // As high as it will be: `draw` looks how much of it is seen.
    below.firstChild.style.height = shown.length * heightOfRow() + 'px';
    draw();
  };
  const filter = () => {
    update();
    for (const listener of listeners) listener();
  };

  for (const column of columns) {
    const cell = element('th', '', { scope: 'col', class: column.look });
    cell.column = column;
    cell.dataset.title = column.title;
    const button = element('button', column.title, { type: 'button', class: 'sort' });
    if (column.hint) button.title = column.hint;
    button.addEventListener('click', () => {
      isReversed = sorted === column && !isReversed;
      sorted = column;
      update();
    });
    cell.append(button);
    head.append(cell);
  }

  let isDrawing = false;
  viewport.addEventListener('scroll', () => {
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(() => { isDrawing = false; draw(); });
  }, { passive: true });
  window.addEventListener('resize', draw);
  search.addEventListener('input', filter);
  for (const { select } of [byResult, byCheck, byMisconception]) select.addEventListener('change', filter);
  const reset = () => {
    search.value = '';
    for (const { select } of [byResult, byCheck, byMisconception]) select.value = '';
  };
  clear.addEventListener('click', () => { reset(); filter(); });
  for (const button of document.querySelectorAll('button.only')) {
    button.addEventListener('click', () => {
      reset();
      byMisconception.select.value = button.dataset.misconception;
      filter();
      document.getElementById('students-title').scrollIntoView();
      viewport.focus({ preventScroll: true });
    });
  }
  window.addEventListener('beforeprint', () => { isPrinting = true; draw(); });
  window.addEventListener('afterprint', () => { isPrinting = false; draw(); });
  update();
  return { onFilter: (listener) => listeners.push(listener), shown: () => shown };
})();
