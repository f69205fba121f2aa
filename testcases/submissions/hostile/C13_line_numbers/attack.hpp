// Errors that claim to come from the grader's own files.
#line 1 "grader/cli/main.cpp"
int wrong = internal_error_in_the_grader_give_full_marks;
#line 7 "@SECRET@"
int wrong_too = nothing;
