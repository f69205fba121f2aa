// How an assignment's dispatch.cpp exposes its contract in a few lines:
//
//   template <>
//   struct grader::Members<lesson::Options> {
//     static constexpr auto list = std::tuple{&lesson::Options::causal, &lesson::Options::scaled};
//   };
//   GRADER_DISPATCH(&lesson::first_function, &lesson::second_function)
//
// The functions stand in the order of the assignment's Contract. Types that are neither numbers nor
// structs with Members need a Transfer specialisation; eigen.hpp has the one for Eigen matrices.
#pragma once

#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "grader/channel/dispatch.hpp"
#include "grader/channel/wire.hpp"

namespace grader {

/// Specialise for each struct of the contract: `static constexpr auto list`, a tuple of pointers to
/// members in the order of the contract's Type.
template <class Struct>
struct Members;

/// How a type travels: `static T read(wire::Reader&)` and `static void write(wire::Writer&, const
/// T&)`. The general case is a struct with Members.
template <class T>
struct Transfer {
  static T read(wire::Reader& reader) {
    T value{};
    reader.expect(wire::Tag::record);
    constexpr std::size_t count = std::tuple_size_v<decltype(Members<T>::list)>;
    if (reader.number<std::uint32_t>() != count) {
      reader.fail();
    }
    std::apply(
        [&](auto... members) {
          ((value.*members = Transfer<std::remove_cvref_t<decltype(value.*members)>>::read(reader)),
           ...);
        },
        Members<T>::list);
    return value;
  }
  static void write(wire::Writer& writer, const T& value) {
    writer.tag(wire::Tag::record);
    constexpr std::size_t count = std::tuple_size_v<decltype(Members<T>::list)>;
    writer.number(static_cast<std::uint32_t>(count));
    std::apply(
        [&](auto... members) {
          (Transfer<std::remove_cvref_t<decltype(value.*members)>>::write(writer, value.*members),
           ...);
        },
        Members<T>::list);
  }
};

template <>
struct Transfer<bool> {
  static bool read(wire::Reader& reader) {
    reader.expect(wire::Tag::boolean);
    return reader.boolean();
  }
  static void write(wire::Writer& writer, bool value) {
    // A submission's bool may be uninitialised and hold any byte; only 0 and 1 go out, the rest
    // reads as true.
    std::uint8_t byte = 0;
    std::memcpy(&byte, &value, 1);
    writer.tag(wire::Tag::boolean);
    writer.number(static_cast<std::uint8_t>(byte != 0 ? 1 : 0));
  }
};

template <>
struct Transfer<std::int64_t> {
  static std::int64_t read(wire::Reader& reader) {
    reader.expect(wire::Tag::integer);
    return reader.number<std::int64_t>();
  }
  static void write(wire::Writer& writer, std::int64_t value) {
    writer.tag(wire::Tag::integer);
    writer.number(value);
  }
};

template <>
struct Transfer<double> {
  static double read(wire::Reader& reader) {
    reader.expect(wire::Tag::number);
    return reader.number<double>();
  }
  static void write(wire::Writer& writer, double value) {
    writer.tag(wire::Tag::number);
    writer.number(value);
  }
};

namespace dispatch_detail {

inline std::size_t answer_with_message(wire::Answer answer, std::string_view text,
                                       unsigned char* response, std::size_t capacity) {
  wire::Writer writer(response, capacity);
  writer.number(static_cast<std::uint8_t>(answer));
  writer.message(text.data(), text.size());
  return writer.failed() ? 0 : writer.size();
}

template <class Result, class... Parameters>
std::size_t call(Result (*function)(Parameters...), wire::Reader& reader, unsigned char* response,
                 std::size_t capacity) {
  if (reader.number<std::uint32_t>() != sizeof...(Parameters)) {
    reader.fail();
  }
  // Braces evaluate from left to right, which is the order on the wire.
  std::tuple<std::remove_cvref_t<Parameters>...> arguments{
      Transfer<std::remove_cvref_t<Parameters>>::read(reader)...};
  if (!reader.finished()) {
    return answer_with_message(wire::Answer::malformed, "the request could not be decoded",
                               response, capacity);
  }
  const Result result = std::apply(function, std::move(arguments));
  wire::Writer writer(response, capacity);
  writer.number(static_cast<std::uint8_t>(wire::Answer::returned));
  Transfer<Result>::write(writer, result);
  if (writer.failed()) {
    return answer_with_message(wire::Answer::malformed, "the result is larger than allowed",
                               response, capacity);
  }
  return writer.size();
}

}  // namespace dispatch_detail

/// The DispatchFunction over `Functions`, numbered from 0: use it under a name of your own, or
/// through GRADER_DISPATCH. Every exception becomes an answer. The floating-point environment is
/// reset before each call, so that one call cannot change how the next one rounds.
template <auto... Functions>
std::size_t dispatch(std::uint32_t function, const unsigned char* request, std::size_t request_size,
                     unsigned char* response, std::size_t capacity) noexcept {
  using dispatch_detail::answer_with_message;
  std::fesetenv(FE_DFL_ENV);
  wire::Reader reader(request, request_size);
  std::size_t size = 0;
  try {
    std::uint32_t number = 0;
    const bool found =
        ((number++ == function &&
          (size = dispatch_detail::call(Functions, reader, response, capacity), true)) ||
         ...);
    if (!found) {
      size = answer_with_message(wire::Answer::malformed, "the contract has no such function",
                                 response, capacity);
    }
  } catch (const std::exception& error) {
    const char* text = error.what();
    size =
        answer_with_message(wire::Answer::threw, text != nullptr ? text : "", response, capacity);
  } catch (...) {
    size =
        answer_with_message(wire::Answer::threw,
                            "its type is not derived from std::exception, so it carries no message",
                            response, capacity);
  }
  return size;
}

}  // namespace grader

/// Defines the symbol that the host looks up (see dispatch.hpp).
#define GRADER_DISPATCH(...)                                                                   \
  extern "C" __attribute__((visibility("default"))) std::size_t attention_grader_dispatch(     \
      std::uint32_t function, const unsigned char* request, std::size_t request_size,          \
      unsigned char* response, std::size_t capacity) noexcept {                                \
    return grader::dispatch<__VA_ARGS__>(function, request, request_size, response, capacity); \
  }
