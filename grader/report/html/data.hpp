// What the page's template is filled with. Every text that reaches the page goes through here and
// is escaped by the template engine; no other code writes HTML.
#pragma once

#include <initializer_list>
#include <kainjow/mustache.hpp>
#include <string>
#include <utility>
#include <vector>

namespace grader::html {

using Data = kainjow::mustache::data;
using List = Data;

/// An object of named values.
inline Data object(std::initializer_list<std::pair<const char*, Data>> members) {
  Data data{Data::type::object};
  for (const auto& [name, value] : members) data.set(name, value);
  return data;
}

/// An empty list; `push_back` adds to it.
inline Data list() { return Data{Data::type::list}; }

/// A text that is absent when it is empty: {{#name}}…{{/name}} then shows nothing.
inline Data text_or_nothing(const std::string& text) {
  return text.empty() ? Data{false} : Data{text};
}

}  // namespace grader::html
