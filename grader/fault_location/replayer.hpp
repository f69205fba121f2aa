// Makes one call of a submission again, in a program that watches it (build/watched_build.hpp).
#pragma once

#include <filesystem>
#include <optional>

#include "grader/build/watched_build.hpp"
#include "grader/contract/value.hpp"
#include "grader/engine/check_result.hpp"
#include "grader/fault_location/places.hpp"
#include "grader/intake/submission.hpp"

namespace grader {

class Replayer {
 public:
  /// `program` is what build_watched() made of `submission` for `watch`; `workspace` is a directory
  /// of the grader's own. Both and `contract` outlive this object. Throws EnvironmentFault.
  Replayer(const Submission& submission, const Contract& contract, Watch watch,
           std::filesystem::path program, const std::filesystem::path& workspace);

  /// Where `call` crashes, or where it is when it does not end. Nothing when that is not found,
  /// which says nothing about the submission. Throws EnvironmentFault.
  std::optional<FaultLocation> replay(const RecordedCall& call);

 private:
  [[nodiscard]] std::string log_of(std::ptrdiff_t function,
                                   const std::filesystem::path& folder) const;
  [[nodiscard]] std::optional<FaultLocation> crash_in(std::string_view log,
                                                      const std::filesystem::path& folder) const;
  [[nodiscard]] std::optional<FaultLocation> loop_in(std::string_view log,
                                                     const std::filesystem::path& folder) const;

  const Contract& contract_;
  Watch watch_;
  LineCounts lines_;
  std::filesystem::path program_;
  const std::filesystem::path& workspace_;
  int count_ = 0;
};

}  // namespace grader
