// The numbers of a matrix or a row vector. A case and its answers are handed on far more often than
// they are changed, so copies share their numbers.
#pragma once

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace grader {

/// A std::vector<double> whose copies cost nothing: they share the numbers until one of them asks
/// for access that can change them, which gives that one numbers of its own. So iterators and
/// references that can change numbers are valid until the next copy is made, too.
class Entries {
 public:
  using value_type = double;
  using iterator = std::vector<double>::iterator;
  using const_iterator = std::vector<double>::const_iterator;

  Entries() = default;
  // NOLINTBEGIN(google-explicit-constructor): stands where a std::vector<double> would
  Entries(std::vector<double> numbers)
      : shared_(std::make_shared<std::vector<double>>(std::move(numbers))) {}
  Entries(std::initializer_list<double> numbers) : Entries(std::vector<double>(numbers)) {}
  operator const std::vector<double>&() const { return numbers(); }
  // NOLINTEND(google-explicit-constructor)
  Entries(std::size_t count, double number)
      : shared_(std::make_shared<std::vector<double>>(count, number)) {}
  template <std::input_iterator Iterator>
  Entries(Iterator first, Iterator last) : Entries(std::vector<double>(first, last)) {}

  [[nodiscard]] std::size_t size() const { return shared_ ? shared_->size() : 0; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Whether both are one and the same numbers in memory, which are then equal bit for bit.
  [[nodiscard]] bool is_shared_with(const Entries& other) const { return shared_ == other.shared_; }

  [[nodiscard]] const_iterator begin() const { return numbers().begin(); }
  [[nodiscard]] const_iterator end() const { return numbers().end(); }
  [[nodiscard]] const double* data() const { return numbers().data(); }
  [[nodiscard]] double front() const { return shared_->front(); }
  [[nodiscard]] double back() const { return shared_->back(); }
  double operator[](std::size_t index) const { return (*shared_)[index]; }
  [[nodiscard]] double at(std::size_t index) const { return numbers().at(index); }

  iterator begin() { return own().begin(); }
  iterator end() { return own().end(); }
  double* data() { return own().data(); }
  double& front() { return own().front(); }
  double& back() { return own().back(); }
  double& operator[](std::size_t index) { return own()[index]; }
  double& at(std::size_t index) { return own().at(index); }
  void reserve(std::size_t size) { own().reserve(size); }
  void resize(std::size_t size, double number = 0) { own().resize(size, number); }
  void push_back(double number) { own().push_back(number); }
  void pop_back() { own().pop_back(); }

  /// The numbers as they are.
  [[nodiscard]] const std::vector<double>& numbers() const { return shared_ ? *shared_ : kNone; }
  /// The numbers for changing them.
  std::vector<double>& own() {
    if (shared_.use_count() != 1) {
      take_copy();
    } else {
      // What the last other copy read, in whatever thread, comes before what is written now.
      std::atomic_thread_fence(std::memory_order_acquire);
    }
    return *shared_;
  }

  friend bool operator==(const Entries& left, const Entries& right) {
    return left.numbers() == right.numbers();
  }

 private:
  void take_copy();

  inline static const std::vector<double> kNone;

  std::shared_ptr<std::vector<double>> shared_;  ///< null: there are none
};

}  // namespace grader
