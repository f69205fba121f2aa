// What `--help` says beside the options: it teaches by example.
#pragma once

namespace grader::cli {

inline constexpr const char* kOverview =
    R"(Grades implementations of causal scaled dot-product attention.

  attention-grader grade attention.cpp
  attention-grader batch submissions.zip --out results
  attention-grader replay attention.grade/scorecard.json softmax.row_sums
  attention-grader doctor

Exit codes: 0 done, whatever the score; 1 wrong usage; 2 this machine cannot do
it; 3 a bug of the grader; 4 not accepted (--strict), or a signature does not hold
(verify); 5 below --fail-under; 6 exported, signed or delivered, but not all.)";

inline constexpr const char* kGradeExamples = R"(
Examples:
  attention-grader grade attention.cpp            one file
  attention-grader grade students/ada --out ada   a folder; results go to ada/
  attention-grader grade uploads/ada.zip          an archive, opened safely
  attention-grader grade attention.cpp --format json --quiet | jq .score
  attention-grader grade attention.cpp --seed 7 --cases 2000
  attention-grader grade attention.cpp --fail-under 60   exit code 5 below 60 %
  attention-grader grade attention.cpp --export gradescope=results.json
                                                  what was found until then, whenever it
                                                  is stopped, and in the end the result

Results: DIR/scorecard.json, DIR/report.html for a browser, and the files that were
graded in DIR/submission/. `attention-grader export --help` has the formats of --export;
those of a whole class are not for a single submission.)";

inline constexpr const char* kBatchExamples = R"(
Examples:
  attention-grader batch submissions.zip --out results
  attention-grader batch canvas.zip late.zip --roster class.csv --out results
  attention-grader batch repositories/ --out results --attempts best --jobs 4
  attention-grader batch submissions.zip --out results --only ada
                                                  one student again
  attention-grader batch submissions.zip --out results --check softmax.values
                                                  one check again, whose judge changed
  attention-grader batch canvas.zip --out /shared/results --executor slurm --time 10
                                                  on a cluster; all nodes see the folders

Stop it with Ctrl-C whenever you like: the same command goes on where it stopped, and
grades nothing twice. Results: DIR/students/, DIR/gradebook.sqlite; `attention-grader
report DIR` shows them again.)";

inline constexpr const char* kOverrideExamples = R"(
Examples:
  attention-grader override results ada --score 80 --reason "explained it in the viva"
  attention-grader override results ada --withdraw --reason "the regrade settled it"

What was computed stays beside it, and grading again changes neither.)";

inline constexpr const char* kCompareExamples = R"(
Examples:
  attention-grader compare results-monday results-friday
  attention-grader compare results                each submission with its run before
  attention-grader compare old/scorecard.json new/scorecard.json)";

inline constexpr const char* kReplayExamples = R"(
Examples:
  attention-grader replay attention.grade/scorecard.json softmax.row_sums
  attention-grader replay attention.grade/scorecard.json softmax.row_sums attention.cpp --changed
                                                  the stored input on improved code)";

inline constexpr const char* kDoctorExamples = R"(
Examples:
  attention-grader doctor
  attention-grader doctor --isolation L2          as on a machine that refuses namespaces)";

inline constexpr const char* kReportExamples = R"(
Examples:
  attention-grader report attention.grade/scorecard.json
  attention-grader report attention.grade/scorecard.json --format markdown
  attention-grader report results                 the class, as `batch` graded it)";

inline constexpr const char* kExportExamples = R"(
Examples:
  attention-grader export gradescope attention.grade/scorecard.json --out results.json
  attention-grader export autolab attention.grade/scorecard.json --column Code
                                                  all points as the problem "Code"
  attention-grader export github-classroom attention.grade/scorecard.json >> "$GITHUB_ENV"
  attention-grader export junit results --out junit
                                                  of each student: junit/STUDENT/results.xml
  attention-grader export csv results > class.csv
  attention-grader export canvas results --worksheet grades.csv --column Attention --out filled.csv
                                                  the gradebook that Canvas exported, filled in
  attention-grader export moodle-feedback results --hint-level hints --out feedback.zip

Exit code 6: somebody's result could not be exported; stderr says whose and why.)";

inline constexpr const char* kPushExamples = R"(
Examples:
  attention-grader push results --platform canvas.json --dry-run
                                                  is the platform file right? what is new?
  attention-grader push results --platform canvas.json --only ada --only bob
  attention-grader push results --platform canvas.json
                                                  everybody whose score is not there yet

A platform file, with the private key in a file that only you can read (chmod 600):
  { "platform": "canvas", "client_id": "10000000000042", "key_id": "2026",
    "token_url": "https://canvas.example.edu/login/oauth2/token",
    "private_key_file": "lti.key",
    "line_items": "https://canvas.example.edu/api/lti/courses/7/line_items",
    "label": "Causal attention" }

What was delivered is remembered in the results: run the same command again after an
interruption or a change, and only what is missing is sent.
Exit code 6: not delivered for everybody; the report says for whom not, and why.)";

inline constexpr const char* kKeygenExamples = R"(
Example:
  attention-grader keygen ~/grading-keys          signing-key.pem and public-key.pem

Keep signing-key.pem to yourself; give public-key.pem to whoever reads scorecards.)";

inline constexpr const char* kSignExamples = R"(
Examples:
  attention-grader sign attention.grade/scorecard.json --key ~/grading-keys/signing-key.pem
  attention-grader sign results --key ~/grading-keys/signing-key.pem
                                                  every scorecard.json in results/

The signature is a file of its own, scorecard.json.sig. What is signed already stays as
it is. Exit code 6: something was not signed; stderr says what and why.)";

inline constexpr const char* kVerifyExamples = R"(
Examples:
  attention-grader verify attention.grade/scorecard.json --key public-key.pem
  attention-grader verify results --key public-key.pem

Exit codes: 0 all signatures hold; 4 at least one does not, stdout says which and why.)";

inline constexpr const char* kListExamples = R"(
Examples:
  attention-grader list checks
  attention-grader list misconceptions
  attention-grader list misconceptions --explain M03
                                                  what is wrong about it, on the smallest input)";

inline constexpr const char* kValidateExamples = R"(
Example:
  attention-grader validate my-assignment         a folder with assignment.json)";

inline constexpr const char* kLearnExamples = R"(
Examples:
  attention-grader learn ada.grade/scorecard.json --assignment my-assignment
  attention-grader learn grades --assignment my-assignment
                                                  every scorecard.json below grades/

The inputs go to examples.json in the assignment's folder. From then on every grading
tries them before the random cases; delete the file to forget them.)";

inline constexpr const char* kSelftestExamples = R"(
Examples:
  attention-grader selftest                       every model against every check
  attention-grader selftest --filter M02          one misconception
  attention-grader selftest --filter style --seeds 100   does any correct style lose a point?
  attention-grader selftest --cases 100 --format json)";

}  // namespace grader::cli
