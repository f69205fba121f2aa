// The class as the other scripts of this page see it. The data in the page:
//   max_score, statuses {status: words}, misconceptions {id: title},
//   checks [{id, title, max_points}],
//   students [{id, status} and what there is of name, section, attempt, attempts, graded (several
//     attempts: [{number, status} and what there is of submitted, late, score, final, report]),
//     submitted (Unix seconds), late (days), score, final, overridden, adjustments [sentence], cells (a letter a
//     check: passed, failed, crashed, timed out, not judged), points (where not all or nothing),
//     diagnoses [id], attention, digest, report}]
// Every text from it goes through textContent, never through markup.
const classData = JSON.parse(document.getElementById('class-data').textContent);
const cellWords = { p: 'passed', f: 'failed', c: 'crashed', t: 'timed out', n: 'could not be judged' };
const countingScore = (student) => student.final ?? student.score;
const shownName = (student) => student.name || student.id;
const number = (value) => value === undefined ? '' : String(Math.round(value * 100) / 100);
const plural = (count, noun) => count.toLocaleString('en') + ' ' + noun + (count === 1 ? '' : 's');
for (const part of document.querySelectorAll('.scripted')) part.hidden = false;

// An element with its text and attributes.
const element = (tag, text = '', attributes = {}) => {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};
const linkTo = (student, text) => element('a', text, { href: student.report });
