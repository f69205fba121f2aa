#include "grader/batch/formats/gradescope_metadata.hpp"

#include <fcntl.h>
#include <yaml.h>

#include <utility>

#include "grader/base/moment.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {
namespace {

/// Thrown and caught in this file alone.
struct NotMetadata {};

/// The events of a YAML file, one at a time.
class Events {
 public:
  explicit Events(int file) : file_(file) {
    if (yaml_parser_initialize(&parser_) == 0) throw NotMetadata{};
    yaml_parser_set_input(&parser_, &Events::read, this);
  }
  ~Events() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  yaml_event_type_t next() {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) == 0) throw NotMetadata{};
    if (event_.type == YAML_SCALAR_EVENT && event_.data.scalar.anchor != nullptr) {
      anchored_[text_of(event_.data.scalar.anchor)] = scalar();
    }
    return event_.type;
  }
  void expect(yaml_event_type_t type) {
    if (next() != type) throw NotMetadata{};
  }
  /// The scalar that the last event is, or refers to; "" for anything else.
  [[nodiscard]] std::string scalar() const {
    if (event_.type == YAML_SCALAR_EVENT) {
      return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
    }
    if (event_.type != YAML_ALIAS_EVENT) return {};
    const auto found = anchored_.find(text_of(event_.data.alias.anchor));
    return found != anchored_.end() ? found->second : std::string();
  }
  [[nodiscard]] bool is_mapping() const { return event_.type == YAML_MAPPING_START_EVENT; }
  [[nodiscard]] bool is_sequence() const { return event_.type == YAML_SEQUENCE_START_EVENT; }
  /// Passes over the rest of the value that the last event began.
  void skip() {
    for (int depth = begins() ? 1 : 0; depth > 0;) {
      const yaml_event_type_t type = next();
      if (begins()) ++depth;
      if (type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT) --depth;
      if (type == YAML_STREAM_END_EVENT || type == YAML_NO_EVENT) throw NotMetadata{};
    }
  }
  /// Calls `visit(key)` for each entry of the mapping that the last event began, with the value's
  /// first event as the last one; `visit` consumes the value whole.
  template <class Visit>
  void each_entry(const Visit& visit) {
    while (next() != YAML_MAPPING_END_EVENT) {
      const std::string key = scalar();
      skip();
      next();
      visit(key);
    }
  }

 private:
  [[nodiscard]] bool begins() const { return is_mapping() || is_sequence(); }
  static std::string text_of(const yaml_char_t* text) {
    return reinterpret_cast<const char*>(text);
  }
  static int read(void* data, unsigned char* buffer, std::size_t size, std::size_t* count) {
    const ssize_t result = ::read(static_cast<Events*>(data)->file_, buffer, size);
    *count = result > 0 ? static_cast<std::size_t>(result) : 0;
    return result >= 0 ? 1 : 0;
  }

  int file_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  std::map<std::string, std::string> anchored_;
};

GradescopeSubmitter read_submitter(Events& events) {
  GradescopeSubmitter submitter;
  events.each_entry([&](const std::string& key) {
    if (key == ":name") submitter.name = events.scalar();
    if (key == ":sid") submitter.sid = events.scalar();
    if (key == ":email") submitter.email = events.scalar();
    events.skip();
  });
  return submitter;
}

GradescopeSubmission read_submission(Events& events) {
  GradescopeSubmission submission;
  events.each_entry([&](const std::string& key) {
    if (key == ":created_at") {
      if (const auto moment = parse_moment(events.scalar())) {
        submission.created_at = moment->seconds;
      }
    }
    if (key != ":submitters" || !events.is_sequence()) return events.skip();
    while (events.next() != YAML_SEQUENCE_END_EVENT) {
      if (events.is_mapping()) {
        submission.submitters.push_back(read_submitter(events));
      } else {
        events.skip();
      }
    }
  });
  return submission;
}

}  // namespace

std::optional<std::map<std::string, GradescopeSubmission>> read_gradescope_metadata(
    const std::filesystem::path& file) {
  const Descriptor descriptor(
      open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!descriptor) return std::nullopt;
  std::map<std::string, GradescopeSubmission> submissions;
  try {
    Events events(descriptor.get());
    events.expect(YAML_STREAM_START_EVENT);
    events.expect(YAML_DOCUMENT_START_EVENT);
    events.expect(YAML_MAPPING_START_EVENT);
    events.each_entry([&](const std::string& key) {
      if (key.starts_with("submission_") && events.is_mapping()) {
        submissions[key] = read_submission(events);
      } else {
        events.skip();
      }
    });
  } catch (const NotMetadata&) {
    return std::nullopt;
  }
  return submissions;
}

}  // namespace grader
