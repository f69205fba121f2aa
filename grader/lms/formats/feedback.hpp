// Each student's report and scorecard, for platforms to hand out. Both tell no more than
// options.most_told, and the page is drawn again from what is told.
#pragma once

#include "grader/lms/export_format.hpp"

namespace grader {

/// STUDENT/report.html and STUDENT/scorecard.json, STUDENT as in the results folder.
Exported folders_export(const ExportedClass& graded, const ExportOptions& options);

/// One zip for Moodle's "Upload multiple feedback files in a zip":
/// NAME_PARTICIPANT_assignfeedback_file_/report.html and …/scorecard.json. Moodle finds the student
/// by the number between the first two underscores (mod/assign/feedback/file/importziplib.php).
Exported moodle_feedback_export(const ExportedClass& graded, const ExportOptions& options);

/// One zip for Canvas's "Upload Submissions" (a re-upload of the download):
/// NAME_USER_ATTACHMENT_report.html, or anon_ID_ATTACHMENT_report.html. Canvas finds the student by
/// the first number, takes only files whose second number is that of a file the student handed in,
/// and shows them under that file's name (infer_comment_context_from_filename in its assignments).
/// So there is one file a student: nobody could tell two of the same name apart.
Exported canvas_feedback_export(const ExportedClass& graded, const ExportOptions& options);

}  // namespace grader
