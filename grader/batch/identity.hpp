// Names from a download as identities: stable, different where the bytes differ, fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace grader {

/// `bytes` in Unicode's composed form, without blanks around it, on one line and without invisible
/// characters, at most 140 bytes. Where that loses something (bytes that are no UTF-8, control
/// characters, length), eight digits of a digest behind "~" keep it apart from others. Never empty.
std::string identity_text(std::string_view bytes);

/// Whether `identity` may lack something of what it was made of: such a one is no id that another
/// system knows.
bool is_in_part(std::string_view identity);

/// The letters of a person's name, whatever their order: those of "Doe, Jane", "doejane" and
/// "Jane Doe" are the same.
std::string letters_of(std::string_view name);

/// `bytes` as one line for people, at most some 200 bytes.
std::string shown_name(std::string_view bytes);

}  // namespace grader
