// One student in a dialogue of the page.
const showDetail = (() => {
  const dialog = document.getElementById('detail');

  const facts = (student) => {
    const list = element('dl');
    const add = (name, value) => {
      if (value !== undefined && value !== '') list.append(element('dt', name), element('dd', value));
    };
    const of = ' of ' + number(classData.max_score);
    add('Id', student.id);
    add('Section', student.section);
    add('Result', classData.statuses[student.status]);
    add('Look at', student.attention);
    if (student.score !== undefined) add('Computed score', number(student.score) + of);
    if (student.final !== undefined) {
      add('Final score', number(student.final) + of + (student.overridden ? ', set by hand' : ''));
    }
    add('Why', (student.adjustments || []).join(' '));
    if (student.attempt) {
      add('Attempt', student.attempt + (student.attempts ? ' of ' + student.attempts : ''));
    }
    if (student.submitted !== undefined) {
      const date = new Date(student.submitted * 1000);
      add('Handed in', isNaN(date) ? String(student.submitted)
        : date.toISOString().slice(0, 16).replace('T', ' ') + ' UTC');
    }
    if (student.late) add('Late', plural(student.late, 'day'));
    add('Misconceptions', (student.diagnoses || [])
      .map((id) => id + (classData.misconceptions[id] ? ' ' + classData.misconceptions[id] : ''))
      .join('; '));
    add('Digest', student.digest);
    return list;
  };

  const checks = (student) => {
    const table = element('table', '', { class: 'small' });
    const head = table.createTHead().insertRow();
    for (const title of ['Check', 'Result', 'Points']) {
      head.append(element('th', title, { scope: 'col', class: title === 'Points' ? 'number' : '' }));
    }
    const body = table.createTBody();
    [...student.cells].forEach((cell, column) => {
      const check = classData.checks[column];
      const points = student.points ? student.points[column] : cell === 'p' ? check.max_points : 0;
      const row = body.insertRow();
      row.append(element('th', check.id, { scope: 'row', title: check.title }),
        element('td', cellWords[cell], { class: cell === 'p' ? 'good' : cell === 'n' ? 'quiet' : 'bad' }),
        element('td', number(points) + ' / ' + number(check.max_points), { class: 'number' }));
    });
    return table;
  };

  return (student) => {
    const close = element('button', 'Close', { type: 'button' });
    close.addEventListener('click', () => dialog.close());
    dialog.replaceChildren(element('h2', shownName(student), { id: 'detail-title' }));
    if (student.report) {
      const line = element('p');
      line.append(linkTo(student, 'The student’s report'));
      dialog.append(line);
    }
    dialog.append(facts(student));
    if (student.cells) dialog.append(checks(student));
    dialog.append(close);
    dialog.showModal();
    dialog.scrollTop = 0;
  };
})();
