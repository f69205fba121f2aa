#include "grader/sandbox/watcher.hpp"

#include <utility>

namespace grader {

Watcher::Watcher() {
  auto [read_end, write_end] = make_pipe();
  SpawnOptions options;
  // Not `kill -9 --`, which some shells (dash) take for a process called "--".
  options.arguments = {"/bin/sh", "-c",
                       "read -r group && read -r end; kill -s KILL -- -\"$group\""};
  options.descriptors = {{read_end.get(), 0}};
  options.own_session = true;
  options.dies_with_us = false;
  process_ = Process::spawn(options);
  life_ = std::move(write_end);
}

}  // namespace grader
