#include "grader/channel/message.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/channel/wire.hpp"

namespace grader {
namespace {

static_assert(static_cast<int>(wire::Tag::boolean) == static_cast<int>(Kind::boolean));
static_assert(static_cast<int>(wire::Tag::integer) == static_cast<int>(Kind::integer));
static_assert(static_cast<int>(wire::Tag::number) == static_cast<int>(Kind::number));
static_assert(static_cast<int>(wire::Tag::row_vector) == static_cast<int>(Kind::row_vector));
static_assert(static_cast<int>(wire::Tag::matrix) == static_cast<int>(Kind::matrix));
static_assert(static_cast<int>(wire::Tag::record) == static_cast<int>(Kind::record));
static_assert(static_cast<int>(wire::Answer::returned) == static_cast<int>(Ending::returned));
static_assert(static_cast<int>(wire::Answer::threw) == static_cast<int>(Ending::threw));
static_assert(static_cast<int>(wire::Answer::malformed) == static_cast<int>(Ending::malformed));

/// Bytes that `value` takes on the wire.
std::size_t encoded_size(const Value& value) {
  switch (kind_of(value)) {
    case Kind::boolean: return 2;
    case Kind::integer:
    case Kind::number: return 9;
    case Kind::row_vector: return 9 + std::get<RowVector>(value).entries.size() * sizeof(double);
    case Kind::matrix: return 17 + std::get<Matrix>(value).entries.size() * sizeof(double);
    case Kind::record: {
      std::size_t size = 5;
      for (const Field& field : std::get<Record>(value).fields) {
        size += encoded_size(field.value);
      }
      return size;
    }
  }
  throw InternalFault("encoded_size: unknown kind");
}

void write_entries(wire::Writer& writer, const std::vector<double>& entries) {
  writer.bytes(entries.data(), entries.size() * sizeof(double));
}

void write_value(wire::Writer& writer, const Value& value) {
  const Kind kind = kind_of(value);
  writer.tag(static_cast<wire::Tag>(kind));
  switch (kind) {
    case Kind::boolean:
      writer.number(static_cast<std::uint8_t>(std::get<bool>(value) ? 1 : 0));
      return;
    case Kind::integer: writer.number(std::get<std::int64_t>(value)); return;
    case Kind::number: writer.number(std::get<double>(value)); return;
    case Kind::row_vector: {
      const auto& row = std::get<RowVector>(value);
      writer.number(row.size());
      write_entries(writer, row.entries);
      return;
    }
    case Kind::matrix: {
      const auto& matrix = std::get<Matrix>(value);
      writer.number(matrix.rows);
      writer.number(matrix.columns);
      write_entries(writer, matrix.entries);
      return;
    }
    case Kind::record: {
      const auto& fields = std::get<Record>(value).fields;
      writer.number(static_cast<std::uint32_t>(fields.size()));
      for (const Field& field : fields) {
        write_value(writer, field.value);
      }
      return;
    }
  }
}

/// Reads `rows` × `columns` doubles; allocates only after the reader has vouched for the bytes.
std::vector<double> read_entries(wire::Reader& reader, std::int64_t rows, std::int64_t columns) {
  std::vector<double> entries;
  if (const unsigned char* source = reader.doubles(rows, columns)) {
    entries.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    if (!entries.empty()) {
      std::memcpy(entries.data(), source, entries.size() * sizeof(double));
    }
  }
  return entries;
}

Value read_value(wire::Reader& reader, const Type& type) {
  reader.expect(static_cast<wire::Tag>(type.kind));
  switch (type.kind) {
    case Kind::boolean: return reader.boolean();
    case Kind::integer: return reader.number<std::int64_t>();
    case Kind::number: return reader.number<double>();
    case Kind::row_vector: {
      const std::int64_t columns = reader.dimension();
      return RowVector{read_entries(reader, 1, columns)};
    }
    case Kind::matrix: {
      Matrix matrix;
      matrix.rows = reader.dimension();
      matrix.columns = reader.dimension();
      matrix.entries = read_entries(reader, matrix.rows, matrix.columns);
      return matrix;
    }
    case Kind::record: {
      Record record;
      if (reader.number<std::uint32_t>() != type.fields.size()) {
        reader.fail();
        return record;
      }
      record.fields.reserve(type.fields.size());
      for (const Type::Member& member : type.fields) {
        if (reader.failed()) {
          break;
        }
        record.fields.push_back({member.name, read_value(reader, member.type)});
      }
      return record;
    }
  }
  throw InternalFault("read_value: unknown kind");
}

Outcome malformed(std::string message) {
  Outcome outcome;
  outcome.ending = Ending::malformed;
  outcome.message = std::move(message);
  return outcome;
}

}  // namespace

void encode_request(const Function& function, const Arguments& arguments,
                    std::vector<unsigned char>& request) {
  if (arguments.size() != function.parameters.size()) {
    throw InternalFault(function.name + " takes " + std::to_string(function.parameters.size()) +
                        " arguments, not " + std::to_string(arguments.size()));
  }
  std::size_t size = sizeof(std::uint32_t);
  for (std::size_t index = 0; index < arguments.size(); ++index) {
    if (!has_type(arguments[index], function.parameters[index].type)) {
      throw InternalFault("argument " + function.parameters[index].name + " of " + function.name +
                          " does not have the declared type");
    }
    size += encoded_size(arguments[index]);
  }
  request.resize(size);
  wire::Writer writer(request.data(), request.size());
  writer.number(static_cast<std::uint32_t>(arguments.size()));
  for (const Value& argument : arguments) {
    write_value(writer, argument);
  }
  if (writer.failed() || writer.size() != size) {
    throw InternalFault("encode_request: " + function.name + " came out at another size");
  }
}

Outcome decode_outcome(const Type& type, std::span<const unsigned char> response) {
  wire::Reader reader(response.data(), response.size());
  const auto answer = static_cast<wire::Answer>(reader.number<std::uint8_t>());
  if (reader.failed()) {
    return malformed("the answer was empty");
  }
  Outcome outcome;
  switch (answer) {
    case wire::Answer::returned:
      outcome.value = read_value(reader, type);
      if (!reader.finished()) {
        return malformed("the answer was not a value of the declared type");
      }
      return outcome;
    case wire::Answer::threw:
    case wire::Answer::malformed: {
      const std::size_t length = reader.number<std::uint32_t>();
      const unsigned char* text = reader.bytes(length);
      if (text == nullptr || !reader.finished() || length > wire::kLongestMessage) {
        return malformed("the answer could not be read");
      }
      outcome.ending = answer == wire::Answer::threw ? Ending::threw : Ending::malformed;
      outcome.message.assign(text, text + length);
      return outcome;
    }
  }
  return malformed("the answer could not be read");
}

}  // namespace grader
