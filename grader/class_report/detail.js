// One student in a dialogue of the page.
const showDetail = (() => {
  const dialog = document.getElementById('detail');

  const moment = (seconds) => {
    if (seconds === undefined) return '';
    const date = new Date(seconds * 1000);
    return isNaN(date) ? String(seconds) : date.toISOString().slice(0, 16).replace('T', ' ') + ' UTC';
  };

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
    add('Handed in', moment(student.submitted));
    if (student.late) add('Late', plural(student.late, 'day'));
    add('Misconceptions', (student.diagnoses || [])
      .map((id) => id + (classData.misconceptions[id] ? ' ' + classData.misconceptions[id] : ''))
      .join('; '));
    add('Digest', student.digest);
    return list;
  };

  // A table with these columns; those of numbers are to be named in `numbers` too.
  const tableOf = (titles, numbers) => {
    const table = element('table', '', { class: 'small' });
    const head = table.createTHead().insertRow();
    for (const title of titles) {
      head.append(element('th', title, { scope: 'col', class: numbers.includes(title) ? 'number' : '' }));
    }
    return table;
  };

  const attempts = (student) => {
    const hasTimes = student.graded.some((each) => each.submitted !== undefined);
    const table = tableOf(['Attempt', ...hasTimes ? ['Handed in'] : [], 'Result', 'Score', 'Report'], ['Score']);
    const body = table.createTBody();
    for (const each of student.graded) {
      const row = body.insertRow();
      row.append(element('th', each.number + (each.number === student.attempt ? ' (counts)' : ''), { scope: 'row' }));
      if (hasTimes) row.append(element('td', moment(each.submitted)));
      const score = number(each.final ?? each.score);
      const isReduced = each.final !== undefined && each.final !== each.score;
      row.append(element('td', classData.statuses[each.status]),
        element('td', score, { class: 'number', title: isReduced ? 'computed: ' + number(each.score) : '' }));
      const cell = row.insertCell();
      if (each.report) {
        const link = linkTo(each, 'report');
        link.append(element('span', ' of attempt ' + each.number, { class: 'unseen' }));
        cell.append(link);
      }
    }
    return table;
  };

  const checks = (student) => {
    const table = tableOf(['Check', 'Result', 'Points'], ['Points']);
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
    if (student.graded) dialog.append(element('h3', 'Attempts'), attempts(student));
    if (student.cells) {
      if (student.graded) dialog.append(element('h3', 'Checks of attempt ' + student.attempt));
      dialog.append(checks(student));
    }
    dialog.append(close);
    dialog.showModal();
    dialog.scrollTop = 0;
  };
})();
